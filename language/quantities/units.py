"""Scales, currencies and units by their words (``units.toml``), and expressions of amounts (``expressions.toml``)."""

from __future__ import annotations

import re

from language import lexicon as lex
from language.wordlists import longest_first, read_expressions, read_table

_WRITTEN = read_table("language.quantities", "units.toml")
SCALES: dict[str, float] = _WRITTEN["scales"]
CURRENCIES: dict[str, str] = {word: code for code, words in _WRITTEN["currencies"].items() for word in words}
COINS: dict[str, float] = _WRITTEN["coins"]
UNITS: dict[str, tuple[str, float]] = {
    word: (unit, size) for unit, size, words in _WRITTEN["units"]["table"] for word in words
}
"""Unit word (singular; lower case) -> (dimension, factor to the dimension's base)."""


_LONG = [word for word in (*UNITS, *CURRENCIES) if not word.isalpha() and word[0] not in "$€£¥₹"]
"""Those of several words or with signs."""
EXPRESSIONS = read_expressions(
    "language.quantities",
    word=f"(?:{longest_first(lex.NUMBER_WORDS)})",
    tens="|".join(lex.TENS),
    ones="|".join(list(lex.ORDINALS)[:9]),
    ordinals="|".join(word for word in lex.ORDINALS if word != "second"),
    multiples=longest_first(lex.MULTIPLES),
    units="|".join(
        re.escape(word).replace(r"\ ", r"[\s-]") + ("s?" if word[-1].isalpha() else "")
        for word in sorted(_LONG, key=len, reverse=True)
    ),
)
