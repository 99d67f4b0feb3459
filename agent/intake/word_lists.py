"""Word classes of the rules of intake, from ``word_lists.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


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
    return tomllib.loads(files("agent.intake").joinpath("word_lists.toml").read_text(encoding="utf-8"))
