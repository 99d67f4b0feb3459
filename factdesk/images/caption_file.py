"""Captions, days and sources of pictures, from a JSON or CSV file beside them.

``photo.jpg.json`` or ``photo.json`` describes one picture; ``captions.csv`` or ``captions.json`` in the
folder describes all in it, with the column or key ``file``. Known fields: ``caption``, ``published``,
``source``, ``url``, ``taken``, ``place``.
"""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from factdesk.kernel import InputError, Record

MAX_BYTES = 50_000_000


class Description(Record):
    """What is known of a picture; days are ISO days."""

    caption: str = ""
    published: date | None = None
    source: str | None = None
    url: str | None = None
    taken: date | None = None
    place: str | None = None


def description_of(path: Path, given: Description) -> Description:
    """What files beside ``path`` say, with what was ``given`` over it. Raises ``InputError``."""
    found: dict[str, Any] = {}
    for place in (path.with_name("captions.json"), path.with_name("captions.csv")):
        if place.is_file():
            found |= next((row for row in _rows(place) if row.get("file") == path.name), {})
    for place in (path.with_suffix(".json"), path.with_name(path.name + ".json")):
        if place.is_file() and place.name != "captions.json":
            found |= _rows(place)[0]
    values = {k: v for k, v in found.items() if k in Description.model_fields and v not in (None, "")}
    try:
        return Description(**{**values, **given.model_dump(exclude_defaults=True)})
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(
            f"the description of {path.name!r} has {first['loc'][0]!r} = {first['input']!r}: {first['msg']}; "
            "days are written 2019-08-17"
        ) from error


def _rows(path: Path) -> list[dict[str, Any]]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{str(path)!r} has more than {MAX_BYTES} bytes; split it")
        text = path.read_text("utf-8-sig")
        data = list(csv.DictReader(io.StringIO(text))) if path.suffix == ".csv" else json.loads(text)
    except (OSError, ValueError, csv.Error, RecursionError) as error:
        raise InputError(f"{str(path)!r} cannot be read as {path.suffix[1:].upper()}: {error}") from error
    rows = data if isinstance(data, list) else [data]
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{str(path)!r} must hold objects with the fields of a picture")
    return rows
