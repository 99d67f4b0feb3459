"""Open information extraction by rules over a dependency parse.

Covers active and passive verbs, copulas, appositions and titles. Each rule reads a head and its children;
no triple where a subject is unclear.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from evidence.graph.clauses import (
    NOUNS,
    governors,
    has_no,
    is_hedged,
    is_negated,
    is_passive,
    is_unreal,
    saying_of,
    subjects_of,
)
from evidence.graph.phrases import base_form, core_words, entity_at, in_brackets, is_proper, kind_of, write
from language.nlp.syntax import AUXILIARIES, NOMINAL, SUBJECTS, TIMES, VERBAL, chain, dependents, has
from language.wordlists import word_classes

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_WORDS = word_classes("evidence.graph")

RULES_VERSION = "7"
_COPULAS = frozenset({"be", "become", "remain"})
_MAX_BETWEEN = 5
"""Words of an object inside a relation ("win the contract in")."""


@dataclass(frozen=True)
class Found:
    """A triple as the head tokens of its ends."""

    subject: Token
    relation: str
    object: Token
    negated: bool = False
    hedged: bool = False
    said_by: Token | None = None


def triples_of(doc: Doc) -> list[Found]:
    """All triples of a parsed sentence, in order; none of a question, a heading or a list."""
    if doc.text.rstrip().endswith("?"):
        return []
    readers = {**dict.fromkeys(VERBAL, _of_verb), **dict.fromkeys(NOMINAL, _of_noun)}
    told = [t for t in doc if t.sent.root.pos_ in VERBAL and t.pos_ in readers and t.dep_ not in AUXILIARIES]
    return [found for token in told if not is_unreal(token) for found in readers[token.pos_](token)]


def _of_verb(verb: Token) -> Iterator[Found]:
    lemma, passive, subjects = base_form(verb), is_passive(verb), subjects_of(verb)
    governs = has(verb, "ccomp", "parataxis") and lemma in _WORDS["denying"]
    if governs or (lemma in _WORDS["saying"] and (verb.dep_ == "parataxis" or has(verb, "ccomp", "parataxis"))):
        return
    negated, hedged = is_negated(verb), is_hedged(verb)
    sayer, denied = saying_of(verb)
    named = {c.dep_: c for c in dependents(verb, "dobj", "oprd")}
    if not passive and lemma in _WORDS["calling"] and len(named) == 2 and subjects:
        called = "made" if lemma == "make" else f"{lemma}d" if lemma.endswith("e") else f"{lemma}ed"
        yield Found(named["dobj"], f"be {called}", named["oprd"], negated, hedged, subjects[0])
    if any(_is_compared(c) for c in dependents(verb, "dobj", *SUBJECTS)):
        return
    subjects = [s for s in subjects if not (_is_restricted(s, verb) or s.pos_ == "NUM" or in_brackets(s, verb))]
    for relation, target in _complements(verb, passive):
        if in_brackets(target, verb) or _is_compared(target):
            continue
        is_agent = target.head.dep_ == "agent" and target.head.head == verb
        # conjuncts of the same kind, without amounts of other parts
        alike = [e for e in chain(target, NOUNS) if kind_of(target) == "value" or kind_of(e) != "value"]
        for end, subject in product([target] if relation.endswith("between") else alike, subjects):
            flips = negated + denied + has_no(subject) + has_no(end)
            ends = (end, subject) if is_agent else (subject, end)
            yield Found(ends[0], relation, ends[1], flips % 2 == 1, hedged, sayer)


def _is_restricted(subject: Token, verb: Token) -> bool:
    """Whether a clause restricts a bare plural subject ("States bordering the Gulf …")."""
    if subject.tag_ != "NNS" or has(subject, "det", "poss", "nummod"):
        return False
    behind = [c for c in subject.rights if c.dep_ in {"acl", "relcl"}]
    return any(c != verb and verb not in c.subtree and subject.doc[c.left_edge.i - 1].text != "," for c in behind)


def _is_compared(target: Token) -> bool:
    """Whether it is half of a comparison ("Forty more loaves a day than in winter")."""
    graded = any(t.tag_ in {"JJR", "RBR"} for t in target.subtree if t.i < target.i)
    return graded and any(t.lower_ == "than" for t in target.sent if t.i > target.i)


def relation_of(verb: Token, passive: bool) -> str:
    """The relation in words: base form, particle, governing verbs ("plan to close"); passive "be closed"."""
    outer = [v for v in reversed(governors(verb)[1:]) if base_form(v) != "be" or verb.tag_ not in {"VB", "VBN"}]
    words = [_verb_words(v, is_passive(v)) for v in outer]
    inner = verb.lower_ if outer and verb.tag_ == "VBG" else _verb_words(verb, passive)
    return _spaced(*words, "to" if outer and verb.tag_ == "VB" else "", inner)


def _verb_words(verb: Token, passive: bool) -> str:
    behind = [
        c
        for c in dependents(verb, "prt", "advmod")
        if c.dep_ == "prt" or (c.i == verb.i + 1 and c.lower_ in _WORDS["particles"])
    ]
    particle = "".join(f" {c.lower_}" for c in behind)
    manner = "".join(f"{c.lower_} " for c in dependents(verb, "advmod", words=_WORDS["manner"]) if c.i < verb.i)
    return (f"be {manner}{verb.lower_}" if passive else manner + base_form(verb)) + particle


def _complements(verb: Token, passive: bool) -> Iterator[tuple[str, Token]]:
    """Relation and other end, in order."""
    relation, lemma = relation_of(verb, passive), base_form(verb)
    direct = next(iter(dependents(verb, "dobj", "attr")), None)
    naming = not passive and lemma in _WORDS["calling"] and has(verb, "oprd", "ccomp")
    if naming or (direct is not None and has(verb, "xcomp", "ccomp") and lemma in _WORDS["letting"]):
        return
    dative = next((c for c in verb.children if c.dep_ == "dative" and c.pos_ != "ADP"), None)
    giving = lemma in _WORDS["giving"]
    between = _short(direct) if direct is not None else ""
    whole = _spaced(relation, between) if direct is None or between else ""
    for child in verb.children:
        if dative is not None and not giving and child == direct:
            yield relation, dative
        elif child.dep_ in {"dobj", "attr", "oprd"}:
            if child.dep_ == "attr" and lemma in _COPULAS:
                yield from _of_attribute(child, relation)
            if not (child.lower_ in _WORDS["light_objects"] and lemma in {"take", "make", "play", "give"}):
                yield relation, child
        elif child.dep_ == "agent":
            yield from ((_verb_words(verb, False), inner) for inner in dependents(child, "pobj"))
        elif whole and (child.dep_ == "prep" or (child.dep_ == "dative" and child.pos_ == "ADP")):
            yield from _of_preposition(_spaced(whole, "" if between else _state_before(verb, child)), child)
        elif whole and child.dep_ == "npadvmod" and kind_of(child) == "value":
            # bare days and amounts ("reopened last Friday", "rose 35 percent")
            if not any(c.lower_ in {"every", "each", "a", "an", "per"} for c in child.children):
                yield _spaced(whole, "on" if child.ent_type_ in TIMES else ""), child
        elif child.dep_ == "acomp":
            for inner in dependents(child, "prep"):
                yield from _of_preposition(f"{relation} {child.lower_}", inner)
    if dative is not None and giving and between:
        yield f"{relation} {between} to", dative


def _state_before(verb: Token, preposition: Token) -> str:
    """A copula's predicate before a place or time ("was normal in mice")."""
    if base_form(verb) not in _COPULAS:
        return ""
    for child in verb.children:
        if child.dep_ == "acomp":
            return child.lower_
        if child.dep_ == "prep" and child.i < preposition.i and child.i > verb.i:
            inner = next(iter(dependents(child, "pobj")), None)
            if inner is not None and inner.ent_type_ not in TIMES and not list(inner.children):
                return f"{child.lower_} {inner.lower_}"
    return ""


