"""Whether a sentence has the claim's own statement only to deny it: "reports that the dam burst are false"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from language.names import stem
from verifier.guard.lexicon import words
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.assertion import only_conditional, told_in_fiction
from verifier.guard.structure.difference import another_subject
from verifier.guard.structure.pairing import Pairing, is_wordy, phrase, surface_subject

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CLAUSES = frozenset({"ccomp", "csubj", "csubjpass", "acl", "relcl", "xcomp", "pcomp", "advcl"})
_COMPLEMENTS = frozenset({"acomp", "attr", "oprd", "xcomp", "advmod"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "attr", "pobj"})
_NEVER, _NOBODY = frozenset({"no", "never", "hardly"}), frozenset({"nobody", "nothing", "nowhere"})
_SAID = 0.7
"""Least share of the denied clause's words that the claim has: what is denied is no more than it says."""
_HELD = 0.4
"""Least share of the claim's words that the denied clause has."""


def denied_statement(pair: Pairing) -> Hit | None:
    """A clause with the claim's predicate stands under a denial, or is called false."""
    main = pair.main
    if main is None or is_denial(pair.claim.doc):
        return None
    node = main
    while node.head.i != node.i:
        if node.dep_ in _CLAUSES and is_negated(node):
            return None
        if node.dep_ in _CLAUSES and (over := _denier(node)) is not None and _shared(pair, list(node.subtree)):
            return Hit(pair.claim_text, phrase(over, 6))
        node = node.head
    return None


def may_deny(text: str) -> bool:
    """Whether a text has a word of denying or of falsehood at all; only then is it worth a parse."""
    low = text.lower()
    return "n't" in low or "n’t" in low or not _signs().isdisjoint(map(stem, re.findall(r"[a-z]+", low)))


@cache
def _signs() -> frozenset[str]:
    """Stems of the words of denial, of true and of false."""
    told = words("denying") | words("false") | words("true") | words("none") | _NEVER | _NOBODY
    return frozenset(map(stem, told | {"truth", "made", "cannot", "withdrew", "withdrawn"}))


def _denier(clause: Token) -> Token | None:
    """What denies a clause: the verb or predicate above it, or that of the noun that it explains."""
    over = clause.head
    if _denying_verb(over) or _false(over):
        return over
    if over.pos_ not in {"NOUN", "PROPN"}:
        return None
    predicate = over.head
    if over.dep_ in _SUBJECTS and (_false(predicate) or _denying_verb(predicate)):
        return predicate
    if over.dep_ in {"dobj", "pobj"}:
        near = predicate if over.dep_ == "dobj" else predicate.head
        if _denying_verb(near) or (near.lower_ == "truth" and is_negated(near)):
            return near
    return None


def _denying_verb(token: Token) -> bool:
    return token.pos_ == "VERB" and token.lemma_.lower() in words("denying") and not is_negated(token)


def _false(token: Token) -> bool:
    """Whether a predicate calls its subject false: "is false", "is not true", "is made up"."""
    told = [token, *(c for c in token.children if c.dep_ in _COMPLEMENTS)]
    negated = any(is_negated(t) for t in told)
    lemmas = {t.lemma_.lower() for t in told} | {t.lower_ for t in told}
    made_up = token.lemma_ == "make" and any(c.dep_ == "prt" and c.lower_ == "up" for c in token.children)
    if (made_up or lemmas & words("false")) and not negated:
        return True
    return negated and bool(lemmas & words("true"))


def is_negated(token: Token) -> bool:
    """Whether a verb or noun is denied by a word of its own, or by a subject or object of which there is none."""
    return any(c.dep_ == "neg" or c.lower_ in _NEVER or (c.dep_ in _ARGUMENTS and _is_none(c)) for c in token.children)


def _is_none(noun: Token) -> bool:
    """Whether a noun phrase is of no thing: "nobody", "no tram", "none of the trams", "not a single tram"."""
    own = {c.lower_ for c in noun.children} | {noun.lower_}
    return bool(own & (_NOBODY | {"no", "none", "neither"})) or own >= {"not", "single"}


def denied_plainly(pair: Pairing) -> Hit | None:
    """The claim's own predicate is denied of what the claim says it of, in the claim's words."""
    main = pair.main
    if main is None or not pair.aligned or is_denial(pair.claim.doc):
        return None
    verb = main if main.pos_ in {"VERB", "AUX"} else main.head
    if not (is_negated(main) or is_negated(verb)):
        return None
    if surface_subject(verb) is None or any(t.lower_ in words("excepting") for t in verb.subtree):
        return None
    if _denied_above(verb) or only_conditional(pair) or told_in_fiction(pair):
        return None
    clause = list(clause_words(verb))
    if any(_counts(t) and not pair.in_claim(t) for t in clause):
        return None
    if not _shared(pair, clause) or another_subject(pair) is not None:
        return None
    return Hit(pair.claim_text, phrase(verb, 8))


def _denied_above(verb: Token) -> bool:
    """Whether the denial itself stands under one: "that nobody was hurt is false"."""
    clauses = (t for t in (verb, *verb.ancestors) if t.dep_ in _CLAUSES)
    return any(_denier(clause) is not None for clause in clauses)


def is_denial(doc: Doc) -> bool:
    """Whether a statement denies something, or calls it false."""
    own = words("denying") | words("false")
    none = words("none") | _NOBODY
    return any(t.dep_ == "neg" or t.lower_ in none or t.lemma_.lower() in own for t in doc)


def _counts(token: Token) -> bool:
    return is_wordy(token) and (token.like_num or token.ent_type_ in {"DATE", "TIME"})


def clause_words(verb: Token) -> Iterator[Token]:
    """The words of a verb's clause, without clauses beside and below it."""
    yield verb
    for child in verb.children:
        if child.dep_ not in _CLAUSES | {"conj", "parataxis"}:
            yield from child.subtree


def _shared(pair: Pairing, clause: list[Token]) -> bool:
    """Whether a clause of the premise says what the claim says, and hardly more."""
    inside = {t.i for t in clause}
    said = [t for t in clause if is_wordy(t)]
    claim = [t for t in pair.claim.doc if is_wordy(t)]
    held = sum(bool(pair.counterparts(t) & inside) for t in claim)
    told = sum(pair.in_claim(t) for t in said)
    return bool(said) and told >= _SAID * len(said) and held >= _HELD * len(claim)


RULES: tuple[Rule[Pairing], ...] = rules_of({"denial.statement": denied_statement, "denial.plain": denied_plainly})
"""Rules on denials of the whole statement."""
