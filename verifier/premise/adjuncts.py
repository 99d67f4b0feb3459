"""The circumstance of a claim ("when the Sula broke down"), which its evidence must bear out too.

A model that finds the main part of a claim in a sentence is easily satisfied: sailors burned anywhere are
sailors burned "when the Sula broke down". A claim is never likelier than a part of it, so the circumstance is
asked for by itself, as a sentence of its own. Where the evidence leaves it open, it leaves the claim open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from language.names import content_stems, stem
from language.quantities.mentions import find_slots
from verifier.guard.check import own_words

_CLAUSE = re.compile(
    r"(?:(?P<event>\b(?:because of|owing to|as a result of|following|during|amid)\b)"
    r"|(?P<told>\b(?:when|while|whenever|because|as soon as)\b)"
    r"|(?P<either>(?<!look )(?<!looks )(?<!looked )(?<!looking )(?<!named )(?<!than )"
    r"\b(?:after|before|until|since)\b|(?:^|,\s*)once\b))"
    r"\s+(?!(?:is|are|was|were|has|have|had)\b\s)(?P<what>[^,;:]+)",
    re.IGNORECASE,
)
_OF_TIME = frozenset(
    stem(word) for word in "end start beginning middle early late mid year month week day night morning".split()
)
"""What is said of a date or a span of time, and of nothing that happened."""
MAX_CIRCUMSTANCES = 2
"""So many of a claim are asked for, the first ones; each takes at most two forward passes."""


@dataclass(frozen=True)
class Circumstance:
    """A part of a claim, written as sentences that say no more than it; one of them borne out is enough."""

    text: str
    sentences: tuple[str, ...]


def circumstances(claim: str) -> tuple[Circumstance, ...]:
    """What a claim says of when and why, in its order, ``MAX_CIRCUMSTANCES`` at most; dates and amounts alone
    are left to the guard.
    """
    found = []
    for match in _CLAUSE.finditer(claim):
        what = match["what"].strip(" .!?\"'”’")
        if not own_words(what) - _OF_TIME or any(what.startswith(slot.text) for slot in find_slots(what)):
            continue
        told = f"{what[:1].upper()}{what[1:]}."
        event = f"There was {what}."
        either = (told, event) if match["either"] else (event,) if match["event"] else (told,)
        found.append(Circumstance(what, either))
    return tuple(found[:MAX_CIRCUMSTANCES])


def stated(circumstance: Circumstance, premise: str) -> bool:
    """Whether the premise has all its telling words, so that the model has read it in any case."""
    return own_words(circumstance.text) - _OF_TIME <= content_stems(premise)
