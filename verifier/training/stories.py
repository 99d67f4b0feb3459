"""Whole stories with claims: which one sentence decides a claim, and that all others leave it open.

A check scores a claim against every sentence of the articles that were found, and nearly all of them leave
it open although they share its names and words. The stories were written for factdesk, without a look at the
development sets or the examples.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.items import FOLDER, Story, StoryClaim, read_rows
from verifier.training.retrieved_negatives import content

FILE = FOLDER / "stories.jsonl"
DEV = FOLDER / "stories_dev.jsonl"
"""Stories that are kept from training."""
SOURCE = "story"
OPEN = "story_open"
HARDEST = 2
"""Sentences that leave a claim open and share most words with it: so many of them, and one drawn."""
_HEADED = 0.4
"""Share of the premises that stand under the headline."""


def read_stories(path: Path = FILE) -> list[Story]:
    """All stories of a file, in order."""
    return read_rows(path, Story)


def all_pairs(story: Story) -> Iterator[tuple[StoryClaim, int, str]]:
    """Every claim with every sentence: (claim, number of the sentence, label)."""
    for claim in story.claims:
        for number in range(len(story.sentences)):
            yield claim, number, claim.label if number == claim.decided_by else "neutral"


def dev_pairs(name: str, path: Path = DEV) -> list[tuple[Pair, str]]:
    """Every claim with every sentence of its story, and the headline."""
    return [
        (Pair(story.sentences[n], claim.claim, one_hot(label), name), story.headline)
        for story in read_stories(path)
        for claim, n, label in all_pairs(story)
    ]


def story_pairs(stories: Sequence[Story], rng: random.Random) -> list[Pair]:
    """Each claim with its deciding sentence, the sentences most like it that leave it open, and one more."""
    made: list[Pair] = []
    for story in stories:
        stems = [content(s) for s in story.sentences]
        for claim in story.claims:
            words = content(claim.claim)
            others = [n for n in range(len(stems)) if n != claim.decided_by]
            others.sort(key=lambda n: (-len(words & stems[n]), n))
            chosen = [*others[:HARDEST], *rng.sample(others[HARDEST:], min(1, len(others) - HARDEST))]
            if claim.decided_by is not None:
                made.append(_pair(story, claim.decided_by, claim.claim, claim.label, SOURCE, rng))
            made += [_pair(story, n, claim.claim, "neutral", OPEN, rng) for n in chosen]
    return made


def _pair(story: Story, number: int, claim: str, label: str, source: str, rng: random.Random) -> Pair:
    sentence = story.sentences[number]
    premise = f"{story.headline.rstrip('.')}. {sentence}" if rng.random() < _HEADED else sentence
    return Pair(premise, claim, one_hot(label), source)
