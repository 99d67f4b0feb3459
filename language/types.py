"""Details of a sentence, normalised."""

from __future__ import annotations

from typing import Literal

from factdesk.kernel import Record

SlotKind = Literal[
    "number",
    "date",
    "unit",
    "money",
    "percentage",
    "entity",
    "negation",
    "quantifier",
    "direction",
    "modality",
    "role",
    "scope",
    "time",
    "speaker",
]


class Slot(Record):
    """A normalised detail of a sentence: a number, date, amount or name, with its place.

    ``low`` and ``high`` bound numeric values (equal for exact ones, apart for ranges and
    for rounding at the stated precision); dates carry ISO text of any precision in ``value``.
    """

    kind: SlotKind
    text: str
    value: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    start: int
    end: int


_GENERIC = frozenset({"number", "unit"})


def comparable(claim: Slot, evidence: Slot) -> bool:
    """Whether two amounts are of one kind, so that a difference is a conflict and not just another detail."""
    if claim.kind in _GENERIC and evidence.kind in _GENERIC:
        return claim.unit == evidence.unit
    return claim.kind == evidence.kind and (claim.unit == evidence.unit or claim.kind in {"money", "percentage"})
