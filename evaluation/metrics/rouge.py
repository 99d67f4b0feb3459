"""ROUGE-1 and ROUGE-L (Lin 2004) as F-measures over lower-case words, without stemming."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"\w+")


def rouge_1(found: str, gold: str) -> float:
    """By shared words, 0 to 1."""
    mine, theirs = _words(found), _words(gold)
    return _f1((Counter(mine) & Counter(theirs)).total(), len(mine), len(theirs))


def rouge_l(found: str, gold: str) -> float:
    """By the longest common subsequence, 0 to 1."""
    mine, theirs = _words(found), _words(gold)
    return _f1(_common(mine, theirs), len(mine), len(theirs))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(second) + 1)
    for word in first:
        before = 0
        for place, other in enumerate(second, 1):
            before, row[place] = row[place], before + 1 if word == other else max(row[place], row[place - 1])
    return row[-1]


def _f1(shared: int, mine: int, theirs: int) -> float:
    return 2 * shared / (mine + theirs) if shared else 0.0
