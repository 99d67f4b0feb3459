"""Tense, aspect and attachment: what a day or an amount belongs to, and whether its verb looks back or ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from language.calendar import WEEKDAYS
from language.lexicon import WORDS
from language.nlp.delegation import answerable
from language.nlp.pipeline import parse
from language.nlp.syntax import (
    ALL_SUBJECTS,
    FINITE,
    NOMINAL,
    PLURAL,
    TIMES,
    VERBAL,
    auxiliaries,
    dependents,
    has,
    subject_of,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


Tense = Literal["past", "future", "state", "open"]
"""``state``: a present that tells how things are ("is", "has"); ``open``: none for certain."""

FUTURE_MODALS = frozenset({"will", "shall", "'ll", "’ll", "wo"})


def _helpers(verb: Token) -> list[Token]:
    """Its auxiliaries in order; without own ones or a subject, those of the verb it is coordinated to."""
    shares = verb.dep_ == "conj" and not has(verb, *ALL_SUBJECTS)
    return auxiliaries(verb) or (_helpers(verb.head) if shares and verb.tag_ not in {"VBD", "VBZ", "VBP"} else [])


def tense_of(verb: Token) -> Tense:
    """The tense of a verb, its auxiliaries and what governs it taken together."""
    if any(c.dep_ == "mark" and c.lower_ in WORDS["unreal"] for c in verb.children):
        return "open"
    helpers = [a for a in _helpers(verb) if a.lower_ != "to"]
    if verb.dep_ in {"xcomp", "acl", "advcl", "relcl"} and not any(t.tag_ in FINITE for t in (verb, *helpers)):
        return _governed(verb)
    if any(h.lower_ in FUTURE_MODALS for h in helpers):
        return "future"
    if any(h.tag_ == "MD" for h in helpers):
        return "open"
    if announced := _announced(verb, helpers):
        return announced
    if _past(verb, helpers):
        return "past"
    present = helpers[0] if helpers else verb
    if present.tag_ in {"VBZ", "VBP"} and (verb.lemma_ in WORDS["stative"] or helpers):
        return "state" if verb.tag_ != "VBG" else "open"
    return "open"


def _past(verb: Token, helpers: list[Token]) -> bool:
    if helpers:
        first = helpers[0]
        perfect = first.lemma_ == "have" and verb.tag_ in {"VBN", "VBD"}
        # "was going to", "had been due to" announce
        return (first.tag_ == "VBD" or perfect) and not (verb.lemma_ in WORDS["announcing"] and has(verb, "xcomp"))
    if verb.tag_ == "VBN" and verb.dep_ in {"ROOT", "conj", "ccomp", "relcl"}:
        subject = has(verb, *ALL_SUBJECTS) or verb.dep_ == "conj"
        return subject and not _bare(verb)
    return verb.tag_ == "VBD" and not _bare(verb)


def _bare(verb: Token) -> bool:
    """A form that may be the present as well: "the shops shut", unlike "the shop shut"."""
    if verb.lower_ != verb.lemma_.lower():
        return False
    subject = subject_of(verb)
    if subject is None or subject.tag_ in PLURAL or has(subject, "conj"):
        return True
    return subject.lower_ in {"i", "we", "you", "they"}


def _announced(verb: Token, helpers: list[Token]) -> Tense | None:
    """A state of being announced: "is due", "is scheduled", "plans"; ``None`` where it announces nothing."""
    opening = has(verb, "xcomp")
    if verb.lemma_ == "be":
        if not opening and not any(c.lower_ == "due" for c in verb.children):
            return None
    elif verb.lemma_ not in WORDS["announcing"] or (verb.lemma_ in {"go", "set", "bind"} and not opening):
        return None
    elif verb.tag_ in {"VBN", "VBG"} and not helpers:
        return "open"
    finite = helpers[0] if helpers else verb
    return "future" if finite.tag_ in {"VBZ", "VBP"} and finite.lemma_ != "have" else "open"


def _governed(verb: Token) -> Tense:
    """The tense of an infinitive or participle: that of the word that governs it."""
    head = verb.head
    if verb.dep_ in {"acl", "advcl", "relcl"}:
        root = verb.sent.root
        done = verb.tag_ in {"VBN", "VBD"} and verb.lemma_ not in WORDS["planning"]
        return "past" if done and root != verb and tense_of(root) == "past" else "open"
    if head.pos_ == "ADJ" and head.lower_ == "due":
        head = head.head
    if head.pos_ not in VERBAL:
        return "open"
    return "future" if tense_of(head) == "future" else "open"


_NO_ADVERBIAL = frozenset({"poss", "nsubj", "nsubjpass", "attr", "dobj", "appos", "compound"})
_OF_THE_DAY = frozenset({"morning", "afternoon", "evening", "night", *WEEKDAYS})
"""Words that a weekday or a date may hang on: "Friday evening", "Friday, 2 May"."""


def tense_at(doc: Doc, start: int, end: int, *, period: bool = False) -> Tense:
    """The tense of the verb that the time phrase ``doc.text[start:end]`` belongs to.

    ``period``: a month or quarter, which a noun may have of its own ("sales in March").
    """
    span = doc.char_span(start, end, alignment_mode="expand")
    if span is None or not span:
        return "open"
    token = span.root
    if token.dep_ in {"compound", "appos"} and token.head.lower_ in _OF_THE_DAY:
        token = token.head
    if token.dep_ in _NO_ADVERBIAL:
        return "open"
    limit, within = None, False
    while token.head != token and token.pos_ not in VERBAL:
        if token.pos_ == "ADP":
            limit = limit or token
        token = token.head
        if token.pos_ in NOMINAL and token not in span:
            within = True
            if not period and token.lemma_.lower() in WORDS["occasions"]:
                return "open"
    if token.pos_ not in VERBAL:
        return "open"
    tense = _agreed(token, span.start, limit, period)
    return "past" if tense == "state" and period and within else tense


def verb_at(doc: Doc, start: int, end: int) -> Token | None:
    """The verb above the phrase ``doc.text[start:end]``, by the parse alone."""
    span = doc.char_span(start, end, alignment_mode="expand")
    token = span.root if span else None
    while token is not None and token.pos_ not in VERBAL:
        token = token.head if token.head != token else None
    return token


def _agreed(verb: Token, place: int, limit: Token | None, period: bool) -> Tense:
    """The verb's tense, where every verb that the phrase may belong to has the same."""
    tense = tense_of(verb)
    if tense == "past":
        if limit is not None and limit.lower_ in WORDS["up_to"]:
            return "open"
        if not period and _of_the_plan(verb, place):
            return "open"
    between = [t for t in verb.doc[min(verb.i, place) + 1 : max(verb.i, place)] if _is_verb(t)]
    if place < verb.i:
        return tense if _opens(verb, place) else "open"
    return tense if all(tense_of(t) == tense for t in between) else "open"


