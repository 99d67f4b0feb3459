"""The slots of a claim, its type, and the queries that could find evidence for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.intake.draft_claims import noun_text
from agent.intake.syntax import subject_of
from agent.types import ClaimType, Field

if TYPE_CHECKING:
    from typing import Literal

    from spacy.tokens import Doc, Token

    from language.quantities.types import Slot

    Role = Literal[
        "subject", "predicate", "object", "number", "date", "place", "person", "organisation", "unit", "other"
    ]

_ENTITY_ROLES: dict[str, Role] = {
    "PERSON": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "NORP": "other",
    "EVENT": "other",
    "PRODUCT": "other",
    "WORK_OF_ART": "other",
    "LAW": "other",
}
_NUMERIC = frozenset({"number", "unit", "money", "percentage"})
_MAX_QUERY = 300


def find_fields(doc: Doc, root: Token) -> tuple[Field, ...]:
    """Subject, predicate, object, names, numbers and dates with their places in the text."""
    found = [*_grammar(root), *_names(doc), *_numbers(doc.text)]
    unique = {(f.start, f.end, f.role, f.value): f for f in found}
    return tuple(sorted(unique.values(), key=lambda f: (f.start, f.end, f.role, f.value)))


def _grammar(root: Token) -> list[Field]:
    found = []
    subject = subject_of(root)
    if subject is not None and subject.dep_ != "expl":
        found.append(_of_phrase("subject", subject))
    if root.pos_ in {"VERB", "AUX"}:
        found.append(_field("predicate", root.text, root.lemma_.lower() or root.text, root.idx))
    for child in root.children:
        if child.dep_ in {"dobj", "attr", "acomp", "oprd", "dative"} and child.i > root.i:
            found.append(_of_phrase("object", child))
    return found


def _of_phrase(role: Role, token: Token) -> Field:
    """A phrase as it stands in the text; ``value`` is without asides."""
    start, end = token.left_edge.idx, token.right_edge.idx + len(token.right_edge.text)
    raw = token.doc.text[start:end]
    text = raw.rstrip(" ,;:")
    return _field(role, text, noun_text(token) or text, start)


def _field(role: Role, text: str, value: str, start: int) -> Field:
    return Field(role=role, text=text, value=value, start=start, end=start + len(text))


def _names(doc: Doc) -> list[Field]:
    return [
        _field(_ENTITY_ROLES[e.label_], e.text, e.text, e.start_char) for e in doc.ents if e.label_ in _ENTITY_ROLES
    ]


def _numbers(text: str) -> list[Field]:
    from language.quantities.mentions import find_slots

    found = []
    for slot in find_slots(text):
        if slot.kind == "date":
            found.append(_of_slot("date", slot, slot.value))
        elif slot.kind in _NUMERIC:
            found.append(_of_slot("number", slot, slot.value))
            unit = slot.unit or ("percent" if slot.kind == "percentage" else "")
            if unit:
                found.append(_of_slot("unit", slot, unit))
    return found


def _of_slot(role: Role, slot: Slot, value: str) -> Field:
    return Field(role=role, text=slot.text, value=value, start=slot.start, end=slot.end)


def claim_type(root: Token, fields: tuple[Field, ...], attribution: str | None, about_image: bool) -> ClaimType:
    """The type of a claim, by its most specific sign."""
    roles = [f.role for f in fields]
    if about_image:
        return "image"
    if attribution is not None:
        return "quote"
    if "number" in roles:
        return "quantity"
    if "date" in roles:
        return "date"
    if root.lemma_.lower() == "be":
        linked = any(c.dep_ == "prep" for a in root.children if a.dep_ == "attr" for c in a.children)
        return "relation" if linked else "property"
    if root.pos_ not in {"VERB", "AUX"}:
        return "other"
    names = {f.text for f in fields if f.role in {"person", "organisation", "place"}}
    return "relation" if root.tag_ in {"VBZ", "VBP"} and len(names) >= 2 else "event"


def evidence_queries(doc: Doc, text: str, fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Two to four queries: the claim, names with nouns, names with slots, key words."""
    names = _unique([f.text for f in fields if f.role in {"person", "organisation", "place", "other"}])
    nouns = _unique([t.text for t in doc if t.pos_ in {"NOUN", "PROPN"} and not t.ent_type_])
    slots = _unique([f.text for f in fields if f.role in {"number", "date"}])
    content = _unique(
        [t.text for t in doc if t.pos_ in {"NOUN", "PROPN", "VERB", "ADJ", "NUM"} and (t.is_alpha or t.like_num)]
    )
    queries = [text, " ".join([*names, *nouns[:4]])]
    if slots:
        queries.append(" ".join([*(names or nouns[:3]), *slots[:3]]))
    queries.append(" ".join(content))
    queries = _unique([q.strip()[:_MAX_QUERY].rstrip() for q in queries if q.strip()])
    return tuple(queries[:4])


def _unique(values: list[str]) -> list[str]:
    seen: dict[str, str] = {}
    for value in values:
        seen.setdefault(value.lower().rstrip("."), value)
    return list(seen.values())
