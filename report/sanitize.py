"""Making foreign text and addresses harmless, on a terminal and in a page: no escape sequence, no reordering, no
imitation of a badge, no link that is not what it looks like.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import SplitResult, urlsplit

from factdesk.kernel import Record

_DROPPED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
"""Invisible and without effect on order: left out. The JSON keeps them."""

_ESCAPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories written as ``\\x1b`` or ``\\u202e``: control, format (bidi), surrogate, private, unassigned."""

_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and symbols that look like nothing."""

_FAKE_BADGE = re.compile(
    r"[\[\uff3b\u3010\u3014\u27e6\u2045](?=[^\w]*(?:not[\s_-]*verified|(?:un)?verified|blocked))",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")

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


def visible(text: str) -> str:
    """Control, bidi and other invisible characters written out as escapes; white space becomes one space.

    The result is one line of printable text. Idempotent.
    """
    return _SPACE.sub(" ", escaped(_SPACE.sub(" ", text)))


def escaped(text: str) -> str:
    """Like :func:`visible`, but spaces stay as they are. Idempotent."""
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


def foreign(text: str, limit: int = 2000) -> str:
    """Text that others wrote, for one place in a report: :func:`visible`, and an opening bracket before a
    badge's words becomes a round one. At most ``limit`` characters, the rest as ``…``.
    """
    shown = visible(text).strip()
    shown = _FAKE_BADGE.sub("(", unicodedata.normalize("NFC", shown))
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def _shown(char: str) -> str:
    if char in _DROPPED:
        return ""
    if char in _FILLERS or unicodedata.category(char) in _ESCAPED:
        code = ord(char)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return char


class Link(Record):
    """An address for the reader. ``href`` is ``None`` where following it would not be what it looks like."""

    text: str
    href: str | None
    parts: tuple[str, str, str] = ("", "", "")
    """Text before the host, the host, and what follows, so that the host can stand out."""


def page_text(text: str) -> str:
    """:func:`foreign` for a page: also no symbol before a badge's words, and at most three
    combining marks on one letter, so that no text paints over its neighbours. Idempotent.
    """
    shown = _MARKS.sub(r"\1", foreign(text, LIMIT))
    return _BEFORE_BADGE.sub(_plain, shown)


def _plain(found: re.Match[str]) -> str:
    symbol = found[0][0]
    return "·" if unicodedata.category(symbol) in _PICTORIAL or symbol in "•‣⁃∙" else found[0]


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
