"""Word documents (.docx) by python-docx and OpenDocument texts (.odt) by odfdo: headings, paragraphs, lists, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from evidence.ingest.archive import unpacked
from evidence.ingest.page import Block, Page, located, table_rows
from evidence.ingest.text import clean_line

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table
    from docx.text.paragraph import Paragraph
    from odfdo import Element

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODT = "application/vnd.oasis.opendocument.text"
_LEFT_OUT = frozenset({"text:tracked-changes", "text:table-of-content", "office:forms", "text:sequence-decls"})
_HEADING = re.compile(r"(?:Heading (\d)|Title|Subtitle)\Z")


def read_docx(data: bytes) -> Page:
    """Text and title. Its dates are those of the file, not of publication, and are not used. Deleted text of tracked
    changes is left out; so are comments, headers and footers. The place of a paragraph is its number, tables counted by
    rows. Raises ``InputError``: it is damaged, encrypted or has no text.
    """
    from docx import Document
    from docx.opc.exceptions import OpcError

    with unpacked(data, "Word document", OpcError) as stream:
        document = Document(stream)
        text, locators = located(_docx_blocks(document), "Word document")
        title = clean_line(document.core_properties.title)
    return Page(text=text, title=title, media_type=DOCX, locators=locators)


def _docx_blocks(document: Document) -> Iterator[Block]:
    from docx.text.paragraph import Paragraph

    number = 0
    for part in document.iter_inner_content():
        if isinstance(part, Paragraph):
            if part.text.strip():
                number += 1
                yield _paragraph(part, f"paragraph {number}")
            continue
        rows = _rows(part)
        places = (f"paragraph {number + row}" for row in range(2, len(rows) + 1))
        yield from table_rows(rows[0], rows[1:], places) if rows else ()
        number += len(rows)


def _paragraph(paragraph: Paragraph, place: str) -> Block:
    style = str(paragraph.style.name) if paragraph.style is not None else ""
    text = _docx_text(paragraph)
    if heading := _HEADING.match(style):
        return Block("heading", text, int(heading[1] or 1), locator=place)
    return Block("item" if style.startswith("List") else "paragraph", text, locator=place)


def _docx_text(paragraph: Paragraph) -> str:
    """All that stands in a paragraph now: also what was inserted with tracked changes, or is a field."""
    space = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    words = {f"{space}tab": " ", f"{space}br": " ", f"{space}noBreakHyphen": "-"}
    pieces = (node.text or "" if node.tag == f"{space}t" else words.get(node.tag, "") for node in paragraph._p.iter())
    return "".join(pieces)


def _rows(table: Table) -> list[list[str]]:
    """Cells of each row; one that spans several columns once for each."""
    return [[" ".join(_docx_text(p) for p in cell.paragraphs) for cell in row.cells] for row in table.rows]


def read_odt(data: bytes) -> Page:
    """Text and title; notes, comments, tables of contents and deleted text are left out. The place of a paragraph is
    its number, tables counted by rows. Raises ``InputError``: it is damaged, encrypted or has no text.
    """
    from odfdo import Document

    with unpacked(data, "OpenDocument text") as stream:
        document = Document(stream)
        text, locators = located(_numbered(_odt_blocks(document.body, 0)), "OpenDocument text")
        title = clean_line(document.meta.title)
    return Page(text=text, title=title, media_type=ODT, locators=locators)


def _numbered(blocks: Iterator[Block]) -> Iterator[Block]:
    filled = (block for block in blocks if block.text.strip())
    for number, block in enumerate(filled, start=1):
        yield replace(block, locator=f"paragraph {number}")


def _odt_blocks(element: Element, depth: int) -> Iterator[Block]:
    for child in element.children:
        tag = child.tag
        if tag == "text:h":
            yield Block("heading", _odt_text(child), int(child.get_attribute("text:outline-level") or 1))
        elif tag == "text:p":
            yield Block("item" if depth else "paragraph", _odt_text(child), max(depth - 1, 0))
        elif tag == "text:list":
            yield from _odt_blocks(child, depth + 1)
        elif tag == "table:table":
            rows = [_odt_cells(row) for row in child.get_elements("descendant::table:table-row")]
            yield from table_rows(rows[0], rows[1:]) if rows else ()
        elif tag not in _LEFT_OUT:
            yield from _odt_blocks(child, depth)


def _odt_cells(row: Element) -> list[str]:
    cells: list[str] = []
    for cell in row.get_elements("table:table-cell|table:covered-table-cell"):
        again = min(int(cell.get_attribute("table:number-columns-repeated") or 1), 100)
        cells += [" ".join(_odt_text(p) for p in cell.get_elements("descendant::text:p"))] * again
    while cells and not cells[-1].strip():
        cells.pop()
    return cells


def _odt_text(element: Element) -> str:
    """The words of a paragraph without those of its notes and comments."""
    pieces = [element.text or ""]
    for child in element.children:
        if child.tag in ("text:s", "text:tab", "text:line-break"):
            pieces.append(" ")
        elif child.tag not in ("text:note", "office:annotation"):
            pieces.append(_odt_text(child))
        pieces.append(child.tail or "")
    return "".join(pieces)
