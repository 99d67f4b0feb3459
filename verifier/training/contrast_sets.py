"""Claims made of the evidence's own words, of which only some follow: contrast sets.

A model that has learnt that a clause cut out of a sentence follows from it takes much for entailed that has
the same words in another order, or leaves out a word that matters ("nearly", "former", "of its members").
The texts stand in ``traps/*.txt``, blocks parted by a blank line: ``P`` the evidence, ``=`` a claim that
follows, ``!`` one that cannot be true beside it, ``?`` one that it leaves open. A language model wrote them
for factdesk, without a look at the development sets, the examples or the guard's rules.

Every tenth block is no training text but part of the development sets (``TRAPS``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from factdesk.kernel import InputError
from verifier.calibration.labelled_pairs import Pair, one_hot

FOLDER = Path(__file__).parent / "traps"
SOURCE = "trap"
TRAPS = "traps"
"""Name of the development set."""
KEPT = 10
"""Of so many blocks the last is kept from training."""
LABELS = {"=": "entailment", "!": "contradiction", "?": "neutral"}


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


def _read_blocks(path: Path) -> list[list[Trap]]:
    """The claims of each block. Raises ``InputError`` for a line that is none."""
    found: list[list[Trap]] = []
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
        first, *claims = block.strip().splitlines()
        if not first.startswith("P ") or not claims:
            raise InputError(f"{path.name}: {first[:60]!r} begins no block")
        for line in claims:
            if line[:1] not in LABELS or line[1:2] != " ":
                raise InputError(f"{path.name}: {line[:60]!r} is no claim")
        found.append([Trap(first[2:].strip(), line[2:].strip(), LABELS[line[0]]) for line in claims])
    return found


def read_traps(path: Path) -> list[Trap]:
    """All claims of a file, in order. Raises ``InputError`` for a line that is none."""
    return [trap for block in _read_blocks(path) for trap in block]


def _all_blocks(folder: Path) -> list[list[Trap]]:
    return [block for path in sorted(folder.glob("*.txt")) for block in _read_blocks(path)]


def trap_pairs(folder: Path = FOLDER) -> list[Pair]:
    """Every claim for training with its evidence, in the order of file names."""
    blocks = (block for n, block in enumerate(_all_blocks(folder), start=1) if n % KEPT)
    return [Pair(t.premise, t.claim, one_hot(t.label), SOURCE) for block in blocks for t in block]


def kept_trap_pairs(folder: Path = FOLDER) -> list[Pair]:
    """The claims that training never sees, for figures."""
    blocks = _all_blocks(folder)[KEPT - 1 :: KEPT]
    return [Pair(t.premise, t.claim, one_hot(t.label), TRAPS) for block in blocks for t in block]
