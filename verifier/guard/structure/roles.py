"""Of whom or what a predicate is said, and what a modifier takes away: a former minister is no minister."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.guard.lexicon import words
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.pairing import Pairing, is_pronoun, phrase

if TYPE_CHECKING:
    from spacy.tokens import Token


def argument_elsewhere(pair: Pairing) -> Hit | None:
    """A subject or object of the claim that the premise names, but not in this role of the same predicate."""
    for number, arguments in pair.claim.predicates.items():
        predicate = pair.claim.doc[number]
        theirs = [p for p in pair.counterparts(predicate) if p in pair.premise.predicates]
        if not theirs:
            continue
        for role in ("subj", "obj"):
            for filler in sorted(arguments.of(role)):
                hit = _misplaced(pair, predicate, pair.claim.doc[filler], role, theirs)
                if hit is not None:
                    return hit
    return None


def _misplaced(pair: Pairing, predicate: Token, filler: Token, role: str, theirs: list[int]) -> Hit | None:
    named = pair.counterparts(filler)
    if not named or is_pronoun(filler) or filler.like_num:
        return None
    instead: Token | None = None
    for number in theirs:
        found = _instead(pair, number, named, role)
        if found is None:
            return None
        instead = found
    if instead is None:
        return None
    return Hit(f"{predicate.text} ({phrase(filler)})", phrase(instead))


def _instead(pair: Pairing, number: int, named: frozenset[int], role: str) -> Token | None:
    """What fills the role in the premise in place of ``named``; ``None``: the same, or not told."""
    doc, arguments = pair.premise.doc, pair.premise.predicates[number]
    mine, other = arguments.of(role), arguments.of("obj" if role == "subj" else "subj")
    if named & mine or number in named:
        return None
    if not mine:
        if not other or named & other:
            return None
        mine = other if not arguments.objects or not arguments.subjects else mine
    if not mine or any(is_pronoun(doc[i]) for i in mine):
        return None
    return doc[min(mine)]


_STEP_OVER = frozenset({"-", "–", ","})
_REACH = 6


def changed_noun(pair: Pairing) -> Hit | None:
    """A noun of the claim that the premise has only behind a modifier which changes what it is."""
    for token in pair.claim.doc:
        if token.pos_ not in {"NOUN", "PROPN"}:
            continue
        there = [pair.premise.doc[i] for i in pair.counterparts(token) if pair.premise.doc[i].pos_ != "VERB"]
        if not there:
            continue
        own = {w.lower_ for w in modifiers_of(token)}
        changed = [m for m in (_changing(t, own) for t in there) if m]
        if len(changed) == len(there):
            return Hit(token.text, f"{changed[0]} {token.text}")
    return None


def _changing(token: Token, own: set[str]) -> str:
    """The modifier of ``token`` that changes what it is and that the claim does not have; empty: none."""
    for word in modifiers_of(token):
        if word.lower_ in own:
            continue
        if word.lower_ in words("changing_modifiers"):
            return word.text
        if word.dep_ == "compound" and word.pos_ == "NOUN" and token.lemma_.lower() in words("titles"):
            return word.text
    return ""


def modifiers_of(token: Token) -> list[Token]:
    """Words that modify a noun, by the parse and by standing right before it or behind a hyphen."""
    found = {c.i: c for c in token.children if c.dep_ in {"amod", "compound", "nmod", "advmod"}}
    at = token.i - 1
    while at >= max(0, token.i - _REACH):
        word = token.doc[at]
        if word.lower_ not in _STEP_OVER and word.pos_ not in {"ADJ", "NOUN", "ADV", "VERB", "X"}:
            break
        if word.pos_ == "VERB" and word.tag_ not in {"VBN", "VBG"}:
            break
        if word.lower_ not in _STEP_OVER and (word.dep_ != "nsubj" or token.doc[at + 1].lower_ == "-"):
            found[word.i] = word
        at -= 1
    behind = token.doc[token.i + 1 : token.i + 3]
    if (len(behind) == 2 and behind[0].text == "-") or (len(behind) and behind[0].lower_ in {"elect", "emeritus"}):
        found |= {w.i: w for w in behind if w.is_alpha}
    return [found[i] for i in sorted(found)]


RULES: tuple[Rule[Pairing], ...] = rules_of(
    {
        "role.argument": argument_elsewhere,
        "modifier.changing": changed_noun,
    }
)
"""Rules on who fills which role."""
