"""Pairs that a model is unsure of: where it has most to learn, with what is surely mislabelled left out.

A pass over all pairs spends most of its time on what the model knows already. Of a sample with short
evidence those are kept whose own label has a probability in ``DOUBT``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from verifier.training.pairs import Pair
from verifier.training.short import SHORT, short_mixture
from verifier.types import NLIScores

DOUBT = (0.03, 0.85)
"""Least and greatest probability of a pair's own label; below it the label itself is likely wrong."""
SHARES = {
    "handwritten": 0.55, "story": 0.08, "fever_gg": 0.08, "ling_in_loop": 0.07, "mnli_10k": 0.05,
    "mnli_matched_dev": 0.05, "healthver": 0.03, "infotabs": 0.03, "retrieved": 0.03, "dated": 0.01,
    "headed": 0.01, "same_story": 0.01,
}  # fmt: skip
"""Share of each source in the sample; of others none."""


def candidates(mixture: Sequence[Pair], count: int, rng: random.Random) -> list[Pair]:
    """``count`` distinct pairs with short evidence at most, by ``SHARES``, in random order."""
    brief = [p for p in mixture if len(p.premise) < SHORT]
    rng.shuffle(brief)
    return short_mixture(brief, rng, {source: int(share * count) for source, share in SHARES.items()})


def doubted(
    pairs: Sequence[Pair], score: Callable[[Sequence[tuple[str, str]]], Sequence[NLIScores]]
) -> list[Pair]:
    """Those of ``pairs`` that the model behind ``score`` doubts, in order."""
    found = score([(p.premise, p.hypothesis) for p in pairs])
    low, high = DOUBT
    return [p for p, s in zip(pairs, found, strict=True) if low <= getattr(s, p.label) <= high]
