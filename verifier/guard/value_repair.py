"""Counterfactual claims: the claim with its conflicting slot set to what the evidence says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from language.names import content_stems, find_names, name_in, stem, tokens
from language.nlp.relations import makes_several
from language.quantities.mentions import find_slots
from language.types import Slot
from verifier.guard.lexicon import expression
from verifier.guard.negation import denies_all, opposite_words
from verifier.guard.quantities import end_of_change, number_agrees, quantity_findings
from verifier.guard.text import text_of, without_rejected

MAX_REPAIRS = 3
DENIED = "It is not true that "
"""What a claim that is denied as a whole begins with."""
_ANY = re.compile(r"\bany\b")
_GOING_ON = re.compile(r"\b(?:still|already|(?<!not )yet)\s+", re.IGNORECASE)
"""Words that set a state against an earlier one; what turns out otherwise is not "still" so."""
_OTHER = re.compile(
    r"\s+(?:o['’]clock|at (?:night|noon|midnight)|in the (?:morning|afternoon|evening)|fewer|more|less)\b"
)
"""What follows a number that counts the hours, or how far two counts lie apart ("six fewer than in May")."""
_NO = re.compile(r"\bno\s+(\w+(?:\s+\w+)?)", re.IGNORECASE)
_NEXT = re.compile(r"\s+([A-Za-z]+)")
_NEGATED = expression("negated_verb")
_AUXILIARY = re.compile(r"\b(is|was|are|were|has|have|had|can|could|will|would|should)\b", re.I)
_NEGATIVE_WORDS = tuple(
    (re.compile(rf"\b{negative}\b", re.I), positive)
    for negative, positive in (
        ("never", ""),
        ("nobody", "somebody"),
        ("no one", "someone"),
        ("nothing", "something"),
        ("none of", "some of"),
        ("no", "some"),
        ("without", "with"),
        ("failed to", "managed to"),
        ("refused to", "agreed to"),
    )
)


def repairs(claim: str, premise: str, context: str = "", published: str = "") -> tuple[str, ...]:
    """Mended claims, at most three, most likely first; empty where no single slot can be mended.

    Two amounts are mended together only where each has a single rival in the evidence; otherwise a
    claim that differs in two details may well speak of another event. A claim that makes several statements
    is mended in none: what contradicts a part of it says nothing of the rest.
    """
    if makes_several(claim):
        return ()
    premise = without_rejected(premise)
    conflicts = [(slot, rivals) for _, slot, rivals in quantity_findings(claim, premise, context, published)]
    opposite = opposite_words(text_of(claim), text_of(premise))
    if back := _other_way_round(claim, premise):
        return (_turned(back, opposite),)
    polarity = None if opposite else _flip_negation(claim, premise)
    if polarity and (denied := _none_at_all(claim, premise)):
        polarity, conflicts = denied, [c for c in conflicts if c[1] or c[0].kind == "date"]
    swapped = _swap_name(claim, premise, context)
    if len(conflicts) == 2 and not (opposite or polarity or swapped):
        return _mend_both(claim, conflicts)
    if len(conflicts) + bool(opposite) + bool(polarity) + bool(swapped) != 1:
        return ()
    if swapped:
        return swapped
    if opposite:
        turned = _turned(claim, opposite)
        return (turned,) if turned != claim else ()
    if polarity:
        return (polarity,)
    slot, rivals = conflicts[0]
    if slot.kind == "date" and any(s.kind != "date" and s.unit != "ordinal" for s in find_slots(claim)):
        return ()  # an amount at another time is another fact, not a contradiction
    texts = dict.fromkeys(rival.text.strip() for rival in _of_the_same(slot, claim, rivals, premise))
    return tuple(claim[: slot.start] + text + claim[slot.end :] for text in list(texts)[:MAX_REPAIRS])


def _turned(claim: str, opposite: tuple[str, str] | None) -> str:
    """The claim with the word in it that the premise has the opposite of replaced by that one."""
    if opposite is None:
        return claim
    turned = re.sub(rf"\b{re.escape(opposite[0])}\b", opposite[1], claim, count=1, flags=re.IGNORECASE)
    return _GOING_ON.sub("", turned) if turned != claim else claim


def _other_way_round(claim: str, premise: str) -> str | None:
    """The claim with both ends of its change in the order in which the premise has them: "from 11 to 18" for "from 18
    to 11".
    """
    mine, theirs = ({end_of_change(text, s): s for s in find_slots(text)} for text in (claim, premise))
    if not {"from", "to"} <= mine.keys() & theirs.keys() or number_agrees(mine["from"], mine["to"]):
        return None
    if not (number_agrees(mine["from"], theirs["to"]) and number_agrees(mine["to"], theirs["from"])):
        return None
    first, second = sorted((mine["from"], mine["to"]), key=lambda slot: slot.start)
    between = claim[first.end : second.start]
    return claim[: first.start] + second.text + between + first.text + claim[second.end :]


def has_literally(premise: str, mended: str) -> bool:
    """Whether the premise has a mended claim word for word, the values left aside that it rejects."""
    words, held = tokens(mended), tokens(without_rejected(premise))
    return any(held[i : i + len(words)] == words for i in range(len(held) - len(words) + 1))


def _of_the_same(slot: Slot, claim: str, rivals: Sequence[Slot], premise: str) -> Sequence[Slot]:
    """Of several rivals those that count the same: "four countries" for "six countries", not "390 stores".

    The hour of the day ("until ten at night") counts nothing, and a difference something else.
    """
    rivals = [r for r in rivals if not _OTHER.match(premise, r.end)] if slot.kind == "number" else rivals
    counted = _NEXT.match(claim, slot.end)
    if counted is None or slot.kind != "number":
        return rivals
    noun = stem(counted[1].lower())
    same = [r for r in rivals if (m := _NEXT.match(premise, r.end)) and stem(m[1].lower()) == noun]
    return same or rivals


def _mend_both(claim: str, conflicts: Sequence[tuple[Slot, Sequence[Slot]]]) -> tuple[str, ...]:
    texts = [list(dict.fromkeys(rival.text.strip() for rival in rivals)) for _, rivals in conflicts]
    if any(len(found) != 1 for found in texts) or any(slot.kind == "date" for slot, _ in conflicts):
        return ()
    for (slot, _), (text,) in sorted(
        zip(conflicts, texts, strict=True), key=lambda item: item[0][0].start, reverse=True
    ):
        claim = claim[: slot.start] + text + claim[slot.end :]
    return (claim,)


def _flip_negation(claim: str, premise: str) -> str | None:
    mine, theirs = bool(text_of(claim).cues), bool(text_of(premise).cues)
    if mine == theirs:
        return None
    if mine:
        match = _NEGATED.search(claim)
        if match:
            return claim[: match.start()] + match[1] + claim[match.end() :]
        for pattern, positive in _NEGATIVE_WORDS:
            if pattern.search(claim):
                if positive == "some" and not _names_what_is_denied(claim, premise):
                    return None
                asserted = re.sub(r"\s{2,}", " ", pattern.sub(positive, claim, count=1)).strip()
                return _ANY.sub("some", asserted[:1].upper() + asserted[1:])
        return None
    match = _AUXILIARY.search(claim)
    if not match:
        return f"{DENIED}{inner(claim)}"
    return claim[: match.end()] + " not" + claim[match.end() :]


def _names_what_is_denied(claim: str, premise: str) -> bool:
    """Whether the premise has what the claim says there is none of ("no effect").

    That there is some of it is soon said of any sentence on the matter.
    """
    match = _NO.search(claim)
    denied = content_stems(match[1]) if match else set()
    return not denied or bool(denied & content_stems(premise))


def inner(claim: str) -> str:
    """The claim as it stands within a sentence: a name keeps its capital."""
    named = any(name.start == 0 for name in find_names(claim))
    lowered = claim.startswith("A ") or claim[1:2].islower()
    return claim[:1].lower() + claim[1:] if lowered and not named else claim


def _none_at_all(claim: str, premise: str) -> str | None:
    """The claim as denied by a premise that denies all of it ("No tram derailed"), whatever its number."""
    counted = any(s.kind != "date" for s in find_slots(claim))
    if not counted or text_of(claim).cues or not denies_all(premise):
        return None
    return f"{DENIED}{inner(claim)}"


def _swap_name(claim: str, premise: str, context: str) -> tuple[str, ...]:
    """The claim with its one absent name replaced by names that only the premise has."""
    names = find_names(claim)
    around = f"{context} | {premise}"
    absent = [n for n in names if not name_in(n, around)]
    if len(absent) != 1:
        return ()
    name = absent[0]
    others = [n.text for n in find_names(premise) if not name_in(n, claim) and not n.text.islower()]
    return tuple(claim[: name.start] + other + claim[name.end :] for other in list(dict.fromkeys(others))[:MAX_REPAIRS])
