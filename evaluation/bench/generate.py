"""Text made by rule: pairs of a given length in tokens, and small articles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from evidence.types import Document
from factdesk.kernel import sha256_text

PLACES = "Aldermoor Brackwell Carrow Denholt Elsfield Farnley Garth Hexworth Inverley Jarrow".split()
THINGS = "bridge library school clinic harbour tram station market museum reservoir".split()
DEEDS = "reopened closed expanded flooded burned moved shrank doubled opened failed".split()
GROUPS = "council hospital union university police ministry museum court company charity".split()
FILLERS = "residents officials engineers teachers doctors traders families visitors drivers students".split()


def sentence(rng: random.Random) -> str:
    """A plain statement with a name, a number and a date."""
    place, thing, deed = rng.choice(PLACES), rng.choice(THINGS), rng.choice(DEEDS)
    group, filler = rng.choice(GROUPS), rng.choice(FILLERS)
    number, year = rng.randint(2, 9800), rng.randint(1998, 2026)
    forms = (
        f"The {thing} in {place} {deed} in {year} after {number} {filler} wrote to the {group}.",
        f"In {year} the {place} {group} said that {number} {filler} had used the {thing}.",
        f"About {number} {filler} visited the {thing} before it {deed}, the {group} of {place} reported.",
    )
    return rng.choice(forms)


def pairs(count: int, tokens: int, length: Callable[[str, str], int], *, seed: int = 5) -> list[tuple[str, str]]:
    """Distinct (premise, hypothesis) pairs of exactly ``tokens`` tokens each, special ones included.

    ``length`` counts the tokens of a pair. Premises are filled up word by word.
    """
    rng = random.Random(seed)
    made: dict[tuple[str, str], None] = {}
    while len(made) < count:
        hypothesis = sentence(rng)
        kept, premise, words = "", "", _words(rng)
        while length(premise, hypothesis) < tokens:
            kept, premise = premise, f"{premise} {next(words)}".strip()
        if length(premise, hypothesis) > tokens:
            premise = f"{kept} so"
            while length(premise, hypothesis) < tokens:
                premise += " so"
        if length(premise, hypothesis) == tokens:
            made[premise, hypothesis] = None
    return list(made)


def _words(rng: random.Random) -> Iterator[str]:
    while True:
        yield from sentence(rng).split()


def articles(count: int, sentences: int, *, seed: int = 6) -> list[Document]:
    """Articles of so many sentences, dated a day apart."""
    rng = random.Random(seed)
    made = []
    for number in range(count):
        text = " ".join(sentence(rng) for _ in range(sentences))
        day = date(2020, 1, 1) + timedelta(days=number)
        made.append(
            Document(
                doc_id=f"article-{number:05d}",
                title=f"{rng.choice(PLACES)} report {number}",
                text=text,
                sha256=sha256_text(text),
                published=day,
            )
        )
    return made
