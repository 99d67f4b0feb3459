"""Days in words: models read "17 August 2019" far more surely than "2019-08-17"."""

from __future__ import annotations

from datetime import date

_MONTHS = ("January February March April May June July August September October November December").split()


def day_words(day: date) -> str:
    """``"17 August 2019"``, whatever the locale."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
