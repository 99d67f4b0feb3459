"""Rows of charts, tables and signs, as text recognition gives them, with statements about them.

"Q1 2021 38 t" entails "The chart gives 38 tonnes for the first quarter of 2021"; another value for the same
label contradicts, another label says nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from verifier.calibration.labelled_pairs import Pair, one_hot

SOURCE = "rows"
_MONTHS = "January February March April May June July August September October November December".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_PLACES = (
    "Arden",
    "Belwick",
    "Corran Vale",
    "Dunholm",
    "Estrava",
    "Fennmoor",
    "Garrick",
    "Hollin",
    "Ivarsby",
    "Josten",
)
_KINDS = (
    "cars",
    "buses",
    "bicycles",
    "rice",
    "wheat",
    "solar",
    "coal",
    "rent",
    "food",
    "books",
    "toys",
    "under 18",
    "18 to 29",
    "over 65",
    "yes",
    "no",
    "undecided",
)
_PEOPLE = (
    "N. Abara",
    "Mila Senn",
    "Tom Verhoef",
    "Aiko Mori",
    "Luca Prandi",
    "Wren Hales",
    "Jia Lum",
    "Sofia Rask",
)
_UNITS = (
    ("t", "tonnes"),
    ("%", "percent"),
    ("km", "kilometres"),
    ("mm", "millimetres"),
    ("EUR", "euros"),
    ("m", "million"),
    ("", ""),
    ("kWh", "kilowatt hours"),
    ("visitors", "visitors"),
)
_PICTURE = ("The chart", "The graph", "The diagram", "The table", "The graphic", "The sign", "The list")
_TITLES = (
    "Harvest",
    "Ticket sales",
    "Rainfall",
    "Power used",
    "Answers",
    "Members",
    "Exports",
    "Accidents",
    "Costs",
)

Label = tuple[str, str]
"""As printed, and in words."""


def _quarter(rng: random.Random) -> Label:
    n, year = rng.randint(1, 4), rng.randint(1998, 2026)
    return f"Q{n} {year}", f"the {_ORDINALS[n - 1]} quarter of {year}"


def _month(rng: random.Random) -> Label:
    month, year = rng.choice(_MONTHS), rng.randint(1998, 2026)
    return rng.choice((f"{month[:3]} {year}", f"{month[:3]}. {year}")), f"{month} {year}"


def _year(rng: random.Random) -> Label:
    year = str(rng.randint(1960, 2026))
    return year, year


def _place(rng: random.Random) -> Label:
    return (rng.choice(_PLACES),) * 2


def _kind(rng: random.Random) -> Label:
    kind = rng.choice(_KINDS)
    return kind.capitalize(), f'"{kind}"' if rng.random() < 0.4 else kind


_LABELS: tuple[Callable[[random.Random], Label], ...] = (_quarter, _month, _year, _place, _kind)


def _value(rng: random.Random) -> str:
    whole = rng.choice((rng.randint(2, 99), rng.randint(100, 999), rng.randint(1000, 99_000)))
    return rng.choice((f"{whole:,}", f"{whole}", f"{whole / 10:.1f}"))


def _row(label: Label, value: str, unit: str, rng: random.Random) -> str:
    glued = f"{value}{unit}" if unit in {"%", "t"} or rng.random() < 0.2 else f"{value} {unit}".strip()
    return rng.choice((f"{label[0]} {glued}", f"{label[0]}: {glued}", f"{glued} {label[0]}"))


def _claim(label: Label, value: str, unit: str, rng: random.Random) -> str:
    amount = f"{value} {unit}".strip()
    picture = rng.choice(_PICTURE)
    return rng.choice(
        (
            f"{picture} gives {amount} for {label[1]}.",
            f"{picture} puts {label[1]} at {amount}.",
            f"According to {picture[0].lower()}{picture[1:]}, it was {amount} in the case of {label[1]}.",
            f"For {label[1]}, {amount} can be read from {picture[0].lower()}{picture[1:]}.",
            f"{picture} says {amount} beside {label[1]}.",
        )
    )


def _chart(rng: random.Random) -> Pair:
    make, (short, unit) = rng.choice(_LABELS), rng.choice(_UNITS)
    label, other = make(rng), make(rng)
    value, second = _value(rng), _value(rng)
    rows = [_row(label, value, short, rng)]
    alone = rng.random() < 0.6
    if not alone and other[0] != label[0]:
        rows.append(_row(other, second, short, rng))
    kind = rng.choice(("entailment", "contradiction", "neutral"))
    if other[0] == label[0] or value == second:
        kind = "entailment"
    claim = _claim(label, value, unit, rng)
    if kind == "contradiction":
        claim = _claim(label, second, unit, rng)
    elif kind == "neutral":
        rows = rows[:1]
        claim = _claim(other, rng.choice((value, second)), unit, rng)
    rng.shuffle(rows)
    title = f"{rng.choice(_TITLES)}. " if rng.random() < 0.4 else ""
    return Pair(title + " ".join(rows), claim, one_hot(kind), SOURCE)


def _ranking(rng: random.Random) -> Pair:
    place, (one, two) = rng.randint(1, 9), rng.sample(_PEOPLE, 2)
    row = rng.choice((f"{place}. {one} {_value(rng)}", f"{place} {one}", f"{place} | {one} | {_value(rng)}"))
    other = rng.choice([n for n in range(1, 10) if n != place])
    kind = rng.choice(("entailment", "contradiction", "neutral"))
    shown = place if kind != "contradiction" else other
    name = two if kind == "neutral" else one
    ordinal = _ORDINALS[shown - 1] if kind != "neutral" else _ORDINALS[rng.randint(1, 8)]
    claim = rng.choice(
        (
            f"{name} came {ordinal}.",
            f"{name} ranks {ordinal}.",
            f"In the ranking, {name} holds {ordinal} place.",
        )
    )
    if kind == "neutral" and ordinal == _ORDINALS[place - 1]:
        kind = "contradiction"
    return Pair(row, claim, one_hot(kind), SOURCE)


def make_row_pairs(count: int, rng: random.Random) -> list[Pair]:
    """``count`` pairs, one in five of a ranking."""
    return [(_ranking if rng.random() < 0.2 else _chart)(rng) for _ in range(count)]
