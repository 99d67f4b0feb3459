"""``desk``: a development set of our own, shaped like a check, from hand-written items kept from training.

A public pair was written as a pair. A check meets each claim with sentences of the right story, of the
same story about something else, of other stories, and with lines that are no sentences. The items of
``handwritten_dev`` give such pairs; the two halves keep items apart.
"""

from __future__ import annotations

import random
from pathlib import Path

from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.handwritten import Item, read_items
from verifier.training.neutral_pairs import furniture_pairs, same_story_pairs
from verifier.training.retrieved_negatives import retrieved_negatives

DESK = "desk"
FOLDER = Path(__file__).parent / "handwritten_dev"
SEED = 5


def desk_pairs(folder: Path = FOLDER) -> list[tuple[Pair, str]]:
    """Pairs with the key of their item (its first wording); empty where the folder holds no items.

    Per item every claim with its first wording, with another sentence of the same story where there is
    one, and for one claim in eight with a sentence of another story or a line of furniture.
    """
    items = read_items(folder) if folder.is_dir() else []
    rng = random.Random(SEED)
    keys = {claim: item.premises[0] for item in items for claim, _ in item.claims}
    told = [pair for item in items for pair in _told(item)]
    others = same_story_pairs([Item(i.premises[:1], i.claims) for i in items], rng)
    others += retrieved_negatives(told, len(told) // 8, rng) if told else []
    others += furniture_pairs(told, len(told) // 8, rng) if told else []
    return [(Pair(p.premise, p.hypothesis, p.target, DESK), keys[p.hypothesis]) for p in told + others]


def _told(item: Item) -> list[Pair]:
    return [Pair(item.premises[0], claim, one_hot(label), DESK) for claim, label in item.claims]
