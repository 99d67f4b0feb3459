"""Passages with claims (``passages/*.jsonl``): the sentences that decide a claim as evidence, and what is less."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from factdesk.kernel import Record, sha256_text
from language.calendar import in_words
from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.items import Label, Text, read_rows
from verifier.training.retrieved_negatives import content

FOLDER = Path(__file__).parent / "passages"
SOURCE = "passage"
BESIDE = "passage_beside"
"""The deciding sentences with one that stands beside them."""
PART = "passage_part"
"""The deciding sentences less one: what they leave open."""
HELD_OUT = 20
_PRONOUN = re.compile(r"(?:He|She|It|They|His|Her|Its|Their|This|These)\b")
_TIME = re.compile(
    r"\b(?:(?:19|20)\d\d|January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|today|tomorrow|yesterday|tonight|week|month|year|ago|now|still)s?\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r'(?<=[.!?])["\u201d\u2019)]?\s+(?=[A-Z0-9"\u201c\u2018(])')

Part = Annotated[int, Field(ge=1)] | Literal["title", "day", "publisher"]
"""What a reader needs of a passage: a sentence by its number from 1 on, or what stands above the text."""


class PassageClaim(Record):
    """A claim, its label, what reading it takes, and the smallest part of the passage that decides it.

    Of a neutral claim: the sentences that come nearest to it.
    """

    label: Label
    kind: str
    claim: Text
    evidence: tuple[Part, ...] = Field(min_length=1)


class Passage(Record):
    """One text with where and when it came out, and claims about it."""

    id: str
    genre: str
    publisher: Text
    date: datetime.date | None = None
    title: Text
    text: Text
    claims: tuple[PassageClaim, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _has_its_evidence(self) -> Passage:
        last = len(self.sentences)
        numbers = [part for claim in self.claims for part in sentence_numbers(claim.evidence)]
        if numbers and max(numbers) > last:
            raise ValueError(f"a claim names sentence {max(numbers)} of {last}")
        return self

    @property
    def sentences(self) -> tuple[str, ...]:
        """The text, cut behind its full stops."""
        return tuple(_split(self.text))


def read_passages(path: Path = FOLDER) -> list[Passage]:
    """The passages of a file, or of all files of a folder in the order of their names."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    return [passage for file in files for passage in read_rows(file, Passage)]


def held_out(passage: Passage) -> bool:
    """Whether a passage is for measuring only: one in ``HELD_OUT``, by the hash of its id."""
    return _draw(passage.id) % HELD_OUT == 0


def passage_pairs(passages: Sequence[Passage]) -> list[Pair]:
    """Every claim with the sentences that decide it."""
    return [
        Pair(premise(passage, c.claim, c.evidence), c.claim, one_hot(c.label), SOURCE)
        for passage in passages
        for c in passage.claims
    ]


def derived_pairs(passages: Sequence[Passage], *, every: int = 3) -> list[Pair]:
    """What follows of the same marks: one sentence more changes no label, one less leaves the claim open.

    A deciding set is the smallest, so that without one of its sentences nobody can tell. ``every``: of so many
    claims one is read with a sentence more.
    """
    return [pair for passage in passages for claim in passage.claims for pair in _derived(passage, claim, every)]


def _derived(passage: Passage, claim: PassageClaim, every: int) -> Iterator[Pair]:
    numbers, chance = sentence_numbers(claim.evidence), _draw(passage.id + claim.claim)
    if len(numbers) > 1 and claim.label != "neutral":
        missing = numbers[chance % len(numbers)]
        rest = [part for part in claim.evidence if part != missing]
        yield Pair(premise(passage, claim.claim, rest), claim.claim, one_hot("neutral"), PART)
    beside = [n for n in (*(m - 1 for m in numbers), *(m + 1 for m in numbers)) if n not in numbers]
    beside = [n for n in beside if 1 <= n <= len(passage.sentences)]
    if chance % every == 0 and beside:
        wider = [*claim.evidence, beside[chance % len(beside)]]
        yield Pair(premise(passage, claim.claim, wider), claim.claim, one_hot(claim.label), BESIDE)


def held_out_pairs() -> list[tuple[Pair, str]]:
    """The pairs of the passages kept from training, each with the id of its passage."""
    kept = [p for p in read_passages() if held_out(p)]
    return [(pair, passage.id) for passage in kept for pair in passage_pairs([passage])]


def sentence_numbers(parts: Collection[Part]) -> list[int]:
    """The sentences among the parts, in the order of the text."""
    return sorted(part for part in parts if isinstance(part, int))


def premise(passage: Passage, claim: str, parts: Collection[Part]) -> str:
    """The sentences of ``parts``, behind what stands above the text."""
    text = " ".join(passage.sentences[n - 1] for n in sentence_numbers(parts))
    return f"{lead(passage, claim, text, parts)}{text}".rstrip()


def lead(passage: Passage, claim: str, text: str, parts: Collection[Part] = ()) -> str:
    """Title, publisher and day, each where ``parts`` names it or the claim may need it, as in a check.

    That is where it shares a word with the claim; the title also where the text opens with a pronoun, the day
    where the claim or the text speaks of time.
    """
    words, told = content(claim), []
    if "title" in parts or words & content(passage.title) or _PRONOUN.match(text):
        told.append(passage.title if passage.title[-1] in ".?!" else f"{passage.title}.")
    if "publisher" in parts or words & content(passage.publisher):
        told.append(f"{passage.publisher.rstrip('.')}.")
    if passage.date and ("day" in parts or _TIME.search(claim) or _TIME.search(text)):
        told.append(f"{in_words(passage.date.isoformat())}.")
    return "".join(f"{part} " for part in told)


def _draw(key: str) -> int:
    return int(sha256_text(key)[:8], 16)


def _split(text: str) -> Iterator[str]:
    start = 0
    for gap in _SENTENCE.finditer(text):
        end = gap.start() + len(gap[0].rstrip())
        yield text[start:end]
        start = gap.end()
    yield text[start:]
