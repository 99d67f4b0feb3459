"""Making foreign text harmless on a terminal: no escape sequence, no reordering, no imitation of a badge."""

from __future__ import annotations

import re
import unicodedata

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
