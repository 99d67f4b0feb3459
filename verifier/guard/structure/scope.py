"""What may not be left out: restrictions ("the tallest in the valley"), the time of a state, whom a pronoun means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.nlp.relations import relations_of
from verifier.guard.lexicon import words
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.assertion import clause_of
from verifier.guard.structure.pairing import Pairing, is_denominator, is_wordy, keys_of, phrase, predicate_of

if TYPE_CHECKING:
    from spacy.tokens import Token


_BEFORE = frozenset({"amod", "compound", "nmod", "poss"})
_RESTRICTING = _BEFORE | {"prep", "acl", "relcl", "xcomp"}
_FOR_ALL = frozenset({"all", "every", "each"})
"""Words that one another may stand for."""
_LASTING = frozenset({"year", "decade", "century", "month", "week", "season", "generation"})
_STATE = frozenset("for in at on during among within to with under above below against by from outside inside".split())


def range_of_superlative(pair: Pairing) -> Hit | None:
    """Among what something is first, best, only or all: where the premise restricts, so must the claim."""
    for token in pair.claim.doc:
        if not is_universal(token):
            continue
        alike = _FOR_ALL if token.lower_ in _FOR_ALL else {token.lower_}
        there = [pair.premise.doc[i] for i in pair.counterparts(token)] or [
            t for t in pair.premise.doc if t.lower_ in alike
        ]
        hits = [h for h in (_wider(pair, token, t) for t in there) if h is not None]
        if there and len(hits) == len(there):
            return hits[0]
    return None


def is_universal(token: Token) -> bool:
    """A superlative, an ordinal rank, "only", or a word for all or none; but "every 1,000" tells a rate."""
    return token.tag_ in {"JJS", "RBS"} or (token.lower_ in words("universal") and not is_denominator(token))


def _wider(pair: Pairing, mine: Token, theirs: Token) -> Hit | None:
    """What restricts the superlative in the premise and is not in the claim."""
    if mine.lower_ == "only" and (elsewhere := _limited_elsewhere(pair, mine, theirs)) is not None:
        return elsewhere
    attached = theirs.dep_ in {"amod", "advmod", "det", "predet", "nummod"}
    head = theirs.head if attached else theirs
    claimed = mine.head if mine.dep_ in {"amod", "predet"} else mine
    for extra in _restrictions(theirs, head):
        telling = [t for t in _telling(extra) if not (t.like_num and mine.lower_ in _FOR_ALL)]  # "every one of the 40"
        if any(not pair.in_claim(t) for t in telling) or _is_reach(pair, extra):
            return Hit(phrase(claimed), phrase(extra))
    if any(c.lower_ == "other" for c in head.children) and not any(t.lower_ == "other" for t in pair.claim.doc):
        return Hit(phrase(claimed), f"{theirs.text} other")
    if attached and head.pos_ == "NOUN" and not pair.in_claim(head) and (not _alike(mine) or _narrower(mine, head)):
        return Hit(phrase(claimed), phrase(head))
    if _among(head) and not any(_among(t) for t in pair.claim.doc):
        return Hit(phrase(claimed), f"{head.head.head.text} of {phrase(head)}")
    return None


def _alike(mine: Token) -> bool:
    """Whether the claim gives the superlative a noun of its own, so that another word may stand there."""
    return mine.dep_ in {"amod", "det"} and mine.head.pos_ in {"NOUN", "PROPN"}


def _narrower(mine: Token, theirs: Token) -> bool:
    """Whether the claim ranks among all there are ("the first person"), the premise among some ("the first woman")."""
    widest = words("widest")
    return mine.head.lemma_.lower() in widest and theirs.lemma_.lower() not in widest


def _limited_elsewhere(pair: Pairing, mine: Token, theirs: Token) -> Hit | None:
    """Whether "only" limits another word there, though the premise has the claim's: "only at night", "only owls"."""
    own, other = _limited(mine), _limited(theirs)
    if own is None or other is None or keys_of(own) & keys_of(other) or not pair.counterparts(own):
        return None
    return Hit(f"only {own.text}", f"only {other.text}")


