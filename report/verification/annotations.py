"""An annotation worked out again: the statements that were read for its labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.attribution.types import ClaimSpan, LabelReading
from report.types import CertificateBody, ClaimRecord
from verifier import pair_decision

if TYPE_CHECKING:
    from report.verification.findings import Findings, Tools
    from verifier.types import Assessment

_RECORDED = "which triplets the graph holds, and how near they are to the claims, is taken as recorded"
_ALTERED = "that a sentence differs from a claim in one detail is taken as recorded"


def check_labels(body: CertificateBody, tools: Tools, found: Findings) -> None:
    """The statements that the labels of an annotation rest on, read again. Raises ``BackendUnavailable``."""
    if body.annotation is None:
        return
    found.notes.append(_RECORDED)
    for span, record in zip(body.annotation.annotation.spans, body.claims, strict=True):
        name = f"the label of claim {record.claim.claim_id!r}"
        if span.basis == "altered":
            found.notes.append(f"{name}: {_ALTERED}")
        if span.basis == "verbatim" and not _verbatim(span, record):
            found.problems.append(f"{name}: no sentence says it word for word")
        if span.reading is not None:
            fresh = _read_again(span.reading, record, tools)
            found.spans += 1
            sure = fresh.calibrated.entailment >= body.thresholds.tau_entail and fresh.guard.agrees
            joint = sure and not fresh.guard.uncovered
            decides = joint if span.reading.joint else pair_decision.supports(fresh, body.thresholds)
            if not found.scored(span.reading.score, fresh.calibrated.entailment) or not decides:
                found.problems.append(
                    f"{name}: the verifier does not read {span.reading.statement!r} again as recorded"
                )


def _verbatim(span: ClaimSpan, record: ClaimRecord) -> bool:
    return any(_plain(s.span.text) == _plain(span.claim) for s in record.spans)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(' .!"“”')


def _read_again(reading: LabelReading, record: ClaimRecord, tools: Tools) -> Assessment:
    from verifier.joint_evidence import joint_pair

    spans = {s.span.span_id: s.span for s in record.spans}
    sentences = [spans[i] for i in reading.span_ids]
    if reading.joint:
        pair = joint_pair(reading.statement, premises=[s.text for s in sentences], contexts=[""])
    else:
        pair = tools.pair_of(record.claim, sentences[0]).model_copy(update={"claim": reading.statement})
    return tools.verifier.assess([pair])[0]
