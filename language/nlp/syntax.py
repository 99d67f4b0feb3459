"""What a parse says of a token: its dependents by relation, subject and auxiliaries, coordination, edges."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

VERBAL = frozenset({"VERB", "AUX"})
NOMINAL = frozenset({"NOUN", "PROPN"})
FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
PLURAL = frozenset({"NNS", "NNPS"})
SUBJECTS = frozenset({"nsubj", "nsubjpass"})
ALL_SUBJECTS = SUBJECTS | {"csubj", "csubjpass", "expl"}
AUXILIARIES = frozenset({"aux", "auxpass"})
TIMES = frozenset({"DATE", "TIME"})


def dependents(token: Token, *relations: str, words: Container[str] | None = None) -> list[Token]:
    """The direct dependents of a token with one of these relations (among these words), in order."""
    return [c for c in token.children if c.dep_ in relations and (words is None or c.lower_ in words)]


def has(token: Token, *relations: str, words: Container[str] | None = None) -> bool:
    """Whether a token has a direct dependent with one of these relations (among these words)."""
    return any(c.dep_ in relations and (words is None or c.lower_ in words) for c in token.children)


def subject_of(verb: Token) -> Token | None:
    """Its own subject, one before it first; or ``None``."""
    return next((c for c in (*verb.lefts, *verb.rights) if c.dep_ in ALL_SUBJECTS), None)


def auxiliaries(verb: Token) -> list[Token]:
    """Its own auxiliaries, in order."""
    return dependents(verb, *AUXILIARIES)


def is_finite(verb: Token) -> bool:
    """Whether it is finite, by itself or by its auxiliaries."""
    return any(t.tag_ in FINITE for t in (verb, *auxiliaries(verb)))


def is_past(verb: Token) -> bool:
    """Whether it is in the past tense, by itself or by its auxiliaries."""
    return any(t.tag_ == "VBD" for t in (verb, *auxiliaries(verb)))


def chain(head: Token, kinds: frozenset[str] | None = None) -> list[Token]:
    """A coordination in order: the head and all its conjuncts (of these parts of speech)."""
    members = [head]
    for member in members:
        members += [c for c in dependents(member, "conj") if kinds is None or c.pos_ in kinds]
    return sorted(members, key=lambda t: t.i)


def subtree(token: Token) -> frozenset[int]:
    """Indices of a token and of all that depends on it."""
    return frozenset(t.i for t in token.subtree)


def after_comma(token: Token) -> bool:
    """Whether a comma stands before a token's phrase."""
    edge = token.left_edge.i
    return edge > 0 and token.doc[edge - 1].text == ","


def according_to(tokens: Iterable[Token]) -> Token | None:
    """Whom the first "according to" among the tokens names."""
    for token in tokens:
        if token.lower_ == "according" and token.i + 1 < len(token.doc) and token.nbor().lower_ == "to":
            return next((t for t in token.subtree if t.dep_ == "pobj"), None)
    return None
