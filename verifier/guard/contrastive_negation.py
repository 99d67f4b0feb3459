"""Values that a sentence names only to reject them: "42,000, not 48,000 as first reported".

Such a value is no support for a claim that states it, and its "not" negates no statement. The
guard compares with the sentence as it reads without them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from language.names import find_names, name_in, tokens
from language.quantities.mentions import find_slots
from language.quantities.types import Slot, comparable

_CONTRAST = re.compile(
    r"[,;(]?\s*\b(?:(?:and|but)\s+not|(?<!did )(?<!does )(?<!is )(?<!was )(?<!were )(?<!are )not"
    r"|rather\s+than|instead\s+of|as\s+opposed\s+to|and\s+no\s+longer)\s+(?:on\s+|in\s+|at\s+|by\s+|for\s+|to\s+|the\s+|some\s+"
    r"|about\s+|around\s+)*$",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(r"\bnot\s+(?:on\s+|in\s+|at\s+|by\s+|for\s+|to\s+|the\s+|some\s+|about\s+|around\s+)*$", re.I)
_BUT = re.compile(r"^[^.;]{0,30}?,?\s+but\b", re.IGNORECASE)
_CORRECTED = re.compile(
    r"\b(?:revis|correct|amend|restat|adjust)(?:e|ed|es|ing|ion)?s?\b[^.;]*?\s+from\s+(?:the\s+|some\s+|about\s+)?$",
    re.IGNORECASE,
)
_HAD_SAID = re.compile(
    r",?\s*\b(?:while|whereas|although|though)\b[^.;:]{0,80}?\bhad\s(?:(?:first|earlier|originally|previously|wrongly)\s)?"
    r"(?:spoken\sof|reported|announced|claimed|said|given|stated|estimated|counted|put\s(?:it|them|the\s\w+)\sat)"
    r"(?:\s(?:as|at|to\sbe|only|some|about|around|up\sto))*\s$",
    re.IGNORECASE,
)
"""What somebody else had said of it before: "27,500, while the authority had spoken of 32,000"."""
_CLAUSE = re.compile(r"[^.,;:]*")
_TO = re.compile(r"^[^.;]{0,25}?\s+to\b", re.IGNORECASE)
_TAIL = re.compile(
    r"^(?:\s+(?!and\b|but\b|to\b|in\b|on\b)[a-z]+){0,2}?,?\s+(?:as\s+(?:was\s+|had\s+been\s+|it\s+had\s+)?|that\s+(?:was|were|had\s+been)\s+)?"
    r"(?:first|originally|initially|previously|earlier|wrongly|mistakenly)?\s*"
    r"(?:reported|announced|stated|said|published|claimed|given)\b[^.,;]*",
    re.IGNORECASE,
)


def without_rejected(text: str) -> str:
    """The text without values that it names as wrong; the text itself where there are none.

    A value counts as rejected beside another of its kind: "A, not B", "not B but A",
    "corrected from B to A".
    """
    for start, end in sorted(rejected_spans(text), reverse=True):
        text = text[:start] + text[end:]
    return text


def rejects(claim: str, premise: str) -> bool:
    """Whether the premise rejects a value or a name that the claim states as true."""
    return _rejects_value(claim, premise) or _rejects_name(claim, premise)


def _rejects_name(claim: str, premise: str) -> bool:
    """ "Opened by Wilma Ambrecht, and not by Walter Ambrecht", for a claim that names Walter Ambrecht: a name
    in contrast to an earlier one, which the rest of the premise does not speak of.
    """
    names = find_names(premise)
    for at, name in enumerate(names):
        contrast = _CONTRAST.search(premise[: name.start]) if at else None
        if contrast is None or names[at - 1].end > contrast.start():
            continue
        rest = tokens(premise[: contrast.start()] + premise[name.end :])
        if not set(name.words) <= set(rest) and name_in(name, _without_rejected_names(claim)):
            return True
    return False


def _without_rejected_names(claim: str) -> str:
    """The claim without the names that it rejects itself."""
    for name in reversed(find_names(claim)):
        if contrast := _CONTRAST.search(claim[: name.start]):
            claim = claim[: contrast.start()] + claim[name.end :]
    return claim


def _rejects_value(claim: str, premise: str) -> bool:
    spans = rejected_spans(premise)
    if not spans:
        return False
    inside = [s for s in find_slots(premise) if any(start <= s.start < end for start, end in spans)]
    stated = find_slots(without_rejected(claim))
    kept = {(s.kind, s.value) for s in find_slots(without_rejected(premise))}
    return any(
        mine.value == other.value and _alike(mine, other) and (other.kind, other.value) not in kept
        for mine in stated
        for other in inside
    )


@lru_cache(maxsize=4096)
def rejected_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the rejections stand, as (start, end)."""
    slots = [s for s in find_slots(text) if s.kind == "date" or s.low is not None]
    return tuple(span for slot in slots if (span := _rejected(text, slot, slots)))


def _rejected(text: str, slot: Slot, slots: list[Slot]) -> tuple[int, int] | None:
    """Where the rejection of one slot stands, or ``None`` when it is stated as true."""
    before, after = text[: slot.start], text[slot.end :]
    earlier = [s for s in slots if s.end <= slot.start and _alike(slot, s)]
    later = [s for s in slots if s.start >= slot.end and _alike(slot, s)]
    contrast = _CONTRAST.search(before)
    if contrast and earlier:
        tail = _TAIL.match(after)
        return contrast.start(), slot.end + (tail.end() if tail else 0)
    negated = _NOT_BUT.search(before)
    if negated and later and (joint := _BUT.match(after)):
        return negated.start(), slot.end + joint.end()
    corrected = _CORRECTED.search(before)
    if corrected and later and _TO.match(after):
        return before.lower().rindex(" from "), slot.end
    before_that = _HAD_SAID.search(before)
    if before_that and any(s.end <= before_that.start() for s in earlier):
        clause = _CLAUSE.match(after)
        return before_that.start(), slot.end + (clause.end() if clause else 0)
    return None


def _alike(slot: Slot, other: Slot) -> bool:
    if "date" in (slot.kind, other.kind):
        return slot.kind == other.kind
    return comparable(slot, other) or (slot.kind == "number" and other.kind in {"number", "unit"})
