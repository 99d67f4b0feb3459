"""Noun phrases as nodes, which words of a parse make up a name, and its kind; base forms of verbs."""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import TYPE_CHECKING

from evidence.graph.entity_resolution import key_of, shown
from evidence.graph.types import Node, NodeKind
from language.nlp.syntax import dependents, has
from language.wordlists import word_classes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spacy.tokens import Doc, Span, Token

_WORDS = word_classes("evidence.graph")


MAX_WORDS = 12
KINDS: dict[str, NodeKind] = {
    **{"PERSON": "person", "ORG": "organisation", "NORP": "organisation"},
    **dict.fromkeys(("GPE", "LOC", "FAC"), "place"),
    **dict.fromkeys(("WORK_OF_ART", "LAW", "EVENT", "PRODUCT"), "work"),
    **dict.fromkeys(("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "CARDINAL", "ORDINAL"), "value"),
}
"""Node kinds by spaCy's entity labels."""
_NO_HEADS = frozenset({"PRON", "DET", "VERB", "AUX", "ADV", "SCONJ", "ADP", "PUNCT"})
_OPENS = frozenset({"DET", "PUNCT", "CCONJ", "ADP"})
_CURRENCY = frozenset({"$", "£", "€"})


def entity_at(token: Token) -> Span | None:
    """The named entity of a token."""
    if not token.ent_type_:
        return None
    return next((e for e in token.doc.ents if e.start <= token.i < e.end), None)


def is_proper(token: Token) -> bool:
    """Whether the phrase's head is a name."""
    entity = entity_at(token)
    return token.pos_ == "PROPN" or (entity is not None and KINDS.get(entity.label_) not in {None, "value"})


def kind_of(token: Token) -> NodeKind:
    """Kind of the phrase headed by a token."""
    entity = entity_at(token)
    found = KINDS.get(entity.label_) if entity is not None else None
    # "the third report" was tagged as a value
    plain = entity is not None and entity.label_ in {"ORDINAL", "CARDINAL"} and token.tag_ in {"NN", "NNP", "NNS"}
    if found is not None and not plain:
        return found
    counted = any(c.dep_ in {"nummod", "quantmod"} and c.i < token.i for c in token.children)
    return "value" if counted and token.pos_ != "PROPN" else "thing"


def in_brackets(token: Token, outside: Token) -> bool:
    """Whether one word stands in brackets without the other."""
    first, last = sorted((token.i, outside.i))
    between = [t.text for t in token.doc[first : last + 1]]
    opened = between.count("(") - between.count(")")
    return opened > 0 if token.i > outside.i else opened < 0


def phrase_words(token: Token) -> list[Token]:
    """Words of the noun phrase headed by a token: modifiers and its "of", without asides."""
    doc, entity = token.doc, entity_at(token)
    if entity is not None and entity.label_ == "PERSON" and token.pos_ == "PROPN":
        return _trimmed(doc, range(entity.start, entity.end))
    found = _indices(token)
    if len(found) > MAX_WORDS:
        found = _indices(token, deep=False)
    return _trimmed(doc, sorted(found))


def core_words(token: Token) -> list[Token]:
    """The words up to the head."""
    return [w for w in phrase_words(token) if w.i <= token.i]


def _indices(token: Token, *, deep: bool = True) -> set[int]:
    found, entity = {token.i}, entity_at(token)
    # not where it runs over a verb ("Oakes said Tuesday")
    if entity is not None and not any(t.pos_ in {"VERB", "AUX", "PRON"} for t in entity):
        found |= set(range(entity.start, entity.end))
    for child in token.lefts:
        if child.dep_ in _WORDS["left"] and (child.dep_ != "punct" or child.text in {"-", "'", '"'} | _CURRENCY):
            found |= {t.i for t in child.subtree if t.dep_ not in {"relcl", "acl"}}
    for child in token.rights:
        if child.dep_ == "nummod" or (child.dep_ == "npadvmod" and child.like_num):
            found |= {t.i for t in child.subtree}
        if deep and child.dep_ == "prep" and _restricts(token, child):
            for inner in dependents(child, "pobj"):
                if inner.pos_ != "PRON" and _belongs(child, inner):
                    found |= {child.i} | _indices(inner)
                    found |= {c.i for c in dependents(inner, "det", words={"the", "a", "an"}) if c.i < inner.i}
                    if child.lower_ == "between":
                        found |= {t.i for t in inner.subtree}
    return found


def _restricts(token: Token, preposition: Token) -> bool:
    """Whether a preposition after a noun restricts it: "of", others after plain nouns only."""
    word = preposition.lower_
    return word == "of" or (word in _WORDS["restricting"] and token.pos_ == "NOUN" and kind_of(token) == "thing")


def _belongs(preposition: Token, inner: Token) -> bool:
    """Whether a prepositional phrase belongs to the noun: "of", else names but no dates."""
    if preposition.lower_ == "of":
        return True
    return is_proper(inner) and KINDS.get(inner.ent_type_) != "value"


def _trimmed(doc: Doc, indices: Iterable[int]) -> list[Token]:
    """The words without articles, marks and prepositions at the edges."""
    words = list(dropwhile(lambda w: w.pos_ in _OPENS and w.text not in _CURRENCY, (doc[i] for i in indices)))
    if words and words[0].lower_ == "least":
        words.pop(0)
    return list(dropwhile(lambda w: w.pos_ in _OPENS | {"PART"}, reversed(words)))[::-1]


def write(words: list[Token]) -> str:
    """Words with the text's spaces between neighbours."""
    out = ""
    for before, word in zip([None, *words], words, strict=False):
        if before is not None:
            out += before.whitespace_ if word.i == before.i + 1 else " "
        # A plain word at the sentence's start has its capital from there.
        small = word.i == 0 and word.pos_ not in {"PROPN", "X"} and not word.ent_type_ and word.is_title
        out += word.text.lower() if small else word.text
    return shown(out)


def node_of(token: Token) -> Node | None:
    """The node of a phrase's head; ``None`` for pronouns, empty heads and long phrases."""
    hollow = token.lower_ in _WORDS["empty_heads"] and not has(token, "amod", "compound")
    if token.pos_ in _NO_HEADS or hollow or (token.pos_ == "ADJ" and not token.ent_type_):
        return None
    if token.lower_ in _WORDS["kinds_of_place"]:
        names = [t for c in token.children if c.lower_ == "of" for t in c.children if is_proper(t)]
        if len(names) == 1:
            token = names[0]
    words = phrase_words(token)
    if not words or len(words) > MAX_WORDS or not any(w.is_alpha or w.like_num for w in words):
        return None
    return make_node(write(words), kind_of(token))


def make_node(text: str, kind: NodeKind) -> Node | None:
    """A node of a name; ``None`` if nothing is left of it."""
    text = shown(re.sub(r"[\"“”]", "", text))
    if text.isupper() and " " in text and len(text) > 12:  # a heading
        return None
    if text.lower().startswith("not ") or text.count("(") != text.count(")"):
        return None
    key = key_of(text, kind)
    return Node(text=text, key=key, kind=kind) if key and len(text) <= 160 else None


_ONE_BEAT = re.compile(r"[^aeiou]*[aeiouy][^aeiouwxy]")
"""A stem that doubles its last letter before an ending ("hat", "hatted")."""


def base_form(verb: Token) -> str:
    """The base form in lower case: "hated" is "hate", since "hat" would double its last letter."""
    word, lemma = verb.lower_, verb.lemma_.lower()
    if word not in {f"{lemma}ed", f"{lemma}ing"}:
        return lemma
    return f"{lemma}e" if lemma in _WORDS["stems_with_e"] or _ONE_BEAT.fullmatch(lemma) else lemma
