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

from verifier.calibration.labelled_pairs import Pair, one_hot

Rule = Callable[[Pair, random.Random], Pair | None]

CONTRADICTION = one_hot("contradiction")
NEUTRAL = one_hot("neutral")
ENTAILMENT = one_hot("entailment")
OPEN = (0.0, 0.5, 0.5)

_NUMBER = re.compile(r"(?<![\w.,-])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.,-])\d+(?:\.\d+)?(?![\w]|[.,]\d)")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20[0-4]\d)(?!\d)")
_MONTHS = ("January February March April May June July August September October November December").split()
_MONTH = re.compile(r"\b(" + "|".join(_MONTHS) + r")\b")
_NAME = re.compile(r"\b[A-Z][\w'’-]+(?:\s+(?:of|the|de|van|von|and)?\s*[A-Z][\w'’-]+)*")
_AUXILIARY = re.compile(r"\b(is|was|are|were|has|have|had|can|could|will|would|did|does|do|should)\b(?! not\b|n't)")
_NOT = re.compile(r"\b(is|was|are|were|has|have|had|can|could|will|would|did|does|do|should) not\b")
_DENIES = re.compile(r"n['’]t\b|\b(?:not|no|never|nobody|none|nothing|neither|without|false|untrue)\b", re.IGNORECASE)
_UNITS = (
    ("second", "minute", "hour", "day", "week", "month", "year", "decade"),
    ("millimetre", "centimetre", "metre", "kilometre", "mile"),
    ("gram", "kilogram", "tonne"),
    ("thousand", "million", "billion"),
    ("litre", "millilitre"),
    ("euro", "pound", "dollar"),
    ("kilowatt", "megawatt", "gigawatt"),
)
_COUNTED = (
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred"
).split()
_MEASURED = re.compile(
    rf"\b(?:\d[\d.,]*|{'|'.join(_COUNTED)})[ -](?P<unit>(?:{'|'.join(u for f in _UNITS for u in f)})s?)\b",
    re.IGNORECASE,
)
_QUANTIFIER = re.compile(r"^(?:fewer|more|less|all|some|both|only|most|every|each|many|few|half)\b", re.IGNORECASE)
_SMALL = frozenset(
    "the a an this that these those it he she they there all every some many most in on at both no".split()
)
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
        if _YEAR.fullmatch(token) or not re.search(rf"(?<![\d.,]){re.escape(token)}(?![\d]|[.,]\d)", pair.premise):
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
    return replace(pair, hypothesis=_splice(pair.hypothesis, match, match.group() + form), target=CONTRADICTION)


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


def unit_flip(pair: Pair, rng: random.Random) -> Pair | None:
    """Put the amount that claim and evidence share into another unit: eight minutes, eight hours."""
    for match in _MEASURED.finditer(pair.hypothesis):
        if re.search(rf"\b{re.escape(match.group())}", pair.premise, re.IGNORECASE):
            plural, unit = match["unit"].endswith("s"), match["unit"].lower().removesuffix("s")
            family = next(f for f in _UNITS if unit in f)
            other = rng.choice([u for u in family if u != unit])
            text = other + ("s" if plural else "")
            return replace(
                pair,
                hypothesis=pair.hypothesis[: match.start("unit")] + text + pair.hypothesis[match.end("unit") :],
                target=CONTRADICTION,
            )
    return None


def denial(pair: Pair, rng: random.Random) -> Pair | None:
    """The denial of a claim that the evidence contradicts: entailed."""
    if pair.label != "contradiction" or _DENIES.search(pair.hypothesis):
        return None
    match = _AUXILIARY.search(pair.hypothesis)
    plain = not _QUANTIFIER.match(pair.hypothesis)
    if match and match.group() != "can" and plain and rng.random() < 0.7:
        return replace(pair, hypothesis=_splice(pair.hypothesis, match, match.group() + " not"), target=ENTAILMENT)
    words = pair.hypothesis.split(" ", 1)
    first = words[0] if _keeps_capital(words[0]) else words[0].lower()
    opening = rng.choice(("It is not true that", "It is false that", "It is not the case that"))
    return replace(pair, hypothesis=" ".join([opening, first, *words[1:]]), target=ENTAILMENT)


def _keeps_capital(word: str) -> bool:
    return word.lower() not in _SMALL


RULES: dict[str, Rule] = {
    "unit_flip": unit_flip,
    "number_flip": number_flip,
    "date_flip": date_flip,
    "entity_flip": entity_flip,
    "negation_flip": negation_flip,
    "direction_flip": direction_flip,
}
