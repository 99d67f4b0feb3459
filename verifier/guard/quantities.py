"""Slot guard: numbers, amounts, percentages and dates of the claim against those of the evidence."""

from __future__ import annotations

from verifier.slots import find_slots
from verifier.types import GuardFinding, Slot

_GENERIC = frozenset({"number", "unit"})
_NUMBERED = frozenset(
    "line route highway motorway flight article section chapter page room platform phase stage level version "
    "number no. no gate pier unit reactor class grade bus tram train district ward zone".split()
)


def date_agrees(claim: str, evidence: str) -> bool:
    """Whether a normalised evidence date is at least as precise as the claim's and lies within it."""
    if claim == evidence:
        return True
    if claim.endswith("x"):
        return evidence[:3] == claim[:3] and evidence[:4].isdigit()
    if "/" in claim or "/" in evidence:
        return claim.split("/")[0] == evidence.split("/")[0] and "/" in evidence
    if claim.startswith("XXXX"):
        return evidence[4:].startswith(claim[4:]) and len(evidence) >= len(claim)
    return evidence.startswith(claim + "-")


def _comparable_dates(claim: str, evidence: str) -> bool:
    """Whether two dates that do not agree can conflict: they state a common part otherwise."""
    if not (claim[:1].isdigit() or claim.startswith("XXXX")) or not (evidence[:1].isdigit() or evidence.startswith("XXXX")):
        return claim[:1].isalpha() == evidence[:1].isalpha() and not claim.startswith("XXXX") and not evidence.startswith("XXXX")  # fmt: skip
    parts = list(zip(claim.replace("/", "-").split("-"), evidence.replace("/", "-").split("-"), strict=False))
    return any(a != b for a, b in parts if a != "XXXX" and b != "XXXX")


def number_agrees(claim: Slot, evidence: Slot) -> bool:
    """Whether the evidence's value lies within what the claim says, rounding at its stated precision allowed."""
    if claim.low is None or claim.high is None or evidence.low is None or evidence.high is None:
        return False
    if claim.unit != evidence.unit:
        return False
    slack = 1e-9 * max(1.0, abs(claim.high))
    if ".." in evidence.value or ".." in claim.value:
        return claim.low - slack <= evidence.low and evidence.high <= claim.high + slack
    point = float(evidence.value)
    return claim.low - slack <= point <= claim.high + slack


def comparable(claim: Slot, evidence: Slot) -> bool:
    """Whether two amounts are of one kind, so that a difference is a conflict and not just another detail."""
    if claim.kind in _GENERIC and evidence.kind in _GENERIC:
        return claim.unit == evidence.unit
    return claim.kind == evidence.kind and claim.unit == evidence.unit


def _agreeing(slot: Slot, slots: tuple[Slot, ...]) -> bool:
    if slot.kind == "date":
        return any(s.kind == "date" and date_agrees(slot.value, s.value) for s in slots)
    return any(s.kind != "date" and number_agrees(slot, s) for s in slots)


def _rivals(slot: Slot, slots: tuple[Slot, ...], claim_slots: tuple[Slot, ...]) -> list[Slot]:
    """Evidence slots that could be the claim's slot with another value: none of the claim's other slots."""
    rivals = []
    for other in slots:
        if slot.kind == "date":
            if other.kind != "date" or not _comparable_dates(slot.value, other.value):
                continue
        elif other.kind == "date" or not comparable(slot, other):
            continue
        if any(_agreeing(mine, (other,)) for mine in claim_slots):
            continue
        rivals.append(other)
    return rivals


def _names_a_thing(text: str, slot: Slot) -> bool:
    """A number that is part of a name: "line 4", "flight 12"."""
    before = text[: slot.start].rstrip().rsplit(" ", 1)[-1].lower()
    return slot.kind == "number" and not slot.unit and before in _NUMBERED


def quantity_findings(claim: str, premise: str, context: str = "", published: str = "") -> tuple[tuple[GuardFinding, Slot, tuple[Slot, ...]], ...]:
    """Per slot of the claim that the premise does not state: the finding, the slot, and its rivals.

    ``context`` may supply a date or the number in a name ("line 4") that the premise leaves out, never
    an amount. ``published`` dates a premise that states no date at all: news speaks of its own days.
    """
    mine, theirs = find_slots(claim), find_slots(premise)
    around = find_slots(context) if context else ()
    if published and not any(s.kind == "date" for s in theirs):
        around = (*around, Slot(kind="date", text=published, value=published, start=0, end=0))
    found = []
    for slot in mine:
        if _agreeing(slot, theirs):
            continue
        rivals = tuple(_rivals(slot, theirs, mine))
        if not rivals and slot.kind == "date" and _agreeing(slot, around):
            continue
        if _names_a_thing(claim, slot) and _agreeing(slot, around):
            continue
        if rivals:
            stated = ", ".join(dict.fromkeys(r.text.strip() for r in rivals))
            message = f"The claim says {slot.text.strip()!r}; the evidence says {stated!r}."
        else:
            stated, message = "", f"The evidence does not state {slot.text.strip()!r}."
        finding = GuardFinding(
            slot=slot.kind, kind="conflict" if rivals else "missing",
            claim_value=slot.text.strip(), evidence_value=stated, message=message,
        )  # fmt: skip
        found.append((finding, slot, rivals))
    return tuple(found)
