"""What a sentence that denies a claim's deed asserts itself: nothing, or the deed in another case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language import lexicon as lex
from language.names import tokens
from verifier.guard.lexicon import words
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.assertion import only_claimed, only_conditional, told_in_fiction
from verifier.guard.structure.denial import clause_words, is_denial, is_negated
from verifier.guard.structure.pairing import Pairing, is_figure, is_wordy, phrase, predicate_of

if TYPE_CHECKING:
    from spacy.tokens import Token


def not_asserted(pair: Pairing) -> Hit | None:
    """The contrary of the claim stands in a claim of somebody's, a condition or a tale; that something failed or was
    refused is told by the page itself.
    """
    claimed = only_claimed(pair)
    if claimed is not None and words("failing").isdisjoint(tokens(claimed.evidence_value)):
        return claimed
    return only_conditional(pair) or told_in_fiction(pair)


def asserts_it_too(pair: Pairing) -> Hit | None:
    """The sentence denies the claim's deed of one case and asserts it of the claim's own."""
    return None if is_denial(pair.claim.doc) else _asserted_beside(pair)


def denies_one_case(pair: Pairing) -> Hit | None:
    """A denial as a claim, and a sentence that denies one case or reason and asserts the deed itself."""
    return _asserted_beside(pair) if is_denial(pair.claim.doc) else None


def _asserted_beside(pair: Pairing) -> Hit | None:
    """The claim's predicate where the premise asserts it, with the claim's figures, beside a denial of it."""
    root = predicate_of(pair.claim)
    if root is None:
        return None
    there = [pair.premise.doc[i] for i in sorted(pair.counterparts(root))]
    there = [t for t in there if t.pos_ in {"VERB", "AUX"}]
    denied = [t for t in there if is_negated(t) or (t.dep_ == "xcomp" and t.head.lower_ in lex.DENIALS)]
    figures = [t for t in pair.claim.doc if is_wordy(t) and (is_figure(t) or t.ent_type_ in {"DATE", "TIME"})]
    own = {root.i, *(t.i for c in root.children if c.dep_ in {"nsubj", "nsubjpass"} for t in c.subtree)}
    told = figures or [t for t in pair.claim.doc if is_wordy(t) and t.i not in own]
    if not denied or any(_has(pair, verb, word) for verb in denied for word in told):
        return None
    asserted = (v for v in there if v not in denied and v.tag_ not in {"VB", "VBG"})
    found = next((v for v in asserted if all(_has(pair, v, figure) for figure in figures)), None)
    return Hit(pair.claim_text, phrase(found, 8)) if found is not None else None


def _has(pair: Pairing, verb: Token, word: Token) -> bool:
    """Whether the clause of a verb of the premise has a word of the claim."""
    return bool(pair.counterparts(word) & {t.i for t in clause_words(verb)})


def another_of_its_kind(pair: Pairing) -> Hit | None:
    """The claim tells of a thing that it has not named before ("a branch") with a place or a time, and the premise of
    one in another place or at another time: there may be both, unless it is said to be the only one.
    """
    if is_denial(pair.claim.doc):
        return None
    for noun in pair.claim.doc:
        unnamed = any(c.dep_ == "det" and c.lower_ in {"a", "an", "another"} for c in noun.children)
        there = [pair.premise.doc[i] for i in pair.counterparts(noun)]
        alone = any(c.lower_ in {"only", "sole", "single"} for t in there for c in t.children)
        if noun.dep_ not in {"nsubj", "nsubjpass", "dobj"} or not unnamed or alone or not there:
            continue
        for prep in (t for t in noun.head.subtree if t.dep_ == "prep"):
            ends = [t for t in prep.children if t.dep_ == "pobj" and (t.pos_ == "PROPN" or t.ent_type_ == "DATE")]
            if ends and not any(pair.counterparts(end) for end in ends):
                return Hit(phrase(noun, 8), phrase(prep, 8))
    return None


RULES: tuple[Rule[Pairing], ...] = rules_of(
    {
        "refutation.unasserted": not_asserted,
        "refutation.asserted": asserts_it_too,
        "refutation.another": another_of_its_kind,
        "negation.one_case": denies_one_case,
    }
)
"""Rules on what a denying sentence asserts."""
