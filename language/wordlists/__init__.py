"""Word lists, tables and expressions in files beside the code that reads them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any


def read_table(package: str, file: str) -> dict[str, Any]:
    """A TOML file of a package."""
    return tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8"))


@cache
def read_words(file: str) -> frozenset[str]:
    """The words of a text file here."""
    return frozenset(files("language.wordlists").joinpath(file).read_text(encoding="utf-8").split())


@cache
def word_classes(package: str) -> dict[str, frozenset[str]]:
    """The word classes of a package's ``word_lists.toml``, by name: lower case; lemmas where its comments say so."""
    return {name: frozenset(text.split()) for name, text in read_table(package, "word_lists.toml").items()}


def longest_first(words: Iterable[str]) -> str:
    """The words as alternatives of an expression, which takes the first that fits."""
    return "|".join(sorted(words, key=len, reverse=True))


def read_expressions(package: str, **parts: str) -> dict[str, re.Pattern[str]]:
    """The expressions of a package's ``expressions.toml``, their lines joined, by name.

    "{name}" stands for one of the ``parts`` given here or written there.
    """
    table = read_table(package, "expressions.toml")

    def filled(text: str) -> str:
        joined = "".join(line.strip() for line in text.splitlines())
        return re.sub(r"\{([a-z_]+)\}", lambda name: parts[name[1]], joined)

    for name, text in table["parts"].items():
        parts[name] = filled(text)
    return {name: re.compile(filled(text)) for name, text in table["expressions"].items()}
