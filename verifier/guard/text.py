"""A string as the rules of the guard read it, a claim beside a premise, and values that a text only rejects.

"42,000, not 48,000 as first reported": such a value is no support for a claim that states it, and its "not" negates
no statement. The guard compares with the text as it reads without them.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from language import lexicon as lex
from language.names import Name, content_stems, find_names, name_in, plain, stem, tokens
from language.quantities.mentions import find_slots
from language.types import Slot, comparable
from verifier.guard.lexicon import expression, words

_NUMBERED = words("numbered")
_CONTRAST = expression("contrast")
_NOT_BUT = re.compile(r"\bnot\s+(?:on\s+|in\s+|at\s+|by\s+|for\s+|to\s+|the\s+|some\s+|about\s+|around\s+)*$", re.I)
_BUT = re.compile(r"^[^.;]{0,30}?,?\s+but\b", re.IGNORECASE)
_CORRECTED = expression("corrected")
_HAD_SAID = expression("had_said")
_CLAUSE = re.compile(r"[^.,;:]*")
_TO = re.compile(r"^[^.;]{0,25}?\s+to\b", re.IGNORECASE)
_TAIL = expression("told_before")


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


_NOT_NEGATIVE = expression("not_negative")
_FREE_OF = re.compile(r"\b(?:free (?:of|from)(?! charge)|devoid of)\b", re.I)
_REFUSED = expression("refused")
_NO_LONGER_MAY = re.compile(r"\bmay no longer\b", re.I)
_WORD = re.compile(r"\d[\d.,]*\d|[\w'’]+|[^\w\s]")
_MARKED = re.compile(r"[\w][\w'’.-]*[\w]|\w|[;:,.!?()]")
_CLAUSE_END = frozenset(
    "but while when because although though and or after before until which who that than if".split()
)
_DENIED_WORDS = 4
"""Telling words that a denial reaches at most."""


class Text:
    """One string with what rules read in it; each part is computed once, when a rule first asks for it."""

    def __init__(self, text: str) -> None:
        self.raw = text

    @cached_property
    def plain(self) -> str:
        """Lower case without accents."""
        return plain(self.raw)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Words and numbers, plain."""
        return tokens(self.raw)

    @cached_property
    def token_set(self) -> frozenset[str]:
        """The tokens, each once."""
        return frozenset(self.tokens)

    @cached_property
    def token_stems(self) -> frozenset[str]:
        """Stems of all tokens, stop words among them."""
        return frozenset(stem(word) for word in self.tokens)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the telling words, and of the parts of hyphenated ones."""
        words = (part for word in self.tokens for part in {word, *word.split("-")})
        return frozenset(stem(w) for w in words if w not in lex.STOPWORDS)

    @cached_property
    def content(self) -> frozenset[str]:
        """Stems of the telling words without numbers."""
        return frozenset(content_stems(self.raw))

    @cached_property
    def own(self) -> frozenset[str]:
        """Stems of the telling words, amounts and dates left out."""
        text = self.raw
        for slot in sorted(self.slots, key=lambda s: -s.start):
            text = f"{text[: slot.start]} {text[slot.end :]}"
        return frozenset(content_stems(text))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words and signs in order, as the rules on denials read them: "turned down" is "rejected"."""
        text = _REFUSED.sub("rejected", self.raw)
        text = _FREE_OF.sub(" without ", _NOT_NEGATIVE.sub(" ", _NO_LONGER_MAY.sub("no longer", text)))
        return tuple(w if w == "May" else plain(w) for w in _WORD.findall(text))

    @cached_property
    def marked(self) -> tuple[str, ...]:
        """Words and punctuation in order, possessives taken off."""
        found = _MARKED.findall(self.raw)
        return tuple(plain(w).removesuffix("'s") if len(w) > 1 else w for w in found)

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Its names, in order."""
        return find_names(self.raw)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Its numbers, amounts and dates, in order."""
        return find_slots(self.raw)

    @cached_property
    def cue_places(self) -> tuple[int, ...]:
        """Where among ``words`` something is denied."""
        return tuple(i for i, word in enumerate(self.words) if _is_cue(word))

    @cached_property
    def cues(self) -> frozenset[str]:
        """The words by which it denies something."""
        return frozenset(self.words[i] for i in self.cue_places)

    @cached_property
    def denied(self) -> frozenset[str]:
        """Stems of the telling words in the scope of a denial."""
        return frozenset(s for i in self.cue_places for s in self.scope(i))

    def scope(self, index: int) -> set[str]:
        """Stems of the telling words that the cue at ``index`` denies; numbers only right behind it."""
        found: set[str] = set()
        reach, first = 0, index + 1
        if self.words[index] in lex.DENIALS and self.words[first : first + 1] == ("that",):
            first += 1
        for word in self.words[first:]:
            if word in "$€£":
                continue
            if word in _CLAUSE_END or not word[0].isalnum() or reach == _DENIED_WORDS:
                break
            if word not in lex.STOPWORDS and (not reach or not word[0].isdigit()):
                found.add(stem(word))
                reach += 1
        return found

    @cached_property
    def stated(self) -> Text:
        """The text without values that it names only to reject them."""
        return text_of(without_rejected(self.raw))


def _is_cue(word: str) -> bool:
    return word in lex.NEGATIONS or word in lex.DENIALS or word.endswith("n't")


@lru_cache(maxsize=4096)
def text_of(text: str) -> Text:
    """The one ``Text`` of a string."""
    return Text(text)


class TextPair:
    """A claim beside a premise, with what dates the premise and names its subject."""

    def __init__(self, claim: str, premise: str, context: str = "", published: str = "") -> None:
        self.claim = text_of(claim)
        self.premise = text_of(premise)
        self.context = context
        self.published = published

    @cached_property
    def around(self) -> Text:
        """The premise with its context."""
        return text_of(f"{self.context} | {self.premise.raw}") if self.context else self.premise


def names_a_thing(text: str, slot: Slot) -> bool:
    """A number that is part of a name: "line 4", "flight 12"."""
    before = text[: slot.start].rstrip().rsplit(" ", 1)[-1].lower()
    return slot.kind == "number" and not slot.unit and before in _NUMBERED
