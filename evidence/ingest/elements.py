"""Blocks of an HTML tree, element by element, for Markdown and where no main text of a page is found. Cells of tables
that stand for several rows or columns are written into each of them.
"""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import product
from typing import TYPE_CHECKING

from evidence.ingest.page import Block, table_rows

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
    grid: dict[tuple[int, int], HtmlElement] = {}
    for y, row in enumerate(rows):
        x = 0
        for cell in row.xpath("./td|./th"):
            while (y, x) in grid:
                x += 1
            spanned = product(range(y, y + _span(cell, "rowspan")), range(x, x + _span(cell, "colspan")))
            grid.update(dict.fromkeys(spanned, cell))
        while (y, x) in grid:
            x += 1
        row[:] = [_copy(grid[y, column]) for column in range(x)]


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


_BLOCKS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol table pre blockquote div section article main details summary dl dt dd figure "
    "header hr aside address center".split()
)
_LEFT_OUT = frozenset("nav form button select option menu script style head svg iframe object textarea".split())


def element_blocks(root: HtmlElement) -> list[Block]:
    """The blocks of a tree in order; spanning cells count in each row and column."""
    for part in root.iter("br", "li", *_BLOCKS):  # of an item or cell: their words stay apart
        part.text, part.tail = f" {part.text or ''}", f" {part.tail or ''}"
    fill_tables(root)
    blocks: list[Block] = []
    _walk(root, blocks, 0)
    return blocks


def _walk(element: HtmlElement, blocks: list[Block], depth: int, item: bool = False) -> None:
    """Blocks of an element; the first of an ``item`` is one of a list."""
    loose = [element.text or ""]

    def add(text: str) -> None:
        nonlocal item
        if text.strip():
            blocks.append(Block("item" if item else "paragraph", text, depth if item else 0))
            item = False

    for child in element:
        if child.tag in _LEFT_OUT or not isinstance(child.tag, str):
            pass
        elif child.tag not in _BLOCKS:
            loose.append(str(child.text_content()))
        else:
            add("".join(loose))
            loose.clear()
            if child.tag == "p":
                add(str(child.text_content()))
            else:
                _block(child, blocks, depth)
        loose.append(child.tail or "")
    add("".join(loose))


def _block(element: HtmlElement, blocks: list[Block], depth: int) -> None:
    tag = str(element.tag)
    if re.fullmatch("h[1-6]", tag):
        blocks.append(Block("heading", str(element.text_content()), int(tag[1])))
    elif tag in ("ul", "ol"):
        for entry in element.iterchildren("li"):
            _walk(entry, blocks, depth + (element.getparent().tag == "li"), item=True)
    elif tag == "table":
        rows = [[str(c.text_content()) for c in row.iter("td", "th")] for row in element.iter("tr")]
        blocks.extend(table_rows(rows[0], rows[1:]) if rows else [])
    elif tag == "pre":
        blocks.extend(Block("paragraph", line) for line in str(element.text_content()).splitlines())
    else:
        _walk(element, blocks, depth)
