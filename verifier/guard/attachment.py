"""What belongs to what in a sentence that has all words of the claim in another order; of whom a share is.

Directions ("into German"), places and days ("was born in Bergen and grew up in Oslo"), and objects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from language import lexicon as lex
from language.calendar import MONTHS
from language.names import plain, stem
from verifier.guard.lexicon import words
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import Text, TextPair, text_of

_TURNED: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(a.split()), frozenset(b.split()))
    for a, b in (
        ("into to towards toward", "from off"),
        ("before", "after since"),
        ("until till by", "since from"),
        ("to", "by"),
        ("above over", "below under beneath"),
        ("inside within", "outside"),
        ("with", "without"),
        ("for", "against"),
    )
)
_PLACING = frozenset("in at on off near from of to into by under through over across during since before after".split())
_JOINING = frozenset("the a an and or , of in on at early late mid near new".split()) | {m.lower() for m in MONTHS}
_IRREGULAR = {
    "children": "child",
    "men": "man",
    "women": "woman",
    "people": "person",
    "died": "death",
    "dead": "death",
}
_PARTING = frozenset("and but or , as".split())
_CHAIN = 16
"""Words behind a preposition in which a name or a year may belong to the word before it."""
_MONTHS = frozenset(month.lower() for month in MONTHS)
_HOURS = frozenset("dawn morning noon midday afternoon evening dusk night midnight".split())
_DEEDS = words("deeds")
_BREAK = frozenset(";:.!?")
_CLAUSE_WORDS = words("clause_openers")


Words = tuple[str, ...]
"""``Text.marked``: words and punctuation in order."""


def _reordered(find: Callable[[Text, Text], Hit | None]) -> Callable[[TextPair], Hit | None]:
    """A rule's detector where the premise does not have the claim as it stands."""

    def detect(pair: TextPair) -> Hit | None:
        return None if pair.claim.plain in pair.premise.plain else find(pair.claim, pair.premise)

    return detect


def root_of(word: str) -> str:
    """Stem of a word; of "men" that of "man"."""
    return stem(_IRREGULAR.get(word, word))


def _telling(word: str) -> bool:
    return word[:1].isalnum() and word not in lex.STOPWORDS and word not in _PLACING


def _turned(claim: Text, premise: Text) -> Hit | None:
    """The same word before, and the same behind, a preposition of the other direction."""
    told = set(_phrases(premise.marked))
    for head, way, goal in _phrases(claim.marked):
        if (head, way, goal) in told:
            continue
        for one, other in (*_TURNED, *((b, a) for a, b in _TURNED)):
            if way in one:
                turned = [w for h, w, g in told if h == head and g == goal and w in other]
                if turned:
                    return Hit(way, turned[0])
    return None


def _phrases(words: Words) -> Iterator[tuple[str, str, str]]:
    """(word before, preposition, word behind), as stems."""
    ways = {w for pair in _TURNED for side in pair for w in side}
    for i, word in enumerate(words[1:-1], 1):
        if word in ways and words[i - 1] not in _BREAK:
            before = [w for w in words[max(0, i - 3) : i] if _telling(w)]
            behind = [w for w in words[i + 1 : i + 4] if _telling(w)]
            if before and behind:
                yield root_of(before[-1]), word, root_of(behind[0])


def _placed(claim: Text, premise: Text) -> Hit | None:
    """A name or a year beside a word that the evidence puts beside another name or year only."""
    told: dict[str, set[str]] = {}
    values = _values(claim) | _values(premise)
    for head, value in _beside(premise.marked, values):
        told.setdefault(head, set()).add(value)
    deeds = {root_of(w) for w in claim.marked if _is_deed(w)}
    attached = {v for vs in told.values() for v in vs}
    for head, value in _beside(claim.marked, values):
        others = told.get(head, set()) if head in deeds else set()
        kind = {v for v in others if _is_time(v) == _is_time(value)}
        if value in attached and kind and value not in others:
            there = ", ".join(sorted(kind))
            return Hit(value, sorted(kind)[0], f"{head!r}; the evidence has {there!r} there")
    return None


def _values(text: Text) -> set[str]:
    """Words of names, months and years."""
    dated = {w for s in text.slots if s.kind == "date" for w in text_of(s.text).marked}
    named = {w for n in text.names for w in text_of(n.text).marked if len(w) > 2 and w not in _JOINING}
    return (named - lex.STOPWORDS) | {w for w in (*dated, *text.marked) if _is_time(w)}


def _is_time(word: str) -> bool:
    return word in _MONTHS or word in _HOURS or re.fullmatch(r"\d{4}", word) is not None


def _is_deed(word: str) -> bool:
    return word.endswith("ed") or word in _DEEDS


def _beside(words: Words, values: set[str]) -> Iterator[tuple[str, str]]:
    """(stem of the word before the preposition, value behind it), for all values of one chain."""
    for i, word in enumerate(words[1:], 1):
        if word not in _PLACING:
            continue
        head = next((w for w in words[max(0, i - 2) : i][::-1] if _telling(w)), "")
        if not head or head in values:
            continue
        for at in range(i + 1, min(len(words), i + _CHAIN)):
            value, before = words[at], words[at - 1]
            if value in values:
                yield root_of(head), value
            elif value in _BREAK or value in _CLAUSE_WORDS or (before in _PARTING and value not in _JOINING):
                break


_BACK = frozenset("which them whom it that this these those us".split())
_OF = re.compile(
    r"\s+of\s+(?:(?:all|the|its|their|our|those|these)\s+)*(?P<whole>[\w'’-]+)"
    r"(?P<rest>\s+(?:under|over|aged|below|above|between|who|with|without|from)\s+[\w'’-]+(?:\s\d+)?)?",
    re.IGNORECASE,
)

_OF_AHEAD = re.compile(
    r"\s*of\s+(?:(?:all|the|its|their|our|those|these)\s+)*(?P<whole>[\w'’-]+)\s+(?:who|that|which|with|without|aged"
    r"|under|over)\s+(?P<rest>[^,;]+),\s*",
    re.IGNORECASE,
)
""" "Of the customers who complained, …"."""


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
        if slot.kind == "percentage" and (ahead := _OF_AHEAD.fullmatch(text.raw[: slot.start])):
            yield slot.value, root_of(plain(ahead["whole"])), {root_of(plain(ahead["rest"].split()[0]))}
        if slot.kind == "percentage" and (found := _OF.match(text.raw, slot.end)):
            rest = {root_of(w) for w in text_of(found["rest"] or "").marked}
            yield slot.value, root_of(plain(found["whole"])), rest


RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "attachment.turned": _reordered(_turned),
        "attachment.placed": _reordered(_placed),
        "share.narrower": _of_fewer,
        "share.other": _of_another_whole,
    }
)
"""Rules on what belongs to what."""
