"""Claim IR from outside is checked; a language model's is taken over only where it cannot have changed what is said.

Each claim must be words of the text as they stand, with at most a subject from further ahead put before them, and
together they must leave no word out. What they are marked with (type, fields, hedges) is read by the same rules as
everywhere. Anything else: no cut, and the rules cut the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from agent.intake.decompose import MAX_CLAIMS, compile_claims
from agent.types import AtomicClaim, ClaimIR
from factdesk.kernel import CLAIM_IR_SCHEMA, InputError

_WORD = re.compile(r"[^\W_]+(?:[.,'’:/-][^\W_]+)*|[%€£$]")
_GLUE = frozenset("a an the and but or while whereas which who whom that both also as well".split())
"""Words that may be left out or put in: they join claims and state nothing."""


Run = tuple[int, int]
"""First word of the text and the one after the last."""


def claims_of_model(text: str, statements: Sequence[str], *, max_claims: int, has_image: bool) -> ClaimIR | None:
    """The Claim IR of a model's statements, schema checked; ``None`` where they are not the text's own."""
    words = _words(text)
    runs = [_runs(statement, words) for statement in statements]
    if not 1 <= len(runs) <= min(max_claims, MAX_CLAIMS) or not all(runs):
        return None
    told = {i for found in runs for start, end in found for i in range(start, end)}
    if len(told) < len(words):
        return None
    claims = []
    for number, (statement, found) in enumerate(zip(statements, runs, strict=True), 1):
        alone = compile_claims(statement, has_image=has_image).claims
        if len(alone) != 1:
            return None
        start, end = words[found[-1][0]].start(), words[found[-1][1] - 1].end()
        place = {"claim_id": f"c{number}", "start": start, "end": end, "source": text[start:end]}
        claims.append(alone[0].model_copy(update=place))
    ir = ClaimIR(schema_version=CLAIM_IR_SCHEMA, input_text=text, claims=tuple(claims))
    try:
        return validate_claim_ir(ir.model_dump())
    except InputError:
        return None


def _runs(statement: str, said: Sequence[re.Match[str]]) -> tuple[Run, ...]:
    """The statement as one run of the text's words, or as two of which the first is a subject that stands
    before the other; empty where it is neither.
    """
    words, text = [w[0].casefold() for w in _words(statement)], [w[0].casefold() for w in said]
    for length in range(len(words), 0, -1):
        own, subject = words[-length:], words[: len(words) - length]
        for start in (i for i in range(len(text) - length + 1) if text[i : i + length] == own):
            if not subject:
                return ((start, start + length),)
            at = next((i for i in range(start - len(subject), -1, -1) if text[i : i + len(subject)] == subject), None)
            if at is not None:
                return ((at, at + len(subject)), (start, start + length))
    return ()


def _words(text: str) -> list[re.Match[str]]:
    return [m for m in _WORD.finditer(text) if m[0].casefold() not in _GLUE]


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
    if not 1 <= len(ir.claims) <= MAX_CLAIMS:
        raise InputError(f"the Claim IR has {len(ir.claims)} claims; 1 to {MAX_CLAIMS} are allowed")
    if ir.trimmed < 0:
        raise InputError(f"the Claim IR says {ir.trimmed!r} claims were trimmed; give 0 or more")
    for number, claim in enumerate(ir.claims, start=1):
        _check_claim(claim, f"c{number}", ir.input_text)
    return ir


def _check_claim(claim: AtomicClaim, expected_id: str, input_text: str) -> None:
    named, place = f"claim {claim.claim_id!r}", f"{claim.start}:{claim.end}"
    if claim.claim_id != expected_id:
        raise InputError(f"claim id {claim.claim_id!r} is out of order; expected {expected_id!r}")
    if not claim.text.strip():
        raise InputError(f"{named} has the empty text {claim.text!r}; give a sentence")
    if not 0 <= claim.start < claim.end <= len(input_text):
        whole = len(input_text)
        raise InputError(f"{named} stands at {place}; the input goes from 0 to {whole}, so give offsets inside it")
    if input_text[claim.start : claim.end] != claim.source:
        raise InputError(f"{named} gives the source {claim.source!r}, which is not at its offsets")
    for field in claim.fields:
        inside = 0 <= field.start < field.end <= len(claim.text)
        if not inside or claim.text[field.start : field.end] != field.text:
            place = f"{field.start}:{field.end}"
            raise InputError(f"{named} has the {field.role} {field.text!r}, which is not at {place} of its text")
