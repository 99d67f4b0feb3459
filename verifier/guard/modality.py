"""Slot guard: evidence that plans, supposes or ties to a condition what the claim states as a fact."""

from __future__ import annotations

import re

from language import lexicon as lex
from language.names import stem
from verifier.guard.words import finding_of, stems_of, words_of
from verifier.types import GuardFinding

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
_NEXT_CLAUSE = frozenset(
    "; . : but although though whereas while because which who where when since if".split()
)
_AGAINST = frozenset({"than", "as"})
"""Before what was planned or expected, they set a fact beside it: "two months later than planned"."""
_PLANS = frozenset("is are was were be been being am to on for".split())
"""Words beside "planning" where somebody plans something."""
_REACH = 8
"""Words behind a hedge that it hedges."""


def hedge_findings(claim: str, premise: str) -> list[GuardFinding]:
    """Evidence that only plans, claims or supposes what the claim states as a fact; at most one finding."""
    mine = words_of(claim)
    if set(mine) & _SUPPOSING or {"will", "to"} <= set(mine) or _HEARSAY.search(claim):
        return []
    claimed = stems_of(claim)
    why = (
        _without_a_name(claim, premise, claimed)
        or _passed_on(premise, claimed)
        or _on_a_condition(claim, premise, claimed)
        or _supposed(premise, claimed)
    )
    if why is None:
        return []
    word, said = why
    message = f"The claim states as a fact what the evidence {said.format(repr(word))}."
    return [finding_of("modality", "conflict", "", word, message)]


def _without_a_name(claim: str, premise: str, claimed: set[str]) -> tuple[str, str] | None:
    found = _NAMELESS.search(premise)
    if found and claimed & stems_of(premise) and not _NAMELESS.search(claim):
        return found[0], "hedges: {} gives no name"
    return None


def _passed_on(premise: str, claimed: set[str]) -> tuple[str, str] | None:
    found = _HEARSAY.search(premise)
    if found and claimed & stems_of(re.split("[,;:]", premise[found.end() :])[0]):
        return found[0], "hedges ({})"
    return None


def _on_a_condition(claim: str, premise: str, claimed: set[str]) -> tuple[str, str] | None:
    found = _CONDITION.search(premise)
    if found is None or _CONDITION.search(claim):
        return None
    main = re.split(r"[.;]", premise[: found.start()])[-1]
    if _TO_COME.search(main) and claimed & stems_of(main):
        return found[0], "ties to a condition ({})"
    return None


def _supposed(premise: str, claimed: set[str]) -> tuple[str, str] | None:
    words = words_of(premise)
    for index, word in enumerate(words):
        if word not in lex.HARD_HEDGES or stem(word) in claimed or words[max(0, index - 1)] in _AGAINST:
            continue
        if word == "planning" and not _PLANS & {
            *words[max(0, index - 2) : index],
            *words[index + 1 : index + 2],
        }:
            continue  # what a town or a factory has, "design, planning and sales"
        reach = None if words[index + 1 : index + 2] == [":"] else _end_of(words, index)
        if any(stem(w) in claimed for w in words[index + 1 : reach] if w not in lex.STOPWORDS):
            return word, "hedges ({})"
    return None


def _end_of(words: list[str], index: int) -> int:
    """Where the reach of a hedge ends: that of a verb ("may offer …") with its clause."""
    if words[index] not in _MODAL_VERBS:
        return index + _REACH
    ends = (i for i in range(index + 1, len(words)) if words[i] in _NEXT_CLAUSE)
    return max(index + _REACH, next(ends, len(words)))
