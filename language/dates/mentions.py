"""Finding dates in a sentence and writing them as ISO text of any precision."""

from __future__ import annotations

import re
from dataclasses import dataclass

from language.calendar import MONTHS, WEEKDAYS

_MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_COUNTED = (
    "%|percent|per cent|people|million|billion|homes|jobs|km|miles|metres|meters|tonnes|residents|votes|"
    "households|"
    "workers|students|visitors|copies|dollars|euros|pounds|employees|cases|deaths|patients|passengers|units|pages"
)
_BEFORE_BARE = "".join(
    f"(?<=\\b{word} )|" for word in "in In by since Since until last this next early late during from to".split()
).rstrip("|")
_DATE = re.compile(
    rf"\b(?P<iso>{_YEAR}-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?)\b"
    rf"|\b(?P<season>{_YEAR}[-–/](?:\d\d|{_YEAR}))\b"
    rf"|(?<![\d/.])(?P<sa>\d{{1,2}})[/.](?P<sb>\d{{1,2}})[/.](?P<sy>{_YEAR})\b"
    rf"|\b(?P<d1>{_DAY})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m1>{_MONTH})(?!\w),?(?:\s(?P<y1>{_YEAR})\b)?"
    rf"|\b(?P<m2>{_MONTH})\s(?P<d2>{_DAY})(?:st|nd|rd|th)?"
    r"(?!\d|[.,]\d{3}|\.\d|\s?(?:%|percent|per cent|million))"
    rf"(?:,?\s(?P<y2>{_YEAR})\b)?"
    rf"|\b(?P<m3>{_MONTH}),?\s(?:of\s)?(?P<y3>{_YEAR})\b"
    r"|\b(?P<m4>(?:january|february|april|june|july|august|september|october|november|december))\b"
    rf"|(?:{_BEFORE_BARE})(?P<m5>march|may)\b"
    r"|\b(?P<decade>(?:1\d|20)\d0)['’]?s\b|(?<!\w)['’](?P<short>[3-9]0)s\b"
    rf"|\b(?P<y6>{_YEAR})\b(?!\s?(?:{_COUNTED})|,\d{{3}}|\.\d)",
    re.IGNORECASE,
)
_CENTURY = re.compile(r"\b(?P<nth>1[0-9]|2[01])(?:st|nd|rd|th)[\s-]century\b", re.IGNORECASE)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_QUARTER = re.compile(
    rf"\bQ(?P<q>[1-4])\b(?:\s(?:of\s)?(?P<qy>{_YEAR})\b)?"
    rf"|\b(?P<nth>{'|'.join(_QUARTERS)})\s(?:quarter|three\smonths)\b(?:\s(?:of\s)?(?P<ny>{_YEAR})\b)?"
    r"|\b(?P<from>January|April|July|October)(?:\sand\s|\sto\s|\suntil\s|\sthrough\s|\s?[-–]\s?)"
    rf"(?P<to>March|June|September|December)(?:,?\s(?:of\s)?(?P<my>{_YEAR}))?\b",
    re.IGNORECASE,
)
_SPANS = {("january", "march"): 1, ("april", "june"): 2, ("july", "september"): 3, ("october", "december"): 4}
_WEEKDAY = re.compile(r"\b(" + "|".join(WEEKDAYS) + r")s?\b", re.IGNORECASE)
_ALSO_WORDS = frozenset({"may", "march", "mar", "august", "sep", "dec", "jan", "oct"})
_NUMERIC = re.compile(rf"(?<![\d/.])(\d{{1,2}})([/.])(\d{{1,2}})\2{_YEAR}\b")


@dataclass(frozen=True)
class DateMention:
    """A date as it stands in a text: ``text[start:end]`` of it, and its ISO value (``find_dates``)."""

    text: str
    value: str
    start: int
    end: int


def _slashed(match: re.Match[str]) -> str | None:
    """ "05/03/2016" is the fifth of March here and the third of May there: both, joined by ``|``."""
    first, second, year = int(match["sa"]), int(match["sb"]), match["sy"]
    days = [(first, second), (second, first)]
    values = [f"{year}-{m:02d}-{d:02d}" for d, m in days if 1 <= m <= 12 and 1 <= d <= 31]
    return "|".join(dict.fromkeys(values)) or None


def day_first(text: str) -> bool | None:
    """Whether numeric dates write the day first, by those with a part above 12; ``None``: not told, or both ways."""
    orders = {int(m[1]) > 12 for m in _NUMERIC.finditer(text) if (int(m[1]) > 12) != (int(m[3]) > 12)}
    return orders.pop() if len(orders) == 1 else None


def settled(value: str, order: bool | None) -> str:
    """A value of two readings as the one that the document's own order (``day_first``) gives it."""
    day_month, found, month_day = value.partition("|")
    if not found or order is None:
        return value
    return day_month if order else month_day


def _value(match: re.Match[str]) -> str | None:
    groups = match.groupdict()
    year = next((groups[k] for k in ("y1", "y2", "y3", "y6") if groups[k]), "")
    month = next((groups[k] for k in ("m1", "m2", "m3", "m4", "m5") if groups[k]), "")
    day = groups["d1"] or groups["d2"] or ""
    if groups["iso"]:
        return groups["iso"]
    if groups["season"]:
        return f"{groups['season'][:4]}/{groups['season'][-2:]}"
    if groups["sy"]:
        return _slashed(match)
    if groups["decade"] and groups["decade"].endswith("00") and groups["decade"] < "2000":
        return f"{groups['decade'][:2]}xx"
    if groups["decade"] or groups["short"]:
        return f"{(groups['decade'] or '19' + groups['short'])[:3]}x"
    if month.rstrip(".") in _ALSO_WORDS and not year:
        return None  # "may", "march" written small
    value = year or "XXXX"
    if month:
        value += f"-{MONTHS[month.lower().rstrip('.')]:02d}"
        if day:
            value += f"-{int(day):02d}"
    return value


def _quarter(match: re.Match[str]) -> DateMention | None:
    if match["from"]:
        number = str(_SPANS.get((match["from"].lower(), match["to"].lower()), ""))
    else:
        number = match["q"] or str(_QUARTERS[match["nth"].lower()])
    if not number:
        return None  # months that are no quarter are dates of their own
    year = match["qy"] or match["ny"] or match["my"] or "XXXX"
    return _mention(match, f"{year}-Q{number}")


def _mention(match: re.Match[str], value: str) -> DateMention:
    return DateMention(match[0], value, match.start(), match.end())


def find_dates(text: str) -> list[DateMention]:
    """Dates and weekdays of a text, dates first.

    A year alone ("2019") is a date; "the 1990s" is ``"199x"``, "the 1700s" ``"17xx"``; a quarter, also as "July to
    September 2024", is ``"2024-Q3"``, a season ``"2020/21"``, a date without a year ``"XXXX-03-05"``; a day that can be
    read in two ways has both readings, the day first before ``|``, unless the text shows its own order.
    """
    order = day_first(text)
    found = [slot for m in _QUARTER.finditer(text) if (slot := _quarter(m))]
    found += [_mention(m, f"{int(m['nth']) - 1}xx") for m in _CENTURY.finditer(text)]
    taken = [(s.start, s.end) for s in found]
    for match in _DATE.finditer(text):
        value = settled(_value(match) or "", order)
        if value and not any(start < match.end() and match.start() < end for start, end in taken):
            found.append(_mention(match, value))
    return found + [_mention(m, m[1].lower()) for m in _WEEKDAY.finditer(text)]