def _of_attribute(attribute: Token, relation: str) -> Iterator[tuple[str, Token]]:
    """Relation and other end of a predicate noun: "is the capital of Norway" gives "be capital of"."""
    words = core_words(attribute)
    if 0 < len(words) <= _MAX_BETWEEN:
        for child in dependents(attribute, "prep", words=_WORDS["noun_preps"]):
            for inner in dependents(child, "pobj"):
                if is_proper(inner) or entity_at(inner) is not None:
                    yield f"{relation} {write(words)} {child.lower_}", inner


def _of_preposition(relation: str, preposition: Token) -> Iterator[tuple[str, Token]]:
    if preposition.lower_ in _WORDS["no_relation"] or has(preposition, "npadvmod", "neg"):
        return  # "1 year after surgery", "not before the vote"
    manner = [c.lower_ for c in preposition.lefts if c.dep_ == "advmod" and c.lower_ in _WORDS["manner"]]
    before = preposition.nbor(-1) if preposition.i else preposition
    joined = before.dep_ == "prep" and before.head == preposition.head and not list(before.children)
    relation = _spaced(relation, before.lower_ if joined else "", *manner, preposition.lower_)  # "referred to as"
    for inner in preposition.children:
        longer = dependents(inner, "prep") if inner.lower_ in _WORDS["complex"] else []
        if inner.dep_ == "pobj" and longer:
            phrase = _spaced(relation, inner.lower_, longer[0].lower_)
            yield from ((phrase, t) for t in dependents(longer[0], "pobj"))
        elif inner.dep_ == "pobj" and inner.lower_ not in _WORDS["discourse_markers"]:
            yield relation, inner
        elif inner.dep_ == "prep":
            yield from ((_spaced(relation, inner.lower_), t) for t in dependents(inner, "pobj"))


