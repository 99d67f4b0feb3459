"""The public JSON of ``check`` and ``ask`` (``docs/schemas``), made from a certificate alone."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from agent.types import Fit, ImageContext, Proposal, Route
from evidence.types import Box, ClipStatus, FindingKind, ImageReport, Match
from factdesk.kernel import Caps, CertificateError, Failure, Record
from report.certificate.canonical import dump
from report.policy.evidence_sides import sources_of, trusted
from report.render.trail import PairView, QuoteJson, label_score
from report.render.view import ReportView, StatementView, report_view
from report.types import AnswerRecord, Certificate, Mode, SpanRecord, State, Verdict
from verifier import pair_decision
from verifier.types import Label, Thresholds

MAX_OTHER_EVIDENCE = 5
"""So many sentences besides the deciding ones stand with a claim."""


Day = Annotated[str | None, BeforeValidator(lambda day: day.isoformat() if isinstance(day, date) else day)]
"""ISO date, or ``None`` where it is not known."""


class EvidenceJson(Record):
    """One evidence sentence: the exact substring ``start:end`` (code points) of its document."""

    doc_id: str
    span_id: str
    start: int
    end: int
    text: str
    locator: str
    """Page, row or time in the file; ``""`` where none is known."""
    url: str | None
    published: Day
    """ISO date, or ``None`` for an undated document."""
    trust: float | None
    """0 to 1; ``None`` when trust was off."""
    label: Label
    """The likeliest label of this sentence alone against the claim."""
    score: float
    """Calibrated probability of ``label``, 0 to 1."""
    sufficient: bool
    """Member of the minimal sufficient set."""


class ClaimJson(Record):
    """One atomic claim, whatever its state; ``evidence`` has the deciding sentences first."""

    claim_id: str
    text: str
    """Empty for a drafted statement that strict mode does not show."""
    state: State
    label: Label
    score: float
    rule: str
    reason: str
    evidence: tuple[EvidenceJson, ...]


class QAPairJson(Record):
    """One question of the trail with its answer and the three results of the pair."""

    question: str
    """In strict mode its kind, in fixed words."""
    answer: str | None
    """As the reasoner gave it; in strict mode only where it is, word for word, one stored sentence."""
    quotes: tuple[QuoteJson, ...]
    """The sentences that it cites."""
    route: Route
    depth: int
    branch: int
    """Number among the questions that were asked side by side, from 0."""
    span_ids: tuple[str, ...]
    grounding: Label | None
    """The answer by the sentences it cites; ``None``: there is no answer."""
    grounding_score: float | None
    supported: bool | None
    """``False``: the answer is not supported by what it cites, and fed nothing."""
    label: Label
    """Of the sentences it cites, for the claim."""
    score: float
    trust: float | None
    """Least trust of their documents."""
    kept: bool
    """``False``: discarded by the tree's elimination; what was scored for it counts all the same."""
    reason: str
    """Why it was kept, discarded or brought nothing."""


class ShownJson(Record):
    """A claim that the mode shows as part of the answer."""

    claim_id: str
    text: str
    state: State


class FindingJson(Record):
    """Something found in or about a submitted image. ``deciding``: a certified decision rests on it."""

    image: str
    """Name of the submitted image."""
    kind: FindingKind
    text: str
    region: Box | None
    """In pixels of the upright picture."""
    confidence: float | None
    deciding: bool


class EarlierUseJson(Record):
    """A known image that the submitted one equals or resembles."""

    image: str
    published: Day
    source: str | None
    caption: str
    url: str | None
    distance: int
    """Bits of 64 in which the nearer perceptual hash differs."""
    similarity: float
    agreeing: int
    """Local features that agree on where the known picture lies."""
    match: Match
    place: Box | None
    """Where it lies in the submitted picture."""
    overlaid: tuple[Box, ...]
    """Bars, letters and watermarks laid over it."""
    mirrored: bool
    origin: Literal["index", "web"]


class CapsJson(Record):
    """The upper bounds of the check, and in words each one that was reached."""

    limits: Caps
    trimmed: tuple[str, ...]


class CheckResult(Record):
    """All of ``factdesk check --json``."""

    schema_version: Literal["factdesk.check/1"] = "factdesk.check/1"
    doubt: str = ""
    """Why the certificate does not count (unsigned, unknown key): no claim is verified then."""
    verdict: Verdict
    claims: tuple[ClaimJson, ...]
    qa_pairs: tuple[QAPairJson, ...]
    shown: tuple[ShownJson, ...]
    certificate_id: str
    body_sha256: str
    failures: tuple[Failure, ...]
    caps: CapsJson
    mode: Mode
    proposal: Proposal | None
    image_context: ImageContext | None
    thresholds: Thresholds
    image_findings: tuple[FindingJson, ...] = ()
    earlier_uses: tuple[EarlierUseJson, ...] = ()
    clip: ClipStatus = ClipStatus(available=False, reason="CLIP not available")


class SourceJson(Record):
    """A document that an answer rests on, with the sentence."""

    doc_id: str
    publisher: str | None
    url: str | None
    published: Day
    """ISO date, or ``None`` for an undated document."""
    text: str


