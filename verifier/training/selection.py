"""Which pairs of a mixture a stage sees: so many of each source, short ones, such as are new to the model."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from verifier.calibration.labelled_pairs import Pair
from verifier.training.recipes import Stage
from verifier.training.suffix_augment import trailing_pairs

WRITTEN = frozenset({"handwritten", "story"})
"""Sources whose evidence may get a clause more."""


def choose(stage: Stage, mixture: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """What the stage takes of a shuffled mixture, with some evidence lengthened, in random order."""
    brief = shorter(mixture, stage.shorter_than)
    if not stage.most:
        return brief
    seen = {_key(p) for p in first_of(mixture, stage.seen)}
    fresh = [p for p in brief if _key(p) not in seen]
    made = first_of(fresh, stage.most) + first_of(brief, stage.again)
    made += trailing_pairs([p for p in brief if p.source in WRITTEN], stage.trailing, rng)
    rng.shuffle(made)
    return made


def first_of(mixture: Sequence[Pair], most: Mapping[str, int]) -> list[Pair]:
    """The first distinct pairs of each source, in order."""
    taken: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    kept = []
    for pair in mixture:
        key = _key(pair)
        if key not in seen and taken[pair.source] < most.get(pair.source, 0):
            seen.add(key)
            taken[pair.source] += 1
            kept.append(pair)
    return kept


def shorter(pairs: Sequence[Pair], than: int | None) -> list[Pair]:
    """The pairs whose evidence has fewer characters; without a bound, all."""
    return [p for p in pairs if than is None or len(p.premise) < than]


def _key(pair: Pair) -> tuple[str, str]:
    return pair.premise, pair.hypothesis
