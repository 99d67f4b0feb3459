"""A short, broad pass for a large model, which learns from few pairs and sees few in the same time.

Public sets nearly whole, of what is made by rule or by hand a little of each kind, no pair twice.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from verifier.training.pairs import Pair

MOST = {
    "mnli_10k": 10_000, "mnli_matched_dev": 10_000, "fever_gg": 10_000, "fever_gg_nei": 4_000,
    "ling_in_loop": 8_000, "infotabs": 6_000, "healthver": 6_500, "scifact": 1_400, "snli_cad": 3_500,
    "snli_cat18k": 8_000, "snli_dev": 5_000, "folio": 1_000, "conjnli": 2_500, "mpe": 1_500, "cannot": 500,
    "handwritten": 22_000, "story": 7_000, "story_open": 7_000, "same_story": 3_000, "dated": 1_500,
    "headed": 2_500, "literal": 2_500, "literal_changed": 2_500, "number_flip": 1_200, "date_flip": 900,
    "direction_flip": 900, "entity_flip": 1_400, "negation_flip": 1_000, "unit_flip": 400, "denial": 900,
    "near_miss": 1_500, "retrieved": 4_000, "distractor": 900, "wider": 900, "rows": 500, "furniture": 600,
    "templates": 1_500,
}  # fmt: skip
"""So many distinct pairs of each source at most; of others none."""


def short_mixture(mixture: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """The first distinct pairs of each source of a shuffled mixture, shuffled again."""
    taken: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    kept = []
    for pair in mixture:
        key = (pair.premise, pair.hypothesis)
        if key not in seen and taken[pair.source] < MOST.get(pair.source, 0):
            seen.add(key)
            taken[pair.source] += 1
            kept.append(pair)
    rng.shuffle(kept)
    return kept
