"""Numbers, amounts, percentages and dates of the claim against those of the evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from language.calendar import WEEKDAYS, iso_day
from language.dates.mentions import day_first, settled
from language.dates.resolve import dates_given, spoken
from language.names import content_stems
from language.nlp.tense import is_state_at
from language.quantities.bounds import is_rough, one_sided, reach
from language.quantities.mentions import find_slots
from language.types import Slot, comparable
from verifier.guard.arithmetic import Derived, worked_out
from verifier.guard.lexicon import expression
from verifier.guard.negation import denies_all
from verifier.guard.text import names_a_thing, rejected_spans, without_rejected
from verifier.types import GuardFinding

_IMPERIAL = expression("imperial")
_WHOLE_SCALE = re.compile(r"(?<![\d.,])\d+\s?(?:thousand|million|billion|trillion|k|m|bn|tn)\b", re.IGNORECASE)
"""A whole number of thousands, millions and so on."""
_BARE_DECIMAL = re.compile(r"\d+\.\d+")
_OPENING = 2
"""Words before a number in a name that is what the sentence is about: what is said of version 4 is not said of 5."""
_TO = re.compile(r"\s*(?:to|until|till|through|and|[-–—])\s*(?:early|mid|late)?\s*", re.IGNORECASE)
"""Between the first and the last day of a period."""
_RANGE = re.compile(r"\bto\b|[-–—]\s?\D{0,3}\d")
"""Of an amount: it is told by both its ends ("3 to 5 years"), and not as what lies "between" them."""
_FROM = re.compile(r"\bfrom\b", re.IGNORECASE)
_FROM_OR_TO = re.compile(r"\b(from|to)(?: (?:about|around|roughly|nearly|almost|over|under|just))*\s*$", re.IGNORECASE)
_SHARE = re.compile(r"\s(?:in|in\severy|out\sof|out\sof\severy)\s")
_COUNT_WORDS = {
    1.0: re.compile(r"\b(?:an?|single|sole|another)\b", re.IGNORECASE),
    2.0: re.compile(r"\b(?:both|pair|couple|twins?|duo|two)\b", re.IGNORECASE),
    3.0: re.compile(r"\b(?:trio|triplets)\b", re.IGNORECASE),
}
"""Words of the evidence that state a small number of the claim."""
_AT_LEAST_ONE = re.compile(r"\b(?:at least|no(?:t)? (?:fewer|less) than)\s*$", re.IGNORECASE)
_MORE_THAN_ONE = re.compile(r"(?<!\bno )(?<!\bnot )(?<!\bnever )\b(?:more than|not (?:just|only))\s*$", re.IGNORECASE)
_SINGLE = re.compile(r"\b(?:an?|single|sole|only)\s+((?:\w+\s+)?\w+)", re.IGNORECASE)
_LAST_MONTH = {"": "12", "Q1": "03", "Q2": "06", "Q3": "09", "Q4": "12"}
"""Last month of a year and of its quarters."""


def date_agrees(claim: str, evidence: str) -> bool:
    """Whether a normalised evidence date is at least as precise as the claim's and lies within it.

    A day that can be read in two ways agrees where both readings do, and with what is written as it is.
    """
    return claim == evidence or all(_date_agrees(c, e) for c in claim.split("|") for e in evidence.split("|"))


def _date_agrees(claim: str, evidence: str) -> bool:
    if claim == evidence:
        return True
    if claim in WEEKDAYS:
        return _weekday(evidence) == claim
    if claim.endswith("x"):
        return evidence.startswith(claim.rstrip("x")) and evidence[:3].isdigit()
    if "/" in claim:
        return False
    if claim.startswith("XXXX"):
        return evidence[4:].startswith(claim[4:]) and len(evidence) >= len(claim)
    return evidence.startswith((claim + "-", claim + "/"))


def _within(slot: Slot, wider: tuple[Slot, ...], published: str) -> bool:
    """Whether one of the dates covers all of the claim's, which was over when the evidence was published.

    What happened to nobody "this year" happened to nobody in its first quarter.
    """
    last = _LAST_MONTH.get(slot.value[5:], slot.value[5:])
    over = re.fullmatch(r"\d{4}(?:-.+)?", slot.value) and f"{slot.value[:4]}-{last}" < published[:7]
    return bool(over) and any(s.kind == "date" and date_agrees(s.value, slot.value) for s in wider)


def _weekday(value: str) -> str:
    day = iso_day(value)
    return WEEKDAYS[day.weekday()] if day is not None else ""


def _comparable_dates(claim: str, evidence: str) -> bool:
    """Whether two dates that do not agree conflict: in every reading they state a common part otherwise."""
    return all(_stated_otherwise(c, e) for c in claim.split("|") for e in evidence.split("|"))


def _stated_otherwise(claim: str, evidence: str) -> bool:
    if claim in WEEKDAYS or evidence in WEEKDAYS:
        if claim in WEEKDAYS and evidence in WEEKDAYS:
            return True
        day = _weekday(claim) or _weekday(evidence)  # a day and a weekday differ where it is another one
        return bool(day) and day not in {claim, evidence}
    if evidence.endswith("x") or claim.endswith("x"):
        stated = min(len(claim.rstrip("x")), len(evidence.rstrip("x")), 4)
        return claim[:stated] != evidence[:stated] and "XXXX" not in (claim[:4], evidence[:4])
    parts = zip(re.split("[-/]", claim), re.split("[-/]", evidence), strict=False)
    return any(a != b for a, b in parts if a != "XXXX" and b != "XXXX")


def number_agrees(claim: Slot, evidence: Slot) -> bool:
    """Whether the evidence's value lies within what the claim says, rounding at its stated precision allowed.

    Between metric and imperial units, 1.5 % more are allowed. Of a whole number of millions and the like that is
    not told as about so much, a tenth of the rounding is allowed: "6 million" is not "6.2 million".
    """
    if _told_as_exact(claim) and not _met(claim, evidence):
        return False
    if _numbering(claim, evidence):
        return False
    if claim.low is None or claim.high is None or evidence.low is None or evidence.high is None:
        return False
    if claim.unit != evidence.unit and {claim.unit, evidence.unit} != {"", "age"}:
        return False
    if claim.unit == "score":
        return claim.value == evidence.value
    converted = bool(_IMPERIAL.search(claim.text)) != bool(_IMPERIAL.search(evidence.text))
    slack = (0.015 if converted else 1e-9) * max(abs(claim.high), 1e-9)
    if _RANGE.search(claim.text) and ".." in claim.value and _RANGE.search(evidence.text) and ".." in evidence.value:
        ends = zip(claim.value.split(".."), evidence.value.split(".."), strict=True)
        return all(abs(float(mine) - float(theirs)) <= slack for mine, theirs in ends)
    within = claim.low - slack <= evidence.low and evidence.high <= claim.high + slack
    within = within or _bounded_within(claim, evidence, slack)
    if within or ".." in evidence.value or (one_sided(evidence) and not is_rough(claim)):
        return within
    return claim.low - slack <= float(evidence.value) <= claim.high + slack


def _numbering(claim: Slot, evidence: Slot) -> bool:
    """Whether two bare decimals differ in a last nought alone: of versions and chapters 2.10 is not 2.1."""
    mine, theirs = claim.text.strip(), evidence.text.strip()
    bare = not (claim.unit or evidence.unit) and all(_BARE_DECIMAL.fullmatch(text) for text in (mine, theirs))
    return bare and mine != theirs and float(mine) == float(theirs)


def _bounded_within(claim: Slot, evidence: Slot, slack: float) -> bool:
    """Whether the evidence's bound lies within the claim's, to the same side: "more than 60" in "over 50"."""
    if not (one_sided(claim) and one_sided(evidence)):
        return False
    mine, theirs = reach(claim), reach(evidence)
    near = (claim.low or 0.0) - slack <= float(evidence.value) <= (claim.high or 0.0) + slack
    return near and mine[0] - slack <= theirs[0] and theirs[1] <= mine[1] + slack


def _told_as_exact(slot: Slot) -> bool:
    """Whether an amount is a whole number of thousands, millions and so on, and neither a bound nor rough."""
    return (
        _WHOLE_SCALE.search(slot.text) is not None
        and ".." not in slot.value
        and not (one_sided(slot) or is_rough(slot))
    )


def _met(claim: Slot, evidence: Slot) -> bool:
    """Whether the evidence lies within a tenth of what rounding allows the claim."""
    if claim.low is None or claim.high is None or ".." in evidence.value or evidence.unit == "score":
        return False
    return abs(float(evidence.value) - float(claim.value)) <= (claim.high - claim.low) / 20


def _may_be_one(claim: Slot, evidence: Slot) -> bool:
    """Whether a bound leaves room for the claim's amount, or it may be the claim's rounded: neither states the
    other, and both may be so.
    """
    if claim.low is None or claim.high is None or evidence.low is None or evidence.high is None:
        return False
    if (
        _told_as_exact(claim)
        and claim.unit == evidence.unit
        and claim.low <= evidence.low <= evidence.high <= claim.high
    ):
        return True
    if claim.unit == evidence.unit and _rounds(evidence, claim):
        return True
    bound = one_sided(claim) or one_sided(evidence)
    return bound and reach(claim)[0] <= reach(evidence)[1] and reach(evidence)[0] <= reach(claim)[1]


def _rounds(rough: Slot, exact: Slot) -> bool:
    """Whether one amount, at the precision it is told with, may be the other one rounded."""
    if rough.low is None or rough.high is None or exact.low is None or exact.high is None:
        return False
    if ".." in rough.value or one_sided(rough) or one_sided(exact):
        return False
    return rough.low <= exact.low and exact.high <= rough.high and rough.high - rough.low > exact.high - exact.low


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
        elif other.kind == "date" or not comparable(slot, other) or _may_be_one(slot, other):
            continue
        if any(_agreeing(mine, (other,)) for mine in claim_slots):
            continue
        rivals.append(other)
    return rivals


def _as_ordinal(slot: Slot, theirs: tuple[Slot, ...]) -> bool:
    """ "season 8" stands in the evidence as "the eighth season"."""
    return any(s.unit == "ordinal" and s.value == slot.value for s in theirs)


def _with_parts(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """The slots and, for a share such as "14 out of 22", its two numbers."""
    parts = [
        part
        for slot in slots
        if slot.kind == "percentage" and " " in slot.text
        for text in _SHARE.split(slot.text)
        if text != slot.text
        for part in find_slots(text)
        if part.kind == "number"
    ]
    return (*slots, *parts)


def _ranked(slot: Slot, premise: str) -> bool:
    """A place of the claim ("fourth") that a row of a ranking states by its number: "4 Mila Senn 38:12"."""
    return slot.unit == "ordinal" and re.match(rf"{slot.value}[.):]?\s+[A-Z]", premise) is not None


def _only_some(claim: str, slot: Slot) -> bool:
    """ "At least one bridge": no more is claimed than that there is such a one, which the model reads."""
    return slot.text.strip().lower() in {"one", "1"} and _AT_LEAST_ONE.search(claim[: slot.start]) is not None


def _several(claim: str, slot: Slot, rivals: tuple[Slot, ...], premise: str) -> bool:
    """ "More than one bridge": several are claimed, by whatever number; one ("a bridge") is not several."""
    if slot.text.strip().lower() not in {"one", "1"} or not _MORE_THAN_ONE.search(claim[: slot.start]):
        return False
    counted = content_stems(" ".join(claim[slot.end :].split()[:2]))
    singles = (content_stems(m[1]) for m in _SINGLE.finditer(premise))
    return all(r.low is not None and r.low > 1 for r in rivals) and not any(counted & s for s in singles)


def _counted_in_words(slot: Slot, rivals: tuple[Slot, ...], premise: str) -> bool:
    """A small number that the premise states as "a", "both", "trio"."""
    if slot.kind != "number" or slot.unit or rivals or slot.low is None or slot.low != slot.high:
        return False
    words = _COUNT_WORDS.get(slot.low)
    return words is not None and words.search(premise) is not None


class _Around:
    """What may date or number a premise beside its own words; found only where a claim asks for it."""

    def __init__(self, premise: str, context: str, published: str) -> None:
        self._premise, self._context, self._published = premise, context, published

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Slots of the context, and the times that the day of publication gives the premise."""
        own = find_slots(self._context) if self._context else ()
        return own + _as_slots(dates_given(self._premise, self._published, self._context))

    @cached_property
    def spoken(self) -> tuple[Slot, ...]:
        """Times that the premise names by its own day ("this year")."""
        day = iso_day(self._published)
        return _as_slots([r.value for r in spoken(self._premise, day)] if day is not None else [])


