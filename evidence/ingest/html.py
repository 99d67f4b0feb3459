"""Web pages: main text and metadata by trafilatura, from the file alone; nothing is fetched."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from evidence.ingest.blocks import Block, render, table_rows
from evidence.ingest.elements import element_blocks
from evidence.ingest.grid import fill_tables
from evidence.ingest.page import Page, web_address
from evidence.ingest.prune import prune
from evidence.ingest.published import published
from evidence.ingest.text import clean_line, decode, quiet
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element
    from lxml.html import HtmlElement


_KEPT_INLINE = "|".join(
    f"//{block}//{inline}" for block in ("p", "li", "td") for inline in ("time", "output", "label", "math")
)


def read_html(data: bytes, url: str | None = None) -> Page:
    """Main text, headings, lists, tables and metadata of a page; what is no evidence is left out (``prune``).

    ``url`` is the address it was fetched from, if any.

    Raises:
        InputError: the bytes are no text, or the page has no text.
    """
    import trafilatura

    quiet("trafilatura", "htmldate", "courlan", "justext")
    source = decode(data, html=True)
    page, own = trafilatura.load_html(source), trafilatura.load_html(source)
    if page is None or own is None:
        raise InputError("the page has no text")
    said = trafilatura.extract_metadata(page, date_config={"extensive_search": False})
    address = web_address(url) or web_address(said.url)
    hidden = prune(own)
    notes: list[str] = []
    if hidden:
        notes.append(f"left out: {hidden} passage(s) that a reader of the page does not see")
    day = published(page, own, address, notes)
    text = _main_text(own)
    if not text:
        raise InputError("the page has no text")
    return Page(
        text=text,
        title=clean_line(said.title),
        url=web_address(said.url),
        publisher=clean_line(said.sitename) or clean_line(said.author),
        published=day,
        media_type="text/html",
        notes=tuple(notes),
    )


def _main_text(own: HtmlElement) -> str:
    """The main text of a pruned page, or ``""``."""
    import trafilatura

    for element in own.xpath(_KEPT_INLINE):
        element.drop_tag()  # trafilatura leaves these elements out, with the days and numbers in them
    fill_tables(own)
    config = trafilatura.settings.use_config()
    config.set("DEFAULT", "MIN_EXTRACTED_SIZE", "0")  # else a short page becomes one run of text
    found = trafilatura.bare_extraction(deepcopy(own), include_comments=False, include_tables=True, config=config)
    body = getattr(found, "body", None)
    text = render(html_blocks(body)) if body is not None else ""
    return text or render(element_blocks(own))


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
    rows = [[(_text(cell), cell.get("role") == "head") for cell in row.iter("cell")] for row in element.iter("row")]
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
