"""Bounds on the evidence of a check."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Bounds:
    """Dates (inclusive), sites and number of hits; see ``evidence.types.Query``."""

    published_from: date | None = None
    published_to: date | None = None
    only_domains: tuple[str, ...] = ()
    block_domains: tuple[str, ...] = ()
    rated_domains: tuple[str, ...] = ()
    """Sites that the desk has rated: they keep places in the question for the other side."""
    hits: int = 10
    """Spans retrieved per question."""
    wider: bool = False
    """A chain looks once more, with twice as many, into a claim that its questions left open."""
