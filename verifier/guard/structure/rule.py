"""A rule of structure: its id, what it says to a reader, how it is found, and examples both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from language.quantities.types import SlotKind
from verifier.guard.structure.pairing import Pairing
from verifier.types import GuardFinding

Effect = Literal["support", "contradiction"]
"""What a hit takes away: the premise's support, or its standing against the claim."""
Example = tuple[str, str]
"""Claim and premise."""


@dataclass(frozen=True)
class Hit:
    """What a rule found: the claim's words, and what the premise has there (may be empty)."""

    claim_value: str
    evidence_value: str = ""


@dataclass(frozen=True)
class Rule:
    """One rule. ``says`` is for the reader; ``{claim}`` and ``{evidence}`` stand for the sides of the hit."""

    id: str
    slot: SlotKind
    effect: Effect
    says: str
    detect: Callable[[Pairing], Hit | None]
    fires: tuple[Example, ...]
    """Pairs on which it must fire."""
    silent: tuple[Example, ...]
    """Pairs on which it must not."""

    def finding(self, pair: Pairing) -> GuardFinding | None:
        """What it finds on a pair, as a finding of the guard; ``None``: nothing."""
        hit = self.detect(pair)
        if hit is None:
            return None
        return GuardFinding(
            slot=self.slot,
            kind="missing",
            claim_value=hit.claim_value,
            evidence_value=hit.evidence_value,
            message=self.says.format(claim=hit.claim_value, evidence=hit.evidence_value),
            rule=self.id,
        )
