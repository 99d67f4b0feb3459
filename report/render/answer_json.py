"""The JSON of ``ask``, made from a certificate alone."""

from __future__ import annotations

from typing import Any

from factdesk.kernel import CertificateError
from report.certificate.canonical import dump
from report.policy.answer_rules import cluster_of
from report.policy.answers import answer_of
from report.render.answer_types import AnswerJson, AnswerResult, SourceJson
from report.render.check_json import check_result
from report.render.visibility import ClaimView, claim_views
from report.types import Certificate, Mode, SpanRecord


def answer_json(certificate: Certificate, mode: Mode) -> dict[str, Any]:
    """``factdesk.answer/1`` as plain JSON data. Raises ``CertificateError`` like :func:`answer_result`."""
    data: dict[str, Any] = dump(answer_result(certificate, mode))
    return data


def answer_result(certificate: Certificate, mode: Mode) -> AnswerResult:
    """``factdesk.answer/1`` as a typed record; ``answer`` is the same in every mode.

    Raises ``CertificateError`` when the certificate answers no question, or its parts do not belong together.
    """
    body = certificate.body
    if body.asked is None:
        raise CertificateError("this certificate is of a claim, not of a question; show it as a check")
    found, fits = answer_of(body), {f.claim_id: f for f in body.asked.fits}
    views = {v.decision.claim_id: v for v in claim_views(body)}
    return AnswerResult(
        question=body.asked.question,
        answered=bool(found.claim_ids),
        answer=tuple(
            AnswerJson(
                claim_id=i, text=views[i].record.claim.text, fill=fits[i].fill, covered=fits[i].covered,
                score=views[i].decision.score, independent=_independent(views[i], certificate),
                sources=tuple(_source(s) for s in views[i].deciding),
            )
            for i in found.claim_ids
        ),
        why_not=found.why_not,
        certificate_id=certificate.envelope.certificate_id,
        body_sha256=certificate.envelope.body_sha256,
        check=check_result(certificate, mode),
    )  # fmt: skip


def _independent(view: ClaimView, certificate: Certificate) -> int:
    limits = certificate.body.thresholds
    support = [
        s for s in view.record.spans if s.assessment.supports(limits) and _trusted(s, limits.tau_trust)
    ]
    return len({cluster_of(s) for s in (*support, *view.deciding)})


def _trusted(record: SpanRecord, least: float) -> bool:
    return record.trust is None or record.trust >= least


def _source(record: SpanRecord) -> SourceJson:
    span = record.span
    return SourceJson(
        doc_id=span.doc_id, publisher=span.publisher, url=span.url,
        published=span.published.isoformat() if span.published else None, text=span.text,
    )  # fmt: skip
