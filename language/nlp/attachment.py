"""Which verb a time phrase belongs to, and that verb's tense; ``open`` where the parse may have it wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.calendar import WEEKDAYS
from language.nlp.tense import PLANNING, Tense, tense_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_UP_TO = frozenset({"for", "to", "until", "till", "by", "before", "after", "from", "towards"})
"""Before a day these name a limit or an aim: beside a past tense the day may be yet to come."""
_OCCASIONS = frozenset(
    "vote meeting strike match hearing trial election talk summit conference concert festival march protest "
    "rally opening launch ceremony funeral referendum debate session game race final deadline visit decision "
    "ruling verdict announcement exam closure start release event walkout show performance parade".split()
)
"""Nouns whose own day a time phrase behind them may be: "announced a strike on Friday"."""
_HELD = frozenset("hold attend win lose join watch stage host see disrupt chair leave finish end start begin".split())
"""Verbs that happen when the occasion does."""
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
    while token.head != token and token.pos_ not in {"VERB", "AUX"}:
        if token.pos_ == "ADP":
            limit = limit or token
        token = token.head
        if token.pos_ in {"NOUN", "PROPN"} and token not in span:
            within = True
            if not period and _is_occasion(token):
                return "open"
    if token.pos_ not in {"VERB", "AUX"}:
        return "open"
    tense = _agreed(token, span.start, limit, period)
    return "past" if tense == "state" and period and within else tense


def verb_at(doc: Doc, start: int, end: int) -> Token | None:
    """The verb above the phrase ``doc.text[start:end]``, by the parse alone."""
    span = doc.char_span(start, end, alignment_mode="expand")
    token = span.root if span else None
    while token is not None and token.pos_ not in {"VERB", "AUX"}:
        token = token.head if token.head != token else None
    return token


def _is_occasion(noun: Token) -> bool:
    return noun.lemma_.lower() in _OCCASIONS


def _agreed(verb: Token, place: int, limit: Token | None, period: bool) -> Tense:
    """The verb's tense, where every verb that the phrase may belong to has the same."""
    tense = tense_of(verb)
    if tense == "past":
        if limit is not None and limit.lower_ in _UP_TO:
            return "open"
        if not period and _of_the_plan(verb, place):
            return "open"
    between = [t for t in verb.doc[min(verb.i, place) + 1 : max(verb.i, place)] if _is_verb(t)]
    if place < verb.i:
        return tense if _opens(verb, place) else "open"
    return tense if all(tense_of(t) == tense for t in between) else "open"


def _is_verb(token: Token) -> bool:
    """A verb of its own; participles before a noun and auxiliaries are none."""
    return token.pos_ in {"VERB", "AUX"} and token.dep_ not in {"aux", "auxpass", "amod"}


def _opens(verb: Token, place: int) -> bool:
    """Whether a phrase before its verb opens the clause or stands between subject and verb.

    "said on Friday he would come" does neither.
    """
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
    if verb.lemma_ in PLANNING:
        return place - verb.i > 2  # "said on Friday that": right behind the verb it is the day of saying
    objects = [t for t in verb.doc[verb.i + 1 : place] if t.pos_ in {"NOUN", "PROPN"}] if place > verb.i else []
    return any(_is_occasion(t) for t in objects) and verb.lemma_ not in _HELD
