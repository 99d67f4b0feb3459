"""A short, broad pass for a large model, which learns from few pairs and sees few in the same time.

Public sets nearly whole, of what is made by rule or by hand a little of each kind, no pair twice.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from verifier.calibration.labelled_pairs import Pair
from verifier.training.suffix_augment import trailing_pairs

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
FRESH = {
    "handwritten": 52_000, "fever_gg": 15_000, "ling_in_loop": 9_000, "infotabs": 4_500, "snli_cat18k": 3_000,
    "fever_gg_nei": 2_400, "retrieved": 2_200, "snli_cad": 2_000, "story_open": 2_000, "snli_dev": 1_800,
    "headed": 1_500, "same_story": 1_500, "dated": 900, "literal_changed": 900, "number_flip": 900,
    "entity_flip": 800, "negation_flip": 800, "denial": 800, "literal": 700, "near_miss": 700,
    "date_flip": 600, "direction_flip": 600, "templates": 500, "conjnli": 500, "distractor": 400,
    "rows": 300, "mpe": 250, "cannot": 250, "wider": 250, "unit_flip": 200, "furniture": 200,
}  # fmt: skip
"""The same for a further stage, of what the first one (``MOST``) did not see."""
AGAIN = {
    "mnli_10k": 5_000, "mnli_matched_dev": 5_000, "healthver": 4_000, "story": 2_500, "scifact": 800,
}  # fmt: skip
"""And of what it saw whole."""

REVISED = {**FRESH, **AGAIN, "handwritten": 36_000, "fever_gg": 9_000, "ling_in_loop": 6_000}
"""The same for a further stage of a small model, which has seen them all."""
TRAILED = 14_000
"""So many pairs of that stage have evidence with a clause more (``verifier.training.suffix_augment``)."""

BESIDE_CONTRAST = {
    "fever_gg": 3_600, "fever_gg_nei": 1_000, "handwritten": 1_300, "mnli_10k": 700, "mnli_matched_dev": 700,
    "ling_in_loop": 500, "infotabs": 500, "healthver": 450, "story_open": 400, "story": 350, "scifact": 300,
    "snli_cad": 250, "snli_cat18k": 250, "retrieved": 150, "conjnli": 120, "dated": 120, "headed": 120,
    "entity_flip": 120, "literal_changed": 120, "number_flip": 120, "negation_flip": 100, "same_story": 100,
    "date_flip": 80, "denial": 80, "direction_flip": 80, "distractor": 80, "near_miss": 80, "wider": 80,
    "folio": 60, "templates": 60, "cannot": 40, "mpe": 40, "rows": 40, "unit_flip": 25, "furniture": 20,
}  # fmt: skip
"""The same beside the contrast sets: a little of everything, so that nothing is forgotten."""
SHORT = 420
"""Characters of evidence, with which a pair beside the contrast sets still counts as short."""
BESIDE_DOUBTED = 0.6
"""Share of the others that is left where doubted pairs (``verifier.training.uncertainty_sampling``) come
in."""
CONTRAST_REPEAT = 2
"""How often the contrast sets are seen in one pass."""


def contrast_mixture(
    mixture: Sequence[Pair], contrast: Sequence[Pair], rng: random.Random, doubted: Sequence[Pair] = ()
) -> list[Pair]:
    """The contrast sets, what a model doubts, and of a shuffled mixture a little of everything short."""
    brief = [p for p in mixture if len(p.premise) < SHORT]
    share = BESIDE_DOUBTED if doubted else 1.0
    others = short_mixture(brief, rng, {source: int(n * share) for source, n in BESIDE_CONTRAST.items()})
    made = [*others, *doubted, *[*contrast] * CONTRAST_REPEAT]
    rng.shuffle(made)
    return made


def unseen_mixture(mixture: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """Short pairs that the first stage of a large model did not see, and some of the sets it saw whole."""
    seen = {(p.premise, p.hypothesis) for p in short_mixture(mixture, random.Random(0), MOST)}
    brief = [p for p in mixture if len(p.premise) < SHORT]
    fresh = [p for p in brief if (p.premise, p.hypothesis) not in seen]
    made = short_mixture(fresh, rng, FRESH) + short_mixture(brief, rng, AGAIN)
    rng.shuffle(made)
    return made


def revised_mixture(mixture: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """Short pairs that a small model goes over once more, and some of them with longer evidence."""
    brief = [p for p in mixture if len(p.premise) < SHORT]
    rng.shuffle(brief)
    written = [p for p in brief if p.source in {"handwritten", "story"}]
    return short_mixture(brief, rng, REVISED) + trailing_pairs(written, TRAILED, rng)


def short_mixture(mixture: Sequence[Pair], rng: random.Random, most: Mapping[str, int] = MOST) -> list[Pair]:
    """The first distinct pairs of each source of a shuffled mixture, shuffled again."""
    taken: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    kept = []
    for pair in mixture:
        key = (pair.premise, pair.hypothesis)
        if key not in seen and taken[pair.source] < most.get(pair.source, 0):
            seen.add(key)
            taken[pair.source] += 1
            kept.append(pair)
    rng.shuffle(kept)
    return kept
