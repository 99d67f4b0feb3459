"""Whole stories with claims: which one sentence decides a claim, and that all others leave it open.

A check scores a claim against every sentence of the articles that were found, and nearly all of them leave
it open although they share its names and words. The texts stand in ``stories/*.txt``: ``T`` a headline,
``1`` … its sentences, ``=3`` a claim that follows from sentence 3, ``!5`` one that cannot be true beside
sentence 5, ``?`` one that no sentence settles. They were written for factdesk, without a look at the
development sets or the examples.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from factdesk.kernel import InputError
from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.retrieved_negatives import content

FOLDER = Path(__file__).parent / "stories"
DEV = Path(__file__).parent / "stories_dev"
"""Stories that are kept from training."""
SOURCE = "story"
OPEN = "story_open"
HARDEST = 2
"""Sentences that leave a claim open and share most words with it: so many of them, and one drawn."""
_HEADED = 0.4
"""Share of the premises that stand under the headline."""
_LINE = re.compile(r"(?P<mark>[=!])(?P<at>\d+) (?P<claim>.+)|\? (?P<open>.+)|(?P<n>\d+) (?P<sentence>.+)")
_LABELS = {"=": "entailment", "!": "contradiction"}


@dataclass(frozen=True)
class StoryClaim:
    """A claim, its label, and the number (from 0) of the sentence that decides; ``None``: none does."""

    text: str
    label: str
    decided_by: int | None


@dataclass(frozen=True)
class Story:
    """One story: headline, sentences in their order, claims."""

    headline: str
    sentences: tuple[str, ...]
    claims: tuple[StoryClaim, ...]


def read_stories(folder: Path = FOLDER) -> list[Story]:
    """All stories in the order of file names. Raises ``InputError`` for a line that is none."""
    return [
        _story(block, path.name)
        for path in sorted(folder.glob("*.txt"))
        for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip())
        if block.strip()
    ]


def _story(block: str, name: str) -> Story:
    first, *lines = block.strip().splitlines()
    sentences: list[str] = []
    claims: list[StoryClaim] = []
    for line in lines:
        found = _LINE.fullmatch(line.strip())
        if not first.startswith("T ") or found is None:
            raise InputError(f"{name}: the line {line[:60]!r} is no sentence and no claim of a story")
        if found["sentence"]:
            sentences.append(found["sentence"].strip())
        elif found["open"]:
            claims.append(StoryClaim(found["open"].strip(), "neutral", None))
        else:
            claims.append(StoryClaim(found["claim"].strip(), _LABELS[found["mark"]], int(found["at"]) - 1))
    if not claims or any(c.decided_by is not None and c.decided_by >= len(sentences) for c in claims):
        raise InputError(f"{name}: a claim of the story {first[:60]!r} points to no sentence")
    return Story(first[2:].strip(), tuple(sentences), tuple(claims))


def all_pairs(story: Story) -> Iterator[tuple[StoryClaim, int, str]]:
    """Every claim with every sentence: (claim, number of the sentence, label)."""
    for claim in story.claims:
        for number in range(len(story.sentences)):
            yield claim, number, claim.label if number == claim.decided_by else "neutral"


def dev_pairs(name: str, folder: Path = DEV) -> list[tuple[Pair, str]]:
    """Every claim with every sentence of its story, and the headline; none where there is no folder."""
    return [
        (Pair(story.sentences[n], claim.text, one_hot(label), name), story.headline)
        for story in (read_stories(folder) if folder.is_dir() else [])
        for claim, n, label in all_pairs(story)
    ]


def story_pairs(stories: Sequence[Story], rng: random.Random) -> list[Pair]:
    """Each claim with its deciding sentence, the sentences most like it that leave it open, and one more."""
    made: list[Pair] = []
    for story in stories:
        stems = [content(s) for s in story.sentences]
        for claim in story.claims:
            words = content(claim.text)
            others = [n for n in range(len(stems)) if n != claim.decided_by]
            others.sort(key=lambda n: (-len(words & stems[n]), n))
            chosen = [*others[:HARDEST], *rng.sample(others[HARDEST:], min(1, len(others) - HARDEST))]
            if claim.decided_by is not None:
                made.append(_pair(story, claim.decided_by, claim.text, claim.label, SOURCE, rng))
            made += [_pair(story, n, claim.text, "neutral", OPEN, rng) for n in chosen]
    return made


def _pair(story: Story, number: int, claim: str, label: str, source: str, rng: random.Random) -> Pair:
    sentence = story.sentences[number]
    premise = f"{story.headline.rstrip('.')}. {sentence}" if rng.random() < _HEADED else sentence
    return Pair(premise, claim, one_hot(label), source)
