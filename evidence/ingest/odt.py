"""OpenDocument texts (.odt) by odfdo: headings, paragraphs, lists and tables in their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evidence.ingest.archive import BROKEN, damaged, unpackable
from evidence.ingest.page import Block, Page, located, table_rows
from evidence.ingest.text import clean_line
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from odfdo import Element

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
_LEFT_OUT = frozenset({"text:tracked-changes", "text:table-of-content", "office:forms", "text:sequence-decls"})


def read_odt(data: bytes) -> Page:
    """Text and title; notes, comments, tables of contents and deleted text are left out. The place of a paragraph is
    its number, tables counted by rows. Raises ``InputError``: it is damaged, encrypted or has no text.
    """
    from odfdo import Document

    stream = unpackable(data, "OpenDocument text")
    try:
        document = Document(stream)
        text, locators = located(_numbered(_blocks(document.body, 0)))
        title = clean_line(document.meta.title)
    except BROKEN as error:
        raise damaged("OpenDocument text", error) from error
    if not text:
        raise InputError("the OpenDocument text has no text")
    return Page(text=text, title=title, media_type=MEDIA_TYPE, locators=locators)


def _numbered(blocks: Iterator[Block]) -> Iterator[Block]:
    filled = (block for block in blocks if block.text.strip())
    for number, block in enumerate(filled, start=1):
        yield Block(block.kind, block.text, block.level, locator=f"paragraph {number}")


def _blocks(element: Element, depth: int) -> Iterator[Block]:
    for child in element.children:
        tag = child.tag
        if tag == "text:h":
            yield Block("heading", _text(child), int(child.get_attribute("text:outline-level") or 1))
        elif tag == "text:p":
            yield Block("item" if depth else "paragraph", _text(child), max(depth - 1, 0))
        elif tag == "text:list":
            yield from _blocks(child, depth + 1)
        elif tag == "table:table":
            rows = [_cells(row) for row in child.get_elements("descendant::table:table-row")]
            yield from table_rows(rows[0], rows[1:]) if rows else ()
        elif tag not in _LEFT_OUT:
            yield from _blocks(child, depth)


def _cells(row: Element) -> list[str]:
    cells: list[str] = []
    for cell in row.get_elements("table:table-cell|table:covered-table-cell"):
        again = min(int(cell.get_attribute("table:number-columns-repeated") or 1), 100)
        cells += [" ".join(_text(p) for p in cell.get_elements("descendant::text:p"))] * again
    while cells and not cells[-1].strip():
        cells.pop()
    return cells


def _text(element: Element) -> str:
    """The words of a paragraph without those of its notes and comments."""
    pieces = [element.text or ""]
    for child in element.children:
        if child.tag in ("text:s", "text:tab", "text:line-break"):
            pieces.append(" ")
        elif child.tag not in ("text:note", "office:annotation"):
            pieces.append(_text(child))
        pieces.append(child.tail or "")
    return "".join(pieces)
