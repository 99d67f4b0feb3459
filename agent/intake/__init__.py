"""Intake: a text becomes atomic claims (Claim IR) by rules over the parse, without a language model."""

from __future__ import annotations

from agent.intake.decompose import compile_claims
from agent.intake.model_claims import validate_claim_ir

__all__ = ["compile_claims", "validate_claim_ir"]