def _limited(only: Token) -> Token | None:
    """The word that "only" limits, the next telling one; ``None`` before a verb, where it may be any."""
    following = next((t for t in only.doc[only.i + 1 :] if is_wordy(t)), None)
    adjective = only.i > 0 and only.doc[only.i - 1].lower_ in {"the", "an", "its", "their", "his", "her", "our"}
    if following is None or adjective or following.pos_ in {"VERB", "AUX"} or following.head.i == following.i:
        return None
    return following


def _restrictions(superlative: Token, head: Token) -> list[Token]:
    """Modifiers and phrases that say among what the superlative holds; times are none."""
    early = _BEFORE | ({"prep"} if head.pos_ == "VERB" else set())
    found = [c for c in head.children if c.dep_ in _RESTRICTING and (c.i > head.i or c.dep_ in early)]
    if head.dep_ == "attr":
        found += [c for c in head.head.children if c.dep_ == "prep" and c.i > head.i]
    found = [t for t in found if t.i != superlative.i]
    return [t for t in found if not (t.dep_ == "prep" and _is_time(t)) or _reaches_back(t)]


def _reaches_back(prep: Token) -> bool:
    """Whether a phrase says how far back a rank holds: "since 1951", "in 20 years"."""
    lasting = any(c.dep_ == "pobj" and c.lemma_.lower() in _LASTING for c in prep.children)
    return prep.lower_ == "since" or (prep.lower_ in {"in", "for", "of"} and lasting)


def _is_reach(pair: Pairing, prep: Token) -> bool:
    """Whether a rank holds for a time that the claim does not give."""
    said = {t.lower_ for t in pair.claim.doc} | {t.lemma_.lower() for t in pair.claim.doc}
    ends = {c.lemma_.lower() for c in prep.children if c.dep_ == "pobj"} & _LASTING
    return prep.dep_ == "prep" and _reaches_back(prep) and not (ends or {prep.lower_}) & said


def _is_time(prep: Token) -> bool:
    ends = [c for c in prep.children if c.dep_ == "pobj"]
    return bool(ends) and all(t.ent_type_ in {"DATE", "TIME"} for t in ends)


def _telling(token: Token) -> list[Token]:
    return [t for t in token.subtree if is_wordy(t) and t.ent_type_ not in {"DATE", "TIME"}]


def restricted_state(pair: Pairing) -> Hit | None:
    """What is said of something as a state ("is safe") and holds in the premise for a part of the cases."""
    for number in pair.claim.predicates:
        token = pair.claim.doc[number]
        if not _is_state(token):
            continue
        there = [pair.premise.doc[i] for i in pair.counterparts(token)]
        states = [t for t in there if _is_state(t)]
        hits = [h for h in (_limit(pair, t) for t in states) if h is not None]
        if states and len(hits) == len(there):
            return Hit(token.text, f"{states[0].text} {phrase(hits[0])}")
    return None


def _is_state(token: Token) -> bool:
    if token.dep_ == "acomp" or (token.dep_ == "conj" and token.head.dep_ == "acomp"):
        return True
    being = any(c.dep_ == "auxpass" and c.tag_ in {"VBZ", "VBP"} for c in token.children)
    return token.tag_ == "VBN" and being and token.dep_ in {"ROOT", "conj"}


def _limit(pair: Pairing, state: Token) -> Token | None:
    holders = [state, *([state.head] if state.dep_ == "acomp" else [])]
    for holder in holders:
        for child in holder.children:
            limits = child.dep_ == "prep" and child.lower_ in _STATE
            limits = limits or (
                child.dep_ in {"advcl"} and any(c.lower_ in {"when", "if", "while"} for c in child.children)
            )
            limits = limits or (
                child.dep_ == "advmod" and child.lower_ in {"only", "partly", "mostly", "sometimes", "often", "usually"}
            )
            if limits and not all(pair.in_claim(t) for t in _telling(child)):
                return child
            if limits and not _telling(child) and not any(t.lower_ == child.lower_ for t in pair.claim.doc):
                return child
    return None


