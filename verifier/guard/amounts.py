"""Rules on numbers, amounts and dates of the claim: stated otherwise, or not at all."""

from __future__ import annotations

from collections.abc import Callable

from language.quantities.types import SlotKind
from verifier.guard.quantities import quantity_findings
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import TextPair
from verifier.types import FindingKind


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
)
"""Rules on numbers, amounts and dates. The date of a state has no rival: it may be so on both days."""
