"""Word classes and amounts in words, from ``lexicon.toml``: English, lower case, small on purpose."""

from __future__ import annotations

from language.wordlists import read_table, word_classes

_WRITTEN = read_table("language", "lexicon.toml")
WORDS = word_classes("language")
"""Word classes of the rules of language (``word_lists.toml``), by name."""


def _words(name: str) -> frozenset[str]:
    return frozenset(_WRITTEN["words"][name].split())


FRACTIONS: dict[str, float] = _WRITTEN["fractions"]
NUMBER_WORDS = _words("number_words")
ORDINALS: dict[str, int] = _WRITTEN["ordinals"]
MULTIPLES: dict[str, int] = _WRITTEN["multiples"]
TENS: dict[str, int] = _WRITTEN["tens"]
VAGUE: dict[str, float] = _WRITTEN["vague"]
"""Amounts left open: "hundreds of", "tens of thousands of"; at least twice the word's own amount."""
HEDGED_AMOUNTS: dict[str, tuple[str, ...]] = {name: tuple(words) for name, words in _WRITTEN["hedged_amounts"].items()}
"""Words before an amount that leave it open, by what they make of it."""
NEGATIONS = _words("negations")
DENIALS = _words("denials")
HEDGES = _words("hedges")
HARD_HEDGES = HEDGES - frozenset("would should likely suggest suggests".split())
MOST_TOO = _words("most_too")
TAKING = _words("taking")
"""Words of the evidence that may stand for a claim's denial where the two share no denied word."""
EXEMPT = _words("exempt")
"""Words that deny what stands beside them, even where claim and evidence share its object."""
UNDONE = _words("undone")
"""What takes "un" in front of it."""
NOT_SUPERLATIVE = _words("not_superlative")
OPPOSITES: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(a.split()), frozenset(b.split())) for a, b in _WRITTEN["opposites"]
)
"""Pairs of opposite word families. A claim with one side and evidence with only the other conflict."""
ALIASES: tuple[frozenset[str], ...] = tuple(frozenset(group.split("|")) for group in _WRITTEN["aliases"])
ALSO_COMMON = _words("also_common")
"""Common words that also stand in many names, so that counting misses them."""
STOPWORDS = _words("stopwords")
ROLE_NOUNS = _words("role_nouns")
"""Nouns that "he" or "she" may refer to."""
NAMED_THINGS = _words("named_things")
"""Last words of names of things; surnames such as "park" are left out."""
