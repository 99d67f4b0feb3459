"""Tables (.csv, .xlsx): each row a sentence of its own, its cells named by the first row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import islice

from evidence.ingest.archives import unpacked
from evidence.ingest.page import Block, Page, located, page_of, table_rows
from evidence.ingest.text import decode
from factdesk.kernel import InputError

MAX_ROWS = 100_000
"""Rows read of one table; a note tells when there were more."""
MAX_CELLS = 200
"""Cells read of one row."""
BEGINNING = 4_000
"""Characters by which the separator is told: the standard library takes time by their square."""


def read_csv(data: bytes) -> Page:
    """A table with commas, semicolons or tabs; the place of a row is its number, the first row being 1. Raises
    ``InputError``: the bytes are no text, or no table.
    """
    rows = csv_rows(data, MAX_ROWS + 1)
    return page_of(*located(_rows(rows[:MAX_ROWS], "row")), {}, _more(rows))


def csv_rows(data: bytes, limit: int | None) -> list[list[str]]:
    """The first rows of a table; the separator is told from its beginning. Raises ``InputError``."""
    text = decode(data)
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:BEGINNING], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    try:
        return list(islice(csv.reader(io.StringIO(text, newline=""), dialect), limit))
    except csv.Error as error:
        raise InputError(f"is no table that can be read ({error})") from error


def read_xlsx(data: bytes) -> Page:
    """All sheets with the values that were stored, formulas as their results; places as "SHEET, row 5". Raises
    ``InputError``: it is encrypted or too large.
    """
    from openpyxl import load_workbook

    blocks: list[Block] = []
    notes: tuple[str, ...] = ()
    book = load_workbook(unpacked(data), read_only=True, data_only=True, keep_links=False)
    for sheet in book.worksheets:
        cells = sheet.iter_rows(values_only=True, max_col=MAX_CELLS)
        rows = [[_written(cell) for cell in row] for row in islice(cells, MAX_ROWS + 1)]
        notes += _more(rows)
        found = list(_rows(rows[:MAX_ROWS], f"{sheet.title}, row"))
        blocks += [Block("heading", sheet.title, 2), *found] if found else []
    return page_of(*located(blocks), {"title": book.properties.title}, notes)


def _rows(rows: Iterable[list[str]], where: str) -> Iterator[Block]:
    """The rows below the first that is filled, which names the columns."""
    filled = ((number, row[:MAX_CELLS]) for number, row in enumerate(rows, start=1) if any(map(str.strip, row)))
    first, header = next(filled, (0, []))
    rest = [(f"{where} {number}", row) for number, row in filled]
    if not rest:
        yield from table_rows((), [header], [f"{where} {first}"])
        return
    width = max(len(row) for _, row in [("", header), *rest])
    named = header + [""] * (width - len(header))
    padded = [row + [""] * (width - len(row)) for _, row in rest]
    yield from table_rows(named, padded, [place for place, _ in rest])


def _written(value: object) -> str:
    """A cell as a reader writes it: whole numbers without a point, days without an hour."""
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        return value.date().isoformat()
    if isinstance(value, (date, datetime)):
        return value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, float):
        return f"{value:.15g}"
    return str(value)


def _more(rows: list[list[str]]) -> tuple[str, ...]:
    return (f"kept with its first {MAX_ROWS} rows only",) if len(rows) > MAX_ROWS else ()
