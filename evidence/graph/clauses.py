"""Properties of a clause: subjects, negation, hedging, attribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.graph.phrases import base_form
from language.nlp import relations
from language.nlp.syntax import NOMINAL, SUBJECTS, VERBAL, according_to, after_comma, chain, dependents, has
from language.wordlists import word_classes

if TYPE_CHECKING:
    from spacy.tokens import Token

_WORDS = word_classes("evidence.graph")

NOUNS = NOMINAL | {"NUM", "PRON"}


def is_passive(verb: Token) -> bool:
    """Whether the verb is in the passive voice: its subject, if it has one, is affected."""
    return relations.is_passive(verb) and not has(verb, "nsubj")


def subjects_of(verb: Token, depth: int = 0) -> list[Token]:
    """Subjects of a verb, coordinated ones too (of a passive: those affected); empty if unclear."""
    if own := dependents(verb, *SUBJECTS):
        if own[0].lower_ in relations.RELATIVE and own[0].pos_ in {"PRON", "DET", "SCONJ"}:
            return _antecedents(verb, own[0]) if verb.dep_ == "relcl" else []
        return chain(own[0], NOUNS)
    outer, participle = verb.head, verb.tag_ in {"VBN", "VBG"}
    if depth > 4 or has(verb, "expl", "csubj", "csubjpass"):
        return []
    if verb.dep_ == "acl" and participle and outer.pos_ in NOMINAL:
        # In a list it may belong to any member.
        return [outer] if outer.dep_ != "conj" and chain(outer, NOUNS) == [outer] else []
    shares = {
        "conj": True,
        "xcomp": not (has(outer, "dobj") or (is_passive(outer) and verb.tag_ == "VBG")),
        # "Founded in 1908, the library …"; further on it often belongs to what stands before it.
        "advcl": participle and verb.left_edge.i <= verb.sent.start + 1,
    }
    return subjects_of(outer, depth + 1) if outer.pos_ in VERBAL and shares.get(verb.dep_, False) else []


def _antecedents(verb: Token, relative: Token) -> list[Token]:
    """Antecedents of "who" or "which"; none where a comma leaves open which of two nouns is meant."""
    noun = verb.head
    person = relative.lower_ == "who" and noun.ent_type_ == "PERSON"
    nested = noun.dep_ == "pobj" and noun.head.head.pos_ in NOMINAL and not person
    return [] if noun.pos_ not in NOMINAL or (nested and after_comma(verb)) else chain(noun, NOUNS)


def governors(verb: Token) -> list[Token]:
    """The verb and those it complements ("plans to begin to build"), innermost first."""
    found = [verb]
    while found[-1].dep_ == "xcomp" and found[-1].head.pos_ in VERBAL and len(found) < 4:
        found.append(found[-1].head)
    return found


def is_negated(verb: Token) -> bool:
    """Whether the clause is negated."""
    count = sum(
        any(c.dep_ == "neg" or c.lower_ in {"never", "hardly", "scarcely", "neither"} for c in v.children)
        for v in governors(verb)
    )
    if verb.dep_ == "conj" and not has(verb, "aux", "auxpass", *SUBJECTS):
        count += has(verb.head, "neg") and any(c.lower_ == "or" for c in verb.head.children)
    return count % 2 == 1


def has_no(token: Token) -> bool:
    """Whether a phrase is negated ("No defects", "none of the staff")."""
    return has(token, "det", "neg", words={"no", "neither"})


def is_hedged(verb: Token) -> bool:
    """Whether the clause is possible, future or only planned."""
    found = governors(verb)
    if any(c.lemma_.lower() in _WORDS["modals"] for v in found for c in dependents(v, "aux")):
        return True
    if any(base_form(v) in _WORDS["to_come"] | {"be"} for v in found[1:]):
        return True
    if verb.dep_ == "ccomp" and verb.tag_ == "VB" and base_form(verb.head) in _WORDS["demanding"]:
        return True
    if verb.dep_ == "conj" and verb.head.pos_ in VERBAL and not has(verb, *SUBJECTS):
        return is_hedged(verb.head)
    return any(c.lower_ in _WORDS["doubtful"] for c in verb.children)


def is_unreal(verb: Token) -> bool:
    """Whether it is in a condition, question or order."""
    for token in (verb, *verb.ancestors):
        below = [token, *dependents(token, "advcl")]
        if any(has(t, "mark", "prep", words={"if", "unless", "whether", "lest"}) for t in below):
            return True
        if token.dep_ == "ROOT" and token.tag_ == "VB" and not has(token, *SUBJECTS, "aux"):
            return True
    return False


def saying_of(verb: Token) -> tuple[Token | None, bool]:
    """The speaker of the clause, and whether the speaker denies it."""
    inner = verb
    for outer in verb.ancestors:
        says = base_form(outer) in _WORDS["saying"] | _WORDS["denying"] and outer.tag_ != "VBG"
        if inner.dep_ in {"ccomp", "parataxis"} and says:
            subject = next(iter(subjects_of(outer)), None)
            if subject is not None and subject.lower_ in {"nobody", "none"}:
                return None, False
            return subject, base_form(outer) in _WORDS["denying"] and not is_negated(outer)
        inner = outer
    return according_to(verb.sent), False
