"""A string as the rules of the guard read it, and a claim beside a premise."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from language import lexicon as lex
from language.names import Name, content_stems, find_names, plain, stem, tokens
from language.quantities.mentions import find_slots
from language.quantities.types import Slot
from verifier.guard.contrastive_negation import without_rejected

_NOT_NEGATIVE = re.compile(
    r"\b(?:not only|no\. ?\d|(?:no|not) (?:fewer|less|more) than)\b|\bno doubt\b|\bno-(?=[a-z])", re.I
)
_FREE_OF = re.compile(r"\b(?:free (?:of|from)(?! charge)|devoid of)\b", re.I)
_REFUSED = re.compile(
    r"\b(?:turn|vot|strik|struck|knock)(?:ed|ing|e)? down\b|\b(?:call|rul)(?:ed|ing|es?|s)? (?:off|out)\b",
    re.I,
)
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
        return tuple(tokens(self.raw))

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
