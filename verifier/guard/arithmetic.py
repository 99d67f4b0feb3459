"""Amounts that a sentence does not state but that its amounts give: shares, differences, multiples, rates, sums.

"2,600 of 3,900 tonnes" are two thirds, "38 per cent, against 21" is a lead of seventeen points. Which of these
a claim speaks of its own words tell: a share is asked of a part and a whole, a difference where the claim compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from language.calendar import iso_day
from language.names import is_common
from language.quantities.bounds import is_rough, one_sided, reach
from language.quantities.mentions import find_slots
from language.types import Slot
from verifier.guard.lexicon import expression
from verifier.guard.text import names_a_thing

MOST_AMOUNTS = 4
"""Amounts of a sentence beyond which nothing is worked out: too many pairs would give some value by chance."""
ROUGHLY = 0.04
"""How far, as a share, a result may lie from an amount that the claim tells as about so much."""
SHARP = 0.11
"""Widest range of an amount of the sentence, as a share of it, that is one value and neither rough nor a bound."""
MONTHS_IN_YEAR = 12
_COMPARES = expression("compares_amounts")
_CHANGES = expression("changes_by")
_FALLS = expression("falls_by")
_PER = expression("per_each")
_LEAVES = expression("leaves_rest")
_ADDS = expression("adds_up")
_POINTS = expression("points_behind")
_TOLD = expression("told_amount")
_APART = frozenset({"ordinal", "clock", "score", "age"})
_LASTING = frozenset({"month", "second"})
"""Units of time that lasts."""
_DATED = re.compile(r"(?:\d{4}|XXXX-\d\d-\d\d)")
_DAY = len("2001-01-01")
_DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_WORD_BEFORE = re.compile(r"\b[A-Z][\w'’-]+\s$")
_NEAR = 40
"""Characters before and behind an amount in which words belong to it."""
_BOUND = re.compile(r"\b(?:more|less|fewer|higher|lower|greater)\s+than\s*$", re.IGNORECASE)
"""What makes a bound of an amount does not compare it."""


@dataclass(frozen=True)
class Derived:
    """A value, how it comes about ("2,600 / 3,900 = 66.7 %"), and where the last amount it takes ends."""

    value: float
    how: str
    end: int


def worked_out(slot: Slot, claim: str, premise: str) -> Derived | None:
    """The value of ``slot``, as the amounts of ``premise`` give it; ``None``: they do not.

    Of several results on either side of a bound ("more than half") nobody knows which is meant: they give none.
    """
    results = _results(slot, claim, premise)
    if not results:
        return None
    low, high = reach(slot)
    slack = 1e-9 * max(slot.high or 0.0, 1.0)
    if is_rough(slot):
        low, high = (float(slot.value) * (1 - ROUGHLY), float(slot.value) * (1 + ROUGHLY))
    within = [found for found in results if low - slack <= found.value <= high + slack]
    if not within or (one_sided(slot) and (len(within) < len(results) or _is_close(slot, within[0].value))):
        return None
    return within[0]


def with_results(claim: str, premise: str, found: Sequence[tuple[Slot, Derived]]) -> str:
    """``premise`` with amounts of the claim that its amounts give behind them, in the claim's words.

    "15 of the 60 ponds" is read as "15 of the 60 (one in four) ponds": a small model stumbles over the sum.
    """
    given = {result.end: _as_told(slot, claim) for slot, result in found}
    for end in sorted(given, reverse=True):
        before = premise[:end].rstrip(" ,")
        premise = f"{before} ({given[end]}){premise[len(before) :]}"
    return premise


def _as_told(slot: Slot, claim: str) -> str:
    """An amount with the words that belong to it: "by more than a fifth", "three points"."""
    start = max(0, slot.start - _NEAR)
    told, points = _TOLD.search(claim[start : slot.start]), _POINTS.match(claim, slot.end)
    return claim[start + told.start() if told else slot.start : points.end() if points else slot.end].strip()


def _is_close(slot: Slot, value: float) -> bool:
    """Whether a number of years may be one more or less, since only years are given, and so beyond a bound."""
    return slot.unit == "month" and abs(value - float(slot.value)) <= MONTHS_IN_YEAR


def _results(slot: Slot, claim: str, premise: str) -> list[Derived]:
    if slot.kind == "date" or slot.low is None or slot.unit in _APART or ".." in slot.value:
        return []
    stated = find_slots(premise)
    if slot.unit in _LASTING:
        spans = list(_spans(slot.unit, stated))
        if len(spans) == 1:
            return spans
    plain = [s for s in stated if not (names_a_thing(premise, s) or _is_of_a_name(premise, s))]
    amounts = [amount for s in plain for amount in _apart(s, premise) if _is_plain(amount)]
    if not 2 <= len(amounts) <= MOST_AMOUNTS:
        return []
    return list(_asked(slot, claim, premise, amounts))


def _spans(unit: str, stated: Sequence[Slot]) -> Iterator[Derived]:
    """Time between two days, years or hours of the day: months between years, else seconds."""
    if unit == "second":
        for one, other in combinations([s for s in stated if s.unit == "clock"], 2):
            yield _between(60 * (float(other.value) - float(one.value)), one, other)
    for one, other in combinations([s for s in stated if s.kind == "date" and _DATED.match(s.value)], 2):
        first, last = sorted((one.value, other.value))
        if unit == "month" and first[:4] < last[:4] and first[:4].isdigit() and last[:4].isdigit():
            yield _between(float(MONTHS_IN_YEAR) * (int(last[:4]) - int(first[:4])), one, other)
        elif unit == "second" and first[:4] == last[:4] and len(first) == len(last) == _DAY:
            year = last[:4] if last[:4].isdigit() else "2001"
            begin, end = (iso_day(f"{year}{value[4:]}") for value in (first, last))
            if begin is not None and end is not None:
                yield _between(86_400.0 * (end - begin).days, one, other)


def _between(value: float, one: Slot, other: Slot) -> Derived:
    return _of(value, f"from {one.text.strip(' ,')} to {other.text.strip(' ,')}", one, other)


def _of(value: float, how: str, *amounts: Slot) -> Derived:
    return Derived(value, how, max(amount.end for amount in amounts))


def _apart(slot: Slot, premise: str) -> tuple[Slot, ...]:
    """An amount; of what changed "from 14 to 17 per cent" the two."""
    if ".." not in slot.value or not premise[: slot.start].rstrip().lower().endswith("from"):
        return (slot,)
    values = slot.value.split("..")
    return tuple(slot.model_copy(update={"value": v, "low": float(v), "high": float(v), "text": v}) for v in values)


def _is_of_a_name(premise: str, slot: Slot) -> bool:
    """Whether a number stands behind a name, as that of a make does: "Tempa 2"."""
    before = _WORD_BEFORE.search(premise[max(0, slot.start - _NEAR) : slot.start])
    return before is not None and not is_common(before[0].strip().lower())


def _is_plain(slot: Slot) -> bool:
    """Whether an amount is one value: no date, place or score, no range and no bound."""
    if slot.kind == "date" or slot.unit in _APART - {"age"} or slot.low is None or slot.high is None:
        return False
    value = None if ".." in slot.value else float(slot.value)
    return value is not None and value > 0 and slot.high - slot.low <= SHARP * value


def _asked(slot: Slot, claim: str, premise: str, amounts: Sequence[Slot]) -> Iterator[Derived]:
    before = _BOUND.sub("", claim[max(0, slot.start - _NEAR) : slot.start])
    after = claim[slot.end : slot.end + _NEAR]
    around = f"{before} {after}"
    if slot.unit == "percent":
        if _CHANGES.search(before) or _COMPARES.match(after):
            yield from _changes(amounts, falls=_FALLS.search(claim) is not None)
        else:
            yield from _pairs(amounts, _share)
    elif slot.unit == "percentage points" or _POINTS.match(after):
        yield from _differences(list(_percentages(amounts)))
    elif slot.unit == "times":
        yield from _pairs(amounts, _multiple)
    else:
        like = [s for s in amounts if s.unit in {slot.unit, ""} or {s.unit, slot.unit} == {"", "age"}]
        if _COMPARES.search(around) or _CHANGES.search(before) or _LEAVES.search(f"{claim} {premise}"):
            yield from _differences(like)
        if _PER.search(claim):
            yield from _rates(slot, amounts)
        if _ADDS.search(f"{claim} {premise}"):
            yield from _sums(like)


def _percentages(amounts: Sequence[Slot]) -> Iterator[Slot]:
    """The percentages, and bare numbers beside one ("from 4.1 to 1.6 per cent")."""
    if any(s.kind == "percentage" for s in amounts):
        yield from (s for s in amounts if s.kind == "percentage" or (s.kind == "number" and not s.unit))


def _pairs(amounts: Sequence[Slot], made: Callable[[Slot, Slot], Derived | None]) -> Iterator[Derived]:
    """Of every two amounts of one unit, the smaller one first."""
    for pair in combinations(amounts, 2):
        small, large = sorted(pair, key=lambda s: float(s.value))
        if small.unit == large.unit and (found := made(small, large)):
            yield found


def _differences(amounts: Sequence[Slot]) -> Iterator[Derived]:
    """The same of amounts one of which leaves its unit out ("141 per cent ... 128")."""
    for pair in combinations(amounts, 2):
        small, large = sorted(pair, key=lambda s: float(s.value))
        if small.unit == large.unit or any(not a.unit and _as_written(b) for a, b in (pair, pair[::-1])):
            yield _difference(small, large)


def _as_written(slot: Slot) -> bool:
    """Whether the value is the number that stands there, not converted to another unit."""
    digits = _DIGITS.search(slot.text)
    return digits is not None and float(digits[0].replace(",", "")) == float(slot.value)


def _share(small: Slot, large: Slot) -> Derived | None:
    if large.kind == "percentage":
        return None
    value = 100 * float(small.value) / float(large.value)
    return _of(value, f"{small.text.strip()} / {large.text.strip()} = {value:.3g} %", small, large)


def _difference(small: Slot, large: Slot) -> Derived:
    value = float(large.value) - float(small.value)
    return _of(value, f"{large.text.strip()} - {small.text.strip()} = {value:.6g}", small, large)


def _multiple(small: Slot, large: Slot) -> Derived:
    value = float(large.value) / float(small.value)
    return _of(value, f"{large.text.strip()} / {small.text.strip()} = {value:.3g}", small, large)


def _changes(amounts: Sequence[Slot], *, falls: bool) -> Iterator[Derived]:
    def change(small: Slot, large: Slot) -> Derived:
        base = large if falls else small
        value = 100 * (float(large.value) - float(small.value)) / float(base.value)
        told = f"({large.text.strip()} - {small.text.strip()}) / {base.text.strip()} = {value:.3g} %"
        return _of(value, told, small, large)

    return _pairs(amounts, change)


def _rates(slot: Slot, amounts: Sequence[Slot]) -> Iterator[Derived]:
    for whole, count in permutations(amounts, 2):
        if (
            whole.unit == slot.unit
            and count.kind == "number"
            and not count.unit
            and float(whole.value) > float(count.value)
        ):
            yield _multiple(count, whole)


def _sums(amounts: Sequence[Slot]) -> Iterator[Derived]:
    if len({s.unit for s in amounts}) == 1 and len(amounts) > 1:
        value = sum(float(s.value) for s in amounts)
        yield _of(value, f"{' + '.join(s.text.strip() for s in amounts)} = {value:.6g}", *amounts)
