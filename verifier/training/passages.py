"""Passages with claims (``passages/*.jsonl``): whole texts, or a window of a few sentences, as evidence."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import Field

from factdesk.kernel import Record, sha256_text
from language.calendar import in_words
from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.items import Label, Text, read_rows
from verifier.training.retrieved_negatives import content

FOLDER = Path(__file__).parent / "passages"
SOURCE = "passage"
WINDOW = 4
"""Sentences of a window."""
COVERED = 0.7
"""Least share of a claim's words that its window holds; with less, the whole passage may be needed."""
HELD_OUT = 20
_PRONOUN = re.compile(r"(?:He|She|It|They|His|Her|Its|Their|This|These)\b")
_TIME = re.compile(
    r"\b(?:(?:19|20)\d\d|January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|today|tomorrow|yesterday|tonight|week|month|year|ago|now|still)s?\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r'(?<=[.!?])["\u201d\u2019)]?\s+(?=[A-Z0-9"\u201c\u2018(])')


class PassageClaim(Record):
    """A claim, its label, and what reading it takes."""

    label: Label
    kind: str
    claim: Text


class Passage(Record):
    """One text with where and when it came out, and claims about it."""

    id: str
    genre: str
    publisher: Text
    date: datetime.date | None = None
    title: Text
    text: Text
    claims: tuple[PassageClaim, ...] = Field(min_length=1)

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
    return int(sha256_text(passage.id)[:8], 16) % HELD_OUT == 0


def passage_pairs(passages: Sequence[Passage]) -> list[Pair]:
    """Every claim with its passage, or with the window that alone speaks of what the claim says."""
    return [
        Pair(f"{lead(passage, c.claim)}{window(passage, c.claim)}", c.claim, one_hot(c.label), SOURCE)
        for passage in passages
        for c in passage.claims
    ]


def held_out_pairs() -> list[tuple[Pair, str]]:
    """The pairs of the passages kept from training, each with the id of its passage."""
    kept = [p for p in read_passages() if held_out(p)]
    return [(pair, passage.id) for passage in kept for pair in passage_pairs([passage])]


def lead(passage: Passage, claim: str) -> str:
    """What stands before the text: title, publisher and day, each only where the claim may need it.

    That is where it shares a word with the claim; the title also where the text opens with a pronoun, the day
    where the claim or the text speaks of time.
    """
    words, told = content(claim), []
    if words & content(passage.title) or _PRONOUN.match(passage.text):
        told.append(f"{passage.title.rstrip('.')}.")
    if words & content(passage.publisher):
        told.append(f"{passage.publisher.rstrip('.')}.")
    if passage.date and (_TIME.search(claim) or _TIME.search(passage.text)):
        told.append(f"{in_words(passage.date.isoformat())}.")
    return "".join(f"{part} " for part in told)


def window(passage: Passage, claim: str) -> str:
    """The sentences from the first to the last that shares a word with the claim, where they are few.

    Nobody has marked which sentences decide. All that share a word with the claim stand in the window, and
    together they hold most of its words; otherwise, and for claims of other words, it is the whole text.
    """
    words, sentences = content(claim), passage.sentences
    shared = [words & content(sentence) for sentence in sentences]
    at = [n for n, found in enumerate(shared) if found]
    covered = len(set().union(*shared)) >= COVERED * len(words)
    if not at or not covered or at[-1] - at[0] >= WINDOW or len(sentences) <= WINDOW:
        return passage.text
    return " ".join(sentences[at[0] : at[-1] + 1])


def _split(text: str) -> Iterator[str]:
    start = 0
    for gap in _SENTENCE.finditer(text):
        end = gap.start() + len(gap[0].rstrip())
        yield text[start:end]
        start = gap.end()
    yield text[start:]
