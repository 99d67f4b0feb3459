"""What every reader returns: the text of one document with what it says about itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from evidence.ingest.text import clean_line, parse_date
from evidence.types import Locator


@dataclass(frozen=True)
class Page:
    """A document as read, before it has an id. ``notes`` say what was not understood."""

    text: str
    title: str | None = None
    url: str | None = None
    publisher: str | None = None
    published: date | None = None
    retrieved: date | None = None
    media_type: str = "text/plain"
    notes: tuple[str, ...] = ()
    locators: tuple[Locator, ...] = ()
    """Of ``text`` in its stored form (``evidence.ingest.text.normalise``)."""


def dated(value: object, notes: list[str], field: str = "published") -> date | None:
    """The day a metadata value means; what cannot be told is noted and left undated."""
    day = parse_date(value)
    if day is None and value not in (None, ""):
        notes.append(f"kept without a date: {field} {clean_line(str(value))!r} is not understood; write YYYY-MM-DD")
    return day


def web_address(value: object) -> str | None:
    """An ``http`` or ``https`` address, or ``None``."""
    line = clean_line(value)
    return line if line and line.lower().startswith(("http://", "https://")) else None
