"""Which amount belongs to which date: "136,000 in 2022, up from 95,000 in 2021" is not 136,000 in 2021."""

from __future__ import annotations

import re
from collections.abc import Sequence

from language.quantities.mentions import find_slots
from language.quantities.types import Slot
from verifier.guard.alike import comparable
from verifier.types import GuardFinding

_JOINT = re.compile(r"(?:\s+[a-z]+){0,2}\s+(?:in|on|by|for|during)\s+(?:early\s|late\s|the\s)?")
"""What stands between an amount and its date where both are one phrase: "136,000 visitors in"."""


def tied_findings(claim: str, premise: str) -> list[GuardFinding]:
    """A finding where the premise ties an amount of the claim to another date than the claim does.

    Only where both tie the amount to one date beyond doubt: no other amount of its kind stands between
    them, and no second date is as free.
    """
    mine, theirs = find_slots(claim), find_slots(premise)
    dates = [s for s in theirs if _dated(s)]
    if len({s.value for s in dates}) < 2 or not any(_dated(s) for s in mine):
        return []
    for slot in (s for s in mine if s.kind != "date" and s.unit != "ordinal"):
        stated = [s for s in theirs if s.kind != "date" and comparable(slot, s) and s.value == slot.value]
        day = _date_of(slot, mine, claim)
        if len(stated) != 1 or day is None:
            continue
        other = _date_of(stated[0], theirs, premise)
        if other is not None and _apart(day.value, other.value):
            message = (
                f"The claim gives {slot.text.strip()!r} for {day.text.strip()!r}; the evidence gives it for "
                f"{other.text.strip()!r}."
            )
            return [
                GuardFinding(
                    slot="date", kind="conflict", claim_value=day.text.strip(),
                    evidence_value=other.text.strip(), message=message,
                )
            ]  # fmt: skip
    return []


def _dated(slot: Slot) -> bool:
    return slot.kind == "date" and slot.value[:4].isdigit()


def _apart(one: str, other: str) -> bool:
    """Whether neither date lies within the other."""
    return not (one.startswith(other) or other.startswith(one))


def _date_of(slot: Slot, slots: Sequence[Slot], text: str) -> Slot | None:
    """The date that an amount belongs to; ``None`` where there is none, or none for certain."""
    joined = [s for s in slots if _dated(s) and _JOINT.fullmatch(text[slot.end : s.start])]
    if joined:
        return joined[0]
    free = [s for s in slots if _dated(s) and not _between(slot, s, slots)]
    if len({s.value for s in free}) == 1:
        return free[0]
    return None


def _between(slot: Slot, date: Slot, slots: Sequence[Slot]) -> bool:
    """Whether another amount or date stands between an amount and a date."""
    start, end = min(slot.end, date.end), max(slot.start, date.start)
    return any(
        s is not slot
        and s is not date
        and start <= s.start
        and s.end <= end
        and (_dated(s) or comparable(slot, s))
        for s in slots
    )
