"""What a mode shows of a certificate, as typed records, for text, Markdown, HTML, JSON and exports."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from agent.types import AtomicClaim
from evidence.types import ImageFinding
from factdesk.kernel import Fingerprint, Record
from report.policy.answers import answer_of
from report.policy.evidence_sides import sources_of
from report.policy.rules import withheld
from report.render.safe import BadgeView, badge_view
from report.render.trail import EvidenceView, PairView, evidence_view, pair_views
from report.render.visibility import (
    ClaimView,
    VerdictView,
    agrees,
    claim_views,
    clip_words,
    findings_shown,
    hidden_reason,
    named_sites,
    proposal_words,
    rule_sentence,
    shown_claims,
    verdict_view,
)
from report.types import Certificate, CertificateBody, Decision, JointRecord, Mode, SpanRecord, State
from verifier.types import Thresholds

NEAREST = 2
"""So many passages stand open with a claim that is not verified."""
MAX_OTHERS = 20
"""So many passages besides the deciding ones are shown in debug mode."""
BOTH_SIDES = ("both_ways", "disputed")
"""Rules whose decision names one passage for the claim and then one against it."""
_NOTES: dict[State, str] = {"VERIFIED": "", "UNVERIFIED": "not verified: ", "BLOCKED": "refuted: "}


class StatementView(Record):
    """An atomic claim with badge, reason and evidence."""

    claim: AtomicClaim
    decision: Decision
    shown: bool
    """Whether the mode shows it as part of the answer."""
    text_shown: bool
    """Whether the mode gives its text anywhere; a drafted statement that strict hides has none."""
    badge: BadgeView
    note: str
    """What is said before a statement that is not verified."""
    according_to: str
    """The one source that a statement of an answer rests on; ``""`` where there are several."""
    rule_words: str
    reason: str
    """The policy's words; of a statement that is not shown, words that do not quote it."""
    anchor: str
    """An id for a page that no foreign text has a part in: ``claim-1``."""
    deciding: tuple[EvidenceView, ...] = ()
    nearest: tuple[EvidenceView, ...] = ()
    """Nearest to an open claim, but the decision does not rest on it; in strict mode one alone."""
    sides: tuple[EvidenceView, ...] = ()
    """Of a conflict: what speaks for the claim, and what against it."""
    others: tuple[EvidenceView, ...] = ()
    """Further passages, shown in debug mode."""
    joint: tuple[JointRecord, ...] = ()
    together: bool = False
    """A joint premise of several passages certifies the claim."""
    findings: bool = False
    """Whether the slot guard's findings stand with the passages."""
    claim_view: ClaimView
    """All that the certificate holds of it."""

    @property
    def quoted(self) -> tuple[EvidenceView, ...]:
        """Everything that is quoted."""
        return (*self.deciding, *self.sides, *self.nearest, *self.others)


class ImageView(Record):
    """A submitted image: its name and size as the certificate has them."""

    name: str
    size: str
    text: str
    """All that was read from it, line by line."""


class ProposalView(Record):
    """What the reasoner proposed; ``explanation`` is empty in strict mode."""

    agrees: bool
    words: str
    explanation: str


class FailureView(Record):
    """What did not work, and what follows from it."""

    where: str
    kind: str
    claim_id: str | None
    effect: str
    message: str


class Details(Record):
    """What took part, for debug mode."""

    fingerprints: tuple[Fingerprint, ...]
    documents: tuple[dict[str, Any], ...]
    settings: dict[str, Any]


class ReportView(Record):
    """All that a mode shows of a certificate."""

    mode: Mode
    doubt: str
    """Why the certificate does not count (``report.verification.provenance``); empty: it does."""
    certificate_id: str
    created: str
    sequence: int
    body_sha256: str
    factdesk_version: str
    question: str | None
    claim_text: str
    claim_date: str | None
    as_of: str | None
    images: tuple[ImageView, ...]
    verdict: VerdictView
    answer: tuple[str, ...]
    """Ids of the statements that answer the question, best first."""
    why_not: str
    trust_enabled: bool
    own_word: int
    """How many sites were named whose own word counts."""
    statements: tuple[StatementView, ...]
    """All, in the order of the input."""
    order: tuple[str, ...]
    """Ids of those that are shown, in the order in which they are."""
    proposal: ProposalView | None
    findings: tuple[ImageFinding, ...]
    clip: str
    trail: tuple[PairView, ...]
    failures: tuple[FailureView, ...]
    caps: tuple[str, ...]
    thresholds: Thresholds
    policy_sha256: str
    details: Details | None

    @property
    def shown(self) -> tuple[StatementView, ...]:
        """The statements that the mode shows."""
        found = {s.decision.claim_id: s for s in self.statements}
        return tuple(found[i] for i in self.order)

    @property
    def hidden(self) -> tuple[StatementView, ...]:
        """The statements that the mode leaves out; their words must not be shown."""
        return tuple(s for s in self.statements if not s.shown)

    @property
    def threshold_words(self) -> str:
        """The thresholds, and whether they are calibrated."""
        t = self.thresholds
        calibrated = "calibrated" if t.calibration_sha256 else "not calibrated"
        return (
            f"support {t.tau_entail:.2f}, contradiction {t.tau_contradict:.2f}, "
            f"refutation {t.tau_refute:.2f}, trust {t.tau_trust:.2f}; {calibrated}"
        )


