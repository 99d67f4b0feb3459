"""The pair format of the training and evaluation data, and its reader.

One JSON object a line (gzip where the name ends in ``.gz``) with ``id``,
``premise``, ``hypothesis`` and ``label`` (entailment | neutral | contradiction).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from factdesk.kernel import InputError

LABELS = ("entailment", "neutral", "contradiction")
"""Label order of the classification head; index 0 is entailment."""


@dataclass(frozen=True)
class Pair:
    """A premise, a hypothesis and a target distribution over ``LABELS``.

    ``target`` sums to 1; a hard label is one-hot. Hard negatives whose class is
    open between neutral and contradiction carry ``(0, 0.5, 0.5)``.
    """

    premise: str
    hypothesis: str
    target: tuple[float, float, float]
    source: str

    @property
    def label(self) -> str:
        """The most likely label (the first one on a tie)."""
        return LABELS[max(range(3), key=lambda i: self.target[i])]


def one_hot(label: str) -> tuple[float, float, float]:
    """Target distribution of a hard label; raises ``InputError`` for an unknown one."""
    if label not in LABELS:
        raise InputError(f"label {label!r} is none of {', '.join(LABELS)}")
    return tuple(float(name == label) for name in LABELS)  # type: ignore[return-value]


def read_pairs(path: Path, *, limit: int | None = None) -> Iterator[Pair]:
    """Yield the pairs of one file; a broken line raises ``InputError`` with its number."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as handle:
        for number, line in enumerate(handle, 1):
            if limit is not None and number > limit:
                return
            try:
                row = json.loads(line)
                yield Pair(
                    str(row["premise"]),
                    str(row["hypothesis"]),
                    one_hot(row["label"]),
                    path.name.split(".")[0],
                )
            except (json.JSONDecodeError, KeyError, TypeError) as error:
                raise InputError(f"{path.name} line {number}: not a pair record ({error})") from error
