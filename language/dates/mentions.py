"""Finding dates in a sentence and writing them as ISO text of any precision."""

from __future__ import annotations

import re

from language.calendar import MONTHS, WEEKDAYS
from language.types import Slot
from language.wordlists import longest_first, read_expressions

EXPRESSIONS = read_expressions(
    "language.dates",
    month=rf"(?:{longest_first(MONTHS)})\.?",
    names="|".join(MONTHS),
    weekdays="|".join(WEEKDAYS),
)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_ALSO_WORDS = frozenset({"may", "march", "mar", "august", "sep", "dec", "jan", "oct"})


def find_dates(text: str) -> list[Slot]:
    """Dates and weekdays of a text, dates first.

    A year alone ("2019") is a date; "the 1990s" is ``"199x"``, "the 1700s" ``"17xx"``; a quarter, also as "July to
    September 2024", is ``"2024-Q3"``, a season ``"2020/21"``, a date without a year ``"XXXX-03-05"``; a day that can be
    read in two ways has both readings, the day first before ``|``, unless the text shows its own order.
    """
    order = day_first(text)
    found = [mention_of(m, value) for m in EXPRESSIONS["quarter"].finditer(text) if (value := _quarter(m))]
    found += [mention_of(m, f"{int(m['nth']) - 1}xx") for m in EXPRESSIONS["century"].finditer(text)]
    taken = [(s.start, s.end) for s in found]
    for match in EXPRESSIONS["date"].finditer(text):
        value = settled(_value(match), order)
        if value and not any(start < match.end() and match.start() < end for start, end in taken):
            found.append(mention_of(match, value))
    return found + [mention_of(m, m[1].lower()) for m in EXPRESSIONS["weekday"].finditer(text)]


def mention_of(match: re.Match[str], value: str, last: str | int = 0) -> Slot:
    """What an expression found, up to the end of a group, as a date of this value. A comma or stop behind it belongs to
    the sentence.
    """
    start = match.start()
    text = match.string[start : match.end(last)].rstrip(" ,.")
    return Slot(kind="date", text=text, value=value, start=start, end=start + len(text))


def day_first(text: str) -> bool | None:
    """Whether numeric dates write the day first, by those with a part above 12; ``None``: not told, or both ways."""
    pairs = [(int(m[1]), int(m[3])) for m in EXPRESSIONS["numeric"].finditer(text)]
    orders = {first > 12 for first, second in pairs if (first > 12) != (second > 12)}
    return orders.pop() if len(orders) == 1 else None


def settled(value: str, order: bool | None) -> str:
    """A value of two readings as the one that the document's own order (``day_first``) gives it."""
    day_month, found, month_day = value.partition("|")
    if not found or order is None:
        return value
    return day_month if order else month_day


def _value(match: re.Match[str]) -> str:
    """The ISO value of a date; ``""`` where it is none."""
    groups = {name: text for name, text in match.groupdict().items() if text}
    if "iso" in groups:
        return groups["iso"]
    if "season" in groups:
        return f"{groups['season'][:4]}/{groups['season'][-2:]}"
    if "sy" in groups:
        return _slashed(int(groups["sa"]), int(groups["sb"]), groups["sy"])
    if decade := groups.get("decade") or groups.get("short"):
        decade = decade if "decade" in groups else f"19{decade}"
        return f"{decade[:2]}xx" if decade.endswith("00") and decade < "2000" else f"{decade[:3]}x"
    parts = {name[0]: text for name, text in groups.items()}
    month = parts.get("m", "").rstrip(".")
    if month in _ALSO_WORDS and "y" not in parts:
        return ""  # "may", "march" written small
    value = parts.get("y", "XXXX")
    if month:
        value += f"-{MONTHS[month.lower()]:02d}"
        if "d" in parts:
            value += f"-{int(parts['d']):02d}"
    return value


def _slashed(first: int, second: int, year: str) -> str:
    """ "05/03/2016" is the fifth of March here and the third of May there: both, joined by ``|``."""
    days = [(first, second), (second, first)]
    return "|".join(dict.fromkeys(f"{year}-{m:02d}-{d:02d}" for d, m in days if 1 <= m <= 12 and 1 <= d <= 31))


def _quarter(match: re.Match[str]) -> str:
    """The ISO value of a quarter; ``""`` for months that are none, which are dates of their own."""
    year = match["qy"] or match["ny"] or match["my"] or "XXXX"
    if match["from"]:
        first, last = MONTHS[match["from"].lower()], MONTHS[match["to"].lower()]
        return f"{year}-Q{last // 3}" if last == first + 2 else ""
    return f"{year}-Q{match['q'] or _QUARTERS[match['nth'].lower()]}"