def report_view(certificate: Certificate, mode: Mode, doubt: str = "") -> ReportView:
    """What ``mode`` shows; with a ``doubt`` no claim is shown as verified or refuted.

    Raises ``CertificateError`` when claims, decisions and answers do not fit.
    """
    certificate = withheld(certificate, doubt) if doubt else certificate
    body, envelope = certificate.body, certificate.envelope
    order = tuple(v.decision.claim_id for v in shown_claims(certificate, mode))
    found = answer_of(body) if body.asked is not None else None
    return ReportView(
        mode=mode,
        doubt=doubt,
        certificate_id=envelope.certificate_id,
        created=envelope.created,
        sequence=envelope.sequence,
        body_sha256=envelope.body_sha256,
        factdesk_version=body.factdesk_version,
        question=body.asked.question if body.asked is not None else None,
        claim_text=body.claim_text,
        claim_date=body.claim_date,
        as_of=body.as_of,
        images=tuple(_image(image) for image in body.images),
        verdict=verdict_view(body),
        answer=found.claim_ids if found is not None else (),
        why_not=found.why_not if found is not None else "",
        trust_enabled=body.trust_enabled,
        own_word=named_sites(body),
        statements=tuple(
            _statement(view, number, view.decision.claim_id in order, certificate, mode)
            for number, view in enumerate(claim_views(body), 1)
        ),
        order=order,
        proposal=_proposal(body, mode),
        findings=findings_shown(body, mode),
        clip=clip_words(body.image_report),
        trail=pair_views(body, mode),
        failures=_failures(body),
        caps=_caps(body),
        thresholds=body.thresholds,
        policy_sha256=body.policy.sha256,
        details=Details.taken_from(body) if mode == "debug" else None,
    )


def _image(image: dict[str, Any]) -> ImageView:
    size = f"{image.get('width', '?')} x {image.get('height', '?')}"
    document = image.get("document")
    text = str(document.get("text", "")) if isinstance(document, dict) else ""
    return ImageView(name=str(image.get("name", "")), size=size, text=text)


def _statement(view: ClaimView, number: int, shown: bool, certificate: Certificate, mode: Mode) -> StatementView:
    body, decision, anchor = certificate.body, view.decision, f"claim-{number}"
    open_ = decision.state == "UNVERIFIED" and body.asked is None
    deciding, nearest, others = _passages(view, mode) if shown else ((), (), ())
    if open_ and not shown:
        nearest = (*view.deciding, *view.others(1))[:1]
    sides = view.deciding if open_ and decision.rule in BOTH_SIDES and len(view.deciding) == 2 else ()
    joint = view.record.joint

    def evidence(records: tuple[SpanRecord, ...]) -> tuple[EvidenceView, ...]:
        return tuple(evidence_view(r, view, anchor, body) for r in records)

    return StatementView(
        claim=view.record.claim,
        decision=decision,
        shown=shown,
        text_shown=shown or body.asked is None or mode != "strict",
        badge=badge_view(decision, certificate.envelope.certificate_id),
        note=_NOTES[decision.state],
        according_to=_source_of(view) if body.asked is not None else "",
        rule_words=rule_sentence(view, body),
        reason=decision.reason if shown else hidden_reason(view),
        anchor=anchor,
        deciding=evidence(deciding),
        nearest=evidence(tuple(r for r in nearest if r not in sides) if shown or not sides else ()),
        sides=evidence(sides),
        others=evidence(others),
        joint=joint if mode == "debug" else (),
        together=decision.state == "VERIFIED"
        and len(deciding) > 1
        and any(set(j.span_ids) == set(decision.span_ids) for j in joint),
        findings=decision.state != "VERIFIED" or mode == "debug",
        claim_view=view,
    )


def _source_of(view: ClaimView) -> str:
    """Who says so, where all that decides comes from one source."""
    spans = view.deciding
    if view.decision.state != "VERIFIED" or len(sources_of(spans)) != 1:
        return ""
    span = spans[0].span
    return span.publisher or (urlsplit(span.url or "").hostname or "") or span.title or span.doc_id


def _passages(
    view: ClaimView, mode: Mode
) -> tuple[tuple[SpanRecord, ...], tuple[SpanRecord, ...], tuple[SpanRecord, ...]]:
    """Deciding, nearest and further: what stands with an open claim must not read as support."""
    others = view.others(MAX_OTHERS)
    if view.decision.state != "UNVERIFIED":
        return view.deciding, (), others if mode == "debug" else ()
    near = (*view.deciding, *others)[:MAX_OTHERS]
    return (), near[:NEAREST], near[NEAREST:] if mode == "debug" else ()


def _proposal(body: CertificateBody, mode: Mode) -> ProposalView | None:
    if body.proposal is None:
        return None
    explanation = "" if mode == "strict" else body.proposal.explanation
    return ProposalView(agrees=agrees(body), words=proposal_words(body), explanation=explanation)


def _failures(body: CertificateBody) -> tuple[FailureView, ...]:
    effects = ("not on the deciding path", "nothing it concerns can be verified")
    return tuple(FailureView.taken_from(f, effect=effects[f.deciding]) for f in body.failures)


def _caps(body: CertificateBody) -> tuple[str, ...]:
    if body.trimmed_claims and not body.trimmed:
        return (f"{body.trimmed_claims} statements past the cap of {body.caps.max_claims} were not checked",)
    return body.trimmed
