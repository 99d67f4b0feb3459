"""The premise with the claim's own words for the amounts and dates on which both agree.

"3,104 people" agrees with "roughly three thousand people", and "on 2 June 2025" lies within "June 2025".
Whether that is so, the slot guard knows for certain; a small model stumbles over the other words. The guard
itself always compares what is written.
"""

from __future__ import annotations

from language.calendar import iso_day
from language.dates.resolve import resolve
from language.quantities.mentions import find_slots
from language.quantities.types import Slot
from verifier.guard.quantities import date_agrees, number_agrees

SHARP = 0.2
"""Widest range of an amount that is no bound, as a share of its value: "about 3,000", not "over 3,000"."""


def aligned(claim: str, premise: str, published: str = "") -> str:
    """``premise`` with each amount and date that agrees with one of ``claim`` written as the claim writes it.

    Only where a single one agrees: of two the claim may mean either. A bound ("over 3,000") is not put in the
    place of an amount.
    """
    theirs = find_slots(premise)
    taken: dict[int, tuple[Slot, str]] = {}
    for mine in find_slots(claim):
        fitting = [s for s in theirs if _agrees(mine, s, premise, published)]
        if len(fitting) == 1 and fitting[0].start not in taken:
            taken[fitting[0].start] = fitting[0], mine.text.strip()
    for start in sorted(taken, reverse=True):
        slot, text = taken[start]
        if slot.text.strip().lower() != text.lower():
            premise = premise[: slot.start] + text + premise[slot.end :]
    return premise


def _agrees(mine: Slot, other: Slot, premise: str, published: str) -> bool:
    if mine.kind != "date" or other.kind != "date":
        return mine.kind == other.kind and _is_sharp(mine) and number_agrees(mine, other)
    day = iso_day(published)
    if not other.value.startswith("XXXX") or day is None:
        return date_agrees(mine.value, other.value)
    placed = [r.value for r in resolve(premise, day) if r.start == other.start]
    return any(date_agrees(mine.value, value) for value in placed)


def _is_sharp(slot: Slot) -> bool:
    if slot.low is None or slot.high is None:
        return False
    return slot.high - slot.low <= SHARP * max(abs(slot.low), abs(slot.high))
