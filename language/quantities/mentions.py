"""Finding and normalising the details of a sentence: numbers, amounts, percentages, dates.

Number words are read by ``text2num``; the grammar of amounts (sign, scale, unit,
"about", ranges, fractions) is ours, since quantity parsers that were looked at load
pickled classifiers or lose the stated precision, which the guard compares by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from language import lexicon as lex
from language.dates.mentions import find_dates
from language.quantities.units import COINS, CURRENCIES, EXPRESSIONS, SCALES, UNITS
from language.types import Slot, SlotKind

_EXPONENT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
MAX_DIGITS = 60
"""Most characters of a number in digits that is an amount."""
MAX_EXPONENT = 30
"""Largest power of ten that is an amount."""
_HEDGES = (
    ("about", -0.1, 0.1),
    ("at_most", -0.5, 0.0),
    ("at_least", 0.0, 1.0),
    ("over", 1e-6, 1.0),
    ("under", -0.5, -1e-6),
)
"""Words before an amount, and how much less and more of it they allow."""


@lru_cache(maxsize=4096)
def find_slots(text: str) -> tuple[Slot, ...]:
    """Dates, numbers, amounts, percentages, fractions, ordinals and multiples of ``text``, in order.

    Dates are described in ``language.dates.mentions``. Amounts with a known unit are given in its base
    unit; "one in five" is a percentage, "3-1" a score, "5 pm" minutes since midnight.
    """
    slots = find_dates(text)
    for expression, read in _READERS.items():
        for match in _apart(expression, text):
            if not _covered(slots, match.start(), match.end()):
                slot = read(match)
                if slot and not _covered(slots, slot.start, slot.end):
                    slots.append(slot)
    return tuple(_merge_ranges(text, sorted(slots, key=lambda s: s.start)))


def _apart(expression: str, text: str) -> Iterator[re.Match[str]]:
    """What an expression finds; number words that "and" joins to no number ("between three and seven") one by one."""
    found = EXPRESSIONS[expression]
    for match in found.finditer(text):
        joined = match.groupdict().get("words") or ""
        at = joined.lower().rfind(" and ")
        if at < 0 or _value_of(joined) is not None:
            yield match
            continue
        middle = match.start("words") + at
        yield from found.finditer(text, match.start(), middle)
        yield from found.finditer(text, middle + len(" and "), match.end())


def _covered(slots: list[Slot], start: int, end: int) -> bool:
    return any(start < s.end and s.start < end for s in slots)


def _unit_word(found: str) -> str:
    """The unit's entry in the lexicon for a word as it stands in the text, or ``""``."""
    if found in {"G", "has"}:
        return ""
    lowered = re.sub(r"\s+", " ", found.lower()).replace("° ", "°")
    forms = (lowered, lowered.removesuffix("s"), lowered.removesuffix("es"), lowered.replace("-", " "))
    for candidate in (*forms, lowered.replace("-", " ").removesuffix("s")):
        if candidate in UNITS or candidate in CURRENCIES or candidate in COINS:
            return candidate
    return ""


def _value_of(number: str) -> float | None:
    """The value of a number in words or plain digits."""
    from text_to_num import text2num

    if number.isdecimal() and number.isascii():
        return float(number)
    try:
        return float(text2num(re.sub(r"\s+", " ", number.lower().replace("-", " ")), "en"))
    except ValueError:
        return None


def _precision(number: str, scale: float) -> float:
    """Half a unit of the last stated digit, at most 5 %: how far rounding may have moved the value."""
    value = float(number) * scale
    if "." in number:
        return min(0.5 * 10.0 ** -len(number.split(".")[1]) * scale, 0.05 * value)
    if scale > 1:
        return min(0.5 * scale, 0.05 * value)
    zeros = len(number) - len(number.rstrip("0"))
    return min(0.5 * 10.0**zeros, 0.025 * value) if zeros >= 2 else 0.0


def _before(match: re.Match[str], most: int = 24) -> str:
    return match.string[max(0, match.start() - most) : match.start()]


def _bounds(match: re.Match[str], value: float, after: str = "") -> tuple[float, float]:
    """Interval a hedged amount stands for: "about 50" is 45 to 55, "more than 50" is above 50, to 100."""
    before = _before(match).lower().rstrip(" $€£¥₹")
    for hedge, less, more in _HEDGES:
        behind = EXPRESSIONS.get(f"{hedge}_behind")
        if before.endswith(lex.HEDGED_AMOUNTS[hedge]) or (behind and behind.match(after)):
            return value + abs(value) * less, value + abs(value) * more
    return value, value


