"""Times in a file, checked against each other: the camera's clock, the satellites', the time zone, today."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from evidence.images.exif import ExifData

_DEGREES_AN_HOUR = 15
_ZONES = timedelta(hours=4)
"""How far a legal time lies from the sun's at most, summer time and a little lag included."""
_LAG = timedelta(hours=1)
"""How old a position may be that a camera writes into a picture."""
_WIDEST = timedelta(hours=15)
"""No clock on earth is farther from universal time."""


def clock_findings(exif: ExifData) -> Iterator[str]:
    """Where the camera's clock, its time zone, the time of the satellites and the place do not go together."""
    taken, gps, offset = exif.taken, exif.satellites, exif.offset
    if taken is not None and gps is not None:
        if offset is not None and abs(taken - offset - gps) > _LAG:
            zone = f"{_words(taken)} ({_zone(offset)})"
            yield f"The camera's clock says {zone}, the satellites' time is {_words(gps)} (UTC)."
        elif offset is None and abs(taken - gps) > _WIDEST:
            yield f"The camera's clock says {_words(taken)}, the satellites' time is {_words(gps)} (UTC)."
    if exif.place is None:
        return
    sun = timedelta(hours=exif.place[1] / _DEGREES_AN_HOUR)
    if offset is not None and not _near(offset, sun):
        yield f"The camera's time zone ({_zone(offset)}) is not that of the coordinates in the file."
    elif offset is None and taken is not None and gps is not None and not _near(taken - gps, sun):
        yield "The camera's clock was not set to the time of the coordinates in the file."


def future_findings(exif_day: date | None, changed: date | None, today: date) -> Iterator[str]:
    """Days in the file that are yet to come; one day is left for time zones."""
    for day, words in ((exif_day, "taken"), (changed, "changed")):
        if day is not None and day > today + timedelta(days=1):
            yield f"The file says the picture was {words} on {day.isoformat()}, which is yet to come."


def _near(a: timedelta, b: timedelta) -> bool:
    apart = abs(a - b) % timedelta(days=1)
    return min(apart, timedelta(days=1) - apart) <= _ZONES


def _words(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M}"


def _zone(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60)
    return f"UTC{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
