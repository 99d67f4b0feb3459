"""Who does what a verb says, by the parse: "was painted by X", "X, who led it", "X's win"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from language.names import stem
from language.nlp.relations import Relations
from language.verbs import normal

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def doers(doc: Doc, verb: str) -> Iterator[Token]:
    """Heads of the phrases that do what the verb (its stem) says, each with what stands beside it."""
    predicates = Relations(doc).predicates
    for token in doc:
        if verb not in {normal(stem(token.lemma_.lower())), normal(stem(token.lower_))}:
            continue
        if token.i in predicates:
            yield from (doc[i] for i in sorted(predicates[token.i].subjects))
        if token.pos_ not in {"VERB", "AUX"}:
            yield from (c for c in token.children if c.dep_ == "poss")
