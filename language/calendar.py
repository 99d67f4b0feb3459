"""The calendar in English words: names of months and weekdays, ISO dates of any precision in words."""

from __future__ import annotations

import re
from datetime import date

MONTH_NAMES = tuple("January February March April May June July August September October November December".split())
MONTHS = {name.lower(): number for number, name in enumerate(MONTH_NAMES, 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
"""Number of a month by its name or abbreviation, lower case."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def in_words(value: str) -> str:
    """ "2025-05-19" as "19 May 2025", "2025-05" as "May 2025", anything else as it is."""
    parts = value.split("-")
    if not all(p.isdigit() for p in parts) or len(parts) not in {2, 3} or not 1 <= int(parts[1]) <= 12:
        return value
    month = MONTH_NAMES[int(parts[1]) - 1]
    return " ".join([*([str(int(parts[2]))] if len(parts) == 3 else []), month, parts[0]])


def first_day(value: str) -> date | None:
    """First day of a year, quarter, month or day in ISO form; ``None`` for anything else."""
    quarter = re.fullmatch(r"(\d{4})-Q([1-4])", value)
    text = f"{quarter[1]}-{3 * int(quarter[2]) - 2:02d}" if quarter else value
    return iso_day(text + "-01" * (2 - text.count("-")))


def iso_day(value: str) -> date | None:
    """The day of a full ISO date; ``None`` for anything else."""
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None
