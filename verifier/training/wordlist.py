"""The list of common words that the guard does not take for names: counted from the training texts.

A word is common when it occurs at least ``LEAST`` times in the middle of sentences and is written
small there in at least ``SMALL`` of the cases. ``python -m verifier.training wordlist`` writes it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

LEAST = 3
SMALL = 0.5
_WORD = re.compile(r"(?<=[a-z,;] )[A-Za-z][a-z'-]+")


def common_words(texts: Iterable[str]) -> list[str]:
    """Sorted common words of the texts, in small letters."""
    small: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for text in texts:
        for word in _WORD.findall(text):
            every[word.lower()] += 1
            small[word.lower()] += word[0].islower()
    return sorted(w for w, n in every.items() if n >= LEAST and small[w] / n >= SMALL)


def write_words(texts: Iterable[str], path: Path) -> int:
    """Write one word a line; returns how many."""
    words = common_words(texts)
    path.write_text("\n".join(words) + "\n", encoding="utf-8")
    return len(words)
