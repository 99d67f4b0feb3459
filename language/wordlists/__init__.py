"""Word lists and tables in files beside the code that reads them."""

from __future__ import annotations

import tomllib
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
