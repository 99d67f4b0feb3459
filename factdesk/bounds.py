"""Bounds of the evidence by day and by site: ``--as-of``, ``--window`` and ``--block``."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING

from factdesk.settings_parts import GROUPS

CLAIM_WINDOW = "2y"
"""Years before a dated claim in which RAGAR searches the web."""

if TYPE_CHECKING:
    from agent.ports import Bounds
    from factdesk.settings import Settings


def window_start(length: str, end: date) -> date:
    """The first day of a window of days, weeks, months or years that ends at ``end``; days inclusive."""
    number, unit = int(length[:-1]), length[-1]
    try:
        if unit in "dw":
            return end - timedelta(days=number * (7 if unit == "w" else 1))
        months = end.year * 12 + end.month - 1 - number * (12 if unit == "y" else 1)
        year, month = divmod(months, 12)
        return date(year, month + 1, min(end.day, monthrange(year, month + 1)[1]))
    except (ValueError, OverflowError):
        return date.min


def block_domains(settings: Settings) -> tuple[str, ...]:
    """Sites left out of all evidence, groups spelt out."""
    return tuple(dict.fromkeys(d for name in settings.block for d in GROUPS.get(name.lower(), (name,))))


def blocked_on_web(settings: Settings) -> Callable[[str], bool]:
    """Whether a host is left out of what is read from the web."""
    from evidence.domains import as_domain, matches

    names = [as_domain(name) for name in (*settings.websearch.block, *block_domains(settings))]
    return lambda host: any(matches(name, host.lower(), "") for name in names)


def bounds_of(settings: Settings, as_of: date | None, claim_date: date | None = None) -> Bounds:
    """What evidence a check may look at. A window ends at ``as_of``, else at the day of the claim; later
    evidence is left out by ``as_of`` alone.
    """
    from agent.ports import Bounds

    window = settings.window or (CLAIM_WINDOW if settings.web and claim_date else None)
    end = as_of or claim_date
    start = window_start(window, end) if window and end else None
    return Bounds(
        published_from=start,
        published_to=as_of,
        block_domains=block_domains(settings),
        rated_domains=settings.sources,
        wider=settings.wider,
    )
