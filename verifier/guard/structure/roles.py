"""Of whom or what a predicate is said, and what a modifier takes away: a former minister is no minister."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.nlp.relations import RELATIVE
from language.quantities.mentions import find_slots
from verifier.guard.lexicon import words
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.pairing import Pairing, is_denominator, is_other_form, is_pronoun, phrase

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
    if not named and role == "subj" and filler.pos_ == "PROPN":
        return _by_another(pair, predicate, filler, theirs)
    if not named or is_pronoun(filler) or filler.like_num:
        return None
    if filler.dep_ in _BEFORE_NAMES:  # it fills the role with the name that it stands before, there as here
        there = [pair.premise.doc[i] for i in named if pair.premise.doc[i].dep_ in _BEFORE_NAMES]
        named |= {token.head.i for token in there} & pair.counterparts(filler.head)
    instead: Token | None = None
    for number in theirs:
        found = _instead(pair, number, named, role)
        if found is None:
            return None
        instead = found
    if instead is None:
        return None
    return Hit(f"{predicate.text} ({phrase(filler)})", phrase(instead))


def _by_another(pair: Pairing, predicate: Token, name: Token, theirs: list[int]) -> Hit | None:
    """A name of the claim that stands at most before the sentence, which says it of others by name."""
    doc, known = pair.premise.doc, {t.lower_ for t in name.subtree}
    named = [{i for i in pair.premise.predicates[n].subjects if doc[i].pos_ == "PROPN"} for n in theirs]
    if not all(named) or any(doc[i].lower_ in known for found in named for i in found):
        return None
    if any(is_other_form(pair, name, doc[i]) for found in named for i in found):
        return None
    return Hit(f"{predicate.text} ({phrase(name)})", phrase(doc[min(named[0])]))


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
    nouns = {i for i in mine if not is_pronoun(doc[i])}
    if not nouns or any(is_pronoun(doc[i]) and doc[i].lower_ not in RELATIVE for i in mine):
        return None
    return doc[min(nouns)]


def linked_otherwise(pair: Pairing) -> Hit | None:
    """A name that the premise ties to the claim's noun by another preposition: "of Egon" for "by Egon"."""
    for prep in pair.claim.doc:
        if prep.dep_ != "prep" or prep.lower_ not in _LINKS or prep.head.pos_ != "NOUN":
            continue
        heads = pair.counterparts(prep.head)
        for name in (c for c in prep.children if c.dep_ == "pobj" and c.pos_ == "PROPN"):
            links = [_link(pair.premise.doc[i], heads) for i in sorted(pair.counterparts(name))]
            if links and all(links) and prep.lower_ not in links:
                return Hit(f"{prep.text} {name.text}", f"{links[0]} {name.text}")
    return None


def _link(name: Token, heads: frozenset[int]) -> str:
    """The preposition by which a name depends on one of ``heads``; empty: by none."""
    node = name
    while node.dep_ in {"compound", "appos"}:
        node = node.head
    if node.dep_ == "poss" and node.head.i not in heads:
        return "'s"
    linked = node.dep_ == "pobj" and node.head.lower_ in _LINKS and node.head.head.i in heads
    return node.head.lower_ if linked else ""


def number_of_another(pair: Pairing) -> Hit | None:
    """A number of the claim that counts another thing of the premise, which names the claim's thing too. The day of a
    date counts nothing, nor do the parts of a share ("one in three") or the denominator of a rate.
    """
    slots = find_slots(pair.claim_text)
    apart = [s for s in slots if s.kind == "date" or (s.kind == "percentage" and " in " in s.text)]
    for token in pair.claim.doc:
        if not token.like_num or token.dep_ != "nummod" or any(s.start <= token.idx < s.end for s in apart):
            continue
        if token.i and is_denominator(token.doc[token.i - 1]):
            continue
        counted = token.head
        there = pair.counterparts(counted)
        numbers = [pair.premise.doc[i] for i in pair.counterparts(token)]
        if not there or not numbers or counted.like_num:
            continue
        if any(_counts(number, there) for number in numbers):
            continue
        return Hit(phrase(counted), phrase(numbers[0].head))
    return None


def _counts(number: Token, things: frozenset[int]) -> bool:
    """Whether a number counts one of ``things``: as its modifier, "of" it, or beside it in a list."""
    node = number
    for _ in range(4):
        if node.i in things:
            return True
        if any(c.dep_ == "prep" and c.lower_ == "of" and any(p.i in things for p in c.children) for c in node.children):
            return True
        climbs = {"nummod", "quantmod", "compound", "appos", "npadvmod", "amod", "nmod"}
        if node.dep_ not in climbs and not (node.dep_ == "conj" and node.like_num):
            return (
                node.dep_ in {"dobj", "attr", "nsubj", "nsubjpass", "ROOT", "pobj"}
                and node is number
                and (node.i + 1 == len(node.doc) or node.doc[node.i + 1].is_punct)
            )
        node = node.head
    return False


_BEFORE_NAMES = frozenset({"compound", "nmod"})
_LINKS = frozenset("of by from to for against over about with".split())
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
        "role.linked": linked_otherwise,
        "role.counted": number_of_another,
        "modifier.changing": changed_noun,
    }
)
"""Rules on who fills which role."""
