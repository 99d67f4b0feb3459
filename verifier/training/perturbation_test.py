"""Claims with one detail swapped, by rules that training never uses: a test of guard and model together.

From entailed pairs of the development sets; a changed claim must never get Verified.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from verifier.calibration.labelled_pairs import Pair, one_hot

Swap = Callable[[Pair, random.Random], str | None]
_DIGITS = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
_WORDS = ("two three four five six seven eight nine ten eleven twelve").split()
_WORD = re.compile(r"\b(" + "|".join(_WORDS) + r")\b")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAY = re.compile(rf"\b([1-9]|[12]\d|3[01]) (?:{_MONTHS})\b|\b(?:{_MONTHS}) ([1-9]|[12]\d|3[01])\b")
_DECADE = re.compile(r"\b(1[5-9]|20)(\d)(\d)\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_VERB = re.compile(r"\b(is|was|are|were|has|had|have|can|could|will|would)\b(?! not|n't| never)")
_OTHER_NAMES = (
    "Ruritania",
    "Anneke Vosloo",
    "Port Ellery",
    "Tarquin Obi",
    "Lake Sumner",
    "Kestrel Foundation",
    "Marisol Quint",
    "Novgrad",
    "Hadley Brothers",
    "Beatriz Lund",
)


def transpose_digits(pair: Pair, rng: random.Random) -> str | None:
    """1,243 becomes 1,423: two neighbouring digits change places."""
    for match in _DIGITS.finditer(pair.hypothesis):
        text = match.group()
        spots = [i for i in range(len(text) - 1) if text[i : i + 2].isdigit() and text[i] != text[i + 1] != "0"]
        if match.group() in pair.premise and spots:
            i = rng.choice(spots)
            return _splice(pair.hypothesis, match, text[:i] + text[i + 1] + text[i] + text[i + 2 :])
    return None


def times_ten(pair: Pair, _: random.Random) -> str | None:
    """A nought too many."""
    for match in _DIGITS.finditer(pair.hypothesis):
        text = match.group()
        if text in pair.premise and text.isdigit() and not _DECADE.fullmatch(text):
            return _splice(pair.hypothesis, match, text + "0")
    return None


def number_word(pair: Pair, rng: random.Random) -> str | None:
    """Two becomes seven."""
    match = _WORD.search(pair.hypothesis)
    if not match or match.group() not in pair.premise.lower():
        return None
    return _splice(pair.hypothesis, match, rng.choice([w for w in _WORDS if w != match.group()]))


def other_day(pair: Pair, rng: random.Random) -> str | None:
    """3 May becomes 21 May."""
    match = _DAY.search(pair.hypothesis)
    if not match or match.group() not in pair.premise:
        return None
    day = match.group(1) or match.group(2)
    other = str((int(day) + rng.randint(5, 20)) % 28 + 1)
    return _splice(pair.hypothesis, match, match.group().replace(day, other))


def other_decade(pair: Pair, rng: random.Random) -> str | None:
    """1954 becomes 1974."""
    match = _DECADE.search(pair.hypothesis)
    if not match or match.group() not in pair.premise:
        return None
    digit = rng.choice([d for d in "0123456789" if d != match.group(2)])
    return _splice(pair.hypothesis, match, match.group(1) + digit + match.group(3))


def never(pair: Pair, _: random.Random) -> str | None:
    """Was becomes was never."""
    match = _VERB.search(pair.hypothesis)
    return _splice(pair.hypothesis, match, f"{match.group()} never") if match else None


def falsely(pair: Pair, _: random.Random) -> str | None:
    """It is false that ..."""
    if re.search(r"\b(not|no|never|false)\b|n't", pair.hypothesis):
        return None
    return f"It is false that {pair.hypothesis[0].lower()}{pair.hypothesis[1:]}"


def stranger(pair: Pair, rng: random.Random) -> str | None:
    """A name inside the claim becomes one that nobody mentions."""
    names = [m for m in _NAME.finditer(pair.hypothesis) if m.group() in pair.premise]
    return _splice(pair.hypothesis, rng.choice(names), rng.choice(_OTHER_NAMES)) if names else None


SWAPS: dict[str, Swap] = {
    "transpose_digits": transpose_digits,
    "times_ten": times_ten,
    "number_word": number_word,
    "other_day": other_day,
    "other_decade": other_decade,
    "never": never,
    "falsely": falsely,
    "stranger": stranger,
}


def make_swaps(pairs: Sequence[Pair], *, per_rule: int = 250, seed: int = 7) -> list[Pair]:
    """Up to ``per_rule`` changed pairs of each rule from entailed pairs; the source names the rule."""
    rng = random.Random(seed)
    entailed = [p for p in pairs if p.target[0] == 1.0]
    made: list[Pair] = []
    for name, swap in SWAPS.items():
        rng.shuffle(entailed)
        found: list[Pair] = []
        for pair in entailed:
            claim = swap(pair, rng)
            if claim and claim not in pair.premise and claim != pair.hypothesis:
                found.append(Pair(pair.premise, claim, one_hot("contradiction"), name))
            if len(found) == per_rule:
                break
        made += found
    return made


def _splice(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]