class AnswerJson(Record):
    """One verified statement of the answer."""

    claim_id: str
    text: str
    answer_text: str | None
    """What it puts in the place of the question word."""
    question_coverage: float
    """Share of the question's telling words that it holds, 0 to 1."""
    score: float
    """Calibrated probability that it is entailed, 0 to 1."""
    independent: int
    """Independent sources that support it."""
    according_to: str | None
    """The one source it rests on, as whose word it is to be told; ``None``: several."""
    sources: tuple[SourceJson, ...]
    """The minimal sufficient evidence."""


class AnswerResult(Record):
    """All of ``factdesk ask --json``."""

    schema_version: Literal["factdesk.answer/1"] = "factdesk.answer/1"
    question: str
    answered: bool
    answer: tuple[AnswerJson, ...]
    """Best first; empty where nothing that answers could be verified."""
    why_not: str
    """Why there is no answer, in words; empty where there is one."""
    certificate_id: str
    body_sha256: str
    check: CheckResult
    """The check of the whole draft: every statement with its state, reason and evidence."""


def check_json(certificate: Certificate, mode: Mode, doubt: str = "") -> dict[str, Any]:
    """``factdesk.check/1`` as plain JSON data. Raises ``CertificateError`` when its parts do not belong together."""
    return dict(dump(_check(report_view(certificate, mode, doubt))))


def answer_json(certificate: Certificate, mode: Mode, doubt: str = "") -> dict[str, Any]:
    """``factdesk.answer/1`` as plain JSON data; ``answer`` is the same in every mode.

    Raises ``CertificateError`` like :func:`check_json`, and when the certificate answers no question.
    """
    if certificate.body.asked is None:
        raise CertificateError("this certificate is of a claim, not of a question; show it as a check")
    view = report_view(certificate, mode, doubt)
    fits = {f.claim_id: f for f in certificate.body.asked.fits}
    statements = {s.decision.claim_id: s for s in view.shown}
    found = AnswerResult(
        question=certificate.body.asked.question,
        answered=bool(view.answer),
        answer=tuple(_answer(statements[i], fits[i], view.body.thresholds) for i in view.answer),
        why_not=view.why_not,
        certificate_id=view.envelope.certificate_id,
        body_sha256=view.envelope.body_sha256,
        check=_check(view),
    )
    return dict(dump(found))


def _check(view: ReportView) -> CheckResult:
    """``claims`` lists every atomic claim in every mode; ``shown`` only what the mode shows as answer."""
    body, report = view.body, view.body.image_report or ImageReport()
    context, proposal = body.image_context, body.proposal
    if context is not None and view.mode == "strict":  # a language model's words
        context = context.model_copy(update={"description": ""})
    if proposal is not None and view.proposal is not None:
        proposal = proposal.model_copy(update={"explanation": view.proposal.explanation})
    names = {str(image.get("sha256")): str(image.get("name", "")) for image in body.images}
    certifying = {span_id for d in body.decisions if d.state != "UNVERIFIED" for span_id in d.span_ids}
    pairs = {pair.question.question_id: pair for pair in view.trail}
    answers = {answer.question_id: answer for answer in body.answers}
    return CheckResult(
        doubt=view.doubt,
        verdict=body.verdict,
        claims=tuple(_claim(statement) for statement in view.statements),
        qa_pairs=tuple(_qa_pair(pairs[i], answer, view.mode) for i, answer in answers.items()),
        shown=tuple(ShownJson.taken_from(s.decision, text=s.claim.text) for s in view.shown),
        certificate_id=view.envelope.certificate_id,
        body_sha256=view.envelope.body_sha256,
        failures=body.failures,
        caps=CapsJson(limits=body.caps, trimmed=body.trimmed),
        mode=view.mode,
        proposal=proposal,
        image_context=context,
        thresholds=body.thresholds,
        image_findings=tuple(
            FindingJson.taken_from(f, image=names.get(f.image, ""), deciding=f.span_id in certifying)
            for f in view.findings
        ),
        earlier_uses=tuple(EarlierUseJson.taken_from(u, image=names.get(u.image, "")) for u in report.earlier_uses),
        clip=report.clip,
    )


def _claim(statement: StatementView) -> ClaimJson:
    decision, records = statement.decision, statement.claim_view
    return ClaimJson.taken_from(
        decision,
        text=statement.claim.text if statement.text_shown else "",
        reason=decision.reason if statement.text_shown else statement.reason,
        evidence=tuple(_evidence(s) for s in (*records.deciding, *records.others(MAX_OTHER_EVIDENCE))),
    )


def _evidence(record: SpanRecord) -> EvidenceJson:
    best = label_score(record.assessment.calibrated)
    return EvidenceJson.taken_from(
        record.span, trust=record.trust, label=best.label, score=best.score, sufficient=record.sufficient
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


def _answer(statement: StatementView, fit: Fit, limits: Thresholds) -> AnswerJson:
    spans, deciding = statement.claim_view.record.spans, statement.claim_view.deciding
    support = [s for s in spans if pair_decision.supports(s.assessment, limits) and trusted(s, limits)]
    return AnswerJson.taken_from(
        fit,
        text=statement.claim.text,
        score=statement.decision.score,
        independent=len(sources_of((*support, *deciding))),
        according_to=statement.according_to or None,
        sources=tuple(SourceJson.taken_from(item.span) for item in statement.deciding),
    )
