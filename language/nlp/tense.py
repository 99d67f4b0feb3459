"""Tense, aspect and attachment: what a day or an amount belongs to, and whether its verb looks back or ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from language.calendar import WEEKDAYS
from language.nlp.delegation import answerable
from language.nlp.pipeline import parse

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


Tense = Literal["past", "future", "state", "open"]
"""``state``: a present that tells how things are ("is", "has"); ``open``: none for certain."""

FUTURE_MODALS = frozenset({"will", "shall", "'ll", "’ll", "wo"})
PLANNING = frozenset(
    "due set schedule slate plan intend expect aim hope mean book going go bind announce call postpone delay "
    "promise propose agree arrange fix move order invite demand request threaten vow pledge offer warn "
    "predict forecast cancel put prepare vote decide want ask advertise reschedule advance".split()
)
"""Lemmas after which a day may be that of the plan, not of the planning: never the past."""
ANNOUNCING = frozenset("due set schedule slate plan intend expect aim going go bind".split())
"""Those that announce what is to come, in the present tense ("is due on", "plans to")."""
_STATIVE = frozenset("be have stand remain cost own hold lie live amount total contain number".split())
_UNREAL = frozenset({"if", "unless", "whether", "until", "till", "before", "lest", "though", "once"})
_AUXILIARY = frozenset({"aux", "auxpass"})
_SUBJECT = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})


def auxiliaries(verb: Token) -> list[Token]:
    """Its auxiliaries in order; without own ones or a subject, those of the verb it is coordinated to."""
    own = [c for c in verb.children if c.dep_ in _AUXILIARY]
    shares = verb.dep_ == "conj" and not any(c.dep_ in _SUBJECT for c in verb.children)
    return own or (auxiliaries(verb.head) if shares and verb.tag_ not in {"VBD", "VBZ", "VBP"} else [])


def tense_of(verb: Token) -> Tense:
    """The tense of a verb, its auxiliaries and what governs it taken together."""
    if any(c.dep_ == "mark" and c.lower_ in _UNREAL for c in verb.children):
        return "open"
    helpers = [a for a in auxiliaries(verb) if a.lower_ != "to"]
    if verb.dep_ in {"xcomp", "acl", "advcl", "relcl"} and not _finite(verb, helpers):
        return _governed(verb)
    if any(h.lower_ in FUTURE_MODALS for h in helpers):
        return "future"
    if any(h.tag_ == "MD" for h in helpers):
        return "open"
    announced = _announced(verb, helpers)
    if announced is not None:
        return announced
    if _past(verb, helpers):
        return "past"
    present = helpers[0] if helpers else verb
    if present.tag_ in {"VBZ", "VBP"} and (verb.lemma_ in _STATIVE or helpers):
        return "state" if verb.tag_ != "VBG" else "open"
    return "open"


def _finite(verb: Token, helpers: list[Token]) -> bool:
    return any(t.tag_ in {"VBD", "VBZ", "VBP", "MD"} for t in (verb, *helpers))


def _past(verb: Token, helpers: list[Token]) -> bool:
    if helpers:
        first = helpers[0]
        perfect = first.lemma_ == "have" and verb.tag_ in {"VBN", "VBD"}
        return (first.tag_ == "VBD" or perfect) and not _planned(verb)
    if verb.tag_ == "VBN" and verb.dep_ in {"ROOT", "conj", "ccomp", "relcl"}:
        subject = any(c.dep_ in _SUBJECT for c in verb.children) or verb.dep_ == "conj"
        return subject and not _bare(verb)
    return verb.tag_ == "VBD" and not _bare(verb)


def _planned(verb: Token) -> bool:
    """ "was going to", "had been due to": a passive or progressive of a word that announces."""
    return verb.lemma_ in ANNOUNCING and any(c.dep_ == "xcomp" for c in verb.children)


def _bare(verb: Token) -> bool:
    """A form that may be the present as well: "the shops shut", unlike "the shop shut"."""
    if verb.lower_ != verb.lemma_.lower():
        return False
    subject = next((c for c in verb.children if c.dep_ in _SUBJECT), None)
    several = subject is None or subject.tag_ in {"NNS", "NNPS"} or any(c.dep_ == "conj" for c in subject.children)
    return several or (subject is not None and subject.lower_ in {"i", "we", "you", "they"})


def _announced(verb: Token, helpers: list[Token]) -> Tense | None:
    """A state of being announced: "is due", "is scheduled", "plans"; ``None`` where it announces nothing."""
    opening = any(c.dep_ == "xcomp" for c in verb.children)
    if verb.lemma_ == "be":
        if not opening and not any(c.lower_ == "due" for c in verb.children):
            return None
    elif verb.lemma_ not in ANNOUNCING or (verb.lemma_ in {"go", "set", "bind"} and not opening):
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
        done = verb.tag_ in {"VBN", "VBD"} and verb.lemma_ not in PLANNING
        return "past" if done and root != verb and tense_of(root) == "past" else "open"
    if head.pos_ == "ADJ" and head.lower_ == "due":
        head = head.head
    if head.pos_ not in {"VERB", "AUX"}:
        return "open"
    return "future" if tense_of(head) == "future" else "open"


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


DURATIVE = frozenset(
    "have own hold live reside work serve reign rule govern lead head chair run manage coach teach study "
    "play belong stand lie cost contain consist comprise house employ cover measure weigh amount total "
    "number remain stay exist operate represent know need use carry command edit direct sit act".split()
)
"""Verbs of what lasts: told for one time, they say nothing of another."""
_LASTING = frozenset("close base locate situate marry own know employ occupy hold rule govern lead run use".split())
"""Participles that with "be" tell a state as well as an event ("was closed")."""
_EVENT_ADJECTIVES = frozenset({"born", "due"})
_TIMES = frozenset({"DATE", "TIME"})


@answerable
def is_state_at(text: str, start: int, end: int) -> bool:
    """Whether the verb to which the date ``text[start:end]`` belongs tells a state; no verb is none."""
    verb = verb_at(parse(text), start, end)
    return verb is not None and _is_state(verb)


def _is_state(verb: Token) -> bool:
    lemma = verb.lemma_.lower()
    if lemma == "be":
        return any(_describes(c) for c in verb.children)
    passive = any(c.dep_ == "auxpass" for c in verb.children)
    if verb.tag_ == "VBN" and (passive or verb.dep_ in {"acl", "advcl"}):
        return lemma in _LASTING
    return lemma in DURATIVE


def _describes(child: Token) -> bool:
    """What is said of the subject, a time alone not counted: "was mayor", "was in Orrin"."""
    if child.lower_ in _EVENT_ADJECTIVES or child.ent_type_ in _TIMES or child.lower_ in WEEKDAYS:
        return False
    if child.dep_ == "prep":
        return any(c.dep_ == "pobj" and c.ent_type_ not in _TIMES and not c.like_num for c in child.children)
    return child.dep_ in {"attr", "acomp", "oprd"}
