"""What keeps a sentence from refuting a claim, though it may speak against it: it denies less, or asserts nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from language import lexicon as lex
from language.names import stem, tokens
from language.quantities.mentions import find_slots
from verifier.guard.lexicon import words
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure import assertion
from verifier.guard.structure.denial import clause_words, is_denial, is_negated
from verifier.guard.structure.pairing import Pairing, is_figure, is_wordy, phrase, predicate_of
from verifier.guard.text import rejects, text_of

if TYPE_CHECKING:
    from spacy.tokens import Token

_VERBAL = frozenset({"VERB", "AUX"})
_LIMITING = frozenset("because when until till before after if unless".split())
"""Words that open a clause to which a denial before it is limited."""
_QUANTIFIED = frozenset("some most many several few all every both half".split())
_COPULA = frozenset({"be", "have", "do", "become", "remain"})
_COMPLEMENTS = frozenset({"attr", "acomp", "dobj", "xcomp", "oprd", "prep"})
_OPEN_MODALS = frozenset({"may", "might", "should"})


def denies_less(pair: Pairing) -> Hit | None:
    """What the premise denies is limited, and the claim is not: "did not score in the first half"."""
    main = pair.main
    if main is None or is_denial(pair.claim.doc):
        return None
    verb = _verb_of(main)
    if not (is_negated(main) or is_negated(verb)):
        return None
    for child in (c for holder in {main, verb} for c in holder.children):
        if _limits(child) and any(not pair.in_claim(t) for t in _told(child)):
            return Hit(pair.claim_text, phrase(child, 8))
        if child.dep_ in {"nsubj", "nsubjpass"}:
            some = next((t for t in (child, *child.children) if t.lower_ in _QUANTIFIED), None)
            if some is not None:
                return Hit(pair.claim_text, f"{some.text} … not")
    return None


def _verb_of(token: Token) -> Token:
    return token if token.pos_ in _VERBAL else token.head


def _limits(child: Token) -> bool:
    """Whether a phrase or clause limits a denial: to a reason, a time or a part; where it happened limits nothing."""
    if child.dep_ == "advcl":
        opens = any(c.lower_ in _LIMITING for c in child.children if c.dep_ in {"mark", "advmod"})
        return opens and child.i > child.head.i
    if child.dep_ != "prep":
        return False
    ends = [t for t in child.subtree if t.dep_ == "pobj"]
    parts = any(t.ent_type_ in {"DATE", "TIME"} or t.lemma_.lower() in words("stretches") for t in ends)
    return child.lower_ == "because" or parts


def _told(token: Token) -> list[Token]:
    """The telling words under a token, without what is joined to it or set against it."""
    found = [token] if is_wordy(token) else []
    for child in token.children:
        if child.dep_ not in {"conj", "relcl", "appos"}:
            found += _told(child)
    return found


def denies_another_deed(pair: Pairing) -> Hit | None:
    """All that the premise denies is something that the claim does not speak of."""
    root = predicate_of(pair.claim)
    if root is None or is_denial(pair.claim.doc) or pair.counterparts(root):
        return None
    denied = list(_denied(pair))
    if not denied or any(pair.in_claim(t) for t in denied):
        return None
    return Hit(root.text, f"not {denied[0].text}")


def _denied(pair: Pairing) -> Iterator[Token]:
    """What is denied: the negated verb, or what it governs where it says nothing itself."""
    for token in pair.premise.doc:
        if token.dep_ == "neg" and token.head.pos_ in _VERBAL:
            yield from _telling(token.head)
        elif token.pos_ == "VERB" and token.lower_ in lex.DENIALS and not is_negated(token):
            yield from _governed(token) or [token]


def _telling(verb: Token) -> list[Token]:
    return [verb] if verb.lemma_ not in _COPULA else _governed(verb) or [verb]


def _governed(verb: Token) -> list[Token]:
    return [c for c in verb.children if c.dep_ in _COMPLEMENTS - {"prep"}]


def asserts_it_too(pair: Pairing) -> Hit | None:
    """The sentence denies the claim's deed of one case and asserts it of the claim's own."""
    if is_denial(pair.claim.doc):
        return None
    asserted = _asserted_beside(pair)
    return Hit(pair.claim_text, phrase(asserted, 8)) if asserted is not None else None


def denies_one_case(pair: Pairing) -> Hit | None:
    """A denial as a claim, and a sentence that denies one case or reason and asserts the deed itself."""
    if not is_denial(pair.claim.doc):
        return None
    asserted = _asserted_beside(pair)
    return Hit(pair.claim_text, phrase(asserted, 8)) if asserted is not None else None


def _asserted_beside(pair: Pairing) -> Token | None:
    """The claim's predicate where the premise asserts it, with the claim's figures, beside a denial of it."""
    root = predicate_of(pair.claim)
    if root is None:
        return None
    there = [pair.premise.doc[i] for i in sorted(pair.counterparts(root)) if pair.premise.doc[i].pos_ in _VERBAL]
    denied = [t for t in there if is_negated(t) or _fails(t)]
    if not denied:
        return None
    figures = [t for t in pair.claim.doc if is_wordy(t) and (is_figure(t) or t.ent_type_ in {"DATE", "TIME"})]
    own = {root.i, *(t.i for c in root.children if c.dep_ in {"nsubj", "nsubjpass"} for t in c.subtree)}
    told = figures or [t for t in pair.claim.doc if is_wordy(t) and t.i not in own]
    if any(_has(pair, verb, word) for verb in denied for word in told):
        return None
    asserted = (v for v in there if v not in denied and v.tag_ not in {"VB", "VBG"})
    return next((v for v in asserted if all(_has(pair, v, figure) for figure in figures)), None)


def _has(pair: Pairing, verb: Token, word: Token) -> bool:
    """Whether the clause of a verb of the premise has a word of the claim."""
    return bool(pair.counterparts(word) & {t.i for t in clause_words(verb)})


def _fails(verb: Token) -> bool:
    return verb.dep_ == "xcomp" and verb.head.lower_ in lex.DENIALS


def denied_twice(pair: Pairing) -> Hit | None:
    """Two denials in one clause: "no sample was without fluoride"."""
    if is_denial(pair.claim.doc) or text_of(pair.claim_text).cues:
        return None
    denying = (lex.NEGATIONS | lex.DENIALS) - {"nor"}
    cues = [t for t in pair.premise.doc if t.lower_ in denying]
    for one in cues:
        twin = next((t for t in cues if t.i > one.i and _clause(t) == _clause(one)), None)
        if twin is not None and not any(t.text in {",", ";", ":"} for t in pair.premise.doc[one.i : twin.i]):
            return Hit(pair.claim_text, f"{one.text} … {twin.text}")
    return None


def _clause(token: Token) -> int:
    return int(assertion.clause_of(token).i)


def of_another_group(pair: Pairing) -> Hit | None:
    """Opposite words for those of whom something is said ("in men", "in women"): both may be so."""
    for left, right in lex.OPPOSITES:
        for ours, others in ((left, right), (right, left)):
            mine = [t for t in pair.claim.doc if t.lower_ in ours]
            theirs = [t for t in pair.premise.doc if t.lower_ in others]
            if mine and theirs and all(_is_circumstance(t) for t in (*mine, *theirs)):
                return Hit(mine[0].text, theirs[0].text)
    return None


def _is_circumstance(token: Token) -> bool:
    return token.pos_ == "NOUN" and (token.dep_ == "pobj" or (token.dep_ == "conj" and token.head.dep_ == "pobj"))


def on_another_day(pair: Pairing) -> Hit | None:
    """Another date of what may happen again: who won in 2016 may have won in 2018."""
    root, main = predicate_of(pair.claim), pair.main
    if root is None or main is None or not pair.aligned or root.lemma_.lower() not in words("repeatable"):
        return None
    if is_negated(main) or rejects(pair.claim_text, pair.premise_text):
        return None
    sides = [find_slots(text) for text in (pair.claim_text, pair.premise_text)]
    mine, theirs = ([s for s in slots if s.kind == "date"] for slots in sides)
    alike = {s.value for s in sides[0] if s.kind != "date"} == {s.value for s in sides[1] if s.kind != "date"}
    if not mine or not theirs or not alike or {s.value for s in mine} & {s.value for s in theirs}:
        return None
    return Hit(mine[0].text.strip(), theirs[0].text.strip())


def told_by_another(pair: Pairing) -> Hit | None:
    """Somebody claims, plans or denies it, or says it of himself; what a source reports of others refutes, and that
    something failed or was refused is told by the page itself.
    """
    own = {t.lower_ for t in pair.claim.doc if t.pos_ == "PROPN"}
    found = assertion.only_claimed(pair)
    if found is None and (said := assertion.reported(pair)) is not None and own & set(tokens(said.evidence_value)):
        found = said
    failed = {stem(t.lower_) for t in pair.premise.doc if t.lemma_.lower() in words("failing")}
    return None if found is None or failed & {stem(w) for w in tokens(found.evidence_value)} else found


def only_open(pair: Pairing) -> Hit | None:
    """The premise says what may or should be."""
    main = pair.main
    if main is None:
        return None
    own = {t.lower_ for t in pair.claim.doc}
    found = (c for c in _verb_of(main).children if c.dep_ == "aux" and c.lower_ in _OPEN_MODALS - own)
    return next((Hit(main.text, f"{word.text} {main.text}") for word in found), None)


RULES: tuple[Rule[Pairing], ...] = rules_of(
    {
        "refutation.limited": denies_less,
        "refutation.other_deed": denies_another_deed,
        "refutation.asserted": asserts_it_too,
        "refutation.twice": denied_twice,
        "refutation.group": of_another_group,
        "refutation.told": told_by_another,
        "refutation.condition": assertion.only_conditional,
        "refutation.fiction": assertion.told_in_fiction,
        "refutation.another_day": on_another_day,
        "refutation.open": only_open,
        "negation.one_case": denies_one_case,
    }
)
"""Rules on what a sentence denies, and whether it asserts that."""
