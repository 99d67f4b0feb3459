"""Names of the claim that the evidence does not have, or has otherwise."""

from __future__ import annotations

import re
from functools import lru_cache

from language.names import Name, name_in, other_bearer
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import TextPair

_CODE = re.compile(r"\b(?P<letters>[A-Za-z]{2,}-?|[A-Za-z]-|[A-Z](?=\d\d))(?P<number>\d+)\b")


def _empty(pair: TextPair) -> Hit | None:
    return None if pair.premise.tokens else Hit(pair.claim.raw)


@lru_cache(maxsize=64)
def unnamed(pair: TextPair) -> tuple[tuple[Name, str | None], ...]:
    """The claim's names that neither premise nor context has, each with another bearer of its last word."""
    around = pair.around.raw
    absent = [n for n in pair.claim.names if not (name_in(n, pair.premise.raw) or name_in(n, around))]
    return tuple((name, other_bearer(name, around)) for name in absent)


def _other_bearers(pair: TextPair) -> tuple[Hit, ...]:
    return tuple(Hit(name.text, bearer) for name, bearer in unnamed(pair) if bearer)


def _absent(pair: TextPair) -> tuple[Hit, ...]:
    return tuple(Hit(name.text) for name, bearer in unnamed(pair) if not bearer)


def _other_numbers(pair: TextPair) -> tuple[Hit, ...]:
    """A name with a number ("COVID-19", "A320") whose letters the evidence has with another number only."""
    theirs: dict[str, set[str]] = {}
    for code in _CODE.finditer(pair.around.raw):
        theirs.setdefault(code["letters"].rstrip("-").lower(), set()).add(code["number"])
    found = []
    for code in _CODE.finditer(pair.claim.raw):
        others = theirs.get(code["letters"].rstrip("-").lower(), set())
        if others and code["number"] not in others:
            found.append(Hit(code[0], f"{code['letters']}{min(others)}"))
    return tuple(found)


(EMPTY,) = rules_of({"evidence.empty": _empty})
"""Asked before all others; where it fires, nothing is left to compare."""
RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "name.other": _other_bearers,
        "name.absent": _absent,
        "name.number": _other_numbers,
    }
)
"""Rules on names."""
