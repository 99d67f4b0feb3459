"""Pairs written by hand: facts in several wordings, with claims that follow, clash or stay open.

Every claim of an item stands beside each wording. The items were written for factdesk from invented news and
from common knowledge, without a look at the development sets or the examples.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.items import FOLDER, Item, read_rows

FILE = FOLDER / "handwritten.jsonl"
SINGLE = FOLDER / "handwritten_single.jsonl"
"""Items on paraphrases and corrections, many in a single wording, for further stages of a large model."""
SOURCE = "handwritten"
_REVERSED = 0.15
"""Share of the contradictions that are given the other way round as well: the relation is symmetric."""
_WITH_NEIGHBOUR = 0.2
"""Share of the pairs whose premise stands beside a sentence of another item."""


def read_items(path: Path = FILE, pattern: str = "*") -> list[Item]:
    """All items of a file whose batch is called so, in order."""
    return [item for item in read_rows(path, Item) if fnmatch(item.file, pattern)]


def make_handwritten_pairs(rng: random.Random, path: Path = FILE, pattern: str = "*") -> list[Pair]:
    """Every wording with every claim of its item, some reversed, some beside another item's sentence."""
    items = read_items(path, pattern)
    pairs: list[Pair] = []
    for item in items:
        for premise in item.premises:
            for claim, label in item.claims:
                pair = Pair(premise, claim, one_hot(label), SOURCE)
                if label == "contradiction" and rng.random() < _REVERSED:
                    pairs.append(Pair(claim, premise, one_hot(label), SOURCE))
                if rng.random() < _WITH_NEIGHBOUR:
                    other = rng.choice(rng.choice(items).premises)
                    order = (premise, other) if rng.random() < 0.5 else (other, premise)
                    pair = replace(pair, premise=" ".join(order)) if other != premise else pair
                pairs.append(pair)
    return pairs
