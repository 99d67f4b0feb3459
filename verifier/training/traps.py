"""Claims made of the evidence's own words, of which only some follow: contrast sets.

A model that has learnt that a clause cut out of a sentence follows from it takes much for entailed that has
the same words in another order, or leaves out a word that matters ("nearly", "former", "of its members").
The texts stand in ``traps/*.txt``, blocks parted by a blank line: ``P`` the evidence, ``=`` a claim that
follows, ``!`` one that cannot be true beside it, ``?`` one that it leaves open. A language model wrote them
for factdesk, without a look at the development sets, the examples or the guard's rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from factdesk.kernel import InputError
from verifier.training.pairs import Pair, one_hot

FOLDER = Path(__file__).parent / "traps"
SOURCE = "trap"
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


def read_traps(path: Path) -> list[Trap]:
    """All claims of a file, in order. Raises ``InputError`` for a line that is none."""
    found: list[Trap] = []
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
        first, *claims = block.strip().splitlines()
        if not first.startswith("P ") or not claims:
            raise InputError(f"{path.name}: {first[:60]!r} begins no block")
        for line in claims:
            if line[:1] not in LABELS or line[1:2] != " ":
                raise InputError(f"{path.name}: {line[:60]!r} is no claim")
            found.append(Trap(first[2:].strip(), line[2:].strip(), LABELS[line[0]]))
    return found


def trap_pairs(folder: Path = FOLDER) -> list[Pair]:
    """Every claim of the folder's files with its evidence, in the order of file names."""
    return [
        Pair(trap.premise, trap.claim, one_hot(trap.label), SOURCE)
        for path in sorted(folder.glob("*.txt"))
        for trap in read_traps(path)
    ]
