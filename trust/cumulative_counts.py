"""Cumulative counts: an earlier count does not refute a later, larger one."""

from __future__ import annotations

import re
from datetime import date

_SO_FAR = re.compile(
    r"\b(?:since|so far|to date|up to now|until now|by now|"
    r"(?:has|have) (?:now )?(?:risen|grown|climbed|increased|reached))\b",
    re.IGNORECASE,
)
"""Marks of a count up to the day of publication."""


def outgrown(earlier: date | None, later: date | None, text: str) -> bool:
    """Whether an ``earlier`` text says nothing against ``text``, a cumulative count of a ``later`` day.

    ``False`` where a day is unknown, or both are equal.
    """
    return earlier is not None and later is not None and earlier < later and _counts(text)


def _counts(text: str) -> bool:
    return bool(_SO_FAR.search(text)) and any(character.isdigit() for character in text)
