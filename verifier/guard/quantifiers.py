"""All, only, most, and superlatives of the claim that do not stand in the evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from language import lexicon as lex
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import Text, TextPair, text_of

_GREATER = re.compile(r"\b(?:great|larg|bigg)er (?:part|share|half|portion) of\b", re.I)
OUTDONE = re.compile(
    r"\b(?:no|none|never|nothing|nobody|not)\b.*\b(?:(?:\w+er|more \w+) than|(?:as|so) \w+)\b"
    r"|\bno (?:other )?\w+ .*\b\w+er(?=\s*(?:[.,;]|$))"
    r"|\b(?:than|over|above|beyond|ahead of) (?:any|all|every)(?: the)?(?: others?)?\b"
    r"|\bunmatched\b|\bunrivalled\b|\bnever before\b",
    re.I,
)
"""Superlatives in other words: "no river is longer than", "deeper than any other"."""
_NOT_THE_FIRST = re.compile(
    r"\b(?:(?:one|some|two|three|four|five|several|many) of|among) (?:the|its|their|his|her|our)"
    r" (?:\w+ ){0,2}?(?:most|least|best|worst|\w{3,}est)\b"
    r"|\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th|st))[\s-]"
    r"(?:most|least|best|worst|\w{3,}est)\b",
    re.I,
)
_IN_NUMBER = re.compile(
    r"\b(?:at (?:the )?(?:least|most|best|worst|latest)|leading (?:to|up)|led to|top speed"
    r"|for the record|(?:track|criminal|police|public|medical) records?"
    r"|(?:made|makes?|making|kept|keeps?) a record of"
    r"|records? (?:label|company|companies|deal|store|shop|producer|player|collection|by|of))\b",
    re.I,
)
"""Superlatives that are none."""
_MERELY = re.compile(
    r"\bonly (?=[\d€$£]|(?:an?|half|one|two|three|four|five|six|seven|eight|nine|ten)\b)"
    r"|\beach other\b"
    r"|\b(?:each|every) (?:day|week|month|year|hour|night|morning|evening|season|summer|winter)\b",
    re.I,
)
"""Universal words that are none: "only 4 percent" says merely, "each day" says per day, "each other"."""
_BOTH_AND = re.compile(r"\bboth\b.*\band\b|\band\b.*\bboth\b", re.I)
_MOST = frozenset({"most", "least", "best", "worst", "record", "top", "leading"})


def superlatives(words: Sequence[str]) -> set[str]:
    """Those of the words that are superlatives."""
    plain = {w for w in words if w.endswith("est") and len(w) > 5 and w not in lex.NOT_SUPERLATIVE}
    return plain | (set(words) & _MOST)


@lru_cache(maxsize=64)
def _read(claim: Text, premise: Text) -> tuple[Text, Text]:
    """Both without words that only look like quantifiers.

    The premise is read without superlatives that several share, or that come second, unless the claim has
    one: "one of the largest" and "the second largest" are not the largest.
    """
    theirs = _GREATER.sub("most of", premise.raw)
    if not _NOT_THE_FIRST.search(claim.raw):
        theirs = _NOT_THE_FIRST.sub(" ", theirs)
    return text_of(_IN_NUMBER.sub(" ", _MERELY.sub(" ", claim.raw))), text_of(theirs)


def _universal(pair: TextPair) -> str | None:
    """A universal word of the claim that the premise has in no form."""
    mine, theirs = _read(pair.claim, pair.premise)
    ours = mine.token_set & lex.UNIVERSAL
    if not ours or theirs.token_set & (lex.UNIVERSAL | _universal_too(pair.claim, ours, theirs.token_set)):
        return None
    return sorted(ours)[0]


def _universal_too(claim: Text, ours: frozenset[str], held: frozenset[str]) -> frozenset[str]:
    """Other ways to say "both" and, in a denial, "everyone" ("nobody was left")."""
    if ours == {"both"}:
        joined = {"and"} if _BOTH_AND.search(claim.raw) else set()
        return frozenset({"two", "pair", "couple", "twins", "duo", *joined})
    return lex.NOT_ONE if held & lex.NOT_ONE and not held & lex.PARTIAL else frozenset()


def _only_part(pair: TextPair) -> Hit | None:
    word, partial = _universal(pair), _read(pair.claim, pair.premise)[1].token_set & lex.PARTIAL
    return Hit(word, sorted(partial)[0]) if word and partial else None


def _not_all(pair: TextPair) -> Hit | None:
    word = _universal(pair)
    return Hit(word) if word else None


def _not_only(pair: TextPair) -> Hit | None:
    mine, theirs = _read(pair.claim, pair.premise)
    ours = mine.token_set & lex.EXCLUSIVE
    if not ours or theirs.token_set & (lex.EXCLUSIVE | lex.EXCLUSIVE_TOO):
        return None
    return Hit(sorted(ours)[0])


def _not_the_most(pair: TextPair) -> Hit | None:
    mine, theirs = _read(pair.claim, pair.premise)
    ours = superlatives(mine.tokens)
    if not ours or superlatives(theirs.tokens) or theirs.token_set & lex.MOST_TOO:
        return None
    return None if OUTDONE.search(pair.premise.raw) else Hit(sorted(ours)[0])


RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "quantifier.part": _only_part,
        "quantifier.universal": _not_all,
        "quantifier.only": _not_only,
        "quantifier.superlative": _not_the_most,
    }
)
"""Rules on quantifiers and superlatives."""
