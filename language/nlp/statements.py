"""Whether a sentence makes several statements at once, of which one may be right and another wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.nlp.delegation import answerable
from language.nlp.pipeline import parse

if TYPE_CHECKING:
    from spacy.tokens import Token

_ASIDES = frozenset({"acl", "relcl", "appos", "amod"})
_NAMING = frozenset({"DATE", "TIME", "GPE", "LOC"})
"""What behind a comma is a part of one name: "Graz, Austria", "Friday, 2 May"."""
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_MARKS = frozenset({"mark", "advmod"})


@answerable
def makes_several(text: str) -> bool:
    """Whether it coordinates verbs, or tells something in an aside between commas or before its subject."""
    doc = parse(text)
    return any(_is_another(token) for token in doc)


def _is_another(token: Token) -> bool:
    """A statement of its own beside the main one."""
    verbal = token.pos_ in {"VERB", "AUX"}
    if token.dep_ == "conj" and verbal:
        return token.head.pos_ in {"VERB", "AUX"} and (_is_told(token) or _is_told(token.head))
    if token.dep_ in _ASIDES and token.i > token.head.i and _after_comma(token):
        if token.dep_ == "appos":
            return token.ent_type_ not in _NAMING and not token.head.pos_ == token.pos_ == "PROPN"
        return token.dep_ != "amod" or any(c.dep_ == "prep" for c in token.children)
    if token.dep_ == "advcl" and token.tag_ in {"VBN", "VBG"} and not _is_marked(token):
        return token.i < token.head.i or _after_comma(token)
    return token.dep_ == "advcl" and token.tag_ in _FINITE and not _is_marked(token)


def _is_told(verb: Token) -> bool:
    """Whether it is finite, by itself or its auxiliaries."""
    return any(t.tag_ in _FINITE for t in (verb, *(c for c in verb.children if c.dep_ in {"aux", "auxpass"})))


def _is_marked(verb: Token) -> bool:
    """Introduced by "when", "because", "after": no statement beside the main one but a part of it."""
    return any(c.dep_ in _MARKS and c.i < verb.i for c in verb.children)


def _after_comma(token: Token) -> bool:
    edge = token.left_edge.i
    return edge > 0 and token.doc[edge - 1].text == ","
