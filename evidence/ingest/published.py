"""The day on which a web page was published: what the page marks as that, and nothing else.

Days in running text, footers, comments and captions never count, nor does the day of a change. Where the page
marks none, its address or a line below the headline may tell; then a note says that the day is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from evidence.ingest.text import parse_date

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_FIRST_YEAR = 1995
_NO_DAY = re.compile(r"modif|updat|copyright|last|revis|og:url|expire|event", re.IGNORECASE)
"""Names of meta elements that tell of a change, a right or an event."""
_UNSURE = re.compile(r"\s*\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")
_ARTICLES = re.compile(r"\w*(?:Article|Posting|Report|Review|WebPage|Publication|Blog)\w*|CreativeWork")
_IN_TEXT = re.compile(
    r"\b(?:\d{1,2} [A-Z][a-z]{2,8}\.?,? (?:19|20)\d\d|[A-Z][a-z]{2,8}\.? \d{1,2},? (?:19|20)\d\d"
    r"|(?:19|20)\d\d-\d\d-\d\d)(?!\d)"
)
_LINE_CLASS = re.compile(r"(?:.*-)?(?:date|byline|dateline|published|posted(?:-on)?|pubdate|timestamp|time)(?:-.*)?")
_CHANGED = re.compile(r"updat|modif|edited|changed|correct", re.IGNORECASE)
MAX_LINE = 100
"""Characters of a line that may tell the day; longer ones are running text, as are sentences."""


def published(page: HtmlElement, pruned: HtmlElement, url: str | None, notes: list[str]) -> date | None:
    """The page's day of publication, or ``None``; what is guessed gets a note.

    ``page`` is the page as it came, ``pruned`` the same without comments, captions and footers.
    """
    day = next((d for d in (_meta(page), _linked_data(page), _marked(pruned)) if d), None)
    if day is not None:
        return day
    if (day := _address(url)) is not None:
        notes.append(f"kept with the date {day.isoformat()}, which is guessed from its address")
        return day
    days = set(_told(pruned))
    if len(days) != 1:
        return None
    day = days.pop()
    notes.append(f"kept with the date {day.isoformat()}, which is guessed from a line that looks like one")
    return day


def _sane(day: date | None) -> date | None:
    return day if day is not None and day.year >= _FIRST_YEAR else None


def _meta(page: HtmlElement) -> date | None:
    """By htmldate, from the ``meta`` elements alone."""
    from htmldate import find_date
    from lxml import html

    skeleton, head = html.Element("html"), html.Element("head")
    skeleton.append(head)
    for meta in page.iter("meta"):
        keys = ("name", "property", "itemprop", "http-equiv", "pubdate", "content", "datetime")
        found = {key: str(meta.get(key)) for key in keys if meta.get(key) is not None}
        name = " ".join(found.get(key, "") for key in keys[:4])
        if not _NO_DAY.search(name) and not _UNSURE.match(found.get("content", "")):
            head.append(html.Element("meta", attrib=found))
    day = find_date(skeleton, extensive_search=False, original_date=True, url="", min_date=f"{_FIRST_YEAR}-01-01")
    return _sane(parse_date(day))


def _linked_data(page: HtmlElement) -> date | None:
    """``datePublished`` of the article that the page's JSON-LD describes, not of what is listed beside it."""
    for script in page.xpath("//script[@type='application/ld+json']"):
        try:
            data = json.loads(script.text or "")
        except (ValueError, RecursionError):
            continue
        for thing in _things(data):
            day = _sane(parse_date(thing.get("datePublished") or thing.get("dateCreated")))
            if day is not None:
                return day
    return None


def _things(data: object) -> Iterator[dict[str, object]]:
    for thing in data if isinstance(data, list) else [data]:
        if not isinstance(thing, dict):
            continue
        kinds = thing.get("@type")
        names = kinds if isinstance(kinds, list) else [kinds]
        if any(isinstance(name, str) and _ARTICLES.fullmatch(name) for name in names):
            yield thing
        for inner in ("@graph", "mainEntity"):
            if inner in thing:
                yield from _things(thing[inner])


def _marked(pruned: HtmlElement) -> date | None:
    """Elements that say of themselves that they hold the day of publication."""
    marks = "//*[@itemprop='datePublished']|//time[@pubdate]|//*[self::time or self::abbr][@class]"
    for element in pruned.xpath(marks):
        names = str(element.get("class") or "").lower().split()
        if element.get("itemprop") or element.get("pubdate") is not None or {"published", "dt-published"} & {*names}:
            value = element.get("content") or element.get("datetime") or element.get("title")
            day = _sane(parse_date(value or " ".join(str(element.text_content()).split())))
            if day is not None:
                return day
    return None


def _address(url: str | None) -> date | None:
    found = re.search(r"/((?:19|20)\d\d)[/-]?(\d\d)[/-]?(\d\d)(?=[/-]|$)", url or "")
    return _sane(parse_date("-".join(found.groups()))) if found else None


def _told(pruned: HtmlElement) -> Iterator[date]:
    """Days in short lines that their class or a ``time`` element makes out as dates."""
    for element in pruned.xpath("//*[@class]|//time[@datetime]"):
        names = [str(element.tag), *str(element.get("class") or "").lower().replace("_", "-").split()]
        if not any(_LINE_CLASS.fullmatch(name) for name in names):
            continue
        block = next((a for a in element.iterancestors("p", "li", "td", "div", "header")), element)
        line = " ".join(str(element.text_content()).split())
        around = line if element.tag != "time" else " ".join(str(block.text_content()).split())
        if len(around) > MAX_LINE or around.endswith(".") or _CHANGED.search(f"{around} {' '.join(names)}"):
            continue
        stamp = [str(element.get("datetime"))] if element.get("datetime") else _IN_TEXT.findall(line)
        yield from (day for day in (_sane(parse_date(text)) for text in stamp) if day is not None)
