"""A table of claims (.csv) as the JSON Lines that a batch reads, one line a row with the same number."""

from __future__ import annotations

import io
import json
from pathlib import Path

from evidence.ingest.tables import csv_rows
from factdesk.kernel import InputError

COLUMNS = ("claim", "question", "id", "date", "image")


def table_as_lines(path: Path) -> io.BytesIO:
    """The rows as lines; the first row names the columns, of which those of a line are taken.

    Raises:
        InputError: the file cannot be read, or has neither a column "claim" nor "question".
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
