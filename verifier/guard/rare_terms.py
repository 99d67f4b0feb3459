"""Rare words of a claim that its evidence does not have."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from language.names import content_stems, stem
from language.quantities.mentions import find_slots

_WORD = re.compile(r"(?<![\w-])[a-z]{6,}(?![\w-])")


def uncovered_terms(claim: str, around: str) -> tuple[str, ...]:
    """Words of six letters and more that are not common and whose stem ``around`` lacks, in their order.

    Words within amounts and dates are left to those; a common word may well be paraphrased.
    """
    slots = [(s.start, s.end) for s in find_slots(claim)]
    found = [
        m[0]
        for m in _WORD.finditer(claim)
        if stem(m[0]) not in common_stems() and not any(a <= m.start() < b for a, b in slots)
    ]
    if not found:
        return ()
    held = content_stems(around)
    return tuple(w for w in dict.fromkeys(found) if stem(w) not in held)


@cache
def common_stems() -> frozenset[str]:
    """Stems of the common words: what is none of them is a name or a rare word.

    They lie beside the words, since making them takes as long as comparing twenty pairs.
    """
    return frozenset(
        files("language.wordlists").joinpath("common_stems.txt").read_text(encoding="utf-8").split()
    )
