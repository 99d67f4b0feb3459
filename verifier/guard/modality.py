"""Evidence that plans, supposes, ties to a condition or leaves open what the claim states as a fact."""

from __future__ import annotations

import re
from functools import lru_cache

from language import lexicon as lex
from language.names import stem
from verifier.guard.rule import Hit, Rule
from verifier.guard.text import Text, TextPair, text_of

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


_HEDGED = "The claim states as a fact what the evidence hedges ({evidence!r})."
RULES: tuple[Rule[TextPair], ...] = (
    Rule(
        id="hedge.nameless",
        slot="modality",
        effect="conflict",
        says="The claim states as a fact what the evidence hedges: {evidence!r} gives no name.",
        detect=_nameless,
        fires=(
            ("The inn is for sale.", "The inn is for sale, insiders say."),
            ("The inn is for sale.", "An anonymous source calls the inn for sale."),
        ),
        silent=(
            ("The inn is for sale.", "The inn is for sale, its owner says."),
            ("There is a rumour of a sale.", "There are rumours of a sale."),
        ),
        group="hedge",
    ),
    Rule(
        id="hedge.hearsay",
        slot="modality",
        effect="conflict",
        says=_HEDGED,
        detect=_hearsay,
        fires=(
            ("Monks brewed beer here.", "Monks are said to have brewed beer here."),
            ("The inn hid a tunnel.", "The inn is believed to hide a tunnel."),
        ),
        silent=(
            ("The inn burned down.", "The inn, where monks are said to have met, burned down."),
            ("Monks are said to have met here.", "Monks are said to have met here."),
        ),
        group="hedge",
    ),
    Rule(
        id="hedge.condition",
        slot="modality",
        effect="conflict",
        says="The claim states as a fact what the evidence ties to a condition ({evidence!r}).",
        detect=_on_a_condition,
        fires=(
            ("The crew will strike.", "The crew will strike unless wages rise."),
            ("The inn will reopen.", "The inn will reopen if a cook is found."),
        ),
        silent=(
            ("The inn will close.", "The inn will close even if a cook is found."),
            ("The inn closed.", "The inn closed. Nobody asked if it paid."),
        ),
        group="hedge",
    ),
    Rule(
        id="hedge.supposed",
        slot="modality",
        effect="conflict",
        says=_HEDGED,
        detect=_supposed,
        fires=(
            ("The town built a pier.", "The town plans to have a pier built."),
            ("The crew took bribes.", "The crew allegedly took bribes."),
        ),
        silent=(
            ("The pier opened in May.", "The pier opened in May, later than planned."),
            ("The crew may strike.", "The crew may strike."),
        ),
        group="hedge",
    ),
    Rule(
        id="choice.open",
        slot="modality",
        effect="missing",
        says="The evidence leaves open which of two things it is ({detail!r}); the claim takes one.",
        detect=_takes_one,
        fires=(
            ("A lamp caused the blaze.", "The blaze was caused by either a lamp or a stove."),
            ("A stove caused the blaze.", "The blaze was caused by either a lamp or a stove."),
        ),
        silent=(
            ("A lamp or a stove caused the blaze.", "The blaze was caused by either a lamp or a stove."),
            ("The inn is reached by tram.", "The inn can be reached either by tram or by boat."),
        ),
    ),
)
"""Rules on what the evidence does not state as a fact."""
