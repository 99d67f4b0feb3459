"""Words for lexical search: numbers, names and stems, without function words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from language.lexicon import WORDS
from language.names import stem

TOKENS_VERSION = "1"
"""Raised when the same text would give other tokens, so that indexes are made anew."""

_TOKEN = re.compile(r"(?P<acronym>(?:[A-Za-z]\.){2,}[A-Za-z]?)|(?P<number>\d+(?:[.,]\d+)*)|(?P<word>[^\W\d_][^\W_]*)")
_POSSESSIVE = re.compile(r"['\u2019](?:s|S)\b")
_ALIASES = {"US": "usa", "USA": "usa", "UK": "uk"}
_SMALL_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty
"""
_NUMBER_WORDS = {word: str(value) for value, word in enumerate(_SMALL_NUMBERS.split()) if value > 1}
FUNCTION_WORDS = WORDS["function_words"]
"""English words that are not searched for."""


@dataclass(frozen=True)
class Term:
    """One word of a text: its stem, and whether it is a name (capitalised) or a number."""

    stem: str
    is_name: bool = False
    is_number: bool = False


def terms(text: str) -> list[Term]:
    """All terms of a text in order, function words left out."""
    found = (_term(m.group(), m.lastgroup or "word") for m in _TOKEN.finditer(_POSSESSIVE.sub("", text)))
    return [term for term in found if term is not None]


def stems(text: str) -> list[str]:
    """The stems alone, repeated ones too."""
    return [term.stem for term in terms(text)]


@lru_cache(maxsize=32768)
def _term(raw: str, kind: str) -> Term | None:
    if kind == "number":
        return Term(plain_number(raw), is_number=True)
    letters = raw.replace(".", "") if kind == "acronym" else raw
    if letters.upper() in _ALIASES and (kind == "acronym" or letters.isupper()):
        return Term(_ALIASES[letters.upper()], is_name=True)
    word = letters.casefold()
    if word in _NUMBER_WORDS:
        return Term(_NUMBER_WORDS[word], is_number=True)
    if word in FUNCTION_WORDS:
        return None
    plain = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return Term(stem(plain or word), is_name=letters[0].isupper())


def plain_number(raw: str) -> str:
    """``"1,788"`` and ``"1788"`` alike; ``"3.50"`` as ``"3.5"``; anything else as it stands."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", raw):
        raw = raw.replace(",", "")
    if re.fullmatch(r"\d+\.\d+", raw):
        raw = raw.rstrip("0").rstrip(".")
    return raw


SHINGLE = 4
"""Words per shingle."""
_WORD = re.compile(r"\w+")


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Set of word 4-grams of a text, lower case."""
    words = _WORD.findall(text.lower())
    return frozenset(tuple(words[i : i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1)))