def _as_slots(values: Sequence[str]) -> tuple[Slot, ...]:
    return tuple(Slot(kind="date", text=value, value=value, start=0, end=0) for value in values)


def _in_order(slots: tuple[Slot, ...], order: bool | None) -> tuple[Slot, ...]:
    """The slots with numeric dates read in the order of day and month that the document shows."""
    return tuple(s.model_copy(update={"value": settled(s.value, order)}) if "|" in s.value else s for s in slots)


@lru_cache(maxsize=4096)
def quantity_findings(
    claim: str, premise: str, context: str = "", published: str = ""
) -> tuple[tuple[GuardFinding, Slot, tuple[Slot, ...]], ...]:
    """Per slot of the claim that the premise does not state: the finding, the slot, and its rivals.

    ``context`` may supply a date or the number in a name ("line 4") that the premise leaves out, never
    an amount. ``published`` dates a premise that states no year (``language.dates.resolve``). Values that
    the premise names only to reject them do not count. The date of a state has no rival.
    """
    premise = without_rejected(premise)
    mine = find_slots(claim)
    stated = _in_order(find_slots(premise), day_first(f"{context} | {premise}"))
    around = _Around(premise, context, published)
    denied = rejected_spans(claim)
    periods = _periods(premise, stated)
    found = []
    for slot in mine:
        if any(start <= slot.start < end for start, end in denied):
            continue
        spanned = _spanning(slot, periods)
        rivals = tuple(r for r in _rivals(slot, stated, mine) if r not in spanned)
        if names_a_thing(claim, slot) and len(claim[: slot.start].split()) <= _OPENING:
            rivals = tuple(r for r in rivals if not names_a_thing(premise, r))
        if _is_stated(slot, claim, premise, stated, rivals, around, published):
            continue
        finding = _finding(slot, rivals)
        if slot.kind == "date" and rivals and is_state_at(claim, slot.start, slot.end):
            finding, rivals = finding.model_copy(update={"kind": "missing"}), ()
        found.append((finding, slot, rivals))
    return tuple(found)


