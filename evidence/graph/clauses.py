"""Properties of a clause: subjects, negation, hedging, attribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.graph.phrases import base_form
from language.nlp.syntax import NOMINAL, PLURAL, SUBJECTS, VERBAL, according_to, auxiliaries, chain, dependents, has
from language.wordlists import word_classes

if TYPE_CHECKING:
    from spacy.tokens import Token

_WORDS = word_classes("evidence.graph")

NOUNS = NOMINAL | {"NUM", "PRON"}
_RELATIVE = frozenset({"who", "which", "that", "whom"})


def is_passive(verb: Token) -> bool:
    """Whether the verb is in the passive voice."""
    if has(verb, "auxpass", "nsubjpass"):
        return True
    if verb.dep_ in {"acl", "advcl"} and verb.tag_ == "VBN":
        return not has(verb, "aux", "nsubj")
    if verb.dep_ == "conj" and verb.tag_ == "VBN" and verb.head.pos_ == "VERB":
        alone = not has(verb, "aux", "nsubj", "dobj")
        return alone and verb.head.tag_ == "VBN" and is_passive(verb.head)
    return False


def subjects_of(verb: Token, depth: int = 0) -> list[Token]:
    """Subjects of a verb, coordinated ones too (of a passive: those affected); empty if unclear."""
    if own := dependents(verb, *SUBJECTS):
        first = own[0]
        if first.lower_ in _RELATIVE and first.pos_ in {"PRON", "DET", "SCONJ"}:
            return _antecedents(verb, first) if verb.dep_ == "relcl" else []
        return chain(first, NOUNS)
    if depth > 4 or has(verb, "expl", "csubj", "csubjpass"):
        return []
    if verb.dep_ == "conj" and verb.head.pos_ in VERBAL:
        return subjects_of(verb.head, depth + 1)
    if verb.dep_ == "acl" and verb.tag_ in {"VBN", "VBG"} and verb.head.pos_ in NOMINAL:
        # In a list it may belong to any member.
        return [] if verb.head.dep_ == "conj" or chain(verb.head, NOUNS) != [verb.head] else [verb.head]
    if verb.dep_ == "xcomp" and verb.head.pos_ in VERBAL:
        if has(verb.head, "dobj") or (is_passive(verb.head) and verb.tag_ == "VBG"):
            return []
        return subjects_of(verb.head, depth + 1)
    if verb.dep_ == "advcl" and verb.tag_ in {"VBN", "VBG"} and verb.head.pos_ in VERBAL:
        # "Founded in 1908, the library …"; further on it often belongs to what stands before it.
        return subjects_of(verb.head, depth + 1) if verb.left_edge.i <= verb.sent.start + 1 else []
    return []


def _antecedents(verb: Token, relative: Token) -> list[Token]:
    """Antecedents of "who" or "which". Of two possible nouns the one that agrees with the verb's number, or none."""
    head = verb.head
    if head.pos_ not in NOMINAL:
        return []
    outer = head.head.head
    if head.dep_ != "pobj" or outer.pos_ not in NOMINAL:
        return chain(head, NOUNS)
    if relative.lower_ == "who" and head.ent_type_ == "PERSON":
        return chain(head, NOUNS)
    several = _is_several(verb)
    fitting = [n for n in (head, outer) if several is not None and (n.tag_ in PLURAL) == several]
    return chain(fitting[0], NOUNS) if len(fitting) == 1 else []


def _is_several(verb: Token) -> bool | None:
    """Whether the verb is plural; ``None`` where its form does not show it."""
    first = next(iter(auxiliaries(verb)), verb)
    if first.lower_ in {"was", "were"}:
        return first.lower_ == "were"
    return {"VBZ": False, "VBP": True}.get(first.tag_)


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
