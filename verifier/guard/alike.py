"""Which amounts can be set side by side."""

from __future__ import annotations

from language.quantities.types import Slot

_GENERIC = frozenset({"number", "unit"})


def comparable(claim: Slot, evidence: Slot) -> bool:
    """Whether two amounts are of one kind, so that a difference is a conflict and not just another detail."""
    if claim.kind in _GENERIC and evidence.kind in _GENERIC:
        return claim.unit == evidence.unit
    return claim.kind == evidence.kind and (
        claim.unit == evidence.unit or claim.kind in {"money", "percentage"}
    )
