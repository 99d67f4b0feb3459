"""Checking Claim IR from outside (a file, a model, a graph node): shape, offsets, ids, caps."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from agent.types import AtomicClaim, ClaimIR
from factdesk.kernel import CLAIM_IR_SCHEMA, InputError

_MAX_CLAIMS = 12


def validate_claim_ir(data: dict[str, Any]) -> ClaimIR:
    """Read and validate Claim IR. Raises ``InputError`` with the first problem."""
    try:
        ir = ClaimIR.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(p) for p in first["loc"]) or "the top level"
        raise InputError(f"the Claim IR is malformed at {where}: {first['msg']}") from error
    if ir.schema_version != CLAIM_IR_SCHEMA:
        raise InputError(f"the Claim IR has schema version {ir.schema_version!r}; expected {CLAIM_IR_SCHEMA!r}")
    if not 1 <= len(ir.claims) <= _MAX_CLAIMS:
        raise InputError(f"the Claim IR has {len(ir.claims)} claims; 1 to {_MAX_CLAIMS} are allowed")
    if ir.trimmed < 0:
        raise InputError(f"the Claim IR says {ir.trimmed!r} claims were trimmed; give 0 or more")
    for number, claim in enumerate(ir.claims, start=1):
        _check_claim(claim, f"c{number}", ir.input_text)
    return ir


def _check_claim(claim: AtomicClaim, expected_id: str, input_text: str) -> None:
    if claim.claim_id != expected_id:
        raise InputError(f"claim id {claim.claim_id!r} is out of order; expected {expected_id!r}")
    if not claim.text.strip():
        raise InputError(f"claim {claim.claim_id!r} has the empty text {claim.text!r}; give a sentence")
    if not 0 <= claim.start < claim.end <= len(input_text):
        raise InputError(
            f"claim {claim.claim_id!r} stands at {claim.start}:{claim.end}; the input goes from 0 to "
            f"{len(input_text)}, so give offsets inside it"
        )
    if input_text[claim.start : claim.end] != claim.source:
        raise InputError(f"claim {claim.claim_id!r} gives the source {claim.source!r}, which is not at its offsets")
    for field in claim.fields:
        inside = 0 <= field.start < field.end <= len(claim.text)
        if not inside or claim.text[field.start : field.end] != field.text:
            raise InputError(
                f"claim {claim.claim_id!r} has the {field.role} {field.text!r}, which is not at "
                f"{field.start}:{field.end} of its text"
            )
