"""The JSON of ``ask``, made from a certificate alone."""

from __future__ import annotations

from typing import Any

from agent.types import Fit
from factdesk.kernel import CertificateError
from report.certificate.canonical import dump
from report.policy.evidence_sides import sources_of
from report.render.answer_types import AnswerJson, AnswerResult, SourceJson
from report.render.check_json import check_result
from report.render.view import StatementView, report_view
from report.types import Certificate, Mode, SpanRecord
from verifier import pair_decision
from verifier.types import Thresholds


def answer_json(certificate: Certificate, mode: Mode, doubt: str = "") -> dict[str, Any]:
    """``factdesk.answer/1`` as plain JSON data. Raises ``CertificateError`` like :func:`answer_result`."""
    data: dict[str, Any] = dump(answer_result(certificate, mode, doubt))
    return data


def answer_result(certificate: Certificate, mode: Mode, doubt: str = "") -> AnswerResult:
    """``factdesk.answer/1`` as a typed record; ``answer`` is the same in every mode.

    Raises ``CertificateError`` when the certificate answers no question, or its parts do not belong together.
    """
    body = certificate.body
    if body.asked is None:
        raise CertificateError("this certificate is of a claim, not of a question; show it as a check")
    view, fits = report_view(certificate, mode, doubt), {f.claim_id: f for f in body.asked.fits}
    statements = {s.decision.claim_id: s for s in view.shown}
    return AnswerResult(
        question=body.asked.question,
        answered=bool(view.answer),
        answer=tuple(_answer(statements[i], fits[i], body.thresholds) for i in view.answer),
        why_not=view.why_not,
        certificate_id=view.certificate_id,
        body_sha256=view.body_sha256,
        check=check_result(certificate, mode, doubt),
    )


def _answer(statement: StatementView, fit: Fit, limits: Thresholds) -> AnswerJson:
    return AnswerJson(
        claim_id=statement.decision.claim_id,
        text=statement.claim.text,
        answer_text=fit.answer_text,
        question_coverage=fit.question_coverage,
        score=statement.decision.score,
        independent=_independent(statement, limits),
        according_to=statement.according_to or None,
        sources=tuple(_source(item.record) for item in statement.deciding),
    )


def _independent(statement: StatementView, limits: Thresholds) -> int:
    spans, deciding = statement.claim_view.record.spans, statement.claim_view.deciding
    support = [s for s in spans if pair_decision.supports(s.assessment, limits) and _trusted(s, limits.tau_trust)]
    both = {s.span.span_id: s for s in (*support, *deciding)}
    return len(sources_of(both.values()))


def _trusted(record: SpanRecord, least: float) -> bool:
    return record.trust is None or record.trust >= least


def _source(record: SpanRecord) -> SourceJson:
    span = record.span
    return SourceJson.of(span, published=span.published.isoformat() if span.published else None)
