"""Finding and normalising the details of a sentence: numbers, amounts, percentages, dates.

Number words are read by ``text2num``; the grammar of amounts (sign, scale, unit,
"about", ranges, fractions) is ours, since quantity parsers that were looked at load
pickled classifiers or lose the stated precision, which the guard compares by.
"""

from __future__ import annotations

import re
from functools import lru_cache

from verifier import lexicon as lex
from verifier.types import Slot, SlotKind

_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SCALE = r"(?:\s?(?:hundred|thousand|millions?|billions?|trillion|mn|mln|bn|tn|k|m|b)\b)"
_WORD = "(?:" + "|".join(sorted(lex.NUMBER_WORDS, key=len, reverse=True)) + ")"
_WORDS = rf"{_WORD}(?:(?:[\s-]|\sand\s){_WORD})*"
_NUMBER = re.compile(
    rf"(?<![\w.,/])(?<![A-Za-z]-)(?:(?P<currency>US\$|[$€£¥])\s?)?(?P<number>{_DIGITS})"
    rf"(?:(?P<ordinal>st|nd|rd|th)\b|(?P<scale>{_SCALE}))?(?![\d]|[.,]\d)"
    rf"(?P<percent>\s?(?:%|percent\b|per\s?cent\b|pct\b|percentage points?\b))?"
    rf"|\b(?P<words>{_WORDS})\b(?P<percent2>\s(?:percent\b|per\s?cent\b|percentage points?\b))?",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    r"\b(?P<many>two|three|four)[\s-](?P<part>thirds|quarters|fifths)\b"
    r"|\b(?:an?|one)[\s-](?P<one>third|quarter|fifth|sixth|eighth|tenth)(?=\s+of\b|\s+(?:less|more|higher|lower|larger|smaller)\b|[.,;]|$)"
    r"|\b(?P<half>half)\b(?!-)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\b(" + "|".join(k for k in lex.ORDINALS if k not in {"second"}) + r"|second(?!s|ary)(?=-|\s+(?!of\b)[a-z]))\b", re.IGNORECASE)  # fmt: skip
