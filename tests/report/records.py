"""Verification records with given scores, for tests of the policy."""

from __future__ import annotations

from datetime import date

from agent.types import AtomicClaim
from evidence.types import RetrievalScores, Span
from report.types import ClaimRecord, JointRecord, SpanRecord
from verifier.types import Assessment, Counterfactual, GuardFinding, GuardReport, NLIScores, Thresholds

LIMITS = Thresholds()
CONFLICT = GuardFinding(slot="number", kind="conflict", claim_value="4", evidence_value="3", message="4, not 3")
MISSING = GuardFinding(slot="entity", kind="missing", claim_value="Ada", message="Ada is not named")
DECIDES = {"VERIFIED", "BLOCKED"}


def make_assessment(
    pro: float,
    con: float,
    *findings: GuardFinding,
    same_subject: bool = True,
    mended: float | None = None,
    refutation: float | None = None,
) -> Assessment:
    scores = NLIScores(entailment=pro, neutral=max(0.0, round(1 - pro - con, 6)), contradiction=con)
    return Assessment(
        raw=scores,
        calibrated=scores,
        guard=GuardReport(findings=findings, same_subject=same_subject),
        counterfactual=None
        if mended is None
        else Counterfactual(claim="mended", entailment=mended, refutation=refutation),
    )


def make_record(
    name: str,
    assessment: Assessment,
    *,
    trust: float | None = 0.6,
    cluster: str | None = None,
    kind: str = "text",
    published: date | None = None,
    words: str = "",
    publisher: str | None = None,
    url: str | None = None,
    frame: str = "",
    rated: bool = False,
) -> SpanRecord:
    text = words or f"Sentence {name}."
    span = Span(
        span_id=f"{name}#0.0",
        chunk_id=f"{name}#0",
        doc_id=name,
        doc_sha256="0" * 64,
        start=0,
        end=len(text),
        text=text,
        context=words,
        title=words,
        kind=kind,  # type: ignore[arg-type]
        published=published,
        publisher=publisher,
        url=url,
        frame=frame,  # type: ignore[arg-type]
    )
    return SpanRecord(
        span=span,
        retrieval=RetrievalScores(),
        assessment=assessment,
        question_id="c1.q1",
        trust=trust,
        cluster=name if cluster is None else cluster,
        rated=rated,
    )


def make_claim(text: str = "A claim.", *, about_image: bool = False, by_design: str | None = None) -> AtomicClaim:
    return AtomicClaim(
        claim_id="c1",
        text=text,
        start=0,
        end=len(text),
        source=text,
        about_image=about_image,
        unsupported_by_design=by_design,
    )


def case(*spans: SpanRecord, joint: tuple[JointRecord, ...] = (), about_image: bool = False) -> ClaimRecord:
    return ClaimRecord(claim=make_claim(about_image=about_image), spans=spans, joint=joint)


def supporting(name: str = "good", pro: float = 0.97, **fields: object) -> SpanRecord:
    return make_record(name, make_assessment(pro, 0.01), **fields)  # type: ignore[arg-type]


def refuting(name: str = "against", con: float = 0.97, **fields: object) -> SpanRecord:
    return make_record(name, make_assessment(0.01, con, CONFLICT, mended=0.97), **fields)  # type: ignore[arg-type]


def contradicting(name: str = "against", con: float = 0.8, **fields: object) -> SpanRecord:
    return make_record(name, make_assessment(0.05, con), **fields)  # type: ignore[arg-type]


def with_guard(record: SpanRecord, **changes: object) -> SpanRecord:
    guard = record.assessment.guard.model_copy(update=changes)
    return record.model_copy(update={"assessment": record.assessment.model_copy(update={"guard": guard})})


SILENT = CONFLICT.model_copy(update={"kind": "missing"})
DENIED = CONFLICT.model_copy(update={"slot": "negation"})
