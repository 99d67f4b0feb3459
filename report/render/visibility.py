"""What each mode shows of a certificate, and which evidence stands with it."""

from __future__ import annotations

from evidence.types import ImageFinding
from factdesk.kernel import CertificateError, Record
from report.policy.answers import answer_of
from report.types import Certificate, CertificateBody, ClaimRecord, Decision, Mode, SpanRecord
from verifier.types import Label, NLIScores


class ClaimView(Record):
    """An atomic claim together with the policy's decision on it."""

    record: ClaimRecord
    decision: Decision

    @property
    def deciding(self) -> tuple[SpanRecord, ...]:
        """The spans the decision rests on, in the decision's order."""
        by_id = {s.span.span_id: s for s in self._quotable}
        return tuple(by_id[i] for i in self.decision.span_ids if i in by_id)

    def others(self, limit: int) -> tuple[SpanRecord, ...]:
        """At most ``limit`` spans besides the deciding ones, those that say most first."""
        rest = (s for s in self._quotable if s.span.span_id not in self.decision.span_ids)
        return tuple(sorted(rest, key=_least_telling)[:limit])

    @property
    def _quotable(self) -> tuple[SpanRecord, ...]:
        """All but what a language model saw in a picture: its words are no quotation of anything."""
        return tuple(s for s in self.record.spans if s.span.kind != "caption")


class LabelScore(Record):
    """The likeliest label of one premise with its calibrated probability, 0 to 1."""

    label: Label
    score: float


def label_score(scores: NLIScores) -> LabelScore:
    """Likeliest of the three; ties go to ``not_enough_info``."""
    if scores.entailment > max(scores.neutral, scores.contradiction):
        return LabelScore(label="entailed", score=scores.entailment)
    if scores.contradiction > max(scores.neutral, scores.entailment):
        return LabelScore(label="contradicted", score=scores.contradiction)
    return LabelScore(label="not_enough_info", score=scores.neutral)


def claim_views(body: CertificateBody) -> tuple[ClaimView, ...]:
    """Every atomic claim with its decision, in the order of the input.

    Raises ``CertificateError`` when a claim has no decision, or two: then nothing may be shown.
    """
    decisions = {d.claim_id: d for d in body.decisions}
    claim_ids = [c.claim.claim_id for c in body.claims]
    if sorted(claim_ids) != sorted(d.claim_id for d in body.decisions) or len(decisions) != len(claim_ids):
        raise CertificateError(f"the claims {claim_ids!r} do not have exactly one decision each; nothing can be shown")
    return tuple(ClaimView(record=c, decision=decisions[c.claim.claim_id]) for c in body.claims)


def shown_claims(certificate: Certificate, mode: Mode) -> tuple[ClaimView, ...]:
    """The claims a reader sees.

    ``strict``: VERIFIED only; ``mixed``: VERIFIED and UNVERIFIED; ``debug``: all. In every mode a
    ``refuted`` verdict names its BLOCKED claims. Of a draft answer, ``strict`` shows what answers the
    question (:func:`report.policy.answers.answer_of`), and a refuted statement is shown in ``debug`` only.
    Raises ``CertificateError`` like :func:`claim_views`.
    """
    states = {"strict": {"VERIFIED"}, "mixed": {"VERIFIED", "UNVERIFIED"}}.get(
        mode, {"VERIFIED", "UNVERIFIED", "BLOCKED"}
    )
    if certificate.body.asked is not None:
        views = {v.decision.claim_id: v for v in claim_views(certificate.body)}
        answer = answer_of(certificate.body).claim_ids
        rest = [v for i, v in views.items() if i not in answer and v.decision.state in states]
        return (*(views[i] for i in answer), *(() if mode == "strict" else rest))
    if certificate.body.verdict == "refuted":
        states = states | {"BLOCKED"}
    return tuple(v for v in claim_views(certificate.body) if v.decision.state in states)


def hidden_claims(certificate: Certificate, mode: Mode) -> tuple[ClaimView, ...]:
    """The claims :func:`shown_claims` leaves out."""
    shown = {v.decision.claim_id for v in shown_claims(certificate, mode)}
    return tuple(v for v in claim_views(certificate.body) if v.decision.claim_id not in shown)


def findings_shown(body: CertificateBody, mode: Mode) -> tuple[ImageFinding, ...]:
    """What was found in and about the pictures; in strict mode without a language model's view of them."""
    found = body.image_report.findings if body.image_report else ()
    return tuple(f for f in found if mode != "strict" or f.kind != "caption")


def hidden_reason(view: ClaimView) -> str:
    """Why a statement is not shown, without its words: a refutation's own reason quotes it mended."""
    if view.decision.state == "BLOCKED":
        return "Trusted evidence contradicts it."
    if view.decision.state == "VERIFIED":
        return "It is verified, but does not stand as an answer."
    return view.decision.reason


def _least_telling(record: SpanRecord) -> tuple[float, str]:
    scores = record.assessment.calibrated
    return (-max(scores.entailment, scores.contradiction), record.span.span_id)
