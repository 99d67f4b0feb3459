"""Reading the input of a batch as a stream, line by line; a table of claims is read as such lines."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from datetime import date as Date
from pathlib import Path
from typing import BinaryIO

from pydantic import Field, ValidationError

from evidence.ingest.tables import csv_rows
from factdesk.batch.types import Bad, Item
from factdesk.kernel import InputError, Record

MAX_LINE_BYTES = 1_000_000
_CHUNK = 1 << 20


class Row(Record):
    """The fields of a line; others are ignored."""

    claim: str | None = None
    question: str | None = None
    id: str | int | None = None
    date: Date | None = None
    image: str | None = Field(default=None, max_length=4096)


class Reader:
    """Items of a JSON Lines stream. ``folder``: base of image paths; ``fingerprint``: hash of the settings, part of
    each key; ``batch_id``: part of the certificates' ids.
    """

    def __init__(self, folder: Path, fingerprint: str, batch_id: str) -> None:
        self._folder, self._fingerprint, self._batch_id = folder, fingerprint, batch_id

    def read(self, stream: BinaryIO) -> Iterator[Item | Bad]:
        """All lines that are not empty, in order; invalid ones with the reason."""
        for number, data in lines(stream):
            if data is None:
                reason = f"line {number} is longer than {MAX_LINE_BYTES} bytes; split it"
                yield Bad(line=number, id=str(number), key=self._key("long", number), reason=reason)
            elif data.strip():
                yield self._item(number, data)

    def _item(self, number: int, data: bytes) -> Item | Bad:
        try:
            row = _row(data)
        except (ValueError, RecursionError) as error:
            reason = f"line {number} is no claim record ({_why(error)})"
            key = self._key("raw", hashlib.sha256(data).hexdigest())
            return Bad(line=number, id=str(number), key=key, reason=reason)
        asked = row.question is not None
        text = (row.question if asked else row.claim) or ""
        path = self._folder / row.image if row.image else None
        key = self._key(
            "question" if asked else "claim",
            text.strip(),
            row.date.isoformat() if row.date else None,
            _image_hash(path) if path else None,
        )
        name = str(number if row.id is None else row.id).encode("utf-8", "replace").decode()[:200]
        return Item(
            line=number,
            id=name,
            text=text,
            asked=asked,
            date=row.date,
            image=str(path.absolute()) if path else None,
            key=key,
            certificate_id=_sha256(self._batch_id, key)[:32],
        )

    def _key(self, *content: object) -> str:
        return _sha256(self._fingerprint, *content)


def lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines from 1; ``None`` for one that is too long."""
    number = 0
    while data := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(data) <= MAX_LINE_BYTES:
            yield number, data
            continue
        while data and not data.endswith(b"\n"):
            data = stream.readline(_CHUNK)
        yield number, None


def count_lines(path: Path) -> int:
    """Number of lines that are not empty. Raises ``InputError``."""
    try:
        with path.open("rb") as file:
            return sum(1 for _, data in lines(file) if data is None or data.strip())
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read ({error.strerror or error})") from error


def _row(data: bytes) -> Row:
    raw = json.loads(data.decode("utf-8-sig"))
    if not isinstance(raw, dict):
        raise ValueError("it is no JSON object")
    row = Row(**{name: raw[name] for name in Row.model_fields if name in raw})
    if (row.claim is None) == (row.question is None):
        raise ValueError("it needs either 'claim' or 'question'")
    if row.question is not None and (row.image or row.date):
        raise ValueError("a question has no date and no image")
    return row


def _why(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]


def _image_hash(path: Path) -> str:
    """Hash of the file's bytes, or of its name if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return f"unreadable {path}"


def _sha256(*parts: object) -> str:
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


COLUMNS = ("claim", "question", "id", "date", "image")


def table_as_lines(path: Path) -> io.BytesIO:
    """The rows as lines; the first row names the columns, of which those of a line are taken. Raises ``InputError``
    where the file cannot be read, or has neither a column "claim" nor "question".
    """
    try:
        rows = csv_rows(path.read_bytes(), limit=None)
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read ({error.strerror or error})") from error
    header = [name.strip().lower().removeprefix("\ufeff") for name in rows[0]] if rows else []
    if not {"claim", "question"} & set(header):
        raise InputError(
            f"the first row of {str(path)!r} must name the columns: claim (or question), and if you like id, "
            f"date, image; it is {', '.join(header)[:200]!r}"
        )
    lines = [""]
    for row in rows[1:]:
        named = {n: v.strip() for n, v in zip(header, row, strict=False) if n in COLUMNS and v.strip()}
        lines.append(json.dumps(named, ensure_ascii=False) if named else "")
    return io.BytesIO("\n".join(lines).encode("utf-8", "replace"))
