"""Shares: of whom so many percent are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from language.names import plain
from verifier.guard.attachment import root_of
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import Text, TextPair, text_of

_BACK = frozenset("which them whom it that this these those us".split())
_OF = re.compile(
    r"\s+of\s+(?:(?:all|the|its|their|our|those|these)\s+)*(?P<whole>[\w'’-]+)"
    r"(?P<rest>\s+(?:under|over|aged|below|above|between|who|with|without|from)\s+[\w'’-]+(?:\s\d+)?)?",
    re.IGNORECASE,
)


def _of_fewer(pair: TextPair) -> Hit | None:
    """ "60 percent of women" against "60 percent of women under 30"."""
    mine = {root_of(w) for w in pair.claim.marked}
    for value, whole, there in _other_shares(pair):
        other, rest = there
        if other == whole and rest and not rest & mine:
            return Hit(value, " ".join(sorted(rest)))
    return None


def _of_another_whole(pair: TextPair) -> Hit | None:
    """ "40 percent of women smoked" against "40 percent of smokers were women"."""
    mine = {root_of(w) for w in pair.claim.marked}
    theirs = {root_of(w) for w in pair.premise.marked}
    for value, whole, (other, _) in _other_shares(pair):
        if other != whole and other not in _BACK and (whole in theirs or other in mine):
            return Hit(whole, other, value)
    return None


def _other_shares(pair: TextPair) -> Iterator[tuple[str, str, tuple[str, set[str]]]]:
    """The claim's shares of which the premise has the number, and of what it is there."""
    told = list(_shares(pair.premise))
    for value, whole, _ in _shares(pair.claim):
        there = [(w, more) for v, w, more in told if v == value]
        if there and not any(w == whole and not more for w, more in there):
            yield value, whole, there[0]


def _shares(text: Text) -> Iterator[tuple[str, str, set[str]]]:
    """(percent, stem of the whole, stems of what narrows the whole down)."""
    for slot in text.slots:
        if slot.kind == "percentage" and (found := _OF.match(text.raw, slot.end)):
            rest = {root_of(w) for w in text_of(found["rest"] or "").marked}
            yield slot.value, root_of(plain(found["whole"])), rest


RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "share.narrower": _of_fewer,
        "share.other": _of_another_whole,
    }
)
"""Rules on shares."""
