"""Pairs written by hand: facts in several wordings, with claims that follow, clash or stay open.

The texts stand in ``handwritten/*.txt``, one item a paragraph: ``P`` lines are wordings of the same
facts, ``=`` claims follow from each of them, ``!`` claims cannot be true beside them, ``?`` claims
speak of the same subject and are not settled. They were written for factdesk from invented news and
from common knowledge, without a look at the development sets or the examples.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from pathlib import Path

from factdesk.kernel import InputError
from verifier.calibration.labelled_pairs import Pair, one_hot

FOLDER = Path(__file__).parent / "handwritten"
SINGLE = Path(__file__).parent / "handwritten_single"
"""Items on paraphrases and corrections, many in a single wording, for further stages of a large model."""
SOURCE = "handwritten"
_MARKS = {"=": "entailment", "?": "neutral", "!": "contradiction"}
_REVERSED = 0.15
"""Share of the contradictions that are given the other way round as well: the relation is symmetric."""
_WITH_NEIGHBOUR = 0.2
"""Share of the pairs whose premise stands beside a sentence of another item."""


@dataclass(frozen=True)
class Item:
    """One set of facts: wordings of the premise, and claims with their labels."""

    premises: tuple[str, ...]
    claims: tuple[tuple[str, str], ...]
    """(claim, label)."""


def read_items(folder: Path = FOLDER, pattern: str = "*.txt") -> list[Item]:
    """All items of a folder in the order of file names; a line without a mark raises ``InputError``."""
    items = []
    for path in sorted(folder.glob(pattern)):
        for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
            items.append(_item(block, path.name))
    return items


def _item(block: str, name: str) -> Item:
    premises, claims = [], []
    for line in block.splitlines():
        mark, _, text = line.strip().partition(" ")
        if mark == "P":
            premises.append(text.strip())
        elif mark in _MARKS:
            claims.append((text.strip(), _MARKS[mark]))
        else:
            raise InputError(f"{name}: the line {line[:60]!r} starts with none of P = ! ?")
    if not premises or not claims:
        raise InputError(f"{name}: the item {block[:60]!r} needs a premise and claims")
    return Item(tuple(premises), tuple(claims))


def make_handwritten_pairs(rng: random.Random, folder: Path = FOLDER, pattern: str = "*.txt") -> list[Pair]:
    """Every wording with every claim of its item, some reversed, some beside another item's sentence."""
    items = read_items(folder, pattern)
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
