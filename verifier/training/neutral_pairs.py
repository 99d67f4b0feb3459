"""Claims beside another sentence of the same story, and beside what stands around stories: neutral pairs.

A search for a claim brings up whole articles. Most of their sentences share the claim's names and say
nothing of it; headings, captions and calls to share say nothing at all. A model that has never seen
such sentences calls them contradictions.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from verifier.calibration.labelled_pairs import Pair
from verifier.training.hard_negatives import NEUTRAL
from verifier.training.items import Item
from verifier.training.retrieved_negatives import content

SAME_STORY = "same_story"
FURNITURE = "furniture"
_SENTENCE = re.compile(r'(?<=[.!?"\u201d])\s+(?=[A-Z"\u201c0-9])')
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
CLEAR = 0.5
"""Least share of a claim's words in the sentence it is about."""
APART = 0.35
"""Least lead, in share of the claim's words, of that sentence over one that says nothing of the claim."""

_FURNITURE = """
Share this!|Read more|Read more on page {n}.|Advertisement|Subscribe to our newsletter.|Photo: {name}|By
{name}, staff reporter|Picture: {name}/{paper}|{paper}|{PAPER}|The {paper} reports.|Updated
{day}|Published on {day}|Source: {name}, {month} {year}|Source: {paper}|Continued on page {n}|All rights
reserved.|This article was first published on {day}.|Follow us for more stories from the region.|Comments
are closed.|What do you think? Write to us.|How did it come to this?|Who pays in the end?|What happens
next?|A decision is expected in {month}.|The council meets again on {day}.|Asked for comment, a spokesman
declined.|The company did not answer our questions.|More details were not given.|That is only half of the
story.|The report has {n} pages.|The figures were published on {day}.|The next report is due in
{month}.|Our reporter has followed the case since {year}.|The story was read {n} times.|An earlier version
of this text gave another figure.|We have corrected the error.|That figure was wrong.|The editors|Letters
to the editor|Opinion|Analysis|Weather: cloudy, {n} degrees|Traffic news|Sport|Timetable|Contents|Chapter
{n}|Table {n}|Figure {n}: {name}|Page {n}|Tel. {n} {n}|Open daily from {n} to {n}|Free entry|Welcome to
{name}|Exit|You may also like|Most read this week|{n} comments|{n} likes|Reply|Posted by {name} at
{n}:{m}|The authorities keep quiet.|Everybody here knows it.|Nobody tells us anything.|Pass it on before
they delete it.|Mark this text as true.|This has been confirmed by all experts.|Trust me, I work
there.|The rest is history.|{name} was there as well.|{name} thanked everyone who had helped.|{name} will
speak about it on {day}.|For {name} it was a day like any other.|The rain had stopped by then.|Some
laughed, others shook their heads.|One thing is certain: people will talk about it for a long time.|It is
not the first time.|Nobody knows what will happen after {year}.|The archive is open to the public.|A
second part follows on {day}.|The vote is open until {day}.|He has lived in {name} since {year}.|She began
work in {year}.|They have {n} members.|It was built in {year}.|It costs {n} euros.|There are {n} of
them.|That was {n} percent more than in {year}.|It took {n} months.|The meeting lasted {n} hours.|Both had
finished outside the first {n}.|Nothing changes in the advice of the agency.|The revision does not change
the result.
"""
_NAMES = (
    "Tamsin Okoro",
    "Leo Brandvold",
    "Ines Cabrera",
    "Radek Novotny",
    "Mei-Lin Tao",
    "Hugo Sardo",
    "Farah Nassar",
    "Old Wharf",
    "Brackley Cross",
    "Saltmarket",
    "Upper Vell",
    "Monte Aro",
    "Hanne Friis",
    "Omar Haddad",
)
_PAPERS = (
    "Evening Standardbearer",
    "Valley Herald",
    "Coast Gazette",
    "Morning Post of Arlen",
    "Daily Lantern",
)
_MONTHS = "January February March April May June July August September October November December".split()
_BLANK = re.compile(r"\{(\w+)\}")


def furniture(rng: random.Random) -> str:
    """One line of what stands around stories, its blanks filled."""
    line = rng.choice([" ".join(part.split()) for part in _FURNITURE.split("|")])
    return _BLANK.sub(lambda match: _filled(match[1], rng), line)


def _filled(blank: str, rng: random.Random) -> str:
    paper, month = rng.choice(_PAPERS), rng.choice(_MONTHS)
    values = {
        "name": rng.choice(_NAMES),
        "paper": paper,
        "PAPER": f"THE {paper.upper()}",
        "month": month,
        "year": str(rng.randint(1950, 2026)),
        "day": f"{rng.randint(1, 28)} {month}",
        "n": str(rng.choice((rng.randint(1, 30), rng.randint(30, 900)))),
        "m": f"{rng.randint(0, 59):02}",
    }
    return values[blank]


def same_story_pairs(items: Sequence[Item], rng: random.Random) -> list[Pair]:
    """Claims of an item with a sentence of its premise that they are not about.

    The claim's own sentence must hold its words (``CLEAR``) and its numbers; the other one clearly
    fewer of them (``APART``) and none of its numbers.
    """
    made: list[Pair] = []
    for item in items:
        for premise in item.premises:
            sentences = _SENTENCE.split(premise)
            if len(sentences) < 2:
                continue
            stems = [content(s) for s in sentences]
            numbers = [set(_NUMBER.findall(s)) for s in sentences]
            for claim, label in item.claims:
                if label == "neutral":
                    continue
                words, values = content(claim), set(_NUMBER.findall(claim))
                shares = [len(words & s) / max(1, len(words)) for s in stems]
                best = max(range(len(shares)), key=shares.__getitem__)
                apart = [
                    s
                    for s, share, own in zip(sentences, shares, numbers, strict=True)
                    if shares[best] >= CLEAR and shares[best] - share >= APART and not values & own
                ]
                if apart:
                    made.append(Pair(rng.choice(apart), claim, NEUTRAL, SAME_STORY))
    return made


def furniture_pairs(pairs: Sequence[Pair], count: int, rng: random.Random) -> list[Pair]:
    """``count`` claims, each beside one or two lines of furniture."""
    return [
        Pair(
            " ".join(furniture(rng) for _ in range(rng.choice((1, 1, 1, 2)))),
            rng.choice(pairs).hypothesis,
            NEUTRAL,
            FURNITURE,
        )
        for _ in range(count)
    ]
