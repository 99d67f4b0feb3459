"""What may stand in a page: foreign text and addresses. Everything printed passes :func:`printed`."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import SplitResult, urlsplit

from markupsafe import Markup

from factdesk.kernel import Record
from report.sanitize import foreign

LIMIT = 20_000
"""Characters of one text that are shown."""

_BEFORE_BADGE = re.compile(
    r"[^\w\s][\ufe0e\ufe0f]*(?=[^\w]*(?:not[\s_-]*verified|(?:un)?verified|blocked)\b)", re.IGNORECASE
)
_PICTORIAL = frozenset({"So", "Sm", "Sk"})
_MARK = r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_MARKS = re.compile(f"({_MARK}{{3}}){_MARK}+")
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?", re.IGNORECASE)
_PLAIN_URL = re.compile(r"[!#$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]+")


class Link(Record):
    """An address for the reader. ``href`` is ``None`` where following it would not be what it looks like."""

    text: str
    href: str | None
    parts: tuple[str, str, str] = ("", "", "")
    """Text before the host, the host, and what follows, so that the host can stand out."""


def page_text(text: str) -> str:
    """:func:`report.sanitize.foreign` for a page: also no symbol before a badge's words, and at most three
    combining marks on one letter, so that no text paints over its neighbours. Idempotent.
    """
    shown = _MARKS.sub(r"\1", foreign(text, LIMIT))
    return _BEFORE_BADGE.sub(_plain, shown)


def _plain(found: re.Match[str]) -> str:
    symbol = found[0][0]
    return "·" if unicodedata.category(symbol) in _PICTORIAL or symbol in "•‣⁃∙" else found[0]


def printed(value: object) -> object:
    """Jinja's ``finalize``: every printed value becomes harmless text; only our own markup passes."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else page_text(str(value))


def link(url: str | None) -> Link | None:
    """An address as a link, when it is plain http or https without a user name; else as text."""
    if not url:
        return None
    text = page_text(url)
    parts = _split(url)
    if parts is None or not _PLAIN_URL.fullmatch(url) or len(url) > 2000:
        return Link(text=text, href=None)
    before, host, after = text.partition(parts.netloc)
    return Link(text=text, href=url, parts=(before, host, after))


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    fine = parts.scheme in {"http", "https"} and "@" not in parts.netloc and (port is None or port > 0)
    return parts if fine and parts.hostname and _HOST.fullmatch(parts.hostname) else None
