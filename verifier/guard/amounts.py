"""Rules on numbers, amounts, dates and names of the claim: stated otherwise, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from language.names import Name, name_in, other_bearer
from language.types import SlotKind
from verifier.guard.quantities import quantity_findings
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import TextPair
from verifier.types import FindingKind


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


(EMPTY,) = rules_of({"evidence.empty": _empty})
"""Asked before all others; where it fires, nothing is left to compare."""


def _found(slot: SlotKind, kind: FindingKind, *, rivalled: bool) -> Callable[[TextPair], tuple[Hit, ...]]:
    """Slots of a kind that the premise does not state; ``rivalled``: it has another value of the kind."""

    def detect(pair: TextPair) -> tuple[Hit, ...]:
        found = quantity_findings(pair.claim.raw, pair.premise.raw, pair.context, pair.published)
        return tuple(
            Hit(f.claim_value, f.evidence_value)
            for f, _, _ in found
            if (f.slot, f.kind, bool(f.evidence_value)) == (slot, kind, rivalled)
        )

    return detect


_KINDS: tuple[SlotKind, ...] = ("number", "unit", "money", "percentage", "date")
RULES: tuple[Rule[TextPair], ...] = rules_of(
    {f"{kind}.other": _found(kind, "conflict", rivalled=True) for kind in _KINDS}
    | {f"{kind}.absent": _found(kind, "missing", rivalled=False) for kind in _KINDS}
    | {"date.of_state": _found("date", "missing", rivalled=True)}
    | {"name.other": _other_bearers, "name.absent": _absent}
)
"""Rules on numbers, amounts, dates and names. The date of a state has no rival: it may be so on both days."""