def _amount(match: re.Match[str]) -> tuple[float, float] | None:
    """Value of a number as written, and how far rounding may have moved it."""
    digits = match["number"]
    if digits and len(digits) > MAX_DIGITS:
        return None  # no amount that anybody states, and more than a float may hold
    if not digits:
        found = _value_of(match["words"])
        if found is None:
            return None
        found += 0.5 if match["half"] else 0.0
        scale = SCALES[match["scale_behind"].strip().lower()] if match["scale_behind"] else 1.0
        return found * scale, 0.05 * found * scale if match["half"] else 0.0
    decimal = digits.replace(",", ".") if re.fullmatch(r"\d+,\d{1,2}", digits) else digits.replace(",", "")
    scale = SCALES.get((match["scale"] or "").strip().lower().removesuffix("s"), 1.0)
    if match["power"]:
        exponent = int((match["raised"] or match["exponent"] or match["e"]).translate(_EXPONENT))
        if abs(exponent) > MAX_EXPONENT:
            return None
        decimal, scale = "1" if match["ten"] is not None else decimal, 10.0**exponent
    value = float(decimal) + (lex.FRACTIONS[match["vulgar"]] / 100 if match["vulgar"] else 0.0)
    return value * scale * (-1 if match["minus"] else 1), _precision(decimal, scale)


def _is_age(match: re.Match[str]) -> bool:
    before, after = _before(match, 40), match.string[match.end() : match.end() + 20]
    if EXPRESSIONS["age_after"].match(after):
        return True
    if found := EXPRESSIONS["age_before"].search(before):
        return found[0][:1].lower() in {"a", "t"} or bool(re.match(r"[.,;)]|$", after))
    two_digits = match["number"] and len(match["number"]) == 2
    return bool(two_digits and EXPRESSIONS["age_aside"].search(before) and re.match(r"[,)]", after))


def _dimension(match: re.Match[str], value: float, slack: float) -> tuple[SlotKind, str, int, float, float]:
    """Kind, unit, end, value and slack of a number, by what stands before and behind it."""
    text, end = match.string, match.end()
    if percent := match["percent"] or match["percent_behind"]:
        points = "point" in percent.lower()
        return "percentage", "percentage points" if points else "percent", end, value, slack
    if match["currency"]:
        sign = re.sub(r"\s", "", match["currency"].lower()).rstrip(".")
        return "money", CURRENCIES[sign], end, value, slack
    if match["ordinal"] or _is_age(match):
        return "number", "ordinal" if match["ordinal"] else "age", end, value, slack
    if (match["scale"] or "").lower() == "m" and "." not in match["number"] and EXPRESSIONS["metres"].match(text, end):
        return "unit", "metre", end, value / 1e6, 0.0
    after = EXPRESSIONS["unit_after"].match(text, end)
    word = _unit_word(after["long"]) if after else ""
    if not after or not word or (word == "c" and (match["scale"] or text[end] != "C")):
        return "number", "", end, value, slack
    end = after.end()
    if word in CURRENCIES and not (word == "pound" and _is_weight(text, match.start(), end)):
        return "money", CURRENCIES[word], end, value, slack
    if word in COINS:
        return "money", "coins", end, value * COINS[word], slack * COINS[word]
    unit, factor = UNITS["lb" if word == "pound" else word]
    kind: SlotKind = "percentage" if unit.startswith("percent") else "number" if unit == "times" else "unit"
    return kind, unit, end, value * factor, slack * factor


def _is_weight(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 30) : start].lower(), text[end : end + 12].lower()
    return bool(EXPRESSIONS["weight_before"].search(before) or EXPRESSIONS["weight_behind"].match(after))


def _is_pronoun(match: re.Match[str]) -> bool:
    """Whether "one" is no amount: "one of the", "one another", "no one"."""
    if (match["words"] or "").lower() != "one":
        return False
    before, after = _before(match, 6).lower(), match.string[match.end() : match.end() + 11].lower()
    return bool(EXPRESSIONS["pronoun_before"].search(before) or EXPRESSIONS["pronoun_behind"].match(after))


