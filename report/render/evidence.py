"""One quoted sentence as a report shows it, taken from the certificate alone."""

from __future__ import annotations

from evidence.types import Span, of_document
from factdesk.kernel import Record
from report.render.safe import Link, link
from report.render.visibility import ClaimView, LabelScore, label_score
from report.types import CertificateBody, SpanRecord
from trust.types import DocumentTrust

AROUND = 600
"""Characters on either side from which other recorded spans of the document are shown as context."""


class Piece(Record):
    """A stretch of a quotation: the span itself (``hit``) or what stands around it."""

    text: str
    hit: bool = False
    gap: bool = False
    """Something that is not in the certificate stands before it."""


class EvidenceView(Record):
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
    anchor: str
    """An id for a page that no foreign text has a part in: ``claim-1-2``."""

    @property
    def span(self) -> Span:
        """The sentence with its place."""
        return self.record.span


def evidence_view(record: SpanRecord, view: ClaimView, anchor: str, body: CertificateBody) -> EvidenceView:
    """A scored span of a claim; ``anchor`` is the claim's."""
    span = record.span
    number = [s.span.span_id for s in view.record.spans].index(span.span_id) + 1
    return EvidenceView(
        record=record,
        pieces=_pieces(span, body),
        best=label_score(record.assessment.calibrated),
        date=_date(span, body.claim_date),
        link=link(span.url),
        image=None if of_document(span.kind) else _image_name(span, body),
        rank=_rank(record, view),
        trust=next((t for t in body.trust if t.doc_id == span.doc_id), None) if span.kind == "text" else None,
        trust_words=_trust_words(record, body),
        anchor=f"{anchor}-{number}",
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
        pieces.append(Piece(text=text, hit=start == span.start, gap=start > end + 2))
        end = stop
    return tuple(pieces)


def _date(span: Span, claim_date: str | None) -> str:
    """Day of publication; what appeared after the claim is marked."""
    if span.published is None:
        return "undated"
    published = span.published.isoformat()
    later = claim_date is not None and published[: len(claim_date)] > claim_date
    return f"{published}, after the claim" if later else published


def _image_name(span: Span, body: CertificateBody) -> str:
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
