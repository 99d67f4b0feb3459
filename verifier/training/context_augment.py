"""Premises with a heading or a dateline before them, as ``verifier.premise.builder`` puts them: the label
stays.

Without such pairs a model takes the mere date that claim and dateline share for agreement.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from language.calendar import WEEKDAYS
from language.dates.mentions import find_dates
from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.items import Item

DATED = "dated"
HEADED = "headed"
_MONTHS = "January February March April May June July August September October November December".split()
_WHEN = re.compile(r"\b(?:ago|last|next|this|previous|following|years?|months?)\b", re.IGNORECASE)


def dated(pair: Pair, rng: random.Random) -> Pair | None:
    """A dateline before the premise and its month or year in the claim; ``None`` where one has a date."""
    for text in (pair.premise, pair.hypothesis):
        if _WHEN.search(text) or any(s.value not in WEEKDAYS for s in find_dates(text)):
            return None
    month, year = rng.choice(_MONTHS), rng.randint(2005, 2026)
    line = rng.choice((f"{month} {year}", f"{rng.randint(8, 28)} {month} {year}", str(year)))
    when = str(year) if line == str(year) else rng.choice((f"{month} {year}", str(year)))
    return replace(
        pair, premise=f"{line}. {pair.premise}", hypothesis=_set_in(pair.hypothesis, when, rng), source=DATED
    )


def _set_in(claim: str, when: str, rng: random.Random) -> str:
    body = claim.rstrip()
    if rng.random() < 0.5 and body.endswith("."):
        return f"{body[:-1]} in {when}."
    first, _, rest = body.partition(" ")
    small = first.lower() if first.lower() in _SMALL else first
    return f"In {when}{rng.choice((' ', ', '))}{small} {rest}"


_SMALL = frozenset("the a an all some many most two three four there no nobody more less about around".split())


def headed_pairs(items: Sequence[Item], rng: random.Random) -> list[Pair]:
    """One claim of each label an item, its premise under another true statement of the item as a heading."""
    made = []
    for item in items:
        true = [c for c, label in item.claims if label == "entailment"]
        for label in ("entailment", "neutral", "contradiction"):
            claim = rng.choice([c for c, name in item.claims if name == label])
            others = [c for c in true if c != claim]
            if others:
                heading = rng.choice(others).rstrip(".")
                premise = f"{heading}. {rng.choice(item.premises)}"
                made.append(Pair(premise, claim, one_hot(label), HEADED))
    return made
