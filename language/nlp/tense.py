"""The tense of a verb from its parse: the past, what is yet to come, or neither for certain.

English tells a plan in the present ("opens on Friday"), in the past ("was to open on Friday") and under a
condition ("would open"): each of them is neither here. Only a plain past is the past, and only what one
of the markers below announces from the present is the future.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from spacy.tokens import Token

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
AHEAD_WORDS = frozenset({"next", "coming", "upcoming", "forthcoming"})
"""Words beside a day that make it one to come."""
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
