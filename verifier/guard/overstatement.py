"""The claim says more than the evidence: all, only, most and superlatives, or a fact where that only supposes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from language import lexicon as lex
from language.names import stem
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
_ABOUT = re.compile(
    r"\b(?:some|nearly|almost) (?=[\d€$£]|(?:an? )?(?:dozen|hundred|thousand|million)"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)\b)",
    re.I,
)
"""Before a number such a word says about, and not a part: "some 300 boats"."""
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
    theirs = text_of(_ABOUT.sub(" ", _read(pair.claim, pair.premise)[1].raw))
    word, partial = _universal(pair), theirs.token_set & lex.PARTIAL
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


_HEARSAY = re.compile(
    r"\b(?:is|are|was|were|been) (?:widely )?"
    r"(?:said|thought|believed|rumou?red|alleged|understood|suspected|supposed) to\b",
    re.I,
)
"""Words by which a sentence keeps its distance from what follows them."""
_NAMELESS = re.compile(
    r"\b(?:our|unnamed|anonymous|secret|nameless|inside) (?:[\w-]+ )?(?:source|insider|informant)s?\b"
    r"|\b(?:an?|one|some) (?:[\w-]+ )?(?:source|insider|informant)s? "
    r"(?:say|said|tell|told|claim|report|who|close|familiar|near|within|inside)"
    r"|\b(?:sources|insiders) (?:say|said|tell|told|claim|claimed|report|reported|believe)\b"
    r"|\brumou?r(?:s|ed|mill)?\b|\b(?:they|people|some) (?:say|are saying)\b|\bword (?:is|has it)\b"
    r"|\bsome(?:one|body) (?:who|close|inside|at|in)\b[^.]{0,60}"
    r"\b(?:says?|said|tells?|told|claims?|claimed)\b"
    r"|\b(?:it is|is being) whispered\b|\btrust (?:us|me)\b",
    re.I,
)
"""A source without a name, or a rumour, anywhere in a sentence: nobody stands for what it says."""
_CONDITION = re.compile(
    r"(?<!even )(?<!as )\b(?:unless|if|provided that|on (?:the )?condition that|as long as)\b", re.IGNORECASE
)
_TO_COME = re.compile(r"\b(?:will|would|shall|is to|are to|can|must|going to)\b|['’]ll\b", re.IGNORECASE)
"""A statement that a condition behind it makes uncertain: "will strike, unless …"."""
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
_FREE = re.compile(r"\b(?:can|could|may|might|free to|allowed to|able to)\b", re.IGNORECASE)
"""Where both stand open to somebody, each does: "can be reached either by bus or by ferry"."""


@lru_cache(maxsize=256)
def _states_a_fact(claim: Text) -> bool:
    mine = set(claim.words)
    return not (mine & _SUPPOSING or {"will", "to"} <= mine or _HEARSAY.search(claim.raw))


def _nameless(pair: TextPair) -> Hit | None:
    found = _NAMELESS.search(pair.premise.raw) if _states_a_fact(pair.claim) else None
    if found and pair.claim.stems & pair.premise.stems and not _NAMELESS.search(pair.claim.raw):
        return Hit("", found[0])
    return None


def _hearsay(pair: TextPair) -> Hit | None:
    found = _HEARSAY.search(pair.premise.raw) if _states_a_fact(pair.claim) else None
    if found is None:
        return None
    behind = re.split("[,;:]", pair.premise.raw[found.end() :])[0]
    return Hit("", found[0]) if pair.claim.stems & text_of(behind).stems else None


def _on_a_condition(pair: TextPair) -> Hit | None:
    found = _CONDITION.search(pair.premise.raw) if _states_a_fact(pair.claim) else None
    if found is None or _CONDITION.search(pair.claim.raw):
        return None
    main = re.split(r"[.;]", pair.premise.raw[: found.start()])[-1]
    return Hit("", found[0]) if _TO_COME.search(main) and pair.claim.stems & text_of(main).stems else None


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


RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "quantifier.part": _only_part,
        "quantifier.universal": _not_all,
        "quantifier.only": _not_only,
        "quantifier.superlative": _not_the_most,
        "hedge.nameless": _nameless,
        "hedge.hearsay": _hearsay,
        "hedge.condition": _on_a_condition,
        "hedge.supposed": _supposed,
        "choice.open": _takes_one,
    }
)
"""Rules on quantifiers and superlatives."""
