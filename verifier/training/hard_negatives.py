"""Pairs made by rule from entailed pairs, so that the model looks at the details.

Each rule takes an entailed pair and a random generator and returns a changed pair,
or ``None`` where it does not apply. Rules that contradict carry the hard label;
rules that leave the class open between neutral and contradiction carry half each.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from verifier.training.pairs import Pair, one_hot

Rule = Callable[[Pair, random.Random], Pair | None]

CONTRADICTION = one_hot("contradiction")
NEUTRAL = one_hot("neutral")
OPEN = (0.0, 0.5, 0.5)

_NUMBER = re.compile(r"(?<![\w.,-])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.,-])\d+(?:\.\d+)?(?![\w]|[.,]\d)")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20[0-4]\d)(?!\d)")
_MONTHS = ("January February March April May June July August September October November December").split()
_MONTH = re.compile(r"\b(" + "|".join(_MONTHS) + r")\b")
_NAME = re.compile(r"\b[A-Z][\w'’-]+(?:\s+(?:of|the|de|van|von|and)?\s*[A-Z][\w'’-]+)*")
_AUXILIARY = re.compile(
    r"\b(is|was|are|were|has|have|had|can|could|will|would|did|does|do|should)\b(?! not\b|n't)"
)
_NOT = re.compile(r"\b(is|was|are|were|has|have|had|can|could|will|would|did|does|do|should) not\b")
_SWAPS = (
    ("more than", "less than"),
    ("at least", "at most"),
    ("increased", "decreased"),
    ("increases", "reduces"),
    ("increase", "decrease"),
    ("rose", "fell"),
    ("higher", "lower"),
    ("larger", "smaller"),
    ("before", "after"),
    ("first", "last"),
    ("most", "fewest"),
    ("always", "never"),
    ("older", "younger"),
    ("won", "lost"),
    ("north", "south"),
    ("east", "west"),
    ("inside", "outside"),
    ("early", "late"),
    ("majority", "minority"),
    ("everyone", "no one"),
    ("all", "none of the"),
    ("every", "no"),
)


def _splice(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _other_number(text: str, rng: random.Random) -> str:
    value = float(text.replace(",", ""))
    if "." in text:
        digits = len(text.split(".")[1])
        return f"{max(0.0, value + rng.choice((-1, 1)) * rng.choice((0.3, 0.7, 1.1, 2.4, 10))):.{digits}f}"
    whole = int(value)
    if whole <= 20:
        return str(rng.choice([n for n in range(1, 24) if n != whole]))
    scale = rng.choice((0.4, 0.6, 0.8, 0.9, 1.1, 1.25, 1.5, 2, 3, 10))
    changed = max(1, round(whole * scale))
    changed = changed if changed != whole else whole + 1
    return f"{changed:,}" if "," in text else str(changed)


def number_flip(pair: Pair, rng: random.Random) -> Pair | None:
    """Change one number that claim and evidence share, in the claim or in the evidence."""
    for match in _NUMBER.finditer(pair.hypothesis):
        token = match.group()
        if _YEAR.fullmatch(token) or not re.search(
            rf"(?<![\d.,]){re.escape(token)}(?![\d]|[.,]\d)", pair.premise
        ):
            continue
        other = _other_number(token, rng)
        if other == token or other in pair.premise:
            return None
        if rng.random() < 0.6:
            return replace(pair, hypothesis=_splice(pair.hypothesis, match, other), target=CONTRADICTION)
        premise = re.sub(rf"(?<![\d.,]){re.escape(token)}(?![\d]|[.,]\d)", other, pair.premise)
        return replace(pair, premise=premise, target=CONTRADICTION)
    return None


def date_flip(pair: Pair, rng: random.Random) -> Pair | None:
    """Change a year or a month that claim and evidence share."""
    match = _YEAR.search(pair.hypothesis)
    if match and match.group() in pair.premise:
        other = str(int(match.group()) + rng.choice((-30, -12, -7, -3, -2, -1, 1, 2, 3, 6, 11, 20)))
    else:
        match = _MONTH.search(pair.hypothesis)
        if not match or match.group() not in pair.premise:
            return None
        other = rng.choice([m for m in _MONTHS if m != match.group()])
    if other in pair.premise:
        return None
    return replace(pair, hypothesis=_splice(pair.hypothesis, match, other), target=CONTRADICTION)


def entity_flip(pair: Pair, rng: random.Random) -> Pair | None:
    """Put another name of the evidence in the place of a name the claim and the evidence share."""
    names = [m for m in _NAME.finditer(pair.hypothesis) if m.group() in pair.premise]
    if not names:
        return None
    match = rng.choice(names)
    others = [
        n
        for n in dict.fromkeys(_NAME.findall(pair.premise))
        if n not in pair.hypothesis and n not in match.group() and match.group() not in n and len(n) > 3
    ]
    if not others:
        return None
    return replace(pair, hypothesis=_splice(pair.hypothesis, match, rng.choice(others)), target=OPEN)


def negation_flip(pair: Pair, rng: random.Random) -> Pair | None:
    """Negate the claim, or take its negation away."""
    match = _NOT.search(pair.hypothesis)
    if match:
        return replace(pair, hypothesis=_splice(pair.hypothesis, match, match.group(1)), target=CONTRADICTION)
    match = _AUXILIARY.search(pair.hypothesis)
    if not match:
        return None
    form = rng.choice((" not", "n't", " not")) if match.group() not in ("can", "will") else " not"
    if match.group() == "can":
        form = "not"
    return replace(
        pair, hypothesis=_splice(pair.hypothesis, match, match.group() + form), target=CONTRADICTION
    )


def direction_flip(pair: Pair, rng: random.Random) -> Pair | None:
    """Swap a word of comparison, direction, order or quantity for its opposite."""
    options = [
        (m, new)
        for a, b in _SWAPS
        for old, new in ((a, b), (b, a))
        for m in [re.search(rf"\b{old}\b", pair.hypothesis)]
        if m
    ]
    if not options:
        return None
    match, new = rng.choice(options)
    return replace(pair, hypothesis=_splice(pair.hypothesis, match, new), target=CONTRADICTION)


RULES: dict[str, Rule] = {
    "number_flip": number_flip,
    "date_flip": date_flip,
    "entity_flip": entity_flip,
    "negation_flip": negation_flip,
    "direction_flip": direction_flip,
}
