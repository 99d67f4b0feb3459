"""Splitting off asides: "X, who is the mayor of Y, resigned" -> "X is the mayor of Y." "X resigned.".

Only asides between commas are facts of their own; restrictive ones stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.intake.draft_claims import Draft, attribution_of, balanced, is_negated, noun_text, own_nodes
from agent.intake.lexicon import WORDS
from language.nlp.syntax import (
    NOMINAL,
    PLURAL,
    SUBJECTS,
    TIMES,
    VERBAL,
    auxiliaries,
    dependents,
    has,
    subject_of,
    subtree,
)

if TYPE_CHECKING:
    from spacy.tokens import Token


_PEOPLE_AND_PLACES = frozenset({"GPE", "LOC", "FAC"})


def split_asides(draft: Draft) -> tuple[Draft, ...]:
    """The facts of its asides first (in their order), then the draft without them."""
    root = draft.doc[draft.head]
    if attribution_of(root) is not None or has(root, "ccomp", "neg"):
        return (draft,)
    facts: list[Draft] = []
    rest = draft
    for index in draft.words:
        token = draft.doc[index]
        read = {"relcl": _relative, "appos": _apposition}.get(token.dep_)
        fact = read(token, draft) if read and index in rest.words else None
        if fact is not None:
            facts.append(fact)
            rest = _without(rest, token, fact)
    drafts = (*facts, rest)
    return drafts if facts and all(balanced(d.text()) for d in drafts) else (draft,)


def _without(rest: Draft, token: Token, fact: Draft) -> Draft:
    gone = subtree(token)
    if fact.subject == token.i:
        gone = subtree(token.head) - gone
    doc, before, after = token.doc, token.left_edge.i - 1, token.right_edge.i + 1
    return rest.keep(gone | {i for i in (before, after) if 0 <= i < len(doc) and doc[i].text == ","})


def _bounded(token: Token) -> bool:
    """Whether commas or the sentence's end stand on both sides."""
    doc = token.doc
    left, right = token.left_edge.i - 1, token.right_edge.i + 1
    opened = left >= 0 and doc[left].text == ","
    closed = right >= len(doc) or doc[right].text in {",", ".", "!", ";"} or doc[right - 1].text == ","
    return opened and closed


def _relative(verb: Token, draft: Draft) -> Draft | None:
    """The sentence made of a relative clause and its noun."""
    anchor = verb.head
    pronoun = subject_of(verb)
    if pronoun is None or pronoun.lower_ not in {"who", "which"} or not _bounded(verb):
        return None
    if anchor.pos_ not in NOMINAL or not _definite(anchor) or not _adjacent(anchor, verb):
        return None
    if _inside_another(anchor, verb) or any(t.lower_ in {"why", "what", "how"} for t in verb.subtree):
        return None
    finite = next(iter(auxiliaries(verb)), verb)
    if (anchor.tag_ in PLURAL) == (finite.tag_ == "VBZ") and finite.tag_ in {"VBZ", "VBP"}:
        return None
    if pronoun.lower_ == "who" and anchor.ent_type_ in _PEOPLE_AND_PLACES:
        return None
    final = verb.doc[min(verb.right_edge.i + 1, len(verb.doc) - 1)].text != ","
    plain = verb.lemma_.lower() in WORDS["static_lemmas"] or pronoun.dep_ == "nsubjpass"
    if pronoun.lower_ == "which" and final and not plain:
        return None
    subject = _as_subject(anchor)
    words = {t.i: subject if t.i == pronoun.i else t.text for t in verb.subtree if t.i in draft.words}
    return Draft(draft.doc, words, verb.i, pronoun.i, frozenset(words), whole=False)


def _as_subject(anchor: Token) -> str:
    text = noun_text(anchor, subtree(anchor) - {t.i for t in own_nodes(anchor)})
    if anchor.dep_ not in SUBJECTS and text[:4] in {"the ", "his ", "her "}:
        return text[:1].upper() + text[1:]
    return text


def _definite(anchor: Token) -> bool:
    """Whether it is a name or a noun with "the"."""
    if has(anchor, "conj") or anchor.dep_ == "conj":
        return False
    if anchor.pos_ == "PROPN":
        return True
    return any(c.lower_ == "the" or (c.dep_ == "poss" and c.pos_ != "PRON") for c in anchor.lefts)


def _inside_another(anchor: Token, aside: Token) -> bool:
    """Whether the aside may belong to either of two nouns ("the factory in Belcastra, which was rebuilt")."""
    if anchor.dep_ != "pobj":
        return False
    holder = anchor.head.head
    return holder.pos_ in NOMINAL and holder.i < aside.i


def _adjacent(anchor: Token, aside: Token) -> bool:
    """Whether only dependents of the noun stand between noun and aside."""
    inside = subtree(anchor)
    return all(i in inside for i in range(anchor.i, aside.left_edge.i))


def _apposition(token: Token, draft: Draft) -> Draft | None:
    """The sentence "A is B." that an apposition makes."""
    anchor = token.head
    if not _bounded(token) or not _definite(anchor) or not _adjacent(anchor, token):
        return None
    if has(token, "appos") or is_negated(token):
        return None
    timed = {"formerly", "once", "previously", "then", "now", "later"}
    if _inside_another(anchor, token) or any(t.lower_ in timed for t in token.subtree):
        return None
    if len(dependents(anchor, "appos")) > 1 or anchor.ent_type_ in TIMES:
        return None
    clause = next((a for a in token.ancestors if a.pos_ in VERBAL), None)
    verb = _copula(clause, anchor, token)
    own = subtree(token) & draft.words.keys()
    named = token.pos_ == "PROPN" and token.ent_type_ in {"PERSON", "ORG", "GPE"} and token.ent_iob_ != "O"
    if _describes(token):
        first, second, subject = _as_subject(anchor), noun_text(token), anchor
    elif named and anchor.pos_ == "NOUN" and has(anchor, "prep", "poss", "compound", "amod"):
        # "the mayor of Tarn", not "the mayor"
        first, second, subject = noun_text(token), _lowered(anchor, noun_text(anchor)), token
        own = subtree(anchor) & draft.words.keys()
    else:
        return None
    if token.tag_ in PLURAL or has(token, "conj"):
        return None
    return Draft(draft.doc, {subject.i: f"{first} {verb} {second}"}, anchor.i, subject.i, own, whole=False)


def _lowered(anchor: Token, text: str) -> str:
    first = anchor.left_edge
    return text[:1].lower() + text[1:] if first.pos_ in {"DET", "PRON"} else text


def _copula(clause: Token | None, anchor: Token, token: Token) -> str:
    """The form of "be" in the tense of the clause; present for places."""
    describes_place = anchor.ent_type_ in _PEOPLE_AND_PLACES or token.ent_type_ in _PEOPLE_AND_PLACES
    past = clause is not None and any(t.tag_ == "VBD" for t in (clause, *auxiliaries(clause)))
    return "was" if past and not describes_place else "is"


def _describes(token: Token) -> bool:
    """Whether it is a description with an article, not another name."""
    return token.pos_ == "NOUN" and any(
        c.dep_ in {"det", "poss"} and c.lower_ not in {"no", "any", "every", "all", "some"} for c in token.lefts
    )
