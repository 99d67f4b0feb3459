"""Who does what a verb says, by the parse: "was painted by X", "X, who led it", "X's win"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from language.names import stem
from language.verbs import normal

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SUBJECTS = frozenset({"nsubj", "csubj"})
_RELATIVE = frozenset({"who", "which", "that"})


def doers(doc: Doc, verb: str) -> Iterator[Token]:
    """Heads of the phrases that do what the verb (its stem) says, each with what stands beside it."""
    for token in doc:
        if verb in {normal(stem(token.lemma_.lower())), normal(stem(token.lower_))}:
            for head in _doers_of(token):
                yield head
                yield from (c for c in head.children if c.dep_ == "appos")


def _doers_of(verb: Token) -> Iterator[Token]:
    if verb.pos_ not in {"VERB", "AUX"}:
        yield from (c for c in verb.children if c.dep_ == "poss")
        return
    if any(c.dep_ in {"nsubjpass", "auxpass"} for c in verb.children) or verb.dep_ == "acl":
        yield from (p for c in verb.children if c.dep_ == "agent" for p in c.children if p.dep_ == "pobj")
        return
    subjects = [c for c in verb.children if c.dep_ in _SUBJECTS]
    if not subjects and verb.dep_ == "conj":
        yield from _doers_of(verb.head)
    for subject in subjects:
        if subject.lower_ in _RELATIVE and verb.dep_ == "relcl":
            yield verb.head.head if verb.head.dep_ == "appos" else verb.head
        else:
            yield subject
