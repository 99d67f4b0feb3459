"""Plans of the extractive reasoner: candidate questions as (purpose, text), best first.

Purposes: ``claim``, ``dispute``, ``image``, ``subject:WORDS``, ``slot:TEXT``, ``bridge:NAME`` (from
evidence), ``value:CLAIMED=>FOUND``, ``resolve:NAME`` (for a description).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from agent.intake.descriptions import candidates, find_description
from agent.types import CHECK, RESOLVE, AtomicClaim, Field, ImageContext, Proposal, QAPair, Question
from language.names import find_names, is_common, name_in
from language.quantities.mentions import find_slots
from language.types import Slot
from language.wordlists import read_table

_AUXILIARIES = frozenset(
    "is are was were has have had will would can could may might must shall should does do did".split()
)
_UNCHANGED = frozenset("cost put hit cut set let shut read spread bet quit split hurt".split())
"""Verbs whose past looks like their base form."""
_LEADING = r"(?:in|on|at|by|since|during|near|from|to|until|around|about)"
_PART_OF = r"\b(?:at|by|in|since|until|from|towards|near)\s+the\s+(?:start|beginning|middle|end|turn|close)\s+of\s+"
_MONEY = re.compile(r"[£$€¥%]|\b(?:euros?|dollars?|pounds?|percent|per cent)\b", re.IGNORECASE)
_KIND = re.compile(r"\s*((?:[a-z][\w-]*\s+){0,2}[a-z][\w-]*s)\b")
_ENDED = " .!?,;:"


def whether(claim: AtomicClaim) -> str | None:
    """The claim as a question: "Did the library open in May?"."""
    parts = _parts(claim)
    return _written("", *parts) if parts else None


def asked_for(claim: AtomicClaim, field: Field) -> str | None:
    """The question whose answer is a field's value: "When did the library open?"."""
    parts = _parts(claim)
    if parts is None:
        return None
    front, subject, verb, rest = parts
    if field.role in {"person", "organisation"}:
        return _who(claim, field, parts)
    if field.text in subject:
        return None
    if field.role == "date":
        return _written("when", front, subject, verb, _lacking(rest, field.text))
    if field.role == "place":
        if not re.search(rf"\b{_LEADING}\s+(?:the\s+)?{re.escape(field.text)}", rest):
            return None
        return _written("where", front, subject, verb, _lacking(rest, field.text))
    return _amount(field, parts)


Parts = tuple[str, str, str, str]
"""Auxiliary, subject, verb, and what follows or precedes them."""


def _parts(claim: AtomicClaim) -> Parts | None:
    subject = next((f for f in claim.fields if f.role == "subject"), None)
    predicate = next((f for f in claim.fields if f.role == "predicate"), None)
    if subject is None or predicate is None or subject.end > predicate.start:
        return None
    if claim.attribution is not None or '"' in claim.text or "“" in claim.text:
        return None
    opening = claim.text[: subject.start].strip(_ENDED)
    between = claim.text[subject.end : predicate.start].split()
    rest = " ".join(filter(None, (claim.text[predicate.end :].strip(_ENDED), _small(opening))))
    named = _small(subject.text)
    if between and between[0].lower() in _AUXILIARIES:
        return between[0].lower(), named, " ".join([*_asked(between[1:]), predicate.text]), rest
    if predicate.value == "be" and predicate.text.lower() in _AUXILIARIES:
        told = re.sub(r"^(?:not|never)\s+", "", rest)
        return predicate.text.lower(), named, " ".join(_asked(between)), told
    if any(not word.endswith("ly") and word.lower() not in {"also", "never", "still"} for word in between):
        return None
    return _helper(predicate), named, " ".join([*_asked(between), predicate.value]), rest


def _asked(between: list[str]) -> list[str]:
    """Words before the verb, without a denial: the question is put the open way."""
    plain = [w for w in between if w.lower() not in {"not", "n't", "n’t"}]
    return ["ever" if w.lower() == "never" else w for w in plain]


def _helper(predicate: Field) -> str:
    """The form of "do" for a verb without an auxiliary."""
    verb, base = predicate.text.lower(), predicate.value.lower()
    if verb == base:
        return "did" if base in _UNCHANGED else "do"
    return "does" if verb.endswith("s") and verb[:2] == base[:2] and not base.endswith("s") else "did"


