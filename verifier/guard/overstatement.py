"""The claim says more than the evidence: most; a fact where that supposes, wishes or compares; no limit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from language import lexicon as lex
from language.names import stem, tokens
from verifier.guard.lexicon import expression
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import Text, TextPair, text_of

OUTDONE = expression("outdone")
_NOT_THE_FIRST = expression("not_the_first")
_IN_NUMBER = expression("in_number")
_MOST = frozenset({"most", "least", "best", "worst", "record", "top", "leading"})


def superlatives(words: Sequence[str]) -> set[str]:
    """Those of the words that are superlatives."""
    plain = {w for w in words if w.endswith("est") and len(w) > 5 and w not in lex.NOT_SUPERLATIVE}
    return plain | (set(words) & _MOST)


@lru_cache(maxsize=64)
def _read(claim: Text, premise: Text) -> tuple[Text, Text]:
    """Both without words that only look like superlatives.

    The premise is read without superlatives that several share, or that come second, unless the claim has
    one: "one of the largest" and "the second largest" are not the largest.
    """
    theirs = premise.raw
    if not _NOT_THE_FIRST.search(claim.raw):
        theirs = _NOT_THE_FIRST.sub(" ", theirs)
    return text_of(_IN_NUMBER.sub(" ", claim.raw)), text_of(theirs)


def _not_the_most(pair: TextPair) -> Hit | None:
    mine, theirs = _read(pair.claim, pair.premise)
    ours = superlatives(mine.tokens)
    if not ours or superlatives(theirs.tokens) or theirs.token_set & lex.MOST_TOO:
        return None
    return None if OUTDONE.search(pair.premise.raw) else Hit(sorted(ours)[0])


_HEARSAY = expression("hearsay")
_NAMELESS = expression("nameless")
_SUPPOSING = lex.HEDGES | {"possible", "possibility"}
"""Words of a claim that states no fact itself."""
_MODAL_VERBS = frozenset({"may", "might", "could"})
_NEXT_CLAUSE = frozenset("; . : but although though whereas while because which who where when since if".split())
_AGAINST = frozenset({"than", "as"})
"""Before what was planned or expected, they set a fact beside it: "two months later than planned"."""
_PLANS = frozenset("is are was were be been being am to on for".split())
"""Words beside "planning" where somebody plans something; a town has "planning and sales"."""
_REACH = 8
"""Words behind a hedge that it hedges."""
_EITHER = re.compile(r"\beither\b(?P<one>(?:\s+[\w'’-]+){1,6}?)\s+or\b(?P<other>(?:\s+[\w'’-]+){1,4})", re.IGNORECASE)
_FREE = expression("free_to")


@lru_cache(maxsize=256)
def _states_a_fact(claim: Text) -> bool:
    mine = set(claim.words)
    return not (mine & _SUPPOSING or {"will", "to"} <= mine or _HEARSAY.search(claim.raw))


def _nameless(pair: TextPair) -> Hit | None:
    found = _NAMELESS.search(pair.premise.raw) if _states_a_fact(pair.claim) else None
    if found and pair.claim.stems & pair.premise.stems and not _NAMELESS.search(pair.claim.raw):
        return Hit("", found[0])
    return None


def _supposed(pair: TextPair) -> Hit | None:
    if not _states_a_fact(pair.claim):
        return None
    words, claimed = pair.premise.words, pair.claim.stems
    for index, word in enumerate(words):
        if word not in lex.HARD_HEDGES or stem(word) in claimed or words[max(0, index - 1)] in _AGAINST:
            continue
        beside = {*words[max(0, index - 2) : index], *words[index + 1 : index + 2]}
        if word == "planning" and not _PLANS & beside:
            continue
        reach = None if words[index + 1 : index + 2] == (":",) else _end_of(words, index)
        if any(stem(w) in claimed for w in words[index + 1 : reach] if w not in lex.STOPWORDS):
            return Hit("", word)
    return None


def _end_of(words: tuple[str, ...], index: int) -> int:
    """Where the reach of a hedge ends: that of a verb ("may offer …") with its clause."""
    if words[index] not in _MODAL_VERBS:
        return index + _REACH
    ends = (i for i in range(index + 1, len(words)) if words[i] in _NEXT_CLAUSE)
    return max(index + _REACH, next(ends, len(words)))


def _takes_one(pair: TextPair) -> Hit | None:
    """A claim that takes one of two things for settled between which the evidence does not choose."""
    premise = pair.premise.raw
    found = _EITHER.search(premise)
    if found is None or _FREE.search(premise) or pair.premise.cues:
        return None
    if re.search(r"\bor\b|\beither\b", pair.claim.raw, re.IGNORECASE):
        return None
    mine = pair.claim.stems - text_of(f"{premise[: found.start()]} {premise[found.end() :]}").stems
    one, other = text_of(found["one"]).stems, text_of(found["other"]).stems
    first, second = mine & (one - other), mine & (other - one)
    if bool(first) == bool(second):
        return None
    return Hit(sorted(first or second)[0], "either", found[0].strip())


_EFFECT_ON = expression("effect_on")
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being|has|have|had)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_CAUSE = expression("cause")
_BRINGS_ABOUT = expression("brings_about")
_TRIAL = re.compile(r"\b(?:randomi[sz]ed|placebo|control group|controlled|trials?)\b", re.IGNORECASE)
"""An experiment does show causes by comparing groups."""
_TOGETHER = expression("together")


def _only_compared(pair: TextPair) -> Hit | None:
    """A claim that one thing brought about another, by evidence that only compares groups or links things.

    "Patients on the diet fell ill less often than others" does not say that the diet did it; they may differ
    in more than that.
    """
    claim, premise = pair.claim.raw, pair.premise.raw
    word = _claimed_cause(claim)
    found = _TOGETHER.search(premise)
    if word is None or found is None or _TOGETHER.search(claim):
        return None
    return None if _BRINGS_ABOUT.search(premise) or _TRIAL.search(premise) else Hit(word, found[0])


def _claimed_cause(claim: str) -> str | None:
    """The word by which a claim speaks of a cause; ``None``: it does not."""
    if found := _CAUSE.search(claim):
        return found[0]
    changes = (m for m in _EFFECT_ON.finditer(claim) if not _PASSIVE.search(claim[: m.start()]))
    return next((m[0] for m in changes), None)


_NEARLY = expression("nearly")
_WHOLE = expression("whole")
_FAMILIES = tuple(
    frozenset(f.split())
    for f in (
        "long length longer",
        "high height tall higher taller elevation altitude",
        "wide width broad wider",
        "deep depth deeper",
        "thick thickness",
        "above",
        "below",
        "away off from",
        "old age",
    )
)
_WAYS = "long|high|tall|wide|broad|deep|thick|above|below|away|off|from|old"
_SIZE = re.compile(rf"\b(?P<much>\d[\d.,]*\s+[a-z]+)\s+(?P<way>{_WAYS})\b", re.IGNORECASE)
_WISHED = expression("wished")
_WISH_REACH = 8
"""Telling words behind a wish that are wished."""
_WISHING = expression("wishing")
_WANTED = 0.3
"""Share of a claim's words behind a wish, for it to be what is wished."""


