"""Plans of the extractive reasoner: candidate questions as (purpose, text), best first.

Purposes: ``claim``, ``dispute``, ``image``, ``subject:WORDS``, ``slot:TEXT``, ``bridge:NAME`` (from
evidence), ``value:CLAIMED=>FOUND``, ``resolve:NAME`` (for a description).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from agent.intake.descriptions import candidates, find_description
from agent.reasoners.question_forms import asked_for, whether
from agent.types import CHECK, RESOLVE, AtomicClaim, Field, ImageContext, Proposal, QAPair, Question
from language.names import find_names, name_in
from language.quantities.mentions import find_slots

Step = tuple[str, str]
_ORDER = ("number", "unit", "date", "place", "person", "organisation")
_SIDE_BY_SIDE = {
    "number": "Which number do the sources give for {}?",
    "unit": "Which amount do the sources give for {}?",
    "date": "When did it happen, by those who write of {}?",
    "place": "Where did it happen, by those who write of {}?",
    "person": "Who is named with {}?",
    "organisation": "Which organisation is named with {}?",
}
"""Slots asked for without the whole claim, so that branches differ."""
_DISPUTE_WORDS = "denied corrected revised false error not instead"
_VALUE = "=>"


def search_text(purpose: str, claim: AtomicClaim) -> str:
    """The query for a purpose: the claim, without a slot, or with a name or value."""
    kind, _, detail = purpose.removeprefix(CHECK).partition(":")
    if kind == "slot":
        return without(claim.text, detail)
    if kind == "bridge":
        return f"{detail} {' '.join(n.text for n in find_names(claim.text))}"
    if kind == "dispute":
        return f"{claim.text} {_DISPUTE_WORDS}"
    if kind == "value":
        claimed, _, found = detail.partition(_VALUE)
        return claim.text.replace(claimed, found, 1)
    if kind == "subject":
        return detail
    if kind == RESOLVE and (described := find_description(claim.text)) is not None:
        return described.other(detail)
    if kind == "connect":
        return " and ".join(detail.split(_VALUE))
    return claim.text


def claim_question(claim: AtomicClaim) -> str:
    """The claim as the question whether it is so; who says so, where it is somebody's word."""
    if claim.attribution is not None:
        return f"Did {claim.attribution} say so, and do others: {claim.text}"
    return whether(claim) or f"What do the sources say about this: {claim.text}"


def dispute_question(claim: AtomicClaim) -> str:
    """Who says otherwise."""
    return f"Does any source dispute or correct what is said of {subject_of(claim)}?"


def connection(claim: AtomicClaim) -> Step | None:
    """The question how the first two names of a claim are connected, or ``None``."""
    names = list(dict.fromkeys(n.text for n in find_names(claim.text)))[:2]
    if len(names) < 2:
        return None
    return f"connect:{names[0]}{_VALUE}{names[1]}", f"How are {names[0]} and {names[1]} connected?"


def connects(purpose: str, claim: AtomicClaim) -> bool:
    """Whether a question asks how two names are connected."""
    kind = purpose.removeprefix(CHECK).partition(":")[0]
    return kind == "connect" or (kind == "bridge" and bool(find_names(claim.text)))


def without(text: str, part: str) -> str:
    """``text`` with the first ``part`` taken out."""
    return re.sub(r"\s{2,}", " ", text.replace(part, " ", 1)).strip()


def open_slots(claim: AtomicClaim, limit: int = 2) -> list[Field]:
    """Slots to ask for: numbers and dates first, then who and where."""
    fields = [f for f in claim.fields if f.role in _ORDER and f.text.strip()]
    return sorted(fields, key=lambda f: (_ORDER.index(f.role), f.start))[:limit]


def subject_of(claim: AtomicClaim, apart_from: str = "") -> str:
    """What the claim is about: its names, its subject, or all of it."""
    found = dict.fromkeys(n.text for n in find_names(claim.text))
    names = [n for n in found if not apart_from or (n not in apart_from and apart_from not in n)][:2]
    if names:
        return " and ".join(names)
    subjects = (f.text for f in claim.fields if f.role == "subject" and f.text != apart_from)
    return next(subjects, without(claim.text, apart_from) if apart_from else claim.text)


def sub_plan(claim: AtomicClaim, image: ImageContext | None) -> Iterator[Step]:
    """Questions that need no answer: the claim, the other side, every slot."""
    if image is not None and (claim.about_image or image.matters):
        yield "image", f"What does the picture show or say about this: {claim.text}"
    yield "claim", claim_question(claim)
    yield "dispute", dispute_question(claim)
    for field in open_slots(claim, limit=len(_ORDER)):
        yield slot_step(claim, field)
    yield "subject:" + subject_of(claim), f"What else is known of {subject_of(claim)}?"