def rate_without_base(pair: Pairing) -> Hit | None:
    """A number or a subject that the premise gives per something, and the claim as a count."""
    for token in pair.claim.doc:
        if not token.like_num or _base(token) is not None:
            continue
        numbers = [pair.premise.doc[i] for i in pair.counterparts(token)]
        bases = [b for b in (_base(n) for n in numbers) if b is not None and not _all_told(pair, b)]
        if numbers and len(bases) == len(numbers):
            return Hit(phrase(token.head), f"{numbers[0].text} {phrase(bases[0])}")
    return _subject_per(pair)


def _subject_per(pair: Pairing) -> Hit | None:
    """The premise tells of "accidents per million kilometres", the claim of accidents."""
    if any(t.lower_ in words("rates") for t in pair.claim.doc):
        return None
    for base in (t for t in pair.premise.doc if t.lower_ == "per" and t.head.pos_ in {"NOUN", "PROPN"}):
        counted = base.head
        told = counted.head.head if counted.dep_ == "pobj" and counted.head.lower_ == "of" else counted
        if told.dep_ in {"nsubj", "nsubjpass"} and pair.in_claim(counted) and not _all_told(pair, base):
            return Hit(counted.text, f"{counted.text} {phrase(base)}")
    return None


def _all_told(pair: Pairing, base: Token) -> bool:
    return all(pair.in_claim(t) for t in base.subtree if t.pos_ in {"NOUN", "NUM", "PROPN"})


def _base(number: Token) -> Token | None:
    """What a number is given for: "per 1,000 people", "in 10,000 girls", "a day"."""
    if number.dep_ == "quantmod" and number.head.like_num:
        link = number.doc[number.i + 1 : number.head.i]
        return number.head.head if any(t.lower_ in {"in", "of", "per"} for t in link) else None
    things = [t for c in number.head.children if c.lower_ == "of" for t in c.children if t.dep_ == "pobj"]
    holders = (number, number.head, *things, number.head.head)
    behind = [(holder, c) for holder in holders for c in holder.children if c.i >= number.i]
    return next((child for holder, child in behind if _is_base(child, holder is number)), None)


def _is_base(child: Token, of_number: bool) -> bool:
    """Whether a phrase gives a base: "per" anything, "in" or "of" a number behind a number, "a day"."""
    if child.dep_ == "npadvmod":
        return any(c.dep_ == "det" and c.lower_ in {"a", "an", "each", "every"} for c in child.children)
    if child.dep_ != "prep":
        return False
    ends = [c for c in child.children if c.dep_ == "pobj"]
    counted = any(e.like_num or any(c.like_num and c.dep_ == "nummod" for c in e.children) for e in ends)
    dated = any(e.ent_type_ == "DATE" for e in ends)
    return child.lower_ == "per" or (of_number and child.lower_ in {"in", "of", "for"} and counted and not dated)


def one_of_many(pair: Pairing) -> Hit | None:
    """The claim says that it is the one; the premise says that it is one of several."""
    for number in pair.claim.predicates:
        token = pair.claim.doc[number]
        if token.dep_ != "attr" or not any(c.lower_ == "the" for c in token.children if c.dep_ == "det"):
            continue
        there = [pair.premise.doc[i] for i in pair.counterparts(token)]
        several = [t for t in there if _among(t)]
        if there and len(several) == len(there):
            return Hit(phrase(token), f"{several[0].head.head.text} of {phrase(several[0])}")
    return None


def _among(noun: Token) -> bool:
    over = noun.head.head
    return (
        noun.dep_ == "pobj"
        and noun.head.lower_ in {"of", "among"}
        and (over.like_num or over.lower_ in {"one", "some", "many"})
    )


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
        "scope.superlative": range_of_superlative,
        "scope.state": restricted_state,
        "scope.rate": rate_without_base,
        "scope.one_of": one_of_many,
        "time.ended": no_longer_told,
        "referent.pronoun": pronoun_of_another,
    }
)
"""Rules on what a statement ranges over."""
