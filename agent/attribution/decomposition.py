"""ClaimVer's finer claims: relative clauses, participles, joined predicates and openings get spans.

What a certificate could not rest on is cut here too: each part is parsed again as a sentence of its own and
is kept only where that gives a full clause. Words that make no statement stay as a span without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from agent.intake.draft_claims import Word, attribution_of, parsed
from language.nlp.syntax import (
    FINITE,
    NOMINAL,
    PLURAL,
    VERBAL,
    after_comma,
    auxiliaries,
    has,
    is_finite,
    is_past,
    subject_of,
)
from language.wordlists import word_classes

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_WORDS = word_classes("agent.intake")

_COMMENTS = frozenset(
    "mean show suggest prompt cause make force allow lead spark imply help prove explain worry please anger "
    "surprise result".split()
)
"""Verbs whose "which" often stands for the whole sentence."""
_COMPANY = frozenset("accompany join follow flank help assist support watch back cheer greet attend".split())
"""Participles that are about whoever acts, not about the noun before them."""
_PLACES_AND_DAYS = frozenset({"GPE", "LOC", "DATE", "TIME"})
_LEADS = frozenset("by in on at to with".split())
_PARTICIPLES = frozenset({"VBN", "VBD"})

Cut = list[list[Word]]
"""A sentence as two or more parts."""


def finer_parts(sentence: Span) -> list[Span]:
    """The sentence cut in two or more parts, each parsed by itself; empty where no cut holds."""
    if attribution_of(sentence.root) is not None:
        return []
    for cut in (_relatives, _openings, _participles, _predicates):
        for proposed in cut(sentence):
            # A relative clause is finite by the parse of the whole, which knows more than its own.
            found = _held(proposed, sure=1 if cut is _relatives else 0)
            if found:
                return found
    return _leftover(sentence)


def _held(proposed: Cut, *, sure: int) -> list[Span]:
    """The parts parsed, if each but the last ``sure`` ones is a full clause."""
    if not all(proposed):
        return []
    found = [parsed(part) for part in proposed]
    return found if all(_is_clause(part) for part in found[: len(found) - sure]) else []


def _is_clause(part: Span) -> bool:
    root, subject = part.root, subject_of(part.root)
    return subject is not None and subject.i < root.i and root.pos_ in VERBAL and is_finite(root)


def _words(tokens: Iterable[Token], *, own: bool = True) -> list[Word]:
    """Tokens as words, without commas and conjunctions at the edges."""
    found = list(tokens)
    inner = [n for n, t in enumerate(found) if t.text not in {",", ";"} and t.dep_ != "cc"]
    kept = found[inner[0] : inner[-1] + 1] if inner else []
    return [(t.text, t if own else None) for t in kept]


def _asides(sentence: Span) -> Iterator[list[Token]]:
    """Two or more tokens behind a comma, to the next comma or the end."""
    for token in sentence[1 : len(sentence) - 2]:
        aside = list(takewhile(lambda t: t.text not in {";", ".", ","}, sentence.doc[token.i : sentence.end]))
        if token.nbor(-1).text == "," and len(aside) > 1:
            yield aside


def _before(sentence: Span, comma: int) -> list[Token]:
    """The name or noun phrase that ends at a comma; a name in front of which its class stands, alone."""
    doc = sentence.doc
    starts = {c.end: c.start for c in doc.noun_chunks if sentence.start <= c.start and c.end <= comma}
    last = max(starts, default=-1)
    if last < max(0, comma - 3):
        return []
    first = starts[last]
    while first > sentence.start + 1 and doc[first - 1].text == "&" and first - 1 in starts:
        first = starts[first - 1]
    named = [e.start for e in doc.ents if first < e.start and e.end == comma and doc[e.start].pos_ == "PROPN"]
    tokens = list(doc[named[0] if named else first : comma])
    definite = any(t.pos_ == "PROPN" for t in tokens) or tokens[0].lower_ in {"the", "its", "his", "her"}
    return tokens if definite and not any(t.pos_ == "PRON" and t.dep_ != "poss" for t in tokens) else []


def _without(sentence: Span, aside: Sequence[Token]) -> list[Word]:
    gone = {t.i for t in aside} | {aside[0].i - 1}
    after = aside[-1].i + 1
    if after + 1 < sentence.end and sentence.doc[after].text == "," and sentence.doc[after + 1].dep_ != "cc":
        gone.add(after)
    return _words(t for t in sentence if t.i not in gone)


def _relatives(sentence: Span) -> Iterator[Cut]:
    """ ", which airs on X": the noun before it does so."""
    for aside in _asides(sentence):
        pronoun, verb = aside[:2]
        finite = verb.pos_ in VERBAL and verb.tag_ in FINITE and verb.lemma_.lower() not in _COMMENTS
        anchor = _before(sentence, pronoun.i - 1) if pronoun.lower_ in {"which", "who"} and finite else []
        if anchor:
            yield [_without(sentence, aside), [*_words(anchor, own=False), *_words(aside[1:])]]


def _participles(sentence: Span) -> Iterator[Cut]:
    """ ", directed by X" after a noun: that noun was so."""
    for aside in _asides(sentence):
        told = aside[0].tag_ in _PARTICIPLES and subject_of(aside[0]) is None and aside[1].lower_ in _LEADS
        anchor = _anchor(sentence, aside[0]) if told else []
        if anchor:
            verb = _copula(sentence, aside[0], anchor[-1])
            yield [_without(sentence, aside), [*_words(anchor, own=False), (verb, None), *_words(aside)]]


def _anchor(sentence: Span, participle: Token) -> list[Token]:
    """Whom a participle after a comma is about: the noun before it, or the subject of the sentence."""
    near, subject = _before(sentence, participle.i - 1), subject_of(sentence.root)
    elsewhere = participle.lemma_.lower() in _COMPANY or (near and near[-1].ent_type_ in _PLACES_AND_DAYS)
    if not elsewhere:
        return near
    if subject is None or subject.left_edge.i != sentence.start or subject.pos_ == "PRON":
        return []
    return list(sentence.doc[sentence.start : subject.right_edge.i + 1])


def _openings(sentence: Span) -> Iterator[Cut]:
    """ "Based in X, and with Y, Z sells …": Z is based in X, and has Y."""
    doc = sentence.doc
    subject = next((s for t in sentence if t.tag_ in FINITE and (s := subject_of(t)) is not None), None)
    if subject is None or not (sentence[0].lower_ == "with" or sentence[0].tag_ in _PARTICIPLES):
        return
    left = subject.left_edge.i
    if left <= sentence.start + 2 or not after_comma(subject):
        return
    # cut before "and with", ", with" and ", and <participle>"
    leads = [t for t in doc[sentence.start + 1 : left] if t.lower_ == "with" or t.tag_ == "VBN"]
    cuts = [t.i for t in leads if t.nbor(-1).text == "," or t.nbor(-1).lower_ == "and"]
    parts = [_words(doc[start:end]) for start, end in pairwise((sentence.start, *cuts, left))]
    named = doc[left : subject.right_edge.i + 1]
    facts = [_told(sentence, named, words) for words in parts if len(words) > 1]
    if facts:
        yield [*facts, _words(doc[left : sentence.end])]


def _told(sentence: Span, named: Span, words: list[Word]) -> list[Word]:
    (first, token), *rest = words
    who, last = _words(named, own=False), named[-1]
    if first.lower() == "with":
        return [*who, ("had" if is_past(sentence.root) else "have" if last.tag_ in PLURAL else "has", token), *rest]
    if token is None:
        return []
    lowered = first if token.pos_ == "PROPN" else first.lower()
    return [*who, (_copula(sentence, token, last), None), (lowered, token), *rest]


def _copula(sentence: Span, participle: Token, last: Token) -> str:
    past = is_past(sentence.root) or participle.lemma_.lower() not in _WORDS["lasting_participles"]
    many = last.tag_ in PLURAL and last.pos_ != "PROPN"
    return ("were" if many else "was") if past else ("are" if many else "is")


def _predicates(sentence: Span) -> Iterator[Cut]:
    """ "X cost Y and opened on Z": X opened on Z; "X is the seat of Y and famous for Z": X is famous for Z."""
    root, subject, doc = sentence.root, subject_of(sentence.root), sentence.doc
    if subject is None or subject.left_edge.i != sentence.start or has(root, "neg"):
        return
    alone = root.lemma_ not in _WORDS["tandem_lemmas"] and subject.lower_ not in _WORDS["quantified"]
    for token in doc[root.i + 1 : sentence.end - 2]:
        begun = 0
        if root.lemma_.lower() == "be" and _is_complement(root, token.nbor(1)):
            begun = root.i + 1
        elif alone and _shares_subject(root, token.nbor(1)):
            begun = subject.right_edge.i + 1
        if token.lower_ in {"and", "but"} and begun:
            second = [*_words(doc[sentence.start : begun], own=False), *_words(doc[token.i + 1 : sentence.end])]
            yield [_words(doc[sentence.start : token.i]), second]


def _is_complement(root: Token, first: Token) -> bool:
    """Whether a further complement of "be" begins here: "famous for Z", "known for Z", "the seat of Z"."""
    if first.tag_ == "DT":
        return has(root, "attr", "acomp")
    modifies = first.dep_ == "amod" and first.head.pos_ in NOMINAL
    return first.tag_ == "VBN" or (first.tag_ == "JJ" and not modifies)


def _shares_subject(root: Token, verb: Token) -> bool:
    """Whether a verb goes on from a first one that has an object or adverbial of its own before it."""
    simple = verb.tag_ in FINITE or (verb.tag_ == "VBN" and not auxiliaries(root))
    own = any(c.dep_ not in {"cc", "conj", "punct"} and c.i < verb.i - 1 for c in root.rights)
    complete = own or root.lemma_.lower() in _WORDS["intransitive_lemmas"]
    return simple and verb.dep_ == "conj" and subject_of(verb) is None and complete


def _leftover(sentence: Span) -> list[Span]:
    """ ", and a name" after a full clause: words that belong to no statement, as a part of their own."""
    verb = max((t.i for t in sentence if t.pos_ in VERBAL), default=0)
    joins = [t.i for t in sentence[3:] if t.i > verb and t.lower_ == "and" and t.nbor(-1).text == ","]
    if not joins:
        return []
    left, right = sentence.doc[sentence.start : joins[-1] - 1], sentence.doc[joins[-1] + 1 : sentence.end]
    listed = any(t.text == "," and t.nbor(1).pos_ in {"PROPN", "NOUN", "DET"} for t in left)
    if listed or not len(right) or len([t for t in right if t.is_alpha]) > 4:
        return []
    first = parsed(_words(left))
    return [first, parsed(_words(right))] if _is_clause(first) else []