def _short(direct: Token) -> str:
    """An object as a part of a relation; ``""`` if too long, a pronoun, coordinated or a share."""
    if direct.pos_ == "PRON" or has(direct, "conj"):
        return ""
    share = direct.like_num or direct.lower_ in _WORDS["shares"]  # "two thirds of", "9 percent of"
    if share and any(c.lower_ == "of" for c in direct.children):
        return ""
    words = core_words(direct)
    return write(words) if 0 < len(words) <= _MAX_BETWEEN else ""


def _spaced(*words: str) -> str:
    return " ".join(filter(None, words))


def _of_noun(noun: Token) -> Iterator[Found]:
    """Triples of appositions ("Oslo, the capital of Norway") and titles ("head librarian Samir Oakes")."""
    for child in dependents(noun, "appos"):
        if child.pos_ in NOMINAL and _fits(noun, child):
            name, other = (noun, child) if is_proper(noun) else (child, noun)
            for relation, end in _of_attribute(other, "be"):
                yield Found(name, relation, end)
            yield Found(name, "be", other)
    entity = entity_at(noun)
    if entity is not None and entity.label_ == "PERSON" and entity.root == noun:
        titles = [c for c in noun.lefts if c.dep_ in {"compound", "nmod"} and c.i < entity.start]
        if titles and titles[-1].i == entity.start - 1 and titles[-1].pos_ in NOMINAL:
            yield Found(noun, "be", titles[-1])


def _fits(noun: Token, other: Token) -> bool:
    """Whether an apposition equates two nouns, one of them a name; not "Oslo, Norway" or a list."""
    values = "value" in {kind_of(noun), kind_of(other)}
    listed = any(has(t, "conj", "cc") for t in (noun, other))
    return is_proper(noun) != is_proper(other) and not values and not listed
