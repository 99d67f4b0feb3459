"""Claims beside evidence that a search would find but that does not speak of them: neutral pairs.

A checker sees far more evidence that is merely similar than evidence that decides. The public sets hold
almost none of it, and a model trained on them takes two sentences of one field for support. Each claim
is paired with a premise of *another* claim that BM25 ranks high for it and that still lacks most of its
words.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence

from verifier.calibration.labelled_pairs import Pair
from verifier.training.hard_negatives import NEUTRAL

SOURCE = "retrieved"
DEPTH = 30
"""Ranks of the search that a premise is drawn from."""
MOST_COVERED = 0.5
"""A premise that holds more of the claim's content words than this may well decide the claim: left out."""
_WORD = re.compile(r"[a-z0-9][a-z0-9'-]{2,}")
_ENDING = re.compile(r"(?:ing|edly|ed|es|s|ly)$")


def content(text: str) -> set[str]:
    """Stems, roughly, of the words of four letters or more, and every number."""
    words = _WORD.findall(text.lower())
    return {_ENDING.sub("", w)[:7] for w in words if len(w) > 3 or w.isdigit()}


def retrieved_negatives(pairs: Sequence[Pair], count: int, rng: random.Random) -> list[Pair]:
    """At most ``count`` neutral pairs from the claims and premises of ``pairs``, one a claim."""
    import bm25s

    own: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        own[pair.hypothesis].add(pair.premise)
    premises = sorted({p.premise for p in pairs})
    claims = sorted(own)
    rng.shuffle(claims)
    claims = claims[: count * 2]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(premises, show_progress=False), show_progress=False)
    found, _ = index.retrieve(
        bm25s.tokenize(claims, show_progress=False),
        k=min(DEPTH, len(premises)),
        show_progress=False,
    )
    stems = [content(p) for p in premises]
    made: list[Pair] = []
    for claim, ranks in zip(claims, found, strict=True):
        if len(made) >= count:
            break
        words = content(claim)
        gold = [content(p) for p in own[claim]]
        fitting = [
            int(i)
            for i in ranks
            if words and len(words & stems[i]) <= MOST_COVERED * len(words) and _apart(stems[i], gold)
        ]
        if fitting:
            made.append(Pair(premises[rng.choice(fitting)], claim, NEUTRAL, SOURCE))
    return made


def _apart(premise: set[str], gold: Sequence[set[str]]) -> bool:
    """Whether a premise shares less than half of its words with every premise that belongs to the claim."""
    return all(len(premise & g) < 0.5 * max(1, min(len(premise), len(g))) for g in gold)
