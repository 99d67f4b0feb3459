"""Web pages: main text and metadata by trafilatura, from the file alone; nothing is fetched."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, Any

from evidence.ingest.elements import element_blocks, fill_tables
from evidence.ingest.page import Block, Page, located, one_line, page_of, table_rows, web_address
from evidence.ingest.prune import prune
from evidence.ingest.text import EXPRESSIONS, decode, parse_date
from factdesk.kernel import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element
    from lxml.html import HtmlElement


_KEPT_INLINE = "|".join(
    f"//{block}//{inline}" for block in ("p", "li", "td") for inline in ("time", "output", "label", "math")
)


def read_html(data: bytes, url: str | None = None) -> Page:
    """Main text, headings, lists, tables and metadata of a page; what is no evidence is left out (``prune``). ``url``
    is the address it was fetched from, if any. Raises ``InputError``: the bytes are no text, or the page has no text.
    """
    import trafilatura

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
    about = {"title": said.title, "url": said.url, "publisher": said.sitename, "author": said.author}
    return page_of(text, (), {**about, "published": day}, notes)


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
    text = located(_body_blocks(body))[0] if body is not None else ""
    return text or located(element_blocks(own))[0]


def _body_blocks(body: _Element) -> Iterator[Block]:
    """Blocks of trafilatura's body element: ``head``, ``p``, ``list``, ``table``, ``quote``, ``code``."""
    for line_break in body.iter("lb"):
        line_break.tail = f"\n{line_break.tail or ''}"
    for part in body.iter("head", "p", "list", "quote", "cell"):  # of an item or cell: their words stay apart
        part.text, part.tail = f" {part.text or ''}", f" {part.tail or ''}"
    yield from _walk(body)


def _walk(element: _Element) -> Iterator[Block]:
    yield Block("paragraph", element.text or "")
    for child in element:
        tag = child.tag
        if tag == "head":
            level = re.fullmatch(r".(\d)", str(child.get("rend")))
            yield Block("heading", _text(child), int(level[1]) if level else 2)
        elif tag == "list":
            yield from _items(child, 0)
        elif tag == "table":
            rows = [list(row.iter("cell")) for row in child.iter("row")]
            named = bool(rows) and all(cell.get("role") == "head" for cell in rows[0])
            cells = [[_text(cell) for cell in row] for row in rows]
            yield from table_rows(cells[0] if named else (), cells[named:])
        elif tag in ("p", "ab", "span", "item", "fw", "hi", "ref"):
            yield from (Block("paragraph", line) for line in _text(child).split("\n"))
        elif isinstance(tag, str) and tag != "graphic":
            yield from _walk(child)
        yield Block("paragraph", child.tail or "")


def _items(element: _Element, depth: int) -> Iterator[Block]:
    for item in element.iterchildren("item"):
        lists = sum(1 for _ in item.iterancestors("list"))
        own: Any = item.xpath(".//text()[count(ancestor::list) = $lists]", lists=lists)
        yield Block("item", "".join(own), depth)
        for inner in item.iterchildren("list"):
            yield from _items(inner, depth + 1)


def _text(element: _Element) -> str:
    return "".join(map(str, element.itertext()))


_FIRST_YEAR = 1995
MAX_LINE = 100
"""Characters of a line that may tell the day; longer ones are running text, as are sentences."""


def published(page: HtmlElement, pruned: HtmlElement, url: str | None, notes: list[str]) -> date | None:
    """The page's day of publication, or ``None``; what is guessed gets a note. ``page`` is the page as it came,
    ``pruned`` the same without comments, captions and footers.
    """
    told = chain([_meta(page)], _linked_data(page), _marked(pruned))
    if (day := next(_days(told), None)) is not None:
        return day
    if (day := next(_days(_address(url)), None)) is not None:
        notes.append(f"kept with the date {day.isoformat()}, which is guessed from its address")
        return day
    days = set(_days(_lines(pruned)))
    if len(days) != 1:
        return None
    day = days.pop()
    notes.append(f"kept with the date {day.isoformat()}, which is guessed from a line that looks like one")
    return day


def _days(values: Iterable[object]) -> Iterator[date]:
    """The days that values mean, without those before there were web pages."""
    found = (parse_date(value) for value in values)
    yield from (day for day in found if day is not None and day.year >= _FIRST_YEAR)


def _meta(page: HtmlElement) -> str | None:
    """By htmldate, from the ``meta`` elements alone."""
    from htmldate import find_date
    from lxml import html

    skeleton, head = html.Element("html"), html.Element("head")
    skeleton.append(head)
    for meta in page.iter("meta"):
        keys = ("name", "property", "itemprop", "http-equiv", "pubdate", "content", "datetime")
        found = {key: str(meta.get(key)) for key in keys if meta.get(key) is not None}
        name = " ".join(found.get(key, "") for key in keys[:4])
        if not EXPRESSIONS["no_day"].search(name) and not EXPRESSIONS["unsure_day"].match(found.get("content", "")):
            head.append(html.Element("meta", attrib=found))
    return find_date(skeleton, extensive_search=False, original_date=True, url="", min_date=f"{_FIRST_YEAR}-01-01")


def _linked_data(page: HtmlElement) -> Iterator[object]:
    """``datePublished`` of the article that the page's JSON-LD describes, not of what is listed beside it."""
    for script in page.xpath("//script[@type='application/ld+json']"):
        try:
            data = json.loads(script.text or "")
        except (ValueError, RecursionError):
            continue
        yield from (thing.get("datePublished") or thing.get("dateCreated") for thing in _things(data))


def _things(data: object) -> Iterator[dict[str, object]]:
    for thing in data if isinstance(data, list) else [data]:
        if not isinstance(thing, dict):
            continue
        kinds = thing.get("@type")
        names = kinds if isinstance(kinds, list) else [kinds]
        if any(isinstance(name, str) and EXPRESSIONS["article_types"].fullmatch(name) for name in names):
            yield thing
        for inner in ("@graph", "mainEntity"):
            if inner in thing:
                yield from _things(thing[inner])


def _marked(pruned: HtmlElement) -> Iterator[object]:
    """Elements that say of themselves that they hold the day of publication."""
    marks = "//*[@itemprop='datePublished']|//time[@pubdate]|//*[self::time or self::abbr][@class]"
    for element in pruned.xpath(marks):
        names = str(element.get("class") or "").lower().split()
        if element.get("itemprop") or element.get("pubdate") is not None or {"published", "dt-published"} & {*names}:
            value = element.get("content") or element.get("datetime") or element.get("title")
            yield value or one_line(str(element.text_content()))


def _address(url: str | None) -> list[str]:
    found = EXPRESSIONS["day_in_address"].search(url or "")
    return ["-".join(found.groups())] if found else []


def _lines(pruned: HtmlElement) -> Iterator[object]:
    """Days in short lines that their class or a ``time`` element makes out as dates."""
    for element in pruned.xpath("//*[@class]|//time[@datetime]"):
        names = [str(element.tag), *str(element.get("class") or "").lower().replace("_", "-").split()]
        if not any(EXPRESSIONS["line_class"].fullmatch(name) for name in names):
            continue
        block = next((a for a in element.iterancestors("p", "li", "td", "div", "header")), element)
        line = one_line(str(element.text_content()))
        around = line if element.tag != "time" else one_line(str(block.text_content()))
        told, day = f"{around} {' '.join(names)}", element.get("datetime")
        if len(around) > MAX_LINE or around.endswith(".") or EXPRESSIONS["changed"].search(told):
            continue
        yield from [str(day)] if day else EXPRESSIONS["day_in_text"].findall(line)
