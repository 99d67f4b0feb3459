"""Rules on numbers, amounts, dates and names of the claim: stated otherwise, not at all, or of another date."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from language.names import Name, name_in, other_bearer
from language.types import Slot, SlotKind, comparable
from verifier.guard.quantities import quantity_findings
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import TextPair
from verifier.types import FindingKind


def _empty(pair: TextPair) -> Hit | None:
    return None if pair.premise.tokens else Hit(pair.claim.raw)


@lru_cache(maxsize=64)
def unnamed(pair: TextPair) -> tuple[tuple[Name, str | None], ...]:
    """The claim's names that neither premise nor context has, each with another bearer of its last word."""
    around = pair.around.raw
    absent = [n for n in pair.claim.names if not (name_in(n, pair.premise.raw) or name_in(n, around))]
    return tuple((name, other_bearer(name, around)) for name in absent)


def _other_bearers(pair: TextPair) -> tuple[Hit, ...]:
    return tuple(Hit(name.text, bearer) for name, bearer in unnamed(pair) if bearer)


def _absent(pair: TextPair) -> tuple[Hit, ...]:
    return tuple(Hit(name.text) for name, bearer in unnamed(pair) if not bearer)


(EMPTY,) = rules_of({"evidence.empty": _empty})
"""Asked before all others; where it fires, nothing is left to compare."""
_JOINT = re.compile(r"(?:\s+[a-z]+){0,2}\s+(?:in|on|by|for|during)\s+(?:early\s|late\s|the\s)?")
"""What stands between an amount and its date where both are one phrase: "136,000 visitors in"."""


def _of_another_date(pair: TextPair) -> Hit | None:
    """The premise ties an amount of the claim to another date than the claim does, and states all amounts.

    Only where both tie the amount to one date beyond doubt: no other amount of its kind stands between
    them, and no second date is as free.
    """
    if quantity_findings(pair.claim.raw, pair.premise.raw, pair.context, pair.published):
        return None
    claim, premise = pair.claim.stated, pair.premise.stated
    dates = {s.value for s in premise.slots if _dated(s)}
    if len(dates) < 2 or not any(_dated(s) for s in claim.slots):
        return None
    for slot in (s for s in claim.slots if s.kind != "date" and s.unit != "ordinal"):
        stated = [s for s in premise.slots if s.kind != "date" and comparable(slot, s) and s.value == slot.value]
        day = _date_of(slot, claim.slots, claim.raw)
        if len(stated) != 1 or day is None:
            continue
        other = _date_of(stated[0], premise.slots, premise.raw)
        if other is not None and _apart(day.value, other.value):
            return Hit(day.text.strip(), other.text.strip(), slot.text.strip())
    return None


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
        s is not slot and s is not date and start <= s.start and s.end <= end and (_dated(s) or comparable(slot, s))
        for s in slots
    )


def _found(slot: SlotKind, kind: FindingKind, *, rivalled: bool) -> Callable[[TextPair], tuple[Hit, ...]]:
    """Slots of a kind that the premise does not state; ``rivalled``: it has another value of the kind."""

    def detect(pair: TextPair) -> tuple[Hit, ...]:
        found = quantity_findings(pair.claim.raw, pair.premise.raw, pair.context, pair.published)
        return tuple(
            Hit(f.claim_value, f.evidence_value)
            for f, _, _ in found
            if (f.slot, f.kind, bool(f.evidence_value)) == (slot, kind, rivalled)
        )

    return detect


_KINDS: tuple[SlotKind, ...] = ("number", "unit", "money", "percentage", "date")
RULES: tuple[Rule[TextPair], ...] = rules_of(
    {f"{kind}.other": _found(kind, "conflict", rivalled=True) for kind in _KINDS}
    | {f"{kind}.absent": _found(kind, "missing", rivalled=False) for kind in _KINDS}
    | {"date.of_state": _found("date", "missing", rivalled=True), "date.of_amount": _of_another_date}
    | {"name.other": _other_bearers, "name.absent": _absent}
)
"""Rules on numbers, amounts, dates and names. The date of a state has no rival: it may be so on both days."""
