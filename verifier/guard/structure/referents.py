"""Whom a pronoun means: only the one candidate that the text offers may be taken for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.nlp.relations import relations_of
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.pairing import Pairing

if TYPE_CHECKING:
    from spacy.tokens import Token

_PERSON = frozenset({"he", "she", "him", "her", "his"})


def pronoun_of_another(pair: Pairing) -> Hit | None:
    """The premise says of "she" what the claim says of a name, and more than one person may be meant."""
    for number, arguments in pair.claim.predicates.items():
        theirs = [p for p in pair.counterparts(pair.claim.doc[number]) if p in pair.premise.predicates]
        for role in ("subj", "obj"):
            names = [pair.claim.doc[i] for i in arguments.of(role) if pair.claim.doc[i].pos_ == "PROPN"]
            for place in theirs:
                pronouns = [
                    pair.premise.doc[i]
                    for i in pair.premise.predicates[place].of(role)
                    if pair.premise.doc[i].lower_ in _PERSON
                ]
                if names and pronouns and (hit := _not_the_one(pair, names[0], pronouns[0])):
                    return hit
    return None


def _not_the_one(pair: Pairing, name: Token, pronoun: Token) -> Hit | None:
    people = people_before(pair, pronoun)
    others = [p for p in people if not _shares(p, name)]
    if not people or not others:
        return None
    return Hit(name.text, f"{pronoun.text} ({' or '.join(sorted(people))})")


def people_before(pair: Pairing, pronoun: Token) -> list[str]:
    """Names of people before the pronoun, or in the context; short forms of one name are one."""
    found = _people(pair.premise.doc[: pronoun.i].ents)
    if pair.context:
        found += _people(relations_of(pair.context).doc.ents)
    kept: list[str] = []
    for name in sorted(set(found), key=len, reverse=True):
        if not any(set(name.split()) & set(other.split()) for other in kept):
            kept.append(name)
    return kept


def _people(entities: object) -> list[str]:
    return [e.text.removesuffix("'s").removesuffix("’s") for e in entities if e.label_ == "PERSON"]  # type: ignore[attr-defined]


def _shares(person: str, name: Token) -> bool:
    words = {w.lower() for w in person.split()}
    return name.lower_ in words or any(c.lower_ in words for c in name.children if c.dep_ == "compound")


RULES: tuple[Rule[Pairing], ...] = rules_of(
    {
        "referent.pronoun": pronoun_of_another,
    }
)
"""Rules on who is meant."""
