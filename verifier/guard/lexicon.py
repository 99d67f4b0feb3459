"""Word classes (``lexicon.toml``) and expressions (``expressions.toml``) of the rules, each with what belongs to it."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from language.wordlists import read_table


@lru_cache(maxsize=2)
def _table(file: str) -> dict[str, Any]:
    return read_table("verifier.guard", file)


@cache
def words(name: str) -> frozenset[str]:
    """The words of a class, lower case. Raises ``KeyError`` for a class that the file does not have."""
    return frozenset(_table("lexicon.toml")[name]["words"].split())


@cache
def expression(name: str) -> re.Pattern[str]:
    """A compiled expression, without case. Raises ``KeyError`` for one that the file does not have."""
    return re.compile("".join(_table("expressions.toml")[name]["parts"]), re.IGNORECASE)
