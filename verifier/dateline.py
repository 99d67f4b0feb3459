"""The day a sentence of a dated document speaks of, where it names none or only a part of one.

News says "on Sunday", "last year" or nothing at all; the reader takes the rest from the day of publication.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from verifier.dates import find_dates
from verifier.lexicon import MONTHS, WEEKDAYS
from verifier.types import Slot

_RELATIVE = re.compile(r"\b(?P<which>last|this|next)\s(?P<what>year|month)(?:['’]s)?\b", re.IGNORECASE)
FIRST_DAYS = 7
NEAR = timedelta(days=180)
"""How far from the day of publication a day without a year may lie in another year."""
_STEPS = {"last": -1, "this": 0, "next": 1}
_ELSEWHEN = re.compile(
    r"\b(?:ago|earlier|previous(?:ly)?|former(?:ly)?|once|back\sthen|at\sth(?:e|at)\stime|in\sthose\sdays|the\s"
    r"(?:year|month|week|day|season|spring|summer|autumn|winter)s?\s(?:before|after)|following\s(?:year|month)"
    r"|(?:last|next|coming)\s(?:decade|century|season|spring|summer|autumn|winter|week|time|election|edition)"
    r"|(?:these|those)\s(?:years|months)|historical(?:ly)?|used\sto|since|until|as\sa\s(?:child|boy|girl|student))\b",
    re.IGNORECASE,
)
"""Words that move a sentence away from its day of publication."""
_AHEAD = re.compile(r"\b(?:will|shall|going\sto|is\sto|are\sto|next|coming)\b", re.IGNORECASE)
_MONTH_NAMES = {number: name for name, number in MONTHS.items() if len(name) > 3 or name == "may"}


def dated_by(published: str, premise: str, dates: Sequence[Slot], context: str = "") -> tuple[Slot, ...]:
    """Dates that a sentence gets from the day of publication (ISO), given the ``dates`` it names itself.

    A sentence without a date gets the month of publication (in a month's first week only the year, in the
    first week of a year nothing: news tells of the days before), save where its words or the years in its
    ``context`` point elsewhere ("two years ago"). A day or quarter without a year, a weekday, "last year" and
    "next month" get their place in the calendar. Empty when the day of publication is no full ISO day.
    """
    try:
        day = date.fromisoformat(published)
    except ValueError:
        return ()
    values = [slot.value for slot in spoken_of(published, premise)]
    if not values and not dates and not _ELSEWHEN.search(premise) and _of_its_year(context, day):
        values += _about(day)
    for slot in dates:
        if slot.value in WEEKDAYS:
            values.append(_weekday(slot.value, day, ahead=_AHEAD.search(premise) is not None))
        elif slot.value.startswith("XXXX-Q"):
            values.append(_latest_quarter(int(slot.value[-1]), day))
        elif slot.value.startswith("XXXX"):
            values += _completed(slot.value[4:], day, ahead=_AHEAD.search(premise) is not None)
    return tuple(Slot(kind="date", text=v, value=v, start=0, end=0) for v in values)


def spoken_of(published: str, premise: str) -> tuple[Slot, ...]:
    """The times that a sentence names by its own day ("this year"); empty without a full day."""
    try:
        day = date.fromisoformat(published)
    except ValueError:
        return ()
    values = (_relative(match, day) for match in _RELATIVE.finditer(premise))
    return tuple(Slot(kind="date", text=v, value=v, start=0, end=0) for v in values)


def _completed(part: str, day: date, *, ahead: bool) -> list[str]:
    """A day or month without a year, in the year that news means by it: the next one where the sentence looks
    ahead, else the latest one; in the year of publication or at most ``NEAR`` away.
    """
    found = []
    for year in (day.year - 1, day.year, day.year + 1):
        try:
            first = date.fromisoformat(f"{year}{part}" if part.count("-") == 2 else f"{year}{part}-01")
        except ValueError:
            continue
        if (year == day.year and first <= day) or abs(first - day) <= NEAR:
            found.append((first, f"{year}{part}"))
    past = [value for first, value in found if first <= day]
    later = [value for first, value in found if first > day]
    return (later[:1] or past[-1:]) if ahead else past[-1:]


def _latest_quarter(number: int, day: date) -> str:
    """A quarter without a year: the latest one that is over or under way on ``day``."""
    return f"{day.year if 3 * number - 2 <= day.month else day.year - 1}-Q{number}"


def _about(day: date) -> list[str]:
    if day.day > FIRST_DAYS:
        return [f"{day.year}-{day.month:02d}"]
    return [str(day.year)] if day.month > 1 else []


def _of_its_year(context: str, day: date) -> bool:
    """Whether no year in the context differs from that of the publication."""
    years = {s.value[:4] for s in find_dates(context) if s.value[:4].isdigit()}
    return not years - {str(day.year)}


def _relative(match: re.Match[str], day: date) -> str:
    step = _STEPS[match["which"].lower()]
    if match["what"].lower() == "year":
        return str(day.year + step)
    months = day.year * 12 + day.month - 1 + step
    return f"{months // 12}-{months % 12 + 1:02d}"


def _weekday(name: str, day: date, *, ahead: bool) -> str:
    """The latest such weekday up to ``day``, or the first one after it."""
    gap = (day.weekday() - WEEKDAYS.index(name)) % 7
    return (day + timedelta(days=7 - gap) if ahead else day - timedelta(days=gap)).isoformat()


def published_before(published: str, slots: Sequence[Slot]) -> bool:
    """Whether a day of publication (ISO) lies before all dates among ``slots``, each of them a full one."""
    days = [first_day(slot.value) for slot in slots if slot.kind == "date"]
    try:
        day = date.fromisoformat(published)
    except ValueError:
        return False
    return bool(days) and all(first is not None and day < first for first in days)


def first_day(value: str) -> date | None:
    """First day of a year, quarter, month or day in ISO form; ``None`` for anything else."""
    quarter = re.fullmatch(r"(\d{4})-Q([1-4])", value)
    text = f"{quarter[1]}-{3 * int(quarter[2]) - 2:02d}" if quarter else value
    try:
        return date.fromisoformat(text + "-01" * (2 - text.count("-")))
    except ValueError:
        return None


def in_words(value: str) -> str:
    """ "2025-05-19" as "19 May 2025", "2025-05" as "May 2025", anything else as it is."""
    parts = value.split("-")
    if not all(p.isdigit() for p in parts) or len(parts) not in {2, 3}:
        return value
    month = _MONTH_NAMES.get(int(parts[1]), parts[1]).capitalize()
    return " ".join([*([str(int(parts[2]))] if len(parts) == 3 else []), month, parts[0]])
