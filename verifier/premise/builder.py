"""What the model reads of a piece of evidence: the sentence, and before it what the reader of its page knows.

A sentence taken from its page loses its subject ("She …") and its day ("on Sunday"). Both are put before
it, as a heading and a dateline, where the claim asks for them and the sentence leaves them out.

The circumstance of a claim ("when the Sula broke down") its evidence must bear out too: sailors burned anywhere are
sailors burned "when the Sula broke down" to a model that finds the main part in a sentence. So it is asked for by
itself, as a sentence of its own; where the evidence leaves it open, it leaves the claim open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from language.calendar import in_words, iso_day
from language.dates.resolve import dates_given, resolve
from language.lexicon import STOPWORDS
from language.names import Name, content_stems, find_names, is_common, name_in, stem
from language.quantities.mentions import find_slots
from language.types import Slot
from verifier.guard.arithmetic import with_results
from verifier.guard.check import own_words
from verifier.guard.lexicon import words
from verifier.guard.quantities import amounts_worked_out, date_agrees, number_agrees
from verifier.guard.text import rejected_spans, without_rejected
from verifier.types import PairText

MAX_PREMISE = 1500
"""Longest premise in characters; what stands behind is left out (the model reads 128 tokens)."""
MAX_CONTEXT = 400
SHARP = 0.2
"""Widest range of an amount that is no bound, as a share of its value: "about 3,000", not "over 3,000"."""
_JOIN = " | "
_CIRCUMSTANCE = re.compile(
    r"(?:(?P<event>\b(?:because of|owing to|as a result of|following|during|amid)\b)"
    r"|(?P<told>\b(?:when|while|whenever|because|as soon as)\b)"
    r"|(?P<either>(?<!look )(?<!looks )(?<!looked )(?<!looking )(?<!named )(?<!than )"
    r"\b(?:after|before|until|since)\b|(?:^|,\s*)once\b))"
    r"\s+(?!(?:is|are|was|were|has|have|had)\b\s)(?P<what>[^,;:]+)",
    re.IGNORECASE,
)
_OF_TIME = frozenset(
    stem(word) for word in "end start beginning middle early late mid year month week day night morning".split()
)
"""What is said of a date or a span of time, and of nothing that happened."""
MAX_CIRCUMSTANCES = 2
"""So many of a claim are asked for, the first ones; each takes at most two forward passes."""
IMAGE_SUBJECT = (
    "The picture, photo, image, chart, graphic, table, post, sign, poster, screenshot or scan shows, says, "
    "gives, lists, names, reports"
)
"""What a reading of the image is about, for claims that speak of the image: the image itself. The guard is
told so; the model does not read it."""
_ENDS = frozenset('.!?"”’')
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|must|shall|should|did|does|do|went|came|took|got|gave"
    r"|made|said|says|held|lies|stood|cost|costs|ran|fell|rose|lost|won|left|paid|began|[a-z]{2,}ed)\b"
)
_BODIES = words("bodies")
_FINDS = re.compile(
    r"\s+(?:has\s|have\s|had\s)?(?:counted|found|measured|calculated|estimate[sd]?|puts?|reports?|reported|says?|said"
    r"|states?|stated|announced)\b"
)
_ISO = re.compile(r"(?<![\d-])(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?![\d-])(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?")
_QUARTER = re.compile(r"\bQ([1-4])[ /-]?((?:19|20)\d\d)\b")
_QUARTERS = ("first", "second", "third", "fourth")


def bare_premise(pair: PairText) -> str:
    """The premise alone, cut at ``MAX_PREMISE`` characters, without the values that it names as wrong.

    "312 jobs, not 340" is read as "312 jobs": the guard knows of the rejected value, the model stumbles
    over it. A claim that rejects a value itself is held against the full words.
    """
    premise = pair.premise[:MAX_PREMISE]
    read = premise if rejected_spans(pair.claim) else without_rejected(premise)
    counted = with_results(pair.claim, read, amounts_worked_out(pair.claim, read))
    return spelled(aligned(pair.claim, counted, pair.published))


def aligned(claim: str, premise: str, published: str = "") -> str:
    """``premise`` with each amount and date that agrees with one of ``claim`` written as the claim writes it.

    "3,104 people" agrees with "roughly three thousand people": the guard knows, a small model stumbles over it.

    Only where a single one agrees: of two the claim may mean either. A bound ("over 3,000") is not put in the
    place of an amount.
    """
    theirs = find_slots(premise)
    taken: dict[int, tuple[Slot, str]] = {}
    for mine in find_slots(claim):
        fitting = [s for s in theirs if _agrees(mine, s, premise, published)]
        if len(fitting) == 1 and fitting[0].start not in taken:
            taken[fitting[0].start] = fitting[0], mine.text.strip()
    for start in sorted(taken, reverse=True):
        slot, text = taken[start]
        if slot.text.strip().lower() != text.lower():
            premise = premise[: slot.start] + text + premise[slot.end :]
    return premise


def _agrees(mine: Slot, other: Slot, premise: str, published: str) -> bool:
    if mine.kind != "date" or other.kind != "date":
        return mine.kind == other.kind and _is_sharp(mine) and number_agrees(mine, other)
    day = iso_day(published)
    if not other.value.startswith("XXXX") or day is None:
        return date_agrees(mine.value, other.value)
    placed = [r.value for r in resolve(premise, day) if r.start == other.start]
    return any(date_agrees(mine.value, value) for value in placed)


def _is_sharp(slot: Slot) -> bool:
    if slot.low is None or slot.high is None:
        return False
    return slot.high - slot.low <= SHARP * max(abs(slot.low), abs(slot.high))


def model_claim(claim: str) -> str:
    """The text that the model reads as hypothesis."""
    return spelled(claim)


def spelled(text: str) -> str:
    """The text with dates as a camera or a chart writes them ("2019-08-17", "Q3 2024") put in words."""
    text = _ISO.sub(lambda m: in_words(m[1]), text)
    return _QUARTER.sub(lambda m: f"{_QUARTERS[int(m[1]) - 1]} quarter of {m[2]}", text)


def with_lead(claim: str, premise: str, context: str, lead: str) -> str:
    """The context, with the first sentence of the page where only that names what the claim is about.

    A sentence that names somebody or something else than claim and context do gets none, since what it says
    may be of that one; unless the name stands behind the verb, and behind all that the claim speaks of, or is
    that of a body which found it out.
    """
    premise = without_rejected(premise)
    lacking = [n for n in find_names(claim) if not name_in(n, f"{context} {premise}")]
    if not lead or not any(name_in(n, lead) for n in lacking):
        return context
    if any(_rules(n, claim, premise) for n in find_names(premise) if not name_in(n, f"{claim} {context} {lead}")):
        return context
    title, _, before = context.partition(_JOIN)
    return _JOIN.join(part for part in (title, lead, before) if part)


def _rules(name: Name, claim: str, premise: str) -> bool:
    """Whether what the premise says of the claim's matter may be said of ``name``: it stands before the verb,
    or before a word or value of the claim.
    """
    before, after = premise[: name.start], premise[name.end :]
    if _tells(name, after):
        return False
    if not _VERB.search(before):
        return True
    values = {s.value for s in find_slots(claim)}
    told = (content_stems(after) - content_stems(before)) & content_stems(claim)
    return bool(told) or any(s.value in values for s in find_slots(after))


def _tells(name: Name, after: str) -> bool:
    """Whether it is a body, named after no place, that tells of it ("the Court of Auditors counted …")."""
    words = [word.lower() for word in name.words]
    return bool(_BODIES & set(words) and _FINDS.match(after)) and all(is_common(w) or w in STOPWORDS for w in words)


def heading_of(pair: PairText) -> str:
    """The context, where it is put before the premise; empty where it is not."""
    told = pair.context.removeprefix(IMAGE_SUBJECT).removeprefix(_JOIN)
    return told[:MAX_CONTEXT] if told and _context_helps(pair, told) else ""


def model_premise(pair: PairText) -> str:
    """The text that the model reads as premise: the heading and the dateline stand before it as sentences."""
    lead = [as_sentences(text) for text in (heading_of(pair), _dateline(pair)) if text]
    return " ".join([*lead, bare_premise(pair)])


def as_sentences(heading: str) -> str:
    """Each part of a heading as a sentence: with a full stop, where it has no end of its own."""
    parts = [part for part in (part.strip(" |") for part in heading.split(_JOIN)) if part]
    return " ".join(part if part[-1] in _ENDS else f"{part}." for part in parts)


def image_context(heading: str) -> str:
    """The context of what was read from an image; ``heading`` stands above it there, and may be empty."""
    return f"{IMAGE_SUBJECT}{_JOIN}{heading}" if heading else IMAGE_SUBJECT


def _context_helps(pair: PairText, context: str) -> bool:
    """Whether the context holds a name or a telling word of the claim that the premise lacks."""
    premise = bare_premise(pair)
    lacking = [n for n in find_names(pair.claim) if not name_in(n, premise)]
    if lacking and any(name_in(n, context) for n in lacking):
        return True
    return bool((content_stems(pair.claim) - content_stems(premise)) & content_stems(context))


def _dateline(pair: PairText) -> str:
    """The day that the premise gets from its publication, where only the claim names one.

    A sentence that shares nothing with the claim but names gets none: the date would be all they agree on.
    """
    slots = find_slots(pair.premise)
    named = [s for s in slots if s.kind == "date"]
    if not pair.published or not _has_in_common(pair, slots):
        return ""
    wanted = [s.value for s in find_slots(pair.claim) if s.kind == "date"]
    wanted = [w for w in wanted if not any(date_agrees(w, s.value) for s in named)]
    if not wanted:
        return ""
    given = dates_given(pair.premise, pair.published, pair.context)
    return next((in_words(value) for value in given if any(date_agrees(w, value) for w in wanted)), "")


def _has_in_common(pair: PairText, slots: Sequence[Slot]) -> bool:
    """Whether the premise shares a word that is no name, or an amount, with the claim; ``slots``: its own."""
    named_words = {stem(w) for name in find_names(pair.claim) for w in name.words}
    if (content_stems(pair.claim) & content_stems(pair.premise)) - named_words:
        return True
    amounts = {(s.kind, s.value, s.unit) for s in slots if s.kind != "date"}
    return any((s.kind, s.value, s.unit) in amounts for s in find_slots(pair.claim))


@dataclass(frozen=True)
class Circumstance:
    """A part of a claim, written as sentences that say no more than it; one of them borne out is enough."""

    text: str
    sentences: tuple[str, ...]


def circumstances(claim: str) -> tuple[Circumstance, ...]:
    """What a claim says of when and why, in its order, ``MAX_CIRCUMSTANCES`` at most; dates and amounts alone
    are left to the guard.
    """
    found = []
    for match in _CIRCUMSTANCE.finditer(claim):
        what = match["what"].strip(" .!?\"'”’")
        if not own_words(what) - _OF_TIME or any(what.startswith(slot.text) for slot in find_slots(what)):
            continue
        told = f"{what[:1].upper()}{what[1:]}."
        event = f"There was {what}."
        either = (told, event) if match["either"] else (event,) if match["event"] else (told,)
        found.append(Circumstance(what, either))
    return tuple(found[:MAX_CIRCUMSTANCES])


def stated(circumstance: Circumstance, premise: str) -> bool:
    """Whether the premise has all its telling words, so that the model has read it in any case."""
    return own_words(circumstance.text) - _OF_TIME <= content_stems(premise)
