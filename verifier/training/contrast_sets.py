"""Claims made of the evidence's own words, of which only some follow: contrast sets.

A model that has learnt that a clause cut out of a sentence follows from it takes much for entailed that has
the same words in another order, or leaves out a word that matters ("nearly", "former", "of its members").
A language model wrote them for factdesk, without a look at the development sets, the examples or the guard's
rules. Every tenth item is no training text but part of the development sets (``TRAPS``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.items import FOLDER, Item, read_rows

FILE = FOLDER / "traps.jsonl"
SOURCE = "trap"
TRAPS = "traps"
"""Name of the development set."""
KEPT = 10
"""Of so many items the last is kept from training."""


@dataclass(frozen=True)
class Trap:
    """One claim beside its evidence, and its label."""

    premise: str
    claim: str
    label: str

    @property
    def follows(self) -> bool:
        """Whether the evidence bears the claim out."""
        return self.label == "entailment"


def read_traps(path: Path) -> list[Trap]:
    """All claims of a file, in order."""
    return [Trap(i.premises[0], claim, label) for i in read_rows(path, Item) for claim, label in i.claims]


def trap_pairs(path: Path = FILE) -> list[Pair]:
    """Every claim for training with its evidence, in order."""
    return _pairs([item for n, item in enumerate(read_rows(path, Item), start=1) if n % KEPT], SOURCE)


def kept_trap_pairs(path: Path = FILE) -> list[Pair]:
    """The claims that training never sees, for figures."""
    return _pairs(read_rows(path, Item)[KEPT - 1 :: KEPT], TRAPS)


def _pairs(items: Sequence[Item], source: str) -> list[Pair]:
    return [Pair(i.premises[0], claim, one_hot(label), source) for i in items for claim, label in i.claims]
