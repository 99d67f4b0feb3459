"""Open information extraction by rules over a dependency parse.

Covers active and passive verbs, copulas, appositions and titles. Each rule reads a head and its children;
no triple where a subject is unclear.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidence.graph.clauses import (
    NOUNS,
    governors,
    has_no,
    is_hedged,
    is_negated,
    is_unreal,
    saying_of,
    subjects_of,
)
from evidence.graph.phrases import base_form, core_words, entity_at, in_brackets, is_proper, kind_of, write
from language.nlp.relations import is_passive
from language.nlp.syntax import AUXILIARIES, NOMINAL, SUBJECTS, TIMES, VERBAL, chain, dependents, has
from language.wordlists import word_classes

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_WORDS = word_classes("evidence.graph")

RULES_VERSION = "6"
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
    """All triples of a parsed sentence, in order; none of a question."""
    if doc.text.rstrip().endswith("?"):
        return []
    found: list[Found] = []
    for token in doc:
        if token.sent.root.pos_ not in VERBAL:  # a heading or a list
            continue
        if token.pos_ in VERBAL and token.dep_ not in AUXILIARIES:
            found.extend(_of_verb(token))
        elif token.pos_ in NOMINAL:
            found.extend(_of_noun(token))
    return found


def _of_verb(verb: Token) -> Iterator[Found]:
    subjects = subjects_of(verb)
    says = base_form(verb) in _WORDS["saying"] | _WORDS["denying"] and has(verb, "ccomp", "parataxis")
    if is_unreal(verb) or says or (verb.dep_ == "parataxis" and base_form(verb) in _WORDS["saying"]):
        return
    passive = is_passive(verb)
    negated, hedged = is_negated(verb), is_hedged(verb)
    sayer, denied = saying_of(verb)
    named = {c.dep_: c for c in dependents(verb, "dobj", "oprd")}
    if not passive and base_form(verb) in _WORDS["calling"] and len(named) == 2 and subjects:
        lemma = base_form(verb)
        called = "made" if lemma == "make" else f"{lemma}d" if lemma.endswith("e") else f"{lemma}ed"
        yield Found(named["dobj"], f"be {called}", named["oprd"], negated, hedged, subjects[0])
    compared = any(_is_compared(c) for c in dependents(verb, "dobj", *SUBJECTS))
    for relation, target in _complements(verb, passive):
        is_agent = target.head.dep_ == "agent" and target.head.head == verb
        if compared or in_brackets(target, verb) or _is_compared(target):
            continue
        # conjuncts of the same kind, without amounts of other parts
        alike = [e for e in chain(target, NOUNS) if kind_of(target) == "value" or kind_of(e) != "value"]
        for end in [target] if relation.endswith("between") else alike:
            for subject in subjects:
                if _is_restricted(subject, verb) or subject.pos_ == "NUM" or in_brackets(subject, verb):
                    continue
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
    relation = relation_of(verb, passive)
    direct = next(iter(dependents(verb, "dobj", "attr")), None)
    if not passive and base_form(verb) in _WORDS["calling"] and has(verb, "oprd", "ccomp"):
        return
    if direct is not None and has(verb, "xcomp", "ccomp") and base_form(verb) in _WORDS["letting"]:
        return
    dative = next((c for c in verb.children if c.dep_ == "dative" and c.pos_ != "ADP"), None)
    giving = base_form(verb) in _WORDS["giving"]
    for child in verb.children:
        if dative is not None and not giving and child == direct:
            yield relation, dative
        elif child.dep_ in {"dobj", "attr", "oprd"}:
            if child.dep_ == "attr" and base_form(verb) in _COPULAS:
                yield from _of_attribute(child, relation)
            if not (child.lower_ in _WORDS["light_objects"] and base_form(verb) in {"take", "make", "play", "give"}):
                yield relation, child
        elif child.dep_ == "agent":
            yield from ((_verb_words(verb, False), inner) for inner in dependents(child, "pobj"))
        elif child.dep_ == "prep" or (child.dep_ == "dative" and child.pos_ == "ADP"):
            state = _state_before(verb, child) if direct is None else ""
            yield from _of_preposition(f"{relation} {state}".strip(), child, direct)
        elif child.dep_ == "npadvmod":
            yield from _of_measure(relation, child, direct)
        elif child.dep_ == "acomp":
            for inner in dependents(child, "prep"):
                yield from _of_preposition(f"{relation} {child.lower_}", inner, None)
    if dative is not None and giving and direct is not None and (between := _short(direct)):
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


def _of_preposition(relation: str, preposition: Token, direct: Token | None) -> Iterator[tuple[str, Token]]:
    word = preposition.lower_
    if word in _WORDS["no_relation"] or has(preposition, "npadvmod", "neg"):
        return  # "1 year after surgery", "not before the vote"
    manner = [c.lower_ for c in preposition.lefts if c.dep_ == "advmod" and c.lower_ in _WORDS["manner"]]
    word = " ".join([*manner, word])
    before = preposition.nbor(-1) if preposition.i else preposition
    if before.dep_ == "prep" and before.head == preposition.head and not list(before.children):
        word = f"{before.lower_} {word}"  # "referred to as"
    between = _short(direct) if direct is not None else ""
    if direct is not None and not between:
        return
    for inner in preposition.children:
        longer = dependents(inner, "prep") if inner.lower_ in _WORDS["complex"] else []
        if inner.dep_ == "pobj" and longer:
            phrase = _spaced(relation, between, word, inner.lower_, longer[0].lower_)
            yield from ((phrase, t) for t in dependents(longer[0], "pobj"))
        elif inner.dep_ == "pobj" and inner.lower_ not in _WORDS["discourse_markers"]:
            yield _spaced(relation, between, word), inner
        elif inner.dep_ == "prep":
            yield from ((_spaced(relation, between, word, inner.lower_), t) for t in dependents(inner, "pobj"))


def _of_measure(relation: str, measure: Token, direct: Token | None) -> Iterator[tuple[str, Token]]:
    """Triples of bare days and amounts ("reopened last Friday", "rose 35 percent")."""
    if kind_of(measure) != "value":
        return
    between = _short(direct) if direct is not None else ""
    if direct is not None and not between:
        return
    if any(c.lower_ in {"every", "each", "a", "an", "per"} for c in measure.children):
        return
    yield _spaced(relation, between, "on" if measure.ent_type_ in TIMES else ""), measure


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
    if is_unreal(noun):
        return
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
    if "value" in {kind_of(noun), kind_of(other)}:
        return False
    if is_proper(noun) == is_proper(other):
        return False
    return not any(has(t, "conj", "cc") for t in (noun, other))
