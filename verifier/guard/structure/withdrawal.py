"""Statements of an earlier version that the premise tells only to withdraw them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.assertion import clause_of, embedders
from verifier.guard.structure.difference import surface_subject
from verifier.guard.structure.pairing import Pairing, phrase, words

if TYPE_CHECKING:
    from spacy.tokens import Token


def withdrawn(pair: Pairing) -> Hit | None:
    """The premise tells what an earlier version had wrongly said: that speaks against nothing but itself."""
    for token in pair.premise.doc:
        if is_withdrawal(token):
            return Hit(pair.claim_text, phrase(token, 8))
    return None


def is_withdrawal(verb: Token) -> bool:
    """Whether a verb tells what an earlier version or a mistaken report said."""
    if verb.pos_ != "VERB":
        return False
    if any(c.lower_ in words("mistakenly") for c in verb.children if c.dep_ == "advmod"):
        return True
    shared = surface_subject(verb)
    subjects = [c for c in verb.children if c.dep_ in {"nsubj", "nsubjpass"}] or ([shared] if shared else [])
    return any(
        s.lemma_.lower() in words("versions") and any(c.lower_ in words("earlier") for c in s.children)
        for s in subjects
    )


def withdrawn_support(pair: Pairing) -> Hit | None:
    """What an earlier version had wrongly said supports nothing."""
    main = pair.main
    if main is None:
        return None
    around = [main, clause_of(main), *embedders(main), *(t for t in main.ancestors)]
    return next((Hit(pair.claim_text, phrase(t, 8)) for t in around if is_withdrawal(t)), None)


RULES: tuple[Rule[Pairing], ...] = rules_of(
    {
        "difference.withdrawn": withdrawn,
        "assertion.withdrawn": withdrawn_support,
    }
)
"""Rules on withdrawn statements: they support nothing, and speak against nothing but themselves."""
