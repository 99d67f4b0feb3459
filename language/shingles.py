"""Word n-grams: how much of one text stands in another."""

from __future__ import annotations

import re

SHINGLE = 4
"""Words per shingle."""
_WORD = re.compile(r"\w+")


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Set of word 4-grams of a text, lower case."""
    words = _WORD.findall(text.lower())
    return frozenset(tuple(words[i : i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1)))
