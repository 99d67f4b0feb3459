"""The one resolver of relative and incomplete dates ("on Friday", "3 April", "last month").

A sentence of a dated document names a day by its weekday or without its year. It is the latest such day
beside the past tense of its own verb, the next one beside what announces it, and otherwise no day at all.
"""

from __future__ import annotations

from datetime import date, timedelta

from language.calendar import WEEKDAYS, in_words, iso_day
from language.dates.mentions import EXPRESSIONS, find_dates, mention_of
from language.nlp.delegation import answerable
from language.nlp.pipeline import parse
from language.nlp.syntax import VERBAL
from language.nlp.tense import Tense, tense_at, tense_of
from language.types import Slot

FIRST_DAYS = 7
NEAR = timedelta(days=180)
"""How far from the day of publication a day without a year may lie in another year."""
_TODAYS = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_STEPS = {"last": -1, "this": 0, "next": 1}
_SURE = frozenset({"past", "future"})


def resolve(text: str, published: date, context: str = "") -> tuple[Slot, ...]:
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
            found.append(mention.model_copy(update={"value": value}))
    return tuple(sorted(found, key=lambda r: r.start))


def spoken(text: str, published: date) -> tuple[Slot, ...]:
    """The times that a sentence names by its own day ("yesterday", "this year")."""
    found = []
    for day in EXPRESSIONS["today"].finditer(text):
        named = published + timedelta(days=_TODAYS[day["word"].lower()])
        found.append(mention_of(day, named.isoformat()))
    for period in EXPRESSIONS["this_year"].finditer(text):
        step = _STEPS[period["which"].lower()]
        months = published.year * 12 + published.month - 1 + step
        is_year = period["what"].lower() == "year"
        value = str(published.year + step) if is_year else f"{months // 12}-{months % 12 + 1:02d}"
        found.append(mention_of(period, value, "what"))
    return tuple(found)


def about(text: str, published: date, context: str = "") -> str | None:
    """The time of a sentence without a date: the month of publication, in its first week only the year.

    Nothing in a year's first week, and where its words, its tense or a year in ``context`` point elsewhere.
    """
    if EXPRESSIONS["elsewhen"].search(text) or find_dates(text) or not _of_year(context, str(published.year)):
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
    values = tuple(r.value for r in resolve(text, day, context))
    return values or ((month,) if (month := about(text, day, context)) else ())


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
        if text[end : end + 2] in {"'s", "’s"} or "Q" in found.value or EXPRESSIONS["article"].search(before):
            continue
        led = EXPRESSIONS["preposition"].search(before) or any(c.isdigit() for c in text[start:end])
        word = "" if led else ("on " if found.value.count("-") == 2 else "in ")
        text = f"{before}{word}{in_words(found.value)}{text[end:]}"
    return text


def _widened(text: str, found: Slot) -> tuple[int, int]:
    """The mention with "last", "next" and the part of the day that a full date leaves out."""
    named, behind = text[found.start : found.end], text[found.end :]
    before, after = EXPRESSIONS["before_day"].search(text[: found.start]), EXPRESSIONS["behind_day"].match(behind)
    if not after and named.lower() in WEEKDAYS:
        after = EXPRESSIONS["part_of_day"].match(behind)
    end = found.start + len(named.rstrip(" .,"))
    return (before.start() if before else found.start), end + (after.end() if after else 0)


def _weekday(text: str, mention: Slot, published: date) -> str | None:
    """The day that a weekday names; ``None`` where past and future are both possible."""
    before, after = text[: mention.start], text[mention.end :]
    single = mention.text.lower() in WEEKDAYS and not EXPRESSIONS["no_single_day"].match(after)
    if not single or EXPRESSIONS["away"].search(text):
        return None
    beside, behind = EXPRESSIONS["before_day"].search(before), EXPRESSIONS["behind_day"].match(after)
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


def _without_year(text: str, mention: Slot, published: date, around: str) -> str | None:
    """A day, month or quarter in the year that news means by it; ``None`` in doubt."""
    if EXPRESSIONS["away"].search(text):
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
    found = {}
    for year in (day.year - 1, day.year, day.year + 1):
        first = iso_day(f"{year}{part}" if part.count("-") == 2 else f"{year}{part}-01")
        if first is not None and ((year == day.year and first <= day) or abs(first - day) <= NEAR):
            found[first] = f"{year}{part}"
    possible = [first for first in found if (first > day) == ahead]
    return found[min(possible) if ahead else max(possible)] if possible else None


def _of_year(context: str, year: str) -> bool:
    """Whether no year in the context differs from this one."""
    return not {d.value[:4] for d in find_dates(context) if d.value[:4].isdigit()} - {year}


def _fits_weekday(text: str, mention: Slot, value: str) -> bool:
    """ "Friday, 2 May": the day is one only where its weekday is right."""
    day = iso_day(value)
    stated = EXPRESSIONS["weekday_before"].search(text[: mention.start])
    return stated is None or day is None or WEEKDAYS[day.weekday()] == stated[1].lower()