def root_plan(claim: AtomicClaim, image: ImageContext | None) -> Iterator[Step]:
    """The root of a tree: the claim, the other side, its most telling slot or subject."""
    return sub_plan(claim, image)


def branch_plan(claim: AtomicClaim, pairs: Sequence[QAPair], image: ImageContext | None) -> Iterator[Step]:
    """The next round of a tree: possible referents, names and values of kept answers, open slots.

    Referents are read from all that was found, kept or not.
    """
    kept = [p for p in pairs if p.kept]
    values = [_value(claim, claimed, found) for claimed, found in other_values(claim, kept)]
    bridges = [_bridge(claim, name) for name in new_names(claim, kept)]
    rest = list(sub_plan(claim, image))
    yield from resolutions(claim, pairs)
    for steps in zip_longest(bridges[::2], values, bridges[1::2], rest):
        yield from (step for step in steps if step is not None)


def check_plan(claim: AtomicClaim, pairs: Sequence[QAPair], draft: Proposal) -> Iterator[Step]:
    """Questions that could show a draft to be wrong: other values, the other side, new names."""
    kept = [p for p in pairs if p.kept]
    subject = subject_of(claim)
    yield from resolutions(claim, kept)
    yield from (_value(claim, claimed, found) for claimed, found in other_values(claim, kept))
    if draft.label != "refuted":
        yield "dispute", f"Who says otherwise of {subject}?"
    yield from (slot_step(claim, field) for field in open_slots(claim))
    yield from (_bridge(claim, name) for name in new_names(claim, kept))
    yield "subject:" + subject, f"What else is known of {subject}?"
    yield "claim", f"Which sources state this: {claim.text}"


def resolutions(claim: AtomicClaim, pairs: Sequence[QAPair]) -> list[Step]:
    """A step for each name in the answers that may be what the claim describes."""
    if not any(p.hits for p in pairs) or (described := find_description(claim.text)) is None:
        return []
    sentences = [hit.span.text for pair in pairs for hit in pair.hits]
    return [
        (
            f"{RESOLVE}:{name}",
            f"Taking {name} for “{described.text}”, what do the sources say about this: {described.other(name)}",
        )
        for name in candidates(described, claim.text, sentences)
    ]


def other_values(claim: AtomicClaim, pairs: Sequence[QAPair]) -> list[tuple[str, str]]:
    """(claimed, found) where an answer gives another value of a kind that the claim has once."""
    mine = find_slots(claim.text)
    found: dict[tuple[str, str], None] = {}
    for slot in mine:
        if sum(s.kind == slot.kind for s in mine) > 1:
            continue
        claimed = claim.text[slot.start : slot.end]
        for pair in pairs:
            if not pair.answer.found:
                continue
            for other in find_slots(pair.answer.text):
                if other.kind == slot.kind and other.value != slot.value:
                    found.setdefault((claimed, pair.answer.text[other.start : other.end]), None)
    return list(found)[:2]


def new_names(claim: AtomicClaim, pairs: Sequence[QAPair]) -> list[str]:
    """At most three names in the answers that the claim lacks, latest answers first."""
    found: dict[str, None] = {}
    for pair in reversed(pairs):
        if not pair.answer.found:
            continue
        for name in find_names(pair.answer.text):
            if not name_in(name, claim.text) and len(name.words) <= 4 and not name.opens:
                found.setdefault(name.text, None)
    return list(found)[:3]


def slot_step(claim: AtomicClaim, field: Field) -> Step:
    """The question for the value of a slot."""
    asked = asked_for(claim, field) or _SIDE_BY_SIDE[field.role].format(subject_of(claim, field.text))
    return f"slot:{field.text}", asked


def _bridge(claim: AtomicClaim, name: str) -> Step:
    return f"bridge:{name}", f"What is known of {name} in connection with {subject_of(claim)}?"


def _value(claim: AtomicClaim, claimed: str, found: str) -> Step:
    return f"value:{claimed}{_VALUE}{found}", f"Which is right for {subject_of(claim)}: {claimed} or {found}?"


def chosen(claim: AtomicClaim, steps: Iterator[Step], asked: Sequence[QAPair], limit: int) -> tuple[Question, ...]:
    """The first ``limit`` steps with new queries, as questions."""
    known = {search_text(p.question.purpose, claim) for p in asked if p.question.route != "image"}
    known |= {p.question.purpose for p in asked}
    questions: list[Question] = []
    for purpose, text in steps:
        looked_for = purpose if purpose == "image" else search_text(purpose, claim)
        if looked_for in known:
            continue
        known.add(looked_for)
        questions.append(Question(claim_id=claim.claim_id, text=text, route="text", purpose=purpose))
        if len(questions) == limit:
            break
    return tuple(questions)
