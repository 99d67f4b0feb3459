"""What evidence a check may look at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Bounds:
    """What evidence may be looked at: dates are inclusive; see ``evidence.types.Query``."""

    published_from: date | None = None
    published_to: date | None = None
    only_domains: tuple[str, ...] = ()
    block_domains: tuple[str, ...] = ()
    hits: int = 10
    """Spans retrieved per question."""
