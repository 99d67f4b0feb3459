"""The JSON of ``check``, made from a certificate alone."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from agent.types import Question
from evidence.types import ImageReport
from factdesk.kernel import CertificateError
from report.canonical import dump
from report.check_types import (
    CapsJson,
    CheckResult,
    ClaimJson,
    EarlierUseJson,
    EvidenceJson,
    FindingJson,
    ImageContextJson,
    QAPairJson,
    ShownJson,
)
from report.shown import ClaimView, claim_views, label_score, shown_claims
from report.types import Certificate, CertificateBody, Mode, SpanRecord

MAX_OTHER_EVIDENCE = 5
"""So many sentences besides the deciding ones stand with a claim."""


def check_json(certificate: Certificate, mode: Mode) -> dict[str, Any]:
    """``factdesk.check/1`` as plain JSON data. Raises ``CertificateError`` like :func:`check_result`."""
    data: dict[str, Any] = dump(check_result(certificate, mode))
    return data


def check_result(certificate: Certificate, mode: Mode) -> CheckResult:
    """``factdesk.check/1`` as a typed record.

    ``claims`` lists every atomic claim in every mode; ``shown`` only what the mode shows as answer.
    Raises ``CertificateError`` when claims, decisions and answers do not belong together.
    """
    body = certificate.body
    return CheckResult(
        verdict=body.verdict,
        claims=tuple(_claim(view) for view in claim_views(body)),
        qa_pairs=_qa_pairs(body),
        shown=tuple(
            ShownJson(claim_id=v.decision.claim_id, text=v.record.claim.text, state=v.decision.state)
            for v in shown_claims(certificate, mode)
        ),
        certificate_id=certificate.envelope.certificate_id,
        body_sha256=certificate.envelope.body_sha256,
        failures=body.failures,
        caps=CapsJson(limits=body.caps, trimmed=body.trimmed),
        mode=mode,
        proposal=body.proposal,
        image_context=ImageContextJson.model_validate(body.image_context.model_dump())
        if body.image_context
        else None,
        thresholds=body.thresholds,
        image_findings=_findings(body),
        earlier_uses=_earlier_uses(body),
        clip=body.image_report.clip if body.image_report else ImageReport().clip,
    )


def _findings(body: CertificateBody) -> tuple[FindingJson, ...]:
    """``deciding`` follows from the decisions: a finding that is no span can never have it."""
    certified = [d for d in body.decisions if d.state != "UNVERIFIED"]
    deciding = {span_id for decision in certified for span_id in decision.span_ids}
    names = _names(body)
    return tuple(
        FindingJson(
            image=names.get(f.image, ""), kind=f.kind, text=f.text, region=f.region,
            confidence=f.confidence, deciding=f.span_id is not None and f.span_id in deciding,
        )
        for f in (body.image_report.findings if body.image_report else ())
    )  # fmt: skip


def _earlier_uses(body: CertificateBody) -> tuple[EarlierUseJson, ...]:
    names = _names(body)
    return tuple(
        EarlierUseJson(
            image=names.get(u.image, ""), published=u.published.isoformat() if u.published else None,
            source=u.source, caption=u.caption, url=u.url, distance=u.distance, similarity=u.similarity,
            match=u.match, mirrored=u.mirrored, origin=u.origin,
        )
        for u in (body.image_report.earlier_uses if body.image_report else ())
    )  # fmt: skip


def _names(body: CertificateBody) -> dict[str, str]:
    return {str(image.get("sha256")): str(image.get("name", "")) for image in body.images}


def _claim(view: ClaimView) -> ClaimJson:
    decision = view.decision
    return ClaimJson(
        claim_id=decision.claim_id,
        text=view.record.claim.text,
        state=decision.state,
        label=decision.label,
        score=decision.score,
        rule=decision.rule,
        reason=decision.reason,
        evidence=tuple(_evidence(s) for s in (*view.deciding, *view.others(MAX_OTHER_EVIDENCE))),
    )


def _evidence(record: SpanRecord) -> EvidenceJson:
    span = record.span
    best = label_score(record.assessment.calibrated)
    return EvidenceJson(
        doc_id=span.doc_id,
        span_id=span.span_id,
        start=span.start,
        end=span.end,
        text=span.text,
        url=span.url,
        published=span.published.isoformat() if span.published else None,
        trust=record.trust,
        label=best.label,
        score=best.score,
        sufficient=record.sufficient,
    )


def _qa_pairs(body: CertificateBody) -> tuple[QAPairJson, ...]:
    questions = {q.question_id: q for q in body.questions}
    pairs = []
    for answer in body.answers:
        question_id = answer.get("question_id")
        if not isinstance(question_id, str) or question_id not in questions:
            raise CertificateError(f"an answer refers to the unknown question {question_id!r}")
        pairs.append(_qa_pair(questions[question_id], answer))
    return tuple(pairs)


def _qa_pair(question: Question, answer: dict[str, Any]) -> QAPairJson:
    try:
        return QAPairJson(
            question=question.text,
            answer=answer["text"],
            route=question.route,
            depth=question.depth,
            branch=question.branch,
            span_ids=tuple(answer["span_ids"]),
            label=answer["label"],
            score=answer["score"],
            trust=answer.get("trust"),
            kept=answer["kept"],
            reason=answer["reason"],
        )
    except (KeyError, TypeError, ValidationError) as error:
        why = " ".join(str(error).split())
        raise CertificateError(
            f"the answer to question {question.question_id!r} is malformed: {why}"
        ) from error