def end_of_change(text: str, slot: Slot) -> str | None:
    """Of an amount in "from 12 to 15" or "to 15 from 12" the word before it; ``None`` for other amounts."""
    found = _FROM_OR_TO.search(text[: slot.start])
    return found[1].lower() if found and slot.kind != "date" and _FROM.search(text) else None


def _periods(text: str, slots: tuple[Slot, ...]) -> list[tuple[Slot, Slot]]:
    """Pairs of dates that are the first and the last of a period: "from 1990 until 2012"."""
    dates = sorted((s for s in slots if s.kind == "date"), key=lambda s: s.start)
    return [(a, b) for a, b in pairwise(dates) if _TO.fullmatch(text[a.end : b.start])]


def _spanning(slot: Slot, periods: list[tuple[Slot, Slot]]) -> list[Slot]:
    """The ends of the periods in which a date of the claim lies: they do not state another one."""
    if slot.kind != "date" or not slot.value[:4].isdigit():
        return []
    return [end for ends in periods if ends[0].value[:4] <= slot.value[:4] <= ends[1].value[:4] for end in ends]


def _is_stated(
    slot: Slot,
    claim: str,
    premise: str,
    stated: tuple[Slot, ...],
    rivals: tuple[Slot, ...],
    around: _Around,
    published: str,
) -> bool:
    """Whether the premise, with what stands around it, states a slot of the claim."""
    theirs = _with_parts(stated)
    if (end := end_of_change(claim, slot)) is not None:
        theirs = tuple(s for s in theirs if end_of_change(premise, s) in {None, end})
    if _agreeing(slot, theirs) or _only_some(claim, slot):
        return True
    if slot.kind == "date":
        if not rivals and _agreeing(slot, around.slots):
            return True
        dates = tuple(s for s in theirs if s.kind == "date")
        return denies_all(premise) and _within(slot, (*dates, *around.spoken), published)
    if names_a_thing(claim, slot) and (_agreeing(slot, around.slots) or _as_ordinal(slot, theirs)):
        return True
    if _several(claim, slot, rivals, premise) or _counted_in_words(slot, rivals, premise):
        return True
    return _ranked(slot, premise) or worked_out(slot, claim, premise) is not None


@lru_cache(maxsize=4096)
def amounts_worked_out(claim: str, premise: str) -> tuple[tuple[Slot, Derived], ...]:
    """The amounts of the claim that the premise does not state but gives, and how: "15 / 60 = 25 %"."""
    stated = _with_parts(find_slots(premise))
    silent = (slot for slot in find_slots(claim) if not _agreeing(slot, stated))
    return tuple((slot, found) for slot in silent if (found := worked_out(slot, claim, premise)))


def _finding(slot: Slot, rivals: tuple[Slot, ...]) -> GuardFinding:
    instead = ", ".join(dict.fromkeys(r.text.strip() for r in rivals))
    mine = slot.text.strip()
    message = f"The evidence does not state {mine!r}."
    if rivals:
        message = f"The claim says {mine!r}; the evidence says {instead!r}."
    return GuardFinding(
        slot=slot.kind,
        kind="conflict" if rivals else "missing",
        claim_value=mine,
        evidence_value=instead,
        message=message,
    )
