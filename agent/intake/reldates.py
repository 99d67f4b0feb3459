"""Relative dates of a document ("on Tuesday", "last month") set to days of the calendar, by its own date.

News speaks of the days around its publication: a bare weekday is the last one up to that day, or the next
one where the sentence looks ahead ("will meet on Friday"). What cannot be told is left as it stands.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = "January February March April May June July August September October November December".split()
_WEEKDAY = re.compile(
    r"\b(?P<on>on\s+)?(?P<which>last\s+|next\s+|this\s+)?(?P<day>Monday|Tuesday|Wednesday|Thursday|Friday|"
    r"Saturday|Sunday)(?P<part>\s+(?:morning|afternoon|evening|night))?\b(?!['’]s|,?\s+(?:the\s+)?\d|,?\s+(?:"
    + "|".join(_MONTHS)
    + r"))"
)
_NEAR = re.compile(r"\b(?P<word>yesterday|today|tonight|tomorrow)\b(?!['’]s)", re.IGNORECASE)
_SPAN = re.compile(r"\b(?P<which>last|this|next)\s+(?P<unit>month|year)\b(?!['’]s)", re.IGNORECASE)
_AHEAD = re.compile(
    r"\b(?:will|would|shall|is to|are to|due|scheduled|plans?|expected|upcoming)\b", re.IGNORECASE
)
_PREPOSITION = re.compile(
    r"\b(?:on|for|since|until|till|by|from|of|before|after|between|in|at|than)\s+$", re.IGNORECASE
)
_TODAYS = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}


def resolve_dates(text: str, published: date | None) -> str:
    """The sentence with its relative dates written out; as it stands where the day is not known.

    >>> resolve_dates("He resigned on Tuesday.", date(2017, 5, 11))
    'He resigned on 9 May 2017.'
    """
    if published is None:
        return text
    ahead = _AHEAD.search(text) is not None

    def weekday(match: re.Match[str]) -> str:
        which = (match["which"] or "").strip()
        day = _weekday(match["day"].lower(), which, published, ahead)
        return _led(text, match.start(), "on", _written(day))

    def near(match: re.Match[str]) -> str:
        day = published + timedelta(days=_TODAYS[match["word"].lower()])
        return _led(current, match.start(), "on", _written(day))

    def span(match: re.Match[str]) -> str:
        step = {"last": -1, "this": 0, "next": 1}[match["which"].lower()]
        if match["unit"].lower() == "year":
            return _led(current, match.start(), "in", str(published.year + step))
        months = published.year * 12 + published.month - 1 + step
        return _led(current, match.start(), "in", f"{_MONTHS[months % 12]} {months // 12}")

    current = _WEEKDAY.sub(weekday, text)
    current = _NEAR.sub(near, current)
    return _SPAN.sub(span, current)


def _led(text: str, start: int, word: str, day: str) -> str:
    """The day with its preposition, where none stands before it."""
    return day if _PREPOSITION.search(text[:start]) else f"{word} {day}"


def _weekday(name: str, which: str, published: date, ahead: bool) -> date:
    back = (published.weekday() - _DAYS.index(name)) % 7
    if which == "next" or (ahead and which != "last"):
        return published + timedelta(days=(7 - back) % 7 or (7 if which == "next" else 0))
    if which == "last" and back == 0:
        back = 7
    return published - timedelta(days=back)


def _written(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
