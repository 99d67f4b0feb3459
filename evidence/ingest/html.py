"""Web pages: main text and metadata by trafilatura, from the file alone; nothing is fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.ingest.blocks import Block, render, table_rows
from evidence.ingest.page import Page, dated, web_address
from evidence.ingest.text import clean_line, decode, quiet
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element


def read_html(data: bytes) -> Page:
    """Main text, headings, lists, tables and metadata of a page; navigation and boilerplate are left out.

    Raises:
        InputError: the bytes are no text, or the page has no text.
    """
    import trafilatura

    quiet("trafilatura", "htmldate", "courlan", "justext")
    source = decode(data, html=True)
    found = trafilatura.bare_extraction(
        source, with_metadata=True, include_comments=False, include_tables=True
    )
    body = getattr(found, "body", None)
    text = render(html_blocks(body)) if body is not None else ""
    if not text:
        body, _, _ = trafilatura.baseline(source)
        text = render(html_blocks(body))
    if not text:
        raise InputError("the page has no text")
    notes: list[str] = []

    def field(name: str) -> object:
        return getattr(found, name, None)

    return Page(
        text=text,
        title=clean_line(field("title")),
        url=web_address(field("url")),
        publisher=clean_line(field("sitename")) or clean_line(field("author")),
        published=dated(field("date"), notes),
        media_type="text/html",
        notes=tuple(notes),
    )


def html_blocks(body: _Element) -> list[Block]:
    """Blocks of trafilatura's body element: ``head``, ``p``, ``list``, ``table``, ``quote``, ``code``."""
    blocks: list[Block] = []
    _walk(body, blocks, 0)
    return blocks


def _walk(element: _Element, blocks: list[Block], depth: int) -> None:
    _loose(element.text, blocks)
    for child in element:
        tag = child.tag
        if tag == "head":
            blocks.append(Block("heading", _text(child), _level(child)))
        elif tag == "list":
            _list(child, blocks, depth)
        elif tag == "table":
            _table(child, blocks)
        elif tag in ("p", "ab", "span", "item", "fw", "hi", "ref"):
            blocks.extend(Block("paragraph", line) for line in _text(child).split("\n"))
        elif isinstance(tag, str) and tag != "graphic":
            _walk(child, blocks, depth)
        _loose(child.tail, blocks)


def _loose(text: str | None, blocks: list[Block]) -> None:
    if text and text.strip():
        blocks.append(Block("paragraph", text))


def _list(element: _Element, blocks: list[Block], depth: int) -> None:
    for item in element.iterchildren("item"):
        own = "".join(_pieces(item, skip="list"))
        blocks.append(Block("item", own, depth))
        for inner in item.iterchildren("list"):
            _list(inner, blocks, depth + 1)


def _table(element: _Element, blocks: list[Block]) -> None:
    rows = [
        [(_text(cell), cell.get("role") == "head") for cell in row.iter("cell")]
        for row in element.iter("row")
    ]
    header: list[str] = []
    if rows and all(is_head for _, is_head in rows[0]):
        header = [text for text, _ in rows.pop(0)]
    blocks.extend(table_rows(header, ([text for text, _ in row] for row in rows)))


def _text(element: _Element) -> str:
    return "".join(_pieces(element))


def _pieces(element: _Element, skip: str = "") -> list[str]:
    parts = [element.text or ""]
    for child in element:
        if child.tag == "lb":
            parts.append("\n")
        elif child.tag != skip:
            parts.extend(_pieces(child, skip))
        parts.append(child.tail or "")
    return parts


def _level(element: _Element) -> int:
    rend = str(element.get("rend") or "h2")
    return int(rend[1]) if len(rend) == 2 and rend[1].isdigit() else 2
