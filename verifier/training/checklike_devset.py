"""``desk``: a development set of our own, shaped like a check, from hand-written items kept from training.

A public pair was written as a pair. A check meets each claim with sentences of the right story, of the
same story about something else, of other stories, and with lines that are no sentences. The items of
``items/handwritten_dev.jsonl`` give such pairs; the two halves keep items apart.
"""

from __future__ import annotations

import random
from pathlib import Path

from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.handwritten import read_items
from verifier.training.items import FOLDER, Item
from verifier.training.neutral_pairs import furniture_pairs, same_story_pairs
from verifier.training.retrieved_negatives import retrieved_negatives

DESK = "desk"
FILE = FOLDER / "handwritten_dev.jsonl"
SEED = 5


def desk_pairs(path: Path = FILE) -> list[tuple[Pair, str]]:
    """Pairs with the key of their item (its first wording).

    Per item every claim with its first wording, with another sentence of the same story where there is
    one, and for one claim in eight with a sentence of another story or a line of furniture.
    """
    items = read_items(path)
    rng = random.Random(SEED)
    keys = {claim: item.premises[0] for item in items for claim, _ in item.claims}
    told = [pair for item in items for pair in _told(item)]
    others = same_story_pairs([i.model_copy(update={"premises": i.premises[:1]}) for i in items], rng)
    others += retrieved_negatives(told, len(told) // 8, rng)
    others += furniture_pairs(told, len(told) // 8, rng)
    return [(Pair(p.premise, p.hypothesis, p.target, DESK), keys[p.hypothesis]) for p in told + others]


def _told(item: Item) -> list[Pair]:
    return [Pair(item.premises[0], claim, one_hot(label), DESK) for claim, label in item.claims]
