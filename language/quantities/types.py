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