def _small(phrase: str) -> str:
    """A phrase that opened a sentence, for use inside one."""
    first, _, others = phrase.partition(" ")
    if phrase.lower() in {"nobody", "no one"}:
        return "anybody"
    plain = is_common(first.lower()) and not others[:1].isupper()
    determined = first.lower() in {"the", "a", "an", "its", "his", "her", "their", "in", "on", "at", "since"}
    return f"{first.lower()} {others}".strip() if plain or determined else phrase


def _lacking(rest: str, value: str) -> str:
    """What follows the verb without a value and the word that leads to it."""
    return re.sub(rf"(?:{_PART_OF}|\b{_LEADING}\s+)?(?:the\s+)?{re.escape(value)}", " ", rest, count=1)


def _who(claim: AtomicClaim, field: Field, parts: Parts) -> str | None:
    front, subject, verb, rest = parts
    word = "who" if field.role == "person" else "which organisation"
    if front in {"is", "are", "was", "were"} and not verb and rest[:1].isdigit():
        return None
    if _small(field.text) == subject or field.text == subject:
        told = claim.text[field.end :].strip(_ENDED) if claim.text.startswith(field.text) else ""
        return f"{word.capitalize()} {told}?" if told else None
    by = f"by {field.text}"
    if by not in rest:
        return None
    asked = "by whom" if word == "who" else f"by {word}"
    return _written(asked, front, subject, verb, rest.replace(by, " ", 1))


def _amount(field: Field, parts: Parts) -> str | None:
    front, subject, verb, rest = parts
    at = rest.find(field.text)
    if at < 0:
        return None
    before, after = rest[:at].strip(), rest[at + len(field.text) :]
    if _MONEY.search(field.text):
        by = re.sub(r"\bby$", "", before).strip()
        word = "by how much" if before.endswith("by") else "how much"
        return _written(word, front, subject, verb, f"{by} {after}")
    unit = field.text.split(maxsplit=1)[1] if " " in field.text and field.text.split()[-1].isalpha() else ""
    kind = _KIND.match(after)
    if unit:
        measure = re.match(r"\s*(long|wide|high|tall|deep|old|away)\b", after)
        word = f"how many {unit} {measure[1] if measure else ''}".strip()
        return _written(word, front, subject, verb, f"{before} {after[measure.end() if measure else 0 :]}")
    if kind is None or before:
        return None
    return _written(f"how many {kind[1]}", front, subject, verb, after[kind.end() :])


def _written(word: str, front: str, subject: str, verb: str, rest: str) -> str:
    words = " ".join(f"{word} {front} {subject} {verb} {rest}".split()).strip(_ENDED)
    return f"{words[:1].upper()}{words[1:]}?"


Step = tuple[str, str]
_SIDE_BY_SIDE: dict[str, str] = read_table("agent.reasoners", "words.toml")["side_by_side"]
_ORDER = tuple(_SIDE_BY_SIDE)
_DISPUTE_WORDS = "denied corrected revised false error not instead"
_VALUE = "=>"
SIZES_APART = 20
"""Times the smaller amount, up to which two amounts may be rivals."""


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


def image_step(claim: AtomicClaim) -> Step:
    """The question what the picture shows or says."""
    return "image", f"What does the picture show or say about this: {claim.text}"


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
        yield image_step(claim)
    yield "claim", claim_question(claim)
    yield "dispute", dispute_question(claim)
    for field in open_slots(claim, limit=len(_ORDER)):
        yield slot_step(claim, field)
    yield "subject:" + subject_of(claim), f"What else is known of {subject_of(claim)}?"


def branch_plan(claim: AtomicClaim, pairs: Sequence[QAPair], image: ImageContext | None) -> Iterator[Step]:
    """The next round of a tree: possible referents, names and values of kept answers, open slots.

    Referents are read from all that was found, kept or not.
    """
    kept = [p for p in pairs if p.kept]
    values = [_value(claim, claimed, found) for claimed, found in other_values(claim, kept)]
    bridges = [_bridge(claim, name) for name in answered_names(claim, kept)]
    rest = list(sub_plan(claim, image))
    yield from resolutions(claim, pairs)
    for steps in zip_longest(bridges[::2], values, bridges[1::2], rest):
        yield from (step for step in steps if step is not None)


