"""An annotation worked out again: the trust of each claim by itself, and the statements read for labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.attribution.types import ClaimSpan, LabelReading
from report.types import AnnotationRecord, Certificate, ClaimRecord
from report.verification.trust import check_trust
from verifier import pair_decision

if TYPE_CHECKING:
    from report.verification.findings import Findings, Tools
    from verifier.types import Assessment, Thresholds

_RECORDED = "which triplets the graph holds, and how near they are to the claims, is taken as recorded"
_ALTERED = "that a sentence differs from a claim in one detail is taken as recorded"


def check_annotated_trust(
    certificate: Certificate,
    annotation: AnnotationRecord,
    records: Sequence[ClaimRecord],
    tools: Tools,
    found: Findings,
) -> tuple[ClaimRecord, ...]:
    """The records with trust as it is worked out now, each by its own graph (see ``check_trust``)."""
    fresh: list[ClaimRecord] = []
    for record, own in zip(records, annotation.trust, strict=True):
        body = certificate.body.model_copy(
            update={"claims": (record,), "trust": own.documents, "trust_graph": own.graph}
        )
        alone = certificate.model_copy(update={"body": body})
        fresh += check_trust(alone, (record,), tools.verifier, found)
    found.notes[:] = dict.fromkeys(found.notes)
    return tuple(fresh)


def check_labels(
    annotation: AnnotationRecord,
    records: Sequence[ClaimRecord],
    thresholds: Thresholds,
    tools: Tools,
    found: Findings,
) -> None:
    """The statements that labels rest on, read again. Raises ``BackendUnavailable``."""
    found.notes.append(_RECORDED)
    for span, record in zip(annotation.annotation.spans, records, strict=True):
        name = f"the label of claim {record.claim.claim_id!r}"
        if span.basis == "altered":
            found.notes.append(f"{name}: {_ALTERED}")
        if span.basis == "verbatim" and not _verbatim(span, record):
            found.problems.append(f"{name}: no sentence says it word for word")
        if span.reading is not None:
            fresh = _read_again(span.reading, record, tools)
            found.spans += 1
            sure = fresh.calibrated.entailment >= thresholds.tau_entail and fresh.guard.agrees
            joint = sure and not fresh.guard.uncovered
            decides = joint if span.reading.joint else pair_decision.supports(fresh, thresholds)
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
