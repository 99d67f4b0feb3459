"""Opposite words: the claim says "rose", the evidence "fell"."""

from __future__ import annotations

import re
from functools import lru_cache

from language import lexicon as lex
from verifier.guard.roles import reversed_order
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import Text, TextPair, text_of

_SALE = re.compile(r"\b(?:sold|sells?|selling)\b(?:\s+\w+){0,4}?\s+to\b", re.I)
_PURCHASE = re.compile(r"\b(?:bought|purchased)\b(?:\s+\w+){0,3}?\s+by\b", re.I)
"""The two sides of one deal: "sold to Ada", "bought by Ada"."""
_LIFTED = re.compile(
    r"\b(?:lift|end|scrap|revok|repeal|overturn|drop|remov|ditch)(?:p?ed|e?s|p?ing|e)? "
    r"(?:the|its|their|an?|this|that) (?P<what>(?:[\w-]+ ){0,2})(?:ban|prohibition|embargo|moratorium)\b",
    re.I,
)
"""Other words for allowing: "lifted the bathing ban"."""
_REASON = re.compile(r"[,;]?\s+(?:because|although|though|whereas|while|even though|as long as)\b|;", re.IGNORECASE)
"""Where a clause begins whose denials do not reach into the one before it."""


@lru_cache(maxsize=1024)
def opposite_words(claim: Text, premise: Text) -> tuple[str, str] | None:
    """The pair of opposite words by which claim and premise differ, or ``None``."""
    if reversed_order(claim, premise):
        return None
    deal = ((_SALE, _PURCHASE), (_PURCHASE, _SALE))
    if any(one.search(claim.raw) and other.search(premise.raw) for one, other in deal):
        return None
    mine, theirs = _lifted(claim).token_set, _lifted(premise).token_set
    for left, right in lex.OPPOSITES:
        for ours, others in ((left, right), (right, left)):
            if mine & ours and not mine & others and theirs & others and not theirs & ours:
                return sorted(mine & ours)[0], sorted(theirs & others)[0]
    return None


def _lifted(text: Text) -> Text:
    return text_of(_LIFTED.sub(r"allowed \g<what>", text.raw))


def _turned(text: Text, word: str) -> bool:
    """Whether a denial stands in the clause of ``word``; what a reason denies leaves it as it is."""
    clauses = [c for c in _REASON.split(_lifted(text).raw) if word in text_of(c).token_set]
    return any(text_of(clause).cues - {word} for clause in clauses or [text.raw])


def opposed(claim: Text, premise: Text) -> Hit | None:
    """Opposite words, neither or both of which a denial turns round."""
    found = opposite_words(claim, premise)
    if found is None or _turned(claim, found[0]) != _turned(premise, found[1]):
        return None
    return Hit(*found)


def _detect(pair: TextPair) -> Hit | None:
    return opposed(pair.claim.stated, pair.premise.stated)


RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "direction.opposite": _detect,
    }
)
"""Rules on opposite words."""
