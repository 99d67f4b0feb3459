"""Whether a dated verb tells a state, which may hold at other times too, or an event, which has one date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.calendar import WEEKDAYS
from language.nlp.attachment import verb_at
from language.nlp.delegation import answerable
from language.nlp.pipeline import parse

if TYPE_CHECKING:
    from spacy.tokens import Token

DURATIVE = frozenset(
    "have own hold live reside work serve reign rule govern lead head chair run manage coach teach study "
    "play belong stand lie cost contain consist comprise house employ cover measure weigh amount total "
    "number remain stay exist operate represent know need use carry command edit direct sit act".split()
)
"""Verbs of what lasts: told for one time, they say nothing of another."""
_LASTING = frozenset("close base locate situate marry own know employ occupy hold rule govern lead run use".split())
"""Participles that with "be" tell a state as well as an event ("was closed")."""
_EVENT_ADJECTIVES = frozenset({"born", "due"})
_TIMES = frozenset({"DATE", "TIME"})


@answerable
def is_state_at(text: str, start: int, end: int) -> bool:
    """Whether the verb to which the date ``text[start:end]`` belongs tells a state; no verb is none."""
    verb = verb_at(parse(text), start, end)
    return verb is not None and _is_state(verb)


def _is_state(verb: Token) -> bool:
    lemma = verb.lemma_.lower()
    if lemma == "be":
        return any(_describes(c) for c in verb.children)
    passive = any(c.dep_ == "auxpass" for c in verb.children)
    if verb.tag_ == "VBN" and (passive or verb.dep_ in {"acl", "advcl"}):
        return lemma in _LASTING
    return lemma in DURATIVE


def _describes(child: Token) -> bool:
    """What is said of the subject, a time alone not counted: "was mayor", "was in Orrin"."""
    if child.lower_ in _EVENT_ADJECTIVES or child.ent_type_ in _TIMES or child.lower_ in WEEKDAYS:
        return False
    if child.dep_ == "prep":
        return any(c.dep_ == "pobj" and c.ent_type_ not in _TIMES and not c.like_num for c in child.children)
    return child.dep_ in {"attr", "acomp", "oprd"}
