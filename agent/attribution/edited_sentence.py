"""A claim that copies a sentence but for one number, date, name or denial; found without a model.

Both must begin alike, since another subject makes another fact.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from language.nlp.pipeline import parse
from verifier.types import QUANTITIES, GuardReport

if TYPE_CHECKING:
    from spacy.tokens import Token

LEAST_WORDS = 4
"""Least number of words that claim and sentence share in order."""
LEAST_SHARE = 0.6
"""Least share of the longer one's words that are shared."""
_DENIALS = frozenset({"not", "n't", "never", "no"})
_HELPERS = frozenset({"do"})
_JOINING = frozenset("of the and de von van".split())


def altered_detail(claim: str, sentence: str, guard: GuardReport) -> str:
    """The sentence's value for the claim's one differing detail, in words; ``""`` if there is none.

    ``guard``: its report on the two; a value counts where it is not found in the sentence.
    """
    if not _alike(claim, sentence):
        return ""
    mine, theirs = (_words(text) for text in (claim, sentence))
    if denied := _denial(mine, theirs):
        return denied
    ours, others = _one_region(mine, theirs)
    numbers = any(f.slot in QUANTITIES for f in guard.findings) and _numeric(ours) and _numeric(others)
    names = any(f.slot in {"entity", "date"} for f in guard.findings) and _named(ours) and _named(others)
    if ours and (numbers or names):
        return f"It has {_text(others)!r} where the claim has {_text(ours)!r}."
    return ""


def _alike(claim: str, sentence: str) -> bool:
    mine, theirs = set(claim.lower().split()), set(sentence.lower().split())
    return _enough(len(mine & theirs), len(mine), len(theirs))


def _enough(shared: int, mine: int, theirs: int) -> bool:
    return shared >= LEAST_WORDS and shared >= LEAST_SHARE * max(mine, theirs)


def _words(text: str) -> list[Token]:
    return [t for t in parse(text) if not t.is_punct and not t.is_space]


def _one_region(mine: list[Token], theirs: list[Token]) -> tuple[list[Token], list[Token]]:
    """The only stretch in which two sentences differ that begin alike; empty where there is none."""
    words = [[t.lower_ for t in side] for side in (mine, theirs)]
    codes = SequenceMatcher(a=words[0], b=words[1], autojunk=False).get_opcodes()
    (kind, start, end, other, last), *more = [c for c in codes if c[0] != "equal"] or [("equal", 0, 0, 0, 0)]
    same = sum(c[2] - c[1] for c in codes if c[0] == "equal")
    if more or kind != "replace" or not start or not _enough(same, len(mine), len(theirs)):
        return [], []
    return mine[start:end], theirs[other:last]


def _denial(mine: list[Token], theirs: list[Token]) -> str:
    """Whether only one of the two denies, with the same words otherwise."""
    ours, others = (sum(t.lower_ in _DENIALS for t in words) for words in (mine, theirs))
    if (ours > 0) == (others > 0) or ours + others != 1:
        return ""
    plain = [
        [t.lemma_.lower() for t in words if t.lower_ not in _DENIALS and t.lemma_.lower() not in _HELPERS]
        for words in (mine, theirs)
    ]
    if plain[0] != plain[1] or len(plain[0]) < LEAST_WORDS:
        return ""
    return "The claim denies what it says." if ours else "It denies what the claim says."


def _numeric(words: list[Token]) -> bool:
    return all(t.like_num or t.text[:1].isdigit() or t.ent_type_ in {"DATE", "TIME"} for t in words)


def _named(words: list[Token]) -> bool:
    """Capitalised words but the first of the sentence."""
    capital = all((t.text[:1].isupper() and not t.like_num) or t.lower_ in _JOINING for t in words)
    names = any(t.pos_ == "PROPN" or t.ent_type_ in {"PERSON", "ORG", "GPE", "LOC", "FAC"} for t in words)
    return capital and names and all(t.i > 0 for t in words) and not all(t.ent_type_ == "DATE" for t in words)


def _text(words: list[Token]) -> str:
    return words[0].doc[words[0].i : words[-1].i + 1].text
