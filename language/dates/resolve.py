"""The one resolver of relative and incomplete dates ("on Friday", "3 April", "last month").

A sentence of a dated document names a day by its weekday or without its year. It is the latest such day
beside the past tense of its own verb, the next one beside what announces it, and otherwise no day at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from language.calendar import MONTHS, WEEKDAYS, in_words, iso_day
from language.dates.mentions import DateMention, find_dates
from language.nlp.delegation import answerable
from language.nlp.pipeline import parse
from language.nlp.syntax import VERBAL
from language.nlp.tense import Tense, tense_at, tense_of

if TYPE_CHECKING:
    pass

FIRST_DAYS = 7
NEAR = timedelta(days=180)
"""How far from the day of publication a day without a year may lie in another year."""
_TODAYS = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_NEAR = re.compile(r"\b(?P<word>yesterday|today|tonight|tomorrow)\b(?!['’]s)", re.IGNORECASE)
_SPAN = re.compile(r"\b(?P<which>last|this|next)\s(?P<what>year|month)(?P<of>['’]s)?\b", re.IGNORECASE)
_STEPS = {"last": -1, "this": 0, "next": 1}
_ELSEWHEN = re.compile(
    r"\b(?:ago|previous(?:ly)?|former(?:ly)?|once|back\sthen|at\sth(?:e|at)\stime|in\sthose\sdays|the\s"
    r"(?:year|month|week|day|season|spring|summer|autumn|winter)s?\s(?:before|after)|following\s(?:year|month|week)"
    r"|(?:last|next|coming)\s(?:decade|century|season|spring|summer|autumn|winter|week|time|election|edition)"
    r"|(?:these|those)\s(?:years|months)|historical(?:ly)?|used\sto|since|until|as\sa\s(?:child|boy|girl|student)"
    r"|earlier(?!\s(?:on\s|today|this)))\b",
    re.IGNORECASE,
)
"""Words that move a sentence away from its day of publication."""
_AWAY = re.compile(
    r"\b(?:ago|fortnight|(?:last|next|previous|following|coming)\sweek(?:end)?|back\sthen|at\sth(?:e|at)\stime|"
    r"in\sthose\sdays|used\sto|every|each|usually|always|often)\b",
    re.IGNORECASE,
)
"""Words beside which a bare day is not the one nearest to the publication, or not one day."""
_BESIDE = re.compile(
    r"\b(?P<which>(?:this\s)?(?:last|past)|(?:this\s)?(?:next|coming)|this|upcoming|forthcoming)\s$",
    re.IGNORECASE,
)
_NAMES = "|".join(MONTHS)
_BEHIND = re.compile(r"^\s(?P<which>last|next)\b(?!\s(?:week|month|year|door))", re.IGNORECASE)
_ALONE = re.compile(
    r"^(?:s\b|['’]s|\s(?:mornings|afternoons|evenings|nights|week\b|fortnight|of\s)|,?\s(?:the\s)?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\s(?:of\s)?(?:{_NAMES}))|(?:{_NAMES})\s\d))",
    re.IGNORECASE,
)
"""What behind a weekday makes it no single day of its own: a plural, a genitive, "of last week", a date."""
_SURE = frozenset({"past", "future"})
_PREPOSITION = re.compile(
    r"\b(?:on|for|since|until|till|by|from|of|before|after|between|in|at|than)\s+$", re.IGNORECASE
)
_ARTICLE = re.compile(r"\b(?:the|an?)\s+$", re.IGNORECASE)
_PART = re.compile(r"^\s(?:morning|afternoon|evening|night)\b")


@dataclass(frozen=True)
class Resolved:
    """A date of a text (``text[start:end]``) and the ISO value that its day of publication gives it."""

    start: int
    end: int
    value: str


def resolve(text: str, published: date, context: str = "") -> tuple[Resolved, ...]:
    """The relative and incomplete dates of a sentence that surely mean one day, month, quarter or year.

    ``context``: what stands around it; another year there leaves a day without a year open. In order.
    """
    found = [*spoken(text, published)]
    for mention in find_dates(text):
        if any(m.start < mention.end and mention.start < m.end for m in found):
            continue
        value = None
        if mention.value in WEEKDAYS:
            value = _weekday(text, mention, published)
        elif mention.value.startswith("XXXX"):
            value = _without_year(text, mention, published, f"{context} | {text}")
        if value is not None:
            found.append(Resolved(mention.start, mention.end, value))
    return tuple(sorted(found, key=lambda r: r.start))


def spoken(text: str, published: date) -> tuple[Resolved, ...]:
    """The times that a sentence names by its own day ("yesterday", "this year")."""
    found = [
        Resolved(m.start(), m.end(), (published + timedelta(days=_TODAYS[m["word"].lower()])).isoformat())
        for m in _NEAR.finditer(text)
    ]
    found += [Resolved(m.start(), m.end("what"), _relative(m, published)) for m in _SPAN.finditer(text)]
    return tuple(found)


def about(text: str, published: date, context: str = "") -> str | None:
    """The time of a sentence without a date: the month of publication, in its first week only the year.

    Nothing in a year's first week, and where its words, its tense or a year in ``context`` point elsewhere.
    """
    if _ELSEWHEN.search(text) or find_dates(text) or not _of_year(context, str(published.year)):
        return None
    if not tells_of_its_time(text):
        return None
    if published.day > FIRST_DAYS:
        return f"{published.year}-{published.month:02d}"
    return str(published.year) if published.month > 1 else None


@answerable
def tells_of_its_time(text: str) -> bool:
    """Whether every sentence with a verb tells of the past or of a state."""
    roots = (sentence.root for sentence in parse(text).sents)
    return all(tense_of(root) in {"past", "state"} for root in roots if root.pos_ in VERBAL)


@answerable
def tense_between(text: str, start: int, end: int, period: bool) -> Tense:
    """The tense of the verb to which ``text[start:end]`` belongs; ``period``: it is a month or a quarter."""
    return tense_at(parse(text), start, end, period=period)


def dates_given(text: str, published: str, context: str = "") -> tuple[str, ...]:
    """ISO values that a sentence gets from its day of publication; empty where that is no full ISO day."""
    day = iso_day(published)
    if day is None:
        return ()
    values = [r.value for r in resolve(text, day, context)]
    month = about(text, day, context) if not values else None
    return (*values, *([month] if month else ()))


def written_out(text: str, published: date | None) -> str:
    """The sentence with its relative and incomplete dates written out; as it stands where none is certain.

    >>> written_out("He resigned on Tuesday.", date(2017, 5, 11))
    'He resigned on 9 May 2017.'
    """
    if published is None:
        return text
    for found in reversed(resolve(text, published)):
        start, end = _widened(text, found)
        before = text[:start]
        if text[end : end + 2] in {"'s", "’s"} or "Q" in found.value or _ARTICLE.search(before):
            continue
        led = _PREPOSITION.search(before) or any(c.isdigit() for c in text[start:end])
        word = "" if led else ("on " if found.value.count("-") == 2 else "in ")
        text = f"{before}{word}{in_words(found.value)}{text[end:]}"
    return text


def _widened(text: str, found: Resolved) -> tuple[int, int]:
    """The mention with "last", "next" and the part of the day that a full date leaves out."""
    before, behind = _BESIDE.search(text[: found.start]), _BEHIND.match(text[found.end :])
    part = _PART.match(text[found.end :]) if text[found.start : found.end].lower() in WEEKDAYS else None
    after = behind or part
    end = found.start + len(text[found.start : found.end].rstrip(" .,"))
    return (before.start() if before else found.start), end + (after.end() if after else 0)


def _relative(match: re.Match[str], day: date) -> str:
    step = _STEPS[match["which"].lower()]
    if match["what"].lower() == "year":
        return str(day.year + step)
    months = day.year * 12 + day.month - 1 + step
    return f"{months // 12}-{months % 12 + 1:02d}"


def _weekday(text: str, mention: DateMention, published: date) -> str | None:
    """The day that a weekday names; ``None`` where past and future are both possible."""
    before, after = text[: mention.start], text[mention.end :]
    if mention.text.lower() not in WEEKDAYS or _ALONE.match(after) or _AWAY.search(text):
        return None
    beside, behind = _BESIDE.search(before), _BEHIND.match(after)
    which = (beside or behind or {"which": ""})["which"].lower()
    back = (published.weekday() - WEEKDAYS.index(mention.value)) % 7
    latest, following = published - timedelta(days=back), published + timedelta(days=7 - back)
    if which.endswith(("last", "past")):
        return (latest if back else latest - timedelta(days=7)).isoformat()
    if which == "next":
        sure = behind is not None or following.isocalendar().week != published.isocalendar().week
        return following.isoformat() if sure else None
    if which and which != "this":
        return following.isoformat()
    tense = tense_between(text, mention.start, mention.end, False)
    day = latest if tense == "past" else following
    sure = day.isocalendar()[:2] == published.isocalendar()[:2] if which == "this" else tense in _SURE
    return day.isoformat() if sure else None


def _without_year(text: str, mention: DateMention, published: date, around: str) -> str | None:
    """A day, month or quarter in the year that news means by it; ``None`` in doubt."""
    if _AWAY.search(text):
        return None
    tense = tense_between(text, mention.start, mention.end, mention.value.count("-") == 1)
    if tense not in _SURE:
        return None
    if mention.value.startswith("XXXX-Q"):
        begun = 3 * int(mention.value[-1]) - 2 <= published.month
        value = f"{published.year if begun else published.year - 1}{mention.value[4:]}" if tense == "past" else None
    else:
        value = _completed(mention.value[4:], published, ahead=tense == "future")
    if value is None or not _of_year(around, value[:4]) or not _fits_weekday(text, mention, value):
        return None
    return value


def _completed(part: str, day: date, *, ahead: bool) -> str | None:
    """In the year of publication or at most ``NEAR`` away: the next one, or the latest one."""
    found = []
    for year in (day.year - 1, day.year, day.year + 1):
        first = iso_day(f"{year}{part}" if part.count("-") == 2 else f"{year}{part}-01")
        if first is not None and ((year == day.year and first <= day) or abs(first - day) <= NEAR):
            found.append((first, f"{year}{part}"))
    if ahead:
        return next((value for first, value in found if first > day), None)
    return next((value for first, value in reversed(found) if first <= day), None)


def _of_year(context: str, year: str) -> bool:
    """Whether no year in the context differs from this one."""
    return not {d.value[:4] for d in find_dates(context) if d.value[:4].isdigit()} - {year}


def _fits_weekday(text: str, mention: DateMention, value: str) -> bool:
    """ "Friday, 2 May": the day is one only where its weekday is right."""
    day = iso_day(value)
    stated = re.search(rf"\b({'|'.join(WEEKDAYS)}),?\s(?:the\s)?$", text[: mention.start], re.IGNORECASE)
    return stated is None or day is None or WEEKDAYS[day.weekday()] == stated[1].lower()
