"""Word documents (.docx) by python-docx: headings, paragraphs, lists and tables in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from evidence.ingest.archive import BROKEN, damaged, unpackable
from evidence.ingest.page import Block, Page, located, table_rows
from evidence.ingest.text import clean_line
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table
    from docx.text.paragraph import Paragraph

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_HEADING = re.compile(r"(?:Heading (\d)|Title|Subtitle)\Z")


def read_docx(data: bytes) -> Page:
    """Text and title. Its dates are those of the file, not of publication, and are not used. Deleted text of tracked
    changes is left out; so are comments, headers and footers. The place of a paragraph is its number, tables counted by
    rows. Raises ``InputError``: it is damaged, encrypted or has no text.
    """
    from docx import Document
    from docx.opc.exceptions import OpcError

    stream = unpackable(data, "Word document")
    try:
        document = Document(stream)
        text, locators = located(_blocks(document))
        title = clean_line(document.core_properties.title)
    except (OpcError, *BROKEN) as error:
        raise damaged("Word document", error) from error
    if not text:
        raise InputError("the Word document has no text")
    return Page(text=text, title=title, media_type=MEDIA_TYPE, locators=locators)


def _blocks(document: Document) -> Iterator[Block]:
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
    text = _text(paragraph)
    if heading := _HEADING.match(style):
        return Block("heading", text, int(heading[1] or 1), locator=place)
    return Block("item" if style.startswith("List") else "paragraph", text, locator=place)


def _text(paragraph: Paragraph) -> str:
    """All that stands in a paragraph now: also what was inserted with tracked changes, or is a field."""
    space = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    words = {f"{space}tab": " ", f"{space}br": " ", f"{space}noBreakHyphen": "-"}
    pieces = (node.text or "" if node.tag == f"{space}t" else words.get(node.tag, "") for node in paragraph._p.iter())
    return "".join(pieces)


def _rows(table: Table) -> list[list[str]]:
    """Cells of each row; one that spans several columns once for each."""
    return [[" ".join(_text(p) for p in cell.paragraphs) for cell in row.cells] for row in table.rows]
