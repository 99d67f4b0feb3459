"""What a modifier takes away: a former, fake or deputy minister is no minister."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.lexicon import words
from verifier.guard.structure.pairing import Pairing

if TYPE_CHECKING:
    from spacy.tokens import Token

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
        "modifier.changing": changed_noun,
    }
)
"""Rules on modifiers."""
