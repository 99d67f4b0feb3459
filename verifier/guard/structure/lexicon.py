"""Closed word classes of the rules of structure, from ``lexicon.toml``."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def _classes() -> dict[str, frozenset[str]]:
    text = files("verifier.guard.structure").joinpath("lexicon.toml").read_text(encoding="utf-8")
    return {name: frozenset(entry["words"].split()) for name, entry in tomllib.loads(text).items()}


def words(name: str) -> frozenset[str]:
    """The words of a class, lower case. Raises ``KeyError`` for a class that the file does not have."""
    return _classes()[name]
