"""Of which time a statement holds: denials within a limit, stages of a thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.guard.lexicon import words
from verifier.guard.quantities import quantity_findings
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.denial import is_denial, is_negated
from verifier.guard.structure.pairing import Pairing, is_wordy, phrase, predicate_of
from verifier.guard.text import rejected_spans

if TYPE_CHECKING:
    from spacy.tokens import Token

    from language.types import Slot

_UP_TO = frozenset({"until", "till", "before"})
_ENDS = _UP_TO | {"since"}
_WITHIN = frozenset({"in", "at", "on", "for", "within", "during", "over", "throughout"})
_VERBAL = frozenset({"VERB", "AUX"})


def limited_refutation(pair: Pairing) -> Hit | None:
    """The premise denies the claim's deed up to a time, or in a part of it, that the claim does not name."""
    return None if is_denial(pair.claim.doc) else _narrower(pair)


def limited_denial(pair: Pairing) -> Hit | None:
    """The claim denies more than the premise does, which denies it up to a time or in a part of it."""
    return _narrower(pair) if is_denial(pair.claim.doc) else None


def _narrower(pair: Pairing) -> Hit | None:
    """The limit of the premise's denial of the claim's deed that the claim does not have."""
    denied = _denied(pair)
    if denied is None:
        return None
    for child in (c for holder in denied for c in holder.children):
        opener = _opener(child)
        if opener is not None and _is_new(pair, child, opener) and not _covers(pair, child, opener):
            return Hit(pair.claim_text, phrase(child, 8))
    return None


def _is_new(pair: Pairing, limit: Token, opener: str) -> bool:
    """Whether the claim has no such limit: none with "until" and its like, or not these words of a part."""
    if opener in _ENDS:
        return _ENDS.isdisjoint(t.lower_ for t in pair.claim.doc)
    return any(not pair.in_claim(t) for t in _told(limit))


def _covers(pair: Pairing, limit: Token, opener: str) -> bool:
    """Whether the claim's date lies within the time of a denial: March in "not until June", 2015 in "not since"."""
    inside = {t.i for t in limit.subtree}
    dates = [both for both, token in _rivals(pair) if token.i in inside]
    return opener in _ENDS and any((m.value < t.value) == (opener in _UP_TO) for m, t in dates)


def _denied(pair: Pairing) -> tuple[Token, ...] | None:
    """The premise's predicate that the claim has too, and its verb, where they are denied."""
    main = pair.main
    if main is None or not pair.aligned:
        return None
    verb = main if main.pos_ in _VERBAL else main.head
    holders = (main,) if verb.i == main.i else (main, verb)
    return holders if any(map(is_negated, holders)) else None


def _opener(child: Token) -> str | None:
    """The word by which a phrase or clause limits its verb to a time; ``None``: it does not."""
    if child.dep_ == "advcl":
        return next((c.lower_ for c in child.children if c.dep_ in {"mark", "advmod"} and c.lower_ in _UP_TO), None)
    ends = [c for c in child.children if c.dep_ == "pobj"] if child.dep_ == "prep" else []
    part = any(c.lemma_.lower() in words("stretches") for c in ends)
    dated = any(c.ent_type_ in {"DATE", "TIME"} for c in ends)
    limits = (child.lower_ in _WITHIN and part) or (child.lower_ == "since" and dated)
    return child.lower_ if limits or (ends and child.lower_ in _UP_TO) else None


def _told(token: Token) -> list[Token]:
    """The telling words under a token, without what is joined to it or set against it."""
    found = [token] if is_wordy(token) else []
    for child in token.children:
        if child.dep_ not in {"conj", "relcl", "appos"}:
            found += _told(child)
    return found


def another_stage(pair: Pairing) -> Hit | None:
    """Claim and premise date two stages of a thing, in their order: its beginning and its end or renewal."""
    root = predicate_of(pair.claim)
    if root is None or root.pos_ != "VERB" or any(pair.premise.doc[i].pos_ == "VERB" for i in pair.counterparts(root)):
        return None
    found = _rivals(pair)
    if len(found) != 1:
        return None
    ((mine, theirs), token) = found[0]
    verb = next((t for t in token.ancestors if t.pos_ in _VERBAL), token)
    later = _follows(verb, root) and mine.value < theirs.value
    earlier = _follows(root, verb) and theirs.value < mine.value
    return Hit(root.text, verb.text) if later or earlier else None


def _follows(later: Token, earlier: Token) -> bool:
    """Whether a verb tells of a later stage than another one: "closed" or "reopened" of what was "opened"."""
    one, other = earlier.lemma_.lower(), later.lemma_.lower()
    return other in {f"re{one}", f"re-{one}"} or (one in words("beginnings") and other in words("ends"))


def _rivals(pair: Pairing) -> list[tuple[tuple[Slot, Slot], Token]]:
    """The claim's date and the one that stands for it in the premise, with the first token of that; none where the
    premise rejects a value, since places are then those of the rest.
    """
    if rejected_spans(pair.premise_text):
        return []
    compared = quantity_findings(pair.claim_text, pair.premise_text)
    apart = [(slot, rival) for _, slot, rivals in compared for rival in rivals if slot.kind == "date"]
    doc = pair.premise.doc
    return [(both, t) for both in apart for t in doc if t.idx <= both[1].start < t.idx + len(t)]


RULES: tuple[Rule[Pairing], ...] = rules_of(
    {
        "scope.denial": limited_denial,
        "refutation.limited": limited_refutation,
        "difference.stage": another_stage,
    }
)
"""Rules on the times of which statements hold."""