def check_plan(claim: AtomicClaim, pairs: Sequence[QAPair], draft: Proposal | None) -> Iterator[Step]:
    """Questions that could show a draft to be wrong: other values, the other side, new names."""
    kept = [p for p in pairs if p.kept]
    subject = subject_of(claim)
    yield from resolutions(claim, kept)
    yield from (_value(claim, claimed, found) for claimed, found in other_values(claim, kept))
    if draft is None or draft.label != "refuted":
        yield "dispute", f"Who says otherwise of {subject}?"
    yield from (slot_step(claim, field) for field in open_slots(claim))
    yield from (_bridge(claim, name) for name in answered_names(claim, kept))
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
                if _rivals(slot, other) and not _within(slot.value, other.value):
                    found.setdefault((claimed, pair.answer.text[other.start : other.end]), None)
    return list(found)[:2]


def _rivals(one: Slot, other: Slot) -> bool:
    """Whether one could be meant where the other stands: "19,265" for "18,740", not "two", "twice" or "6 p.m."."""
    if other.kind != one.kind or other.unit != one.unit or not other.value[:1].isdigit():
        return False
    sizes = sorted(abs(float(s.value)) for s in (one, other) if re.fullmatch(r"-?\d+(?:\.\d+)?", s.value))
    return one.kind == "date" or len(sizes) < 2 or sizes[0] * SIZES_APART >= sizes[1]


def _within(one: str, other: str) -> bool:
    """Whether two values are one, or a day of a month or year that the other names."""
    return one == other or one.startswith(f"{other}-") or other.startswith(f"{one}-")


def answered_names(claim: AtomicClaim, pairs: Sequence[QAPair]) -> list[str]:
    """At most three names in the answers that the claim lacks, latest answers first."""
    return new_names(claim, (p.answer.text for p in reversed(pairs) if p.answer.found))[:3]


def new_names(claim: AtomicClaim, texts: Iterable[str]) -> list[str]:
    """Names in some texts that the claim lacks."""
    names = (name for text in texts for name in find_names(text))
    found = (n.text for n in names if not name_in(n, claim.text) and len(n.words) <= 4 and not n.opens)
    return list(dict.fromkeys(found))


def slot_step(claim: AtomicClaim, field: Field) -> Step:
    """The question for the value of a slot."""
    asked = asked_for(claim, field) or _SIDE_BY_SIDE[field.role].format(subject_of(claim, field.text))
    return f"slot:{field.text}", asked


def _bridge(claim: AtomicClaim, name: str) -> Step:
    return f"bridge:{name}", f"What is known of {name} in connection with {subject_of(claim)}?"


def _value(claim: AtomicClaim, claimed: str, found: str) -> Step:
    return f"value:{claimed}{_VALUE}{found}", f"Which is right for {subject_of(claim)}: {claimed} or {found}?"


def question(claim: AtomicClaim, step: Step) -> Question:
    """A step as a question; the reasoner routes it."""
    return Question(claim_id=claim.claim_id, text=step[1], route="text", purpose=step[0])


def other_side(claim: AtomicClaim) -> Question:
    """The question who says otherwise."""
    return question(claim, ("dispute", dispute_question(claim)))


def not_asked(
    claim: AtomicClaim, steps: Iterable[Step], pairs: Sequence[QAPair], limit: int, *, by_query: bool = False
) -> tuple[Question, ...]:
    """The first ``limit`` steps that no pair has, as questions; ``by_query``: not even under another purpose."""

    def looked_for(purpose: str) -> str:
        return search_text(purpose, claim) if by_query and purpose != "image" else purpose

    asked = (p.question for p in pairs)
    known = {looked_for(q.purpose) for q in asked if not by_query or q.route != "image" or q.purpose == "image"}
    found: list[Question] = []
    for step in steps:
        if (sought := looked_for(step[0])) not in known:
            known.add(sought)
            found.append(question(claim, step))
        if len(found) == limit:
            break
    return tuple(found)
