"""The JSON of ``check`` and of ``ask``, made from a certificate alone."""

from __future__ import annotations

from typing import Any

from agent.types import Fit
from evidence.types import ImageReport
from factdesk.kernel import CertificateError
from report.certificate.canonical import dump
from report.policy.evidence_sides import sources_of
from report.policy.rules import withheld
from report.render.check_types import (
    AnswerJson,
    AnswerResult,
    CapsJson,
    CheckResult,
    ClaimJson,
    EarlierUseJson,
    EvidenceJson,
    FindingJson,
    QAPairJson,
    ShownJson,
    SourceJson,
)
from report.render.trail import PairView
from report.render.view import ReportView, StatementView, report_view
from report.render.visibility import label_score
from report.types import AnswerRecord, Certificate, CertificateBody, Mode, SpanRecord
from verifier import pair_decision
from verifier.types import Thresholds

MAX_OTHER_EVIDENCE = 5
"""So many sentences besides the deciding ones stand with a claim."""


def check_json(certificate: Certificate, mode: Mode, doubt: str = "") -> dict[str, Any]:
    """``factdesk.check/1`` as plain JSON data. Raises ``CertificateError`` like :func:`check_result`."""
    data: dict[str, Any] = dump(check_result(certificate, mode, doubt))
    return data


def check_result(certificate: Certificate, mode: Mode, doubt: str = "") -> CheckResult:
    """``factdesk.check/1`` as a typed record.

    ``claims`` lists every atomic claim in every mode; ``shown`` only what the mode shows as answer.
    Raises ``CertificateError`` when claims, decisions and answers do not belong together.
    """
    certificate = withheld(certificate, doubt) if doubt else certificate
    body, view = certificate.body, report_view(certificate, mode, doubt)
    return CheckResult(
        doubt=doubt,
        verdict=body.verdict,
        claims=tuple(_claim(statement) for statement in view.statements),
        qa_pairs=_pairs(body, view),
        shown=tuple(
            ShownJson(claim_id=s.decision.claim_id, text=s.claim.text, state=s.decision.state) for s in view.shown
        ),
        certificate_id=view.certificate_id,
        body_sha256=view.body_sha256,
        failures=body.failures,
        caps=CapsJson(limits=body.caps, trimmed=body.trimmed),
        mode=mode,
        proposal=body.proposal.model_copy(update={"explanation": view.proposal.explanation})
        if body.proposal and view.proposal
        else None,
        image_context=body.image_context,
        thresholds=view.thresholds,
        image_findings=_findings(body, view),
        earlier_uses=_earlier_uses(body),
        clip=body.image_report.clip if body.image_report else ImageReport().clip,
    )


def _findings(body: CertificateBody, view: ReportView) -> tuple[FindingJson, ...]:
    """``deciding`` follows from the decisions: a finding that is no span can never have it."""
    certified = [d for d in body.decisions if d.state != "UNVERIFIED"]
    deciding = {span_id for decision in certified for span_id in decision.span_ids}
    names = _names(body)
    return tuple(
        FindingJson.taken_from(
            f, image=names.get(f.image, ""), deciding=f.span_id is not None and f.span_id in deciding
        )
        for f in view.findings
    )


def _earlier_uses(body: CertificateBody) -> tuple[EarlierUseJson, ...]:
    names = _names(body)
    return tuple(
        EarlierUseJson.taken_from(
            u, image=names.get(u.image, ""), published=u.published.isoformat() if u.published else None
        )
        for u in (body.image_report.earlier_uses if body.image_report else ())
    )


def _names(body: CertificateBody) -> dict[str, str]:
    return {str(image.get("sha256")): str(image.get("name", "")) for image in body.images}


def _claim(statement: StatementView) -> ClaimJson:
    decision, records = statement.decision, statement.claim_view
    return ClaimJson.taken_from(
        decision,
        text=statement.claim.text if statement.text_shown else "",
        reason=decision.reason if statement.text_shown else statement.reason,
        evidence=tuple(_evidence(s) for s in (*records.deciding, *records.others(MAX_OTHER_EVIDENCE))),
    )


def _evidence(record: SpanRecord) -> EvidenceJson:
    span = record.span
    best = label_score(record.assessment.calibrated)
    return EvidenceJson.taken_from(
        span,
        published=span.published.isoformat() if span.published else None,
        trust=record.trust,
        label=best.label,
        score=best.score,
        sufficient=record.sufficient,
    )


def _qa_pair(pair: PairView, answer: AnswerRecord, mode: Mode) -> QAPairJson:
    """``answer`` in strict mode: only what is, word for word, one stored sentence."""
    question, quotes = pair.question, pair.quotes
    alone = quotes[0].text if pair.exact and len(quotes) == 1 else None
    return QAPairJson.taken_from(
        pair,
        question=pair.asked,
        answer=alone if mode == "strict" else answer.text,
        route=question.route,
        depth=question.depth,
        branch=question.branch,
        span_ids=answer.span_ids,
        supported=answer.grounding.holds if answer.grounding is not None else None,
    )


def _pairs(body: CertificateBody, view: ReportView) -> tuple[QAPairJson, ...]:
    pairs = {pair.question.question_id: pair for pair in view.trail}
    answers = {a.question_id: a for a in body.answers}
    return tuple(_qa_pair(pairs[i], answer, view.mode) for i, answer in answers.items())


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
    return SourceJson.taken_from(span, published=span.published.isoformat() if span.published else None)
