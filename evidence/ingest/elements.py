"""Blocks of an HTML tree, element by element: for Markdown, and where no main text of a page is found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evidence.ingest.blocks import Block, table_rows
from evidence.ingest.grid import fill_tables

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_BLOCKS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol table pre blockquote div section article main details summary dl dt dd figure "
    "header hr aside address center".split()
)
_LEFT_OUT = frozenset("nav form button select option menu script style head svg iframe object textarea".split())


def element_blocks(root: HtmlElement) -> list[Block]:
    """The blocks of a tree in order; spanning cells count in each row and column."""
    for line_break in root.iter("br"):
        line_break.tail = f" {line_break.tail or ''}"
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
