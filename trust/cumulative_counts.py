"""Counts that grow: "61 cases in January" does not refute "186 cases since the beginning of the year"."""

from __future__ import annotations

import re
from datetime import date

_SO_FAR = re.compile(
    r"\b(?:since|so far|to date|up to now|until now|by now|"
    r"(?:has|have) (?:now )?(?:risen|grown|climbed|increased|reached))\b",
    re.IGNORECASE,
)
"""What a sentence counts up to the day it was written."""


def outgrown(earlier: date | None, later: date | None, text: str) -> bool:
    """Whether what was written ``earlier`` says nothing against ``text``, a count up to the ``later`` day.

    ``False`` where a day is not known, or both are the same.
    """
    return earlier is not None and later is not None and earlier < later and _counts(text)


def _counts(text: str) -> bool:
    return bool(_SO_FAR.search(text)) and any(character.isdigit() for character in text)