def _is_verb(token: Token) -> bool:
    """A verb of its own; participles before a noun and auxiliaries are none."""
    return token.pos_ in VERBAL and token.dep_ not in {"aux", "auxpass", "amod"}


def _opens(verb: Token, place: int) -> bool:
    """Whether a phrase before its verb opens the clause; "said on Friday he would come" does not."""
    sentence = verb.sent
    earlier = [t for t in verb.doc[sentence.start : place] if _is_verb(t)]
    if not earlier:
        return True
    subject = next((c for c in verb.lefts if c.dep_ in {"nsubj", "nsubjpass", "expl"}), None)
    if subject is not None and subject.i < place:
        return all(subject.left_edge.i <= t.i <= subject.right_edge.i or t.i < subject.left_edge.i for t in earlier)
    before = verb.doc[max(sentence.start, place - 2) : place]
    return any(t.text in {",", ";", ":", "—", "–"} or t.dep_ == "cc" for t in before)


def _of_the_plan(verb: Token, place: int) -> bool:
    """ "announced a strike on Friday", "was postponed on Friday": the day may be that of what was planned."""
    if verb.lemma_ in WORDS["planning"]:
        return place - verb.i > 2  # "said on Friday that": right behind the verb it is the day of saying
    objects = [t for t in verb.doc[verb.i + 1 : place] if t.pos_ in NOMINAL] if place > verb.i else []
    return any(t.lemma_.lower() in WORDS["occasions"] for t in objects) and verb.lemma_ not in WORDS["held"]


_EVENT_ADJECTIVES = frozenset({"born", "due"})


@answerable
def is_state_at(text: str, start: int, end: int) -> bool:
    """Whether the verb to which the date ``text[start:end]`` belongs tells a state; no verb is none."""
    verb = verb_at(parse(text), start, end)
    return verb is not None and _is_state(verb)


def _is_state(verb: Token) -> bool:
    lemma = verb.lemma_.lower()
    if lemma == "be":
        return any(_describes(c) for c in verb.children)
    passive = has(verb, "auxpass")
    if verb.tag_ == "VBN" and (passive or verb.dep_ in {"acl", "advcl"}):
        return lemma in WORDS["lasting_participles"]
    return lemma in WORDS["durative"]


def _describes(child: Token) -> bool:
    """What is said of the subject, a time alone not counted: "was mayor", "was in Orrin"."""
    if child.lower_ in _EVENT_ADJECTIVES or child.ent_type_ in TIMES or child.lower_ in WEEKDAYS:
        return False
    if child.dep_ == "prep":
        return any(c.ent_type_ not in TIMES and not c.like_num for c in dependents(child, "pobj"))
    return child.dep_ in {"attr", "acomp", "oprd"}
