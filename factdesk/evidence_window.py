"""Windows of days and groups of sites as a user writes them: ``2y``, ``fact-checkers``."""

from __future__ import annotations

import re

from factdesk.kernel import ConfigError

_LENGTH = re.compile(r"([1-9][0-9]{0,3})\s*([dwmy])", re.IGNORECASE)
GROUPS = {
    "fact-checkers": ("politifact.com", "snopes.com", "factcheck.org"),
    "social": (
        "tiktok.com",
        "facebook.com",
        "fb.com",
        "fb.watch",
        "twitter.com",
        "x.com",
        "t.co",
        "youtube.com",
        "youtu.be",
    ),
}
"""Names that stand for several sites. ``fact-checkers`` is the paper's fair setting."""


def check_window(text: str) -> str:
    """The length of a window in its plain form (``"2y"``). Raises ``ConfigError``."""
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ConfigError(f"window {text!r} is no length of time; write 30d, 8w, 6m or 2y")
    return f"{match[1]}{match[2].lower()}"