def _nearly(pair: TextPair) -> Hit | None:
    claim, mine = pair.claim.raw, pair.claim.token_stems
    if _NEARLY.search(claim):
        return None
    for found in _NEARLY.finditer(pair.premise.raw):
        word = found["what"].lower()
        whole = _WHOLE.search(found[0]) is not None and _WHOLE.search(claim) is not None
        if whole or (not word[0].isdigit() and word not in lex.NUMBER_WORDS and stem(word) in mine):
            return Hit("", found[0])
    return None


def _only_wished(pair: TextPair) -> Hit | None:
    if _WISHING.search(pair.claim.raw):
        return None
    claimed, premise = pair.claim.stems, pair.premise.raw
    for found in _WISHED.finditer(premise):
        if _tells_of(found[0], pair.claim):
            continue
        behind = re.split(r"[.;:,]|\b(?:but|and then|which|who)\b", premise[found.end() :])[0]
        near = [w for w in tokens(behind) if w not in lex.STOPWORDS][:_WISH_REACH]
        if len({stem(w) for w in near} & claimed) >= max(1, _WANTED * len(claimed)):
            return Hit("", found[0].strip())
    return None


def _tells_of(words: str, claim: Text) -> bool:
    """Whether the claim tells of the wish itself ("was charged with")."""
    telling = [w for w in tokens(words) if w not in lex.STOPWORDS]
    if not telling:
        return words.strip().lower() in claim.raw.lower()
    return all(stem(w) in claim.token_stems for w in telling)


def _measured(pair: TextPair) -> Hit | None:
    """ "500 metres long" against "500 metres above the harbour": another dimension of the same amount."""
    for found in _SIZE.finditer(pair.claim.raw):
        same = rf"\b{re.escape(found['much'])}\s+(?P<way>{_WAYS})\b"
        other = re.search(same, pair.premise.raw, re.IGNORECASE)
        if other is None or other["way"].lower() == found["way"].lower():
            continue
        family = next(f for f in _FAMILIES if found["way"].lower() in f)
        if not family & pair.premise.token_set:
            return Hit("", other[0])
    return None


RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "quantifier.superlative": _not_the_most,
        "hedge.nameless": _nameless,
        "hedge.supposed": _supposed,
        "choice.open": _takes_one,
        "cause.compared": _only_compared,
        "limit.nearly": _nearly,
        "limit.wished": _only_wished,
        "limit.dimension": _measured,
    }
)
"""In this order: of a group the first that fires is told."""