def _number(match: re.Match[str]) -> Slot | None:
    amount = None if not match[0].strip() or _is_pronoun(match) else _amount(match)
    if amount is None:
        return None
    kind, unit, end, value, slack = _dimension(match, *amount)
    low, high = _bounds(match, value, match.string[end : end + 12])
    if kind == "percentage" and not slack and match["number"]:
        slack = min(0.5, 0.025 * abs(value))
    slack = slack if low == high else 0.0
    return _slot(match, kind, value, unit, (low - slack, high + slack), end=end)


def _slot(
    match: re.Match[str],
    kind: SlotKind,
    value: float,
    unit: str,
    bounds: tuple[float, float] | None = None,
    named: str = "",
    end: int | None = None,
) -> Slot:
    low, high = bounds or (value, value)
    start, end = match.start(), end or match.end()
    text = match.string[start:end]
    return Slot(
        kind=kind, text=text, value=named or _written(value), unit=unit, low=low, high=high, start=start, end=end
    )


def _written(value: float) -> str:
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e15 else f"{value:.10g}"


def _percent(match: re.Match[str], value: float) -> Slot:
    """A share in words; it is rough by 5 %, or says "more than", "nearly"."""
    low, high = _bounds(match, value)
    low, high = (value * 0.95, value * 1.05) if low == high else (low, high)
    return _slot(match, "percentage", value, "percent", (low, high), f"{value:.4g}")


def _fraction(match: re.Match[str]) -> Slot:
    if match["many"]:
        return _percent(match, (_value_of(match["many"]) or 0.0) * lex.FRACTIONS[match["part"].lower()[:-1]])
    return _percent(match, lex.FRACTIONS[(match["one"] or match["half"] or match["sign"]).lower()])


def _share(match: re.Match[str]) -> Slot | None:
    part, whole = _value_of(match["part"]), _value_of(match["whole"])
    if part is None or whole is None or not 0 < part < whole or whole > 100:
        return None
    return _percent(match, 100 * part / whole)


def _half_of(match: re.Match[str]) -> Slot:
    what = match["what"].lower()
    share = 0.5 if not match["quarters"] else 0.75 if match["quarters"].lower() == "three" else 0.25
    unit, factor = UNITS.get(what, ("", 12 if what == "dozen" else SCALES.get(what, 0.0)))
    value = factor * share
    low, high = _bounds(match, value)
    if what in UNITS:
        return _slot(match, "unit", value, unit, (low, high))
    after = EXPRESSIONS["unit_after"].match(match.string, match.end())
    currency = CURRENCIES.get(_unit_word(after["long"])) if after else None
    slack = 0.05 * value if low == high and value > 12 else 0.0
    end = after.end() if after and currency else None
    return _slot(match, "money" if currency else "number", value, currency or "", (low - slack, high + slack), end=end)


def _and_half(match: re.Match[str]) -> Slot:
    unit, factor = UNITS[match["what"].lower()]
    return _slot(match, "unit", 1.5 * factor, unit)


def _vague(match: re.Match[str]) -> Slot:
    if few := (match["few"] or "").lower():
        least = 12.0 if few == "dozen" else SCALES[few]
        high = 10 * least - 1
    else:
        outer = (match["outer"] or "").lower()
        least = lex.VAGUE[match["vague"].lower()] * (10.0 if outer == "tens" else lex.VAGUE.get(outer, 1.0))
        high = 99.0 if least == 12 else least * (10 if outer or least == 100 else 100) - 1
    low = 2 * least
    return _slot(match, "number", low, "", (low, high), f"{_written(low)}..{_written(high)}")


def _dozen(match: re.Match[str]) -> Slot | None:
    count = _value_of(match["count"]) if match["count"] else 1.0
    if count is None:
        return None
    unit, factor = UNITS.get(match["what"].lower(), ("", 12.0))
    return _slot(match, "unit" if unit else "number", count * factor, unit, _bounds(match, count * factor))


def _clock(match: re.Match[str]) -> Slot:
    hour, minute = int(match["h"] or match["h2"]), int(match["m"] or match["m2"] or 0)
    half = (match["half"] or "").lower()
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    return _slot(match, "number", hour * 60 + minute, "clock")


