"""When it holds: what a sentence tells of the past says nothing of what is so now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.assertion import clause_of
from verifier.guard.structure.pairing import Pairing, predicate_of

if TYPE_CHECKING:
    from spacy.tokens import Token

_PRESENT, _PAST = frozenset({"VBZ", "VBP"}), frozenset({"VBD"})


def no_longer_told(pair: Pairing) -> Hit | None:
    """The claim says that something is so; the premise tells of the past alone."""
    root = predicate_of(pair.claim)
    main = pair.main
    if root is None or main is None or not pair.aligned:
        return None
    mine, theirs = finite_of(root), finite_of(main)
    if mine is None or theirs is None or mine.tag_ not in _PRESENT or theirs.tag_ not in _PAST:
        return None
    if _is_event(mine, root):
        return None
    return Hit(f"{mine.text} {root.text}" if mine.i != root.i else root.text, theirs.text)


def finite_of(token: Token) -> Token | None:
    """The verb that gives a predicate its tense: itself, its first auxiliary, its copula; ``None``: none."""
    node = token
    for _ in range(8):
        if node.dep_ in {"appos", "amod", "compound"}:
            return None
        auxiliaries = [c for c in node.children if c.dep_ in {"aux", "auxpass"} and c.tag_ in _PRESENT | _PAST | {"MD"}]
        if auxiliaries:
            return auxiliaries[0]
        if node.tag_ in _PRESENT | _PAST:
            return node
        if node.head.i == node.i:
            return None
        if node.dep_ == "conj" and node.tag_ == "VBN":
            node = node.head
            continue
        node = node.head if node.pos_ not in {"VERB", "AUX"} else clause_of(node).head
    return None


def _is_event(finite: Token, root: Token) -> bool:
    """A present perfect or a passive that tells of an event ("has closed", "is built in 1921")."""
    if finite.lemma_ == "have" and finite.dep_ in {"aux", "auxpass"}:
        return not any(c.dep_ == "prep" and c.lower_ == "since" for c in root.children)
    return False


RULES: tuple[Rule[Pairing], ...] = rules_of(
    {
        "time.ended": no_longer_told,
    }
)
"""Rules on the time of a state."""
