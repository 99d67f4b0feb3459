"""Claims and their evidence as the page shows them, taken from the certificate alone."""

from __future__ import annotations

from dataclasses import dataclass

from evidence.types import Span, of_document
from report.render.html.safe import BadgeView, Link, badge_view, link
from report.render.html.wording import rule_sentence
from report.render.visibility import ClaimView, LabelScore, label_score
from report.types import Certificate, CertificateBody, Decision, JointRecord, Mode, SpanRecord
from trust.types import DocumentTrust

AROUND = 600
"""Characters on either side from which other recorded spans of the document are shown as context."""
NEAREST = 2
"""So many passages stand open with a claim that is not verified."""


@dataclass(frozen=True)
class Piece:
    """A stretch of a quotation: the span itself (``hit``) or what stands around it."""

    text: str
    hit: bool = False
    gap: bool = False
    """Something that is not in the certificate stands before it."""


@dataclass(frozen=True)
class EvidenceView:
    """One quoted sentence with all that is known of it."""

    record: SpanRecord
    pieces: tuple[Piece, ...]
    best: LabelScore
    date: str
    link: Link | None
    image: str | None
    """Name of the submitted image it was read from; ``None`` for a document."""
    rank: str
    trust: DocumentTrust | None
    trust_words: str
    sha256: str
    anchor: str


@dataclass(frozen=True)
class Card:
    """A claim with badge, reason and evidence."""

    view: ClaimView
    badge: BadgeView
    rule: str
    decision: Decision
    deciding: tuple[EvidenceView, ...]
    nearest: tuple[EvidenceView, ...]
    """Nearest to an open claim, but the decision does not rest on it."""
    others: tuple[EvidenceView, ...]
    """Further passages, shown in debug mode."""
    joint: tuple[JointRecord, ...]
    findings: bool
    """Whether the slot guard's findings stand with the passages."""

    @property
    def all(self) -> tuple[EvidenceView, ...]:
        """Everything that is quoted."""
        return (*self.deciding, *self.nearest, *self.others)

    @property
    def together(self) -> bool:
        """Whether a joint premise of several passages certifies the claim."""
        if self.decision.state != "VERIFIED" or len(self.deciding) < 2:
            return False
        return any(set(j.span_ids) == set(self.decision.span_ids) for j in self.view.record.joint)


def card(view: ClaimView, certificate: Certificate, mode: Mode) -> Card:
    """What the page shows of one claim in a mode."""
    body, decision = certificate.body, view.decision
    nearest: tuple[SpanRecord, ...] = ()
    deciding = view.deciding
    others = view.others(20) if mode == "debug" else ()
    if decision.state == "UNVERIFIED":
        # What stands with an open claim is nearest, never deciding: it must not read as support.
        near = (*view.deciding, *view.others(20))
        deciding, nearest, others = (), near[:NEAREST], near[NEAREST:] if mode == "debug" else ()
    return Card(
        view=view,
        badge=badge_view(decision, certificate.envelope.certificate_id),
        rule=rule_sentence(view, body),
        decision=decision,
        deciding=tuple(_evidence(r, view, body) for r in deciding),
        nearest=tuple(_evidence(r, view, body) for r in nearest),
        others=tuple(_evidence(r, view, body) for r in others),
        findings=decision.state != "VERIFIED" or mode == "debug",
        joint=view.record.joint if mode == "debug" else (),
    )


def anchor(claim_id: str, body: CertificateBody) -> str:
    """An id for the page that no foreign text has a part in: ``claim-1``, ``claim-2``, …"""
    ids = [c.claim.claim_id for c in body.claims]
    return f"claim-{ids.index(claim_id) + 1}" if claim_id in ids else "claims"


def _evidence(record: SpanRecord, view: ClaimView, body: CertificateBody) -> EvidenceView:
    span = record.span
    number = [s.span.span_id for s in view.record.spans].index(span.span_id) + 1
    return EvidenceView(
        record=record,
        pieces=_pieces(span, body),
        best=label_score(record.assessment.calibrated),
        date=date_words(span, body.claim_date),
        link=link(span.url),
        image=None if of_document(span.kind) else image_name(span, body),
        rank=_rank(record, view),
        trust=next((t for t in body.trust if t.doc_id == span.doc_id), None) if span.kind == "text" else None,
        trust_words=_trust_words(record, body),
        sha256=span.doc_sha256,
        anchor=f"{anchor(view.decision.claim_id, body)}-{number}",
    )


def _pieces(span: Span, body: CertificateBody) -> tuple[Piece, ...]:
    """The span amid the other spans of its document that the certificate holds nearby."""
    near: dict[tuple[int, int], str] = {}
    for claim in body.claims:
        for other in (r.span for r in claim.spans):
            same = (other.doc_id, other.doc_sha256) == (span.doc_id, span.doc_sha256)
            apart = other.end <= span.start or other.start >= span.end
            close = other.end > span.start - AROUND and other.start < span.end + AROUND
            if same and apart and close:
                near[other.start, other.end] = other.text
    pieces: list[Piece] = []
    end = 0
    for (start, stop), text in sorted({**near, (span.start, span.end): span.text}.items()):
        if start < end:  # two others that overlap: one is enough
            continue
        pieces.append(Piece(text, hit=start == span.start, gap=start > end + 2))
        end = stop
    return tuple(pieces)


def date_words(span: Span, claim_date: str | None) -> str:
    """Day of publication; what appeared after the claim is marked."""
    if span.published is None:
        return "undated"
    published = span.published.isoformat()
    later = claim_date is not None and published[: len(claim_date)] > claim_date
    return f"{published}, after the claim" if later else published


def image_name(span: Span, body: CertificateBody) -> str:
    """Name of the submitted image a span was read from."""
    for image in body.images:
        document = image.get("document")
        if isinstance(document, dict) and document.get("sha256") == span.doc_sha256:
            return str(image.get("name", ""))
    return "unknown"


def _rank(record: SpanRecord, view: ClaimView) -> str:
    def score(item: SpanRecord) -> float | None:
        s = item.retrieval
        return next((v for v in (s.rerank, s.fused, s.dense, s.bm25) if v is not None), None)

    own = score(record)
    scores = [s for s in map(score, view.record.spans) if s is not None]
    return "not ranked" if own is None else f"{1 + sum(s > own for s in scores)} of {len(scores)}"


def _trust_words(record: SpanRecord, body: CertificateBody) -> str:
    if record.trust is not None:
        gate = body.thresholds.tau_trust
        side = "at or above" if record.trust >= gate else "below"
        return f"{record.trust:.2f} ({side} the gate of {gate:.2f})"
    if record.span.kind == "record":
        return "none: a record of known images, kept by this desk"
    return "none: a submitted image has no trust" if record.span.kind != "text" else "switched off"
