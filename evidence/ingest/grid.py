"""Cells of HTML tables that stand for several rows or columns, written into each of them."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MAX_SPAN = 200
"""Rows or columns that one cell may stand for; more is damage or an attack."""
MAX_CELLS = 20_000
"""Cells of a table after filling; a larger one stays as it is."""


def fill_tables(root: HtmlElement) -> None:
    """Repeat spanning cells, in place, so that every row has a cell in every column it covers."""
    for table in root.xpath("//table[.//*[@rowspan or @colspan]]"):
        rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
        cells = [cell for row in rows for cell in row.xpath("./td|./th")]
        if sum(_span(c, "rowspan") * _span(c, "colspan") for c in cells) <= MAX_CELLS:
            _fill(rows)


def _fill(rows: list[HtmlElement]) -> None:
    pending: dict[int, tuple[HtmlElement, int]] = {}
    """Column: the cell from above, and in how many more rows it stands."""
    for row in rows:
        own = iter(row.xpath("./td|./th"))
        filled: list[HtmlElement] = []
        while True:
            if (above := pending.pop(len(filled), None)) is not None:
                cell, left = above
                if left > 1:
                    pending[len(filled)] = (cell, left - 1)
                filled.append(_copy(cell))
                continue
            found = next(own, None)
            if found is None:
                break
            wide, high = _span(found, "colspan"), _span(found, "rowspan")
            for _ in range(wide):
                if high > 1:
                    pending[len(filled)] = (found, high - 1)
                filled.append(_copy(found))
        row[:] = filled


def _span(cell: HtmlElement, name: str) -> int:
    value = str(cell.get(name) or "1").strip()
    number = int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else 1
    return min(max(number, 1), MAX_SPAN)


def _copy(cell: HtmlElement) -> HtmlElement:
    copy = deepcopy(cell)
    for name in ("rowspan", "colspan"):
        copy.attrib.pop(name, None)
    copy.tail = None
    return copy
