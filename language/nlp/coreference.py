"""Coreference by rules: what a pronoun may stand for, and the one candidate that it does stand for, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from language.lexicon import NAMED_THINGS, ROLE_NOUNS, WORDS
from language.nlp.syntax import NOMINAL, PLURAL, SUBJECTS, TIMES, dependents, has

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


Kind = Literal["person", "thing", "many"]
KINDS: dict[str, Kind] = {
    **dict.fromkeys(("he", "she", "his", "her"), "person"),
    **dict.fromkeys(("it", "its"), "thing"),
    **dict.fromkeys(("they", "their"), "many"),
}
OBJECTIVE: dict[str, Kind] = {"him": "person", "them": "many"}
PERSONAL = frozenset(word for word, kind in (KINDS | OBJECTIVE).items() if kind == "person")
POSSESSIVE = frozenset({"his", "her", "its", "their"})
_ANTECEDENT_ROLES = frozenset({"nsubj", "nsubjpass", "dobj"})


@dataclass(frozen=True)
class Mention:
    """A mention in the input: place (block, token), kind and words."""

    block: int
    index: int
    kind: Kind
    key: str
    text: str
    may_be: frozenset[Kind]
    """Other kinds it could be, should the parse be wrong."""


def find_mentions(docs: tuple[Doc, ...], write: Callable[[Token], str]) -> tuple[Mention, ...]:
    """All candidates of an input, in order; ``write`` gives the words of a noun's phrase."""
    return tuple(
        Mention(block, token.i, kind, token.lemma_.lower(), _definite(write(token), token), _may_be(token, kind))
        for block, doc in enumerate(docs)
        for token in doc
        if (kind := _kind(token)) is not None
    )


def _kind(token: Token) -> Kind | None:
    if token.pos_ not in NOMINAL or token.ent_type_ in TIMES | {"PERCENT", "MONEY", "CARDINAL"}:
        return None
    person = token.ent_type_ == "PERSON" and not _names_a_thing(token)
    if person and token.dep_ not in {"compound", "appos", "conj"} and token.tag_ == "NNP":
        return "many" if has(token, "conj") else "person"
    role = token.lemma_.lower() in ROLE_NOUNS and token.dep_ in {"pobj", "dative"}
    if _named_inside(token):
        return "thing"
    if token.dep_ not in _ANTECEDENT_ROLES and not role:
        return None
    if has(token, "conj") or token.tag_ in PLURAL:
        return "many"
    return "person" if person or token.lemma_.lower() in ROLE_NOUNS else "thing"


def _names_a_thing(token: Token) -> bool:
    """Whether a name's last word shows that it is no person ("Corbel Bridge")."""
    before = [c for c in token.children if c.dep_ == "compound" and c.i < token.i]
    plain = any(c.tag_ == "NN" and c.lower_ in NAMED_THINGS for c in before)
    return plain or (bool(before) and token.lower_ in NAMED_THINGS)


def _named_inside(token: Token) -> bool:
    """A named thing within a candidate ("the refurbishment of the Tollgate Library")."""
    named = token.pos_ == "PROPN" and token.ent_type_ not in {"GPE", "PERSON", "NORP"}
    within = token.dep_ == "pobj" and token.head.lower_ == "of"
    return named and within and token.head.head.dep_ in _ANTECEDENT_ROLES


def _may_be(token: Token, kind: Kind) -> frozenset[Kind]:
    """Other kinds of a bare name: person or company; "Marks and Spencer" one thing."""
    thing = _names_a_thing(token) and token.ent_type_ != "PERSON"
    name = token.pos_ == "PROPN" and token.ent_type_ in {"PERSON", "ORG", "PRODUCT", "WORK_OF_ART", ""}
    open_ = name and not thing and (kind == "thing" or not has(token, "compound"))
    return frozenset({kind, "person", "thing"} if open_ else {kind})


def _definite(text: str, token: Token) -> str:
    first = token.left_edge
    if first.lower_ in {"a", "an"}:
        return "the" + text[len(first.text) :]
    return text[:1].lower() + text[1:] if first.pos_ in {"DET", "PRON"} else text


def antecedent(kind: Kind, before: Sequence[Mention]) -> Mention | None:
    """The one candidate of a kind, in its longest form; ``None`` where two are possible."""
    candidates = {m.key for m in before if kind in m.may_be}
    certain = {m.key for m in before if m.kind == kind}
    mixed = kind == "many" and any(m.kind == "person" for m in before)
    if len(candidates) != 1 or candidates != certain or mixed:
        return None
    return max((m for m in before if m.kind == kind), key=lambda m: (len(m.text), -m.block, -m.index))


def stands_for_nothing(token: Token) -> bool:
    """Whether a pronoun is expletive: "there is", "it is true that", "it rained"."""
    subject = token.dep_ in SUBJECTS
    return token.dep_ == "expl" or (token.lower_ == "it" and subject and is_expletive(token.head))


def is_expletive(verb: Token) -> bool:
    """Whether "it" is expletive ("It is true that …", "It rains", "It was Ida Holm who …")."""
    if any(c.i > verb.i for c in dependents(verb, "ccomp", "csubj")):
        return True
    # a name picked out by a cleft: "It was Ida Holm who opened the pool"
    if verb.lemma_ == "be" and any(c.pos_ == "PROPN" and has(c, "relcl") for c in dependents(verb, "attr")):
        return True
    if verb.lemma_.lower() not in WORDS["expletive"]:
        return False
    measured = any(c.dep_ == "acomp" and has(c, "npadvmod") for c in verb.children)
    return not measured and not has(verb, "attr", "auxpass")
