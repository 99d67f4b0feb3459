"""Pairs that a model is unsure of: where it has most to learn, with what is surely mislabelled left out.

A pass over all pairs spends most of its time on what the model knows already. Of a sample with short
evidence those are kept whose own label has a probability in ``DOUBT``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from verifier.calibration.labelled_pairs import Pair
from verifier.training.mixture_large import SHORT, short_mixture
from verifier.types import NLIScores

Scorer = Callable[[Sequence[tuple[str, str]]], Sequence[NLIScores]]
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


def doubted(pairs: Sequence[Pair], score: Scorer) -> list[Pair]:
    """Those of ``pairs`` that the model behind ``score`` doubts, in order."""
    low, high = DOUBT
    return [p for p, own in _own(pairs, score) if low <= own <= high]


KEPT = ((0.97, 0.15), (0.85, 0.55), (0.02, 1.0))
"""From which probability of its own label on which share of the pairs ``screened`` keeps; below, none."""


def screened(pairs: Sequence[Pair], score: Scorer, rng: random.Random) -> list[Pair]:
    """All that a fast model doubts, and fewer of what it is sure of, in order.

    Much faster than asking the large model itself, and where the small one errs is where it needs the other.
    """
    return [p for p, own in _own(pairs, score) if rng.random() < _kept(own)]


def _kept(own: float) -> float:
    return next((share for least, share in KEPT if own >= least), 0.0)


def _own(pairs: Sequence[Pair], score: Scorer) -> list[tuple[Pair, float]]:
    found = score([(p.premise, p.hypothesis) for p in pairs])
    return [(p, getattr(s, p.label)) for p, s in zip(pairs, found, strict=True)]
