"""Word classes of the rules of intake, from ``word_lists.toml``."""

from __future__ import annotations

from functools import cache

from language.wordlists import read_table


@cache
def in_order(name: str) -> tuple[str, ...]:
    """The words of a class as they are written. Raises ``KeyError`` for a class that the file does not have."""
    return tuple(_classes()[name].split())


@cache
def words(name: str) -> frozenset[str]:
    """The words of a class, lower case. Raises ``KeyError`` for a class that the file does not have."""
    return frozenset(in_order(name))


@cache
def _classes() -> dict[str, str]:
    return read_table("agent.intake", "word_lists.toml")
