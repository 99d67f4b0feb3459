"""Passages without the claims whose label their words alone give away (adversarial filtering).

After AFLite (Le Bras et al., "Adversarial Filters of Dataset Biases", ICML 2020): a weak model that sees
claims alone is trained and asked on different passages; what it is surest of goes, alike from every label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from verifier.calibration.labelled_pairs import LABELS
from verifier.training.baseline import label_probabilities
from verifier.training.passages import Passage

ABOVE_CHANCE = 0.03
"""The weak model may be right so much more often than by guessing the most frequent label."""
SHARE = 0.04
"""Claims that go in one round."""
MAX_ROUNDS = 12


def without_cues(passages: Sequence[Passage]) -> list[Passage]:
    """The passages with the claims that stay; a passage that would keep none is left out."""
    rows = [(n, c.claim, c.label) for n, p in enumerate(passages) for c in p.claims]
    groups, claims, labels = (np.array(column, dtype=object) for column in zip(*rows, strict=True))
    kept = np.arange(len(rows))
    for _ in range(MAX_ROUNDS):
        probabilities = label_probabilities(list(claims[kept]), list(labels[kept]), list(groups[kept]))
        gold = np.array([LABELS.index(label) for label in labels[kept]])
        right = float((probabilities.argmax(axis=1) == gold).mean())
        if right <= np.bincount(gold).max() / len(gold) + ABOVE_CHANCE:
            break
        kept = np.delete(kept, _surest(probabilities, gold))
    return list(_with_only(passages, set(kept.tolist())))


def _surest(probabilities: NDArray[np.float64], gold: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions of the claims of each label that the weak model is surest of, and right."""
    own = probabilities[np.arange(len(gold)), gold]
    most = int(SHARE * len(gold) / len(LABELS))
    found = []
    for label in range(len(LABELS)):
        mine = np.flatnonzero(gold == label)
        found.append(mine[np.argsort(-own[mine], kind="stable")[:most]])
    return np.concatenate(found)


def _with_only(passages: Sequence[Passage], kept: set[int]) -> Iterator[Passage]:
    at = 0
    for passage in passages:
        numbered = enumerate(passage.claims, at)
        at += len(passage.claims)
        claims = tuple(claim for n, claim in numbered if n in kept)
        if claims:
            yield passage.model_copy(update={"claims": claims})
