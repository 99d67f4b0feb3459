"""Formats that are zip archives: Word documents (.docx) by python-docx, OpenDocument texts (.odt) by odfdo, and books
(.epub) by lxml, since the packages that read these are under the AGPL. The chapters of a book are read as web pages.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from evidence.ingest.elements import element_blocks
from evidence.ingest.page import Block, Page, located, page_of, table_rows
from evidence.ingest.prune import prune
from evidence.ingest.text import EXPRESSIONS
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph
    from lxml.etree import _Element
    from odfdo import Element

MAX_UNPACKED = 200_000_000
"""Bytes of all members of an archive together."""
MAX_MEMBERS = 20_000
_LEFT_OUT = frozenset({"text:tracked-changes", "text:table-of-content", "office:forms", "text:sequence-decls"})
_DC = "{http://purl.org/dc/elements/1.1/}"
_HTML = ("application/xhtml+xml", "text/html")


def unpacked(data: bytes) -> io.BytesIO:
    """The archive as a stream, when it unpacks to a reasonable size. Raises ``InputError``: it is encrypted, or unpacks
    to more than ``MAX_UNPACKED`` bytes.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
    if any(member.flag_bits & 1 for member in members):
        raise InputError("is encrypted; save a copy without a password and add that")
    if len(members) > MAX_MEMBERS or sum(member.file_size for member in members) > MAX_UNPACKED:
        raise InputError(f"unpacks to more than {MAX_UNPACKED // 1_000_000} MB; split it")
    return io.BytesIO(data)


def read_docx(data: bytes) -> Page:
    """Text and title. Its dates are those of the file, not of publication, and are not used. Deleted text of tracked
    changes is left out; so are comments, headers and footers. The place of a paragraph is its number, tables counted by
    rows. Raises ``InputError``: it is encrypted or too large.
    """
    from docx import Document

    document = Document(unpacked(data))
    return page_of(*located(_docx_blocks(document)), {"title": document.core_properties.title})


def _docx_blocks(document: Document) -> Iterator[Block]:
    from docx.text.paragraph import Paragraph

    number = 0
    for part in document.iter_inner_content():
        if isinstance(part, Paragraph):
            if part.text.strip():
                number += 1
                yield _paragraph(part, f"paragraph {number}")
            continue
        rows = [[" ".join(map(_docx_text, cell.paragraphs)) for cell in row.cells] for row in part.rows]
        places = (f"paragraph {number + row}" for row in range(2, len(rows) + 1))
        yield from table_rows(rows[0], rows[1:], places) if rows else ()
        number += len(rows)


def _paragraph(paragraph: Paragraph, place: str) -> Block:
    style = str(paragraph.style.name) if paragraph.style is not None else ""
    text = _docx_text(paragraph)
    if heading := EXPRESSIONS["heading_style"].match(style):
        return Block("heading", text, int(heading[1] or 1), locator=place)
    return Block("item" if style.startswith("List") else "paragraph", text, locator=place)


def _docx_text(paragraph: Paragraph) -> str:
    """All that stands in a paragraph now: also what was inserted with tracked changes, or is a field."""
    space = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    words = {f"{space}tab": " ", f"{space}br": " ", f"{space}noBreakHyphen": "-"}
    pieces = (node.text or "" if node.tag == f"{space}t" else words.get(node.tag, "") for node in paragraph._p.iter())
    return "".join(pieces)


def read_odt(data: bytes) -> Page:
    """Text and title; notes, comments, tables of contents and deleted text are left out. The place of a paragraph is
    its number, tables counted by rows. Raises ``InputError``: it is encrypted or too large.
    """
    from odfdo import Document

    document = Document(unpacked(data))
    blocks = (block for block in _odt_blocks(document.body, 0) if block.text.strip())
    numbered = (replace(block, locator=f"paragraph {number}") for number, block in enumerate(blocks, start=1))
    return page_of(*located(numbered), {"title": document.meta.title})


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


def read_epub(data: bytes) -> Page:
    """The chapters in the order of reading, title, publisher and day of publication; the place of a sentence is its
    chapter. Raises ``InputError``: it is encrypted, too large or protected.
    """
    with zipfile.ZipFile(unpacked(data)) as archive:
        if "META-INF/rights.xml" in archive.namelist():
            raise InputError("is protected against copying and cannot be read")
        path = str(_xml(archive, "META-INF/container.xml").xpath("string(//*[@full-path]/@full-path)"))
        package = _xml(archive, path)
        text, locators = located(_chapters(archive, package, posixpath.dirname(path)))
    names = {"title": "title", "publisher": "publisher", "author": "creator", "published": "date"}
    return page_of(text, locators, {name: package.findtext(f".//{_DC}{said}") for name, said in names.items()})


def _xml(archive: zipfile.ZipFile, name: str) -> _Element:
    from lxml import etree

    return etree.fromstring(archive.read(name), etree.XMLParser(resolve_entities=False, no_network=True))


def _chapters(archive: zipfile.ZipFile, package: _Element, folder: str) -> Iterator[Block]:
    """The blocks of all chapters in the order of the spine."""
    from lxml import html

    items = {item.get("id"): item for item in package.iterfind(".//{*}manifest/{*}item")}
    order = (items.get(ref.get("idref")) for ref in package.iterfind(".//{*}spine/{*}itemref"))
    number = 0
    for item in order:
        if item is None or item.get("media-type") not in _HTML or "nav" in (item.get("properties") or ""):
            continue
        data = archive.read(posixpath.normpath(posixpath.join(folder, unquote(item.get("href") or ""))))
        root = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
        prune(root)
        body = root.find("body")
        blocks = element_blocks(root if body is None else body)
        if blocks:
            number += 1
            yield from (replace(b, locator=f"chapter {number}") for b in blocks)
