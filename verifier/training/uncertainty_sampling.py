"""Pairs that a model is unsure of: where it has most to learn, with what is surely mislabelled left out.

A pass over all pairs spends most of its time on what the model knows already. Of a sample with short
evidence those are kept whose own label has a probability in ``DOUBT``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from verifier.calibration.labelled_pairs import Pair
from verifier.training.selection import first_of, shorter
from verifier.types import NLIScores

Scorer = Callable[[Sequence[tuple[str, str]]], Sequence[NLIScores]]
DOUBT = (0.03, 0.85)
"""Least and greatest probability of a pair's own label; below it the label itself is likely wrong."""


def candidates(
    mixture: Sequence[Pair], most: Mapping[str, int], rng: random.Random, *, shorter_than: int | None = None
) -> list[Pair]:
    """So many distinct pairs of each source at most, with short evidence, in random order."""
    brief = shorter(mixture, shorter_than)
    rng.shuffle(brief)
    found = first_of(brief, most)
    rng.shuffle(found)
    return found


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
