"""Splitting off asides: "X, who is the mayor of Y, resigned" -> "X is the mayor of Y." "X resigned.".

Only asides between commas are facts of their own; restrictive ones stay. ``split_asides`` takes them from the parse;
``cut_aside`` from the commas, where the parse hides them, if both parts are full clauses when parsed by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agent.intake.draft_claims import Draft, attribution_of, is_negated, noun_text, own_nodes, parsed, words_of
from agent.intake.lexicon import WORDS
from language.nlp.syntax import (
    NOMINAL,
    PLURAL,
    TIMES,
    VERBAL,
    auxiliaries,
    dependents,
    has,
    is_finite,
    is_past,
    subject_of,
    subtree,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


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
    return (*facts, rest)


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
    return noun_text(anchor, subtree(anchor) - {t.i for t in own_nodes(anchor)})


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
    past = clause is not None and is_past(clause)
    return "was" if past and not describes_place else "is"


def _describes(token: Token) -> bool:
    """Whether it is a description with an article, not another name."""
    return token.pos_ == "NOUN" and any(
        c.dep_ in {"det", "poss"} and c.lower_ not in {"no", "any", "every", "all", "some"} for c in token.lefts
    )


def cut_aside(sentence: Span) -> list[Span]:
    """The fact of an aside and the sentence without it; empty where either is no full clause."""
    for subject, aside, rest in _candidates(sentence):
        named = aside[0].pos_ == "PROPN"  # "The chief executive, Rita Moser, left"
        if not _is_definite(subject) or (named and not _is_role_of(subject, aside)):
            continue
        who = aside if named else subject
        bare = parsed([*words_of(who), *words_of(rest)])
        verb = _be(bare.root, subject, aside[0]) if _rules_as(bare, len(who)) else ""
        if not verb:
            continue
        (first, token), *others = words_of(aside)
        opening = words_of(subject, own=named)
        fact = parsed([*opening, (verb, None), (first if named else first.lower(), token), *others])
        if _is_predicate(fact):
            return [fact, bare]
    return []


def _is_role_of(subject: Sequence[Token], name: Sequence[Token]) -> bool:
    """Whether a name says whose role stands before it, in a sentence that is misread with both."""
    misread = subject[0].sent.root.pos_ not in VERBAL
    return misread and len(subject) > 2 and subject[0].lower_ == "the" and all(t.pos_ == "PROPN" for t in name)


def _candidates(sentence: Span) -> Iterator[tuple[list[Token], list[Token], list[Token]]]:
    """Candidates for subject, aside and rest, whatever the parse says."""
    tokens = list(sentence)
    commas = [n for n, t in enumerate(tokens) if t.text == ","]
    if commas and tokens[0].tag_ in {"VBN", "VBD"}:
        root = subject_of(sentence.root)
        begin = commas[0] + 1
        if root is not None and root.left_edge.i == tokens[0].i + begin:
            end = root.right_edge.i - tokens[0].i + 1
            yield tokens[begin:end], tokens[: commas[0]], tokens[end:]
        return
    if not commas or commas[0] == 0 or any(t.pos_ in VERBAL for t in tokens[: commas[0]]):
        return
    for later in commas[1:]:
        aside = tokens[commas[0] + 1 : later]
        if aside and not any(t.lower_ in WORDS["ranging"] | WORDS["timed"] for t in aside):
            yield tokens[: commas[0]], aside, tokens[later + 1 :]


def _is_definite(subject: Sequence[Token]) -> bool:
    """Whether it is a name or "the" with a noun, not coordinated."""
    if not subject or any(t.lower_ in {"and", "or", ","} or t.lower_ in WORDS["quantified"] for t in subject):
        return False
    return subject[0].lower_ == "the" or all(t.pos_ == "PROPN" for t in subject)


def _rules_as(part: Span, length: int) -> bool:
    """Whether the first ``length`` words are the whole subject of a full clause."""
    root, subject = part.root, subject_of(part.root)
    finite = root.pos_ in VERBAL and is_finite(root)
    return finite and subject is not None and subject.left_edge.i == 0 and subject.right_edge.i == length - 1


def _is_predicate(part: Span) -> bool:
    """Whether subject, "be" and the aside parse as a clause."""
    root, subject = part.root, subject_of(part.root)
    told = has(root, "auxpass") or (root.lemma_ == "be" and has(root, "attr", "acomp"))
    return subject is not None and subject.left_edge.i == 0 and told


def _be(verb: Token, subject: Sequence[Token], first: Token) -> str:
    """The form of "be" that makes a sentence of the aside, or ``""``."""
    past = is_past(verb)
    if first.pos_ == "PROPN":
        return "was" if past else "is"
    if first.tag_ in {"VBN", "VBD"}:
        if first.lemma_.lower() in WORDS["no_fact"]:
            return ""
        past = past or first.lemma_.lower() not in WORDS["lasting_participles"]
    elif first.tag_ == "JJ":
        if first.lower_ in WORDS["evaluative"] or first.lower_ == "due":
            return ""
    elif first.lower_ not in {"the", "a", "an"}:
        return ""
    many = subject[-1].tag_ in PLURAL
    return ("were" if many else "was") if past else ("are" if many else "is")