_MULTIPLE = re.compile(r"\b(" + "|".join(lex.MULTIPLES) + r")\b", re.IGNORECASE)
_MONTH = "(?:" + "|".join(sorted(lex.MONTHS, key=len, reverse=True)) + r")\.?"
_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_DATE = re.compile(
    rf"\b(?P<iso>{_YEAR}-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?)\b|\b(?P<season>{_YEAR}[-–/]\d\d)\b"
    rf"|\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m1>{_MONTH})(?!\w),?(?:\s(?P<y1>{_YEAR})\b)?"
    rf"|\b(?P<m2>{_MONTH})\s(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|,\d{{3}}|\s(?:percent|per cent|million))(?:,?\s(?P<y2>{_YEAR})\b)?"
    rf"|\b(?P<m3>{_MONTH}),?\s(?:of\s)?(?P<y3>{_YEAR})\b"
    rf"|\b(?P<m4>(?:january|february|april|june|july|august|september|october|november|december))\b"
    rf"|(?<=\bin )(?P<m5>march|may)\b"
    rf"|\b(?P<decade>(?:1\d|20)\d0)s\b|\b(?P<y6>{_YEAR})\b(?!\s?(?:%|percent|per cent|people|million|billion|"
    rf"homes|jobs|km|miles|metres|meters|tonnes|residents|votes|households|workers|students|visitors|copies|dollars|euros|pounds))",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(r"\b(" + "|".join(lex.WEEKDAYS) + r")s?\b", re.IGNORECASE)
_UNIT_AFTER = re.compile(r"[\s-]?(km/h|m/s|°\s?[CF]|[A-Za-z]+)(?![\w/])")
_AGE_AFTER = re.compile(r"[\s-]years?[\s-]olds?\b", re.IGNORECASE)
_AGE_BEFORE = re.compile(r"\b(?:aged|age|age of)\s$", re.IGNORECASE)
_RANGE_JOIN = re.compile(r"\s?(?:-|–|—|\bto\b|\band\b)\s?$", re.IGNORECASE)


def _singular(word: str) -> str:
    lowered = word.lower().replace("° ", "°")
    for candidate in (lowered, lowered.removesuffix("s"), lowered.removesuffix("es")):
        if candidate in lex.UNITS or candidate in lex.CURRENCIES:
            return candidate
    return lowered


def _value_of_words(words: str) -> float | None:
    from text_to_num import text2num

    try:
        return float(text2num(re.sub(r"\s+", " ", words.lower().replace("-", " ")), "en"))
    except ValueError:
        return None


def _precision(number: str, scale: float) -> float:
    """Half a unit of the last stated digit, at most 5 %: how far rounding may have moved the value."""
    digits = number.replace(",", "")
    value = float(digits) * scale
    if "." in digits:
        return min(0.5 * 10.0 ** -len(digits.split(".")[1]) * scale, 0.05 * value)
    if scale > 1:
        return min(0.5 * scale, 0.05 * value)
    zeros = len(digits) - len(digits.rstrip("0"))
    return min(0.5 * 10.0**zeros, 0.025 * value) if zeros >= 2 else 0.0


def _bounds(value: float, before: str, after: str) -> tuple[float, float]:
    """Interval a hedged amount stands for: "about 50" is 45 to 55, "more than 50" is 50 to 100."""
    window = before.lower().rstrip()
    if window.endswith(lex.ABOVE) or re.match(r"\s?(?:or more|\+|plus)\b", after):
        return value, value * 2
    if window.endswith(lex.BELOW):
        return value / 2, value
    if window.endswith(lex.ABOUT) or re.match(r"\s?or so\b", after):
        return value * 0.9, value * 1.1
    return value, value


def _numeric(text: str, match: re.Match[str]) -> Slot | None:
    digits = match["number"]
    if digits:
        scale = lex.SCALES.get((match["scale"] or "").strip().lower(), 1.0)
        value, slack = float(digits.replace(",", "")) * scale, _precision(digits, scale)
    else:
        found = _value_of_words(match["words"])
        if found is None:
            return None
        value, scale, slack = found, 1.0, 0.0
    kind: SlotKind = "number"
    unit, end = "", match.end()
    if match["percent"] or match["percent2"]:
        kind, unit = "percentage", "percent"
    elif match["currency"]:
        kind, unit = "money", lex.CURRENCIES[match["currency"].lower()]
    elif match["ordinal"]:
        unit = "ordinal"
    elif _AGE_AFTER.match(text, match.end()) or _AGE_BEFORE.search(text[: match.start()]):
        unit = "age"
    else:
        after = _UNIT_AFTER.match(text, match.end())
        word = _singular(after[1]) if after else ""
        if after and word in lex.CURRENCIES:
            kind, unit, end = "money", lex.CURRENCIES[word], after.end()
        elif after and word in lex.UNITS:
            (unit, factor), end = lex.UNITS[word], after.end()
            value, slack, kind = value * factor, slack * factor, "percentage" if unit == "percent" else "unit"
    low, high = _bounds(value, text[max(0, match.start() - 20) : match.start()], text[end : end + 12])
    slack = slack if low == high else 0.0
    return Slot(
        kind=kind, text=text[match.start() : end], value=f"{value:.10g}", unit=unit,
        low=low - slack, high=high + slack, start=match.start(), end=end,
    )  # fmt: skip


def _percent_words(match: re.Match[str]) -> Slot:
    if match["half"]:
        value = 50.0
    elif match["one"]:
        value = lex.FRACTIONS[match["one"].lower()]
    else:
        value = lex.FRACTIONS[f"{match['many'].lower()} {match['part'].lower()}"]
    return Slot(
        kind="percentage", text=match[0], value=f"{value:.4g}", unit="percent",
        low=value * 0.95, high=value * 1.05, start=match.start(), end=match.end(),
    )  # fmt: skip


def _date(match: re.Match[str]) -> Slot:
    groups = match.groupdict()
    year = next((groups[k] for k in ("y1", "y2", "y3", "y6") if groups[k]), "")
    month_name = next((groups[k] for k in ("m1", "m2", "m3", "m4", "m5") if groups[k]), "")
    month = lex.MONTHS[month_name.lower().rstrip(".")] if month_name else 0
    day = next((groups[k] for k in ("d1", "d2") if groups[k]), "")
    if groups["iso"]:
        value = groups["iso"]
    elif groups["season"]:
        value = f"{groups['season'][:4]}/{groups['season'][5:]}"
    elif groups["decade"]:
        value = f"{groups['decade'][:3]}x"
    else:
        value = year or "XXXX"
        if month:
            value += f"-{month:02d}"
            if day:
                value += f"-{int(day):02d}"
    return Slot(kind="date", text=match[0], value=value, start=match.start(), end=match.end())


def _covered(slots: list[Slot], start: int, end: int) -> bool:
    return any(start < s.end and s.start < end for s in slots)


def _merge_ranges(text: str, slots: list[Slot]) -> list[Slot]:
    """Join "10 to 15 km" and "between 10 and 15" into one slot from 10 to 15."""
    merged: list[Slot] = []
    for slot in slots:
        last = merged[-1] if merged else None
        if last and last.low is not None and slot.low is not None and slot.high is not None:
            gap = text[last.end : slot.start]
            before = text[max(0, last.start - 10) : last.start].lower()
            word = gap.strip().lower()
            joined = word in {"-", "–", "—"} or (word == "to" and "from" not in before and last.low < slot.low)
            joined = joined or (word == "and" and before.rstrip().endswith("between"))
            if _RANGE_JOIN.match(gap) and joined and last.kind in {slot.kind, "number"} and last.unit in {slot.unit, ""}:
                same = 1.0 if last.unit or slot.unit in {"", "percent"} or slot.kind == "money" else float(slot.value) / max(1e-9, _bare(slot))
                merged[-1] = Slot(
                    kind=slot.kind, text=text[last.start : slot.end], value=f"{last.value}..{slot.value}", unit=slot.unit,
                    low=last.low * same, high=slot.high, start=last.start, end=slot.end,
                )  # fmt: skip
                continue
        merged.append(slot)
    return merged


def _bare(slot: Slot) -> float:
    digits = re.match(_DIGITS, slot.text)
    return float(digits[0].replace(",", "")) if digits else float(slot.value)


@lru_cache(maxsize=4096)
def find_slots(text: str) -> tuple[Slot, ...]:
    """Dates, numbers, amounts, percentages, fractions, ordinals and multiples of ``text``, in order.

    A year alone ("2019") is a date; "the 1990s" is the decade ``"199x"``; a date without a
    year is ``"XXXX-03-05"``. Amounts with a known unit are given in its base unit.
    """
    slots = [_date(m) for m in _DATE.finditer(text)]
    slots += [
        Slot(kind="date", text=m[0], value=m[1].lower(), start=m.start(), end=m.end()) for m in _WEEKDAY.finditer(text)
    ]
    for match in _FRACTION.finditer(text):
        if not _covered(slots, match.start(), match.end()):
            slots.append(_percent_words(match))
    for match in _NUMBER.finditer(text):
        if not match[0].strip() or _covered(slots, match.start(), match.end()) or _is_pronoun(text, match):
            continue
        numeric = _numeric(text, match)
        if numeric:
            slots.append(numeric)
    for pattern, table, unit in ((_ORDINAL, lex.ORDINALS, "ordinal"), (_MULTIPLE, lex.MULTIPLES, "times")):
        for match in pattern.finditer(text):
            if not _covered(slots, match.start(), match.end()):
                value = float(table[match[1].lower()])
                slots.append(
                    Slot(
                        kind="number", text=match[0], value=f"{value:g}", unit=unit, low=value, high=value,
                        start=match.start(), end=match.end(),
                    )  # fmt: skip
                )
    return tuple(_merge_ranges(text, sorted(slots, key=lambda s: s.start)))


def _is_pronoun(text: str, match: re.Match[str]) -> bool:
    """"one of the", "one another", "no one": not an amount."""
    if (match["words"] or "").lower() != "one":
        return False
    before, after = text[max(0, match.start() - 6) : match.start()].lower(), text[match.end() : match.end() + 9].lower()
    return bool(re.search(r"(?:no|any|every|some|this|that|the)[\s-]$", before)) or bool(
        re.match(r"\s(?:of|another|can|who|that|day)\b", after)
    )