def _ordinal(match: re.Match[str]) -> Slot | None:
    plain = match["plain"]
    if plain and any(m.start() <= match.start() < m.end() for m in EXPRESSIONS["to_begin_with"].finditer(match.string)):
        return None
    tens = 0 if plain else lex.TENS[match["tens"].lower()]
    return _slot(match, "number", float(tens + lex.ORDINALS[(plain or match["ones"]).lower()]), "ordinal")


def _multiple(match: re.Match[str]) -> Slot:
    value = float(lex.MULTIPLES[match[1].lower()])
    return _slot(match, "number", value, "times", _bounds(match, value))


_READERS = {
    "clock": _clock,
    "vague": _vague,
    "and_half": _and_half,
    "half_of": _half_of,
    "dozen": _dozen,
    "share": _share,
    "fraction": _fraction,
    "multiple": _multiple,
    "ordinal": _ordinal,
    "number": _number,
}
"""By expression, in the order of precedence: what one has taken the next ones leave alone."""


def _merge_ranges(text: str, slots: list[Slot]) -> list[Slot]:
    """Join "10 to 15 km" and "between 10 and 15" into one slot from 10 to 15, and "3-1" into a score; "rose from 10 to
    15 km" are two amounts, both of kilometres.
    """
    merged: list[Slot] = []
    for slot in slots:
        merged = [*merged[:-1], *_joined(text, merged[-1], slot)] if merged else [slot]
    return merged


def _joined(text: str, last: Slot, slot: Slot) -> list[Slot]:
    """Two neighbours, as one slot where they are a range or a score."""
    gap = text[last.end : slot.start]
    if not EXPRESSIONS["range_join"].fullmatch(gap) or "date" in {last.kind, slot.kind}:
        return [last, slot]
    if last.unit not in {slot.unit, ""} and not (last.kind == "money" and slot.unit == ""):
        return [last, slot]
    if slot.unit in {"ordinal", "clock", "age"} or ".." in last.value + slot.value or last.unit == "score":
        return [last, slot]
    word, before = gap.strip().lower(), text[: last.start].lower().rstrip()
    if word == "and" and not before.endswith("between"):
        return [last, slot]
    whole = {"text": text[last.start : slot.end], "end": slot.end}
    first, second = float(last.value), float(slot.value)
    if word in {"-", "–", "—"} and not slot.unit and not last.unit and first >= second:
        score = {"kind": "number", "unit": "score", "value": f"{first:g}-{second:g}", "low": 0.0, "high": 0.0}
        return [last.model_copy(update=whole | score)]
    bare = _bare(slot.text) or second
    alone = (last.unit == "" or last.kind == "money") and (_bare(last.text) or 0.0) == first
    scale = second / bare if bare and alone else 1.0
    kind = "money" if "money" in {slot.kind, last.kind} else slot.kind
    both = {"kind": kind, "unit": slot.unit or last.unit}
    if word == "to" and EXPRESSIONS["changed_from"].search(before) and not EXPRESSIONS["ranging_from"].search(before):
        return [_scaled(last, scale, second, both), slot.model_copy(update=both)]
    first *= scale
    if first >= second:
        return [last, slot]
    low = min(first, last.low or 0.0) if first == float(last.value) else first
    value, high = f"{_written(first)}..{_written(second)}", max(second, slot.high or 0.0)
    return [last.model_copy(update=whole | both | {"value": value, "low": low, "high": high})]


def _bare(text: str) -> float | None:
    """The number with which an amount is told, without scale and unit: 3 of "3 million" and of "three years"."""
    if digits := EXPRESSIONS["digits"].search(text):
        return float(digits[0].replace(",", ""))
    words = [word for word in text.split() if word.lower() not in SCALES]
    values = (_value_of(" ".join(words[:count])) for count in range(len(words), 0, -1))
    return next((value for value in values if value is not None), None)


def _scaled(slot: Slot, scale: float, second: float, measure: dict[str, str]) -> Slot:
    """The first of two amounts in the measure of the second, and at its scale ("from 2 to 3 million") where that is
    likely.
    """
    scale = scale if float(slot.value) * scale <= 10 * second else 1.0
    low, high = (None if end is None else end * scale for end in (slot.low, slot.high))
    value = _written(float(slot.value) * scale)
    return slot.model_copy(update={**measure, "value": value, "low": low, "high": high})
