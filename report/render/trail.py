"""The trail of questions as a mode shows it, and each quoted sentence: what was asked, cited and made of it.

``strict`` shows exact quotations of stored spans and fixed words of ours. A language model's words, in a
question, an answer, a reason or a view of a picture, are shown in the other modes alone, and never as a
quotation.
"""

from __future__ import annotations

from agent.types import CHECK, Question
from evidence.types import Span, of_document
from factdesk.kernel import CertificateError, Record
from report.render.safe import Link, link
from report.render.templates import WORDS
from report.types import AnswerRecord, CertificateBody, ClaimRecord, Mode, SpanRecord
from trust.types import DocumentTrust
from verifier.types import Label, NLIScores

UNSUPPORTED = "not supported by what it cites"
_OTHER = "A question that the reasoner made up"


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


class QuoteJson(Record):
    """A sentence that an answer cites: the exact text of a stored span."""

    span_id: str
    doc_id: str
    text: str
    label: Label | None
    """For the claim; ``None``: it was not scored."""
    score: float | None
    trust: float | None


class PairView(Record):
    """A question with its answer, as a mode shows it."""

    question: Question
    asked: str
    """The question, or in strict mode its kind in words of ours."""
    found: bool
    quotes: tuple[QuoteJson, ...] = ()
    own_words: str | None = None
    """The answer in the reasoner's own words: no quotation. ``None`` in strict mode, and where the answer is
    nothing but the quotes."""
    grounding: Label | None = None
    """Of the answer by what it cites; ``None``: there is none."""
    grounding_score: float | None = None
    exact: bool = False
    """The answer is nothing but sentences that it cites."""
    label: Label = "not_enough_info"
    score: float = 0.0
    trust: float | None = None
    kept: bool = True
    reason: str = ""

    @property
    def results(self) -> str:
        """The three results in words."""
        if not self.found:
            return "no answer found"
        trust = "" if self.trust is None else f"; least trust {self.trust:.2f}"
        return f"{self._own}; for the statement {self.label} {self.score:.3f}{trust}"

    @property
    def _own(self) -> str:
        if self.exact:
            return "word for word what it cites"
        own = "supported by what it cites" if self.grounding == "entailed" else UNSUPPORTED
        return f"{own} ({self.grounding} {self.grounding_score or 0:.3f})"


def asked_words(question: Question) -> str:
    """What kind of question it is, in fixed words."""
    return str(WORDS["asked"].get(question.purpose.removeprefix(CHECK).partition(":")[0], _OTHER))


def pair_views(body: CertificateBody, mode: Mode) -> tuple[PairView, ...]:
    """All questions in their order. Raises ``CertificateError`` where an answer belongs to no question."""
    known = {q.question_id for q in body.questions}
    if unknown := next((a.question_id for a in body.answers if a.question_id not in known), None):
        raise CertificateError(f"an answer refers to the unknown question {unknown!r}")
    answers = {a.question_id: a for a in body.answers}
    records = {r.claim.claim_id: r for r in body.claims}
    return tuple(_view(q, answers.get(q.question_id), records.get(q.claim_id), mode) for q in body.questions)


def _view(question: Question, answer: AnswerRecord | None, record: ClaimRecord | None, mode: Mode) -> PairView:
    asked = asked_words(question) if mode == "strict" else question.text
    if answer is None:
        return PairView(question=question, asked=asked, found=False)
    grounding = answer.grounding
    exact = grounding is not None and grounding.exact
    own = mode != "strict" and bool(answer.text)
    return PairView.taken_from(
        answer,
        question=question,
        asked=asked,
        quotes=_quotes(answer, record),
        own_words=answer.text if own and not exact else None,
        grounding=grounding.label if grounding is not None else None,
        grounding_score=grounding.score if grounding is not None else None,
        exact=exact,
        reason=answer.reason if mode != "strict" else _kept(answer),
    )


def _kept(answer: AnswerRecord) -> str:
    if answer.grounding is not None and not answer.grounding.holds:
        return UNSUPPORTED
    return "" if answer.kept else "not kept"


def _quotes(answer: AnswerRecord, record: ClaimRecord | None) -> tuple[QuoteJson, ...]:
    """The cited spans, in the answer's order; what a language model saw in a picture is none."""
    scored = {s.span.span_id: s for s in record.spans} if record is not None else {}
    rest = {s.span_id: s for s in answer.unscored}
    cited = [(scored.get(i), scored[i].span if i in scored else rest.get(i)) for i in answer.span_ids]
    return tuple(_quote(item, span) for item, span in cited if span is not None and span.kind != "caption")


def _quote(item: SpanRecord | None, span: Span) -> QuoteJson:
    best = label_score(item.assessment.calibrated) if item is not None else None
    return QuoteJson.taken_from(
        span,
        label=best.label if best else None,
        score=best.score if best else None,
        trust=item.trust if item is not None else None,
    )


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
    archived: Link | None
    """The copy of the page in an archive, where the certificate has one."""
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


def evidence_view(record: SpanRecord, claim: ClaimRecord, anchor: str, body: CertificateBody) -> EvidenceView:
    """A scored span of a claim; ``anchor`` is the claim's."""
    span = record.span
    number = [s.span.span_id for s in claim.spans].index(span.span_id) + 1
    return EvidenceView(
        record=record,
        pieces=_pieces(span, body),
        best=label_score(record.assessment.calibrated),
        date=_date(span, body.claim_date),
        link=link(span.url),
        archived=_archived(span, body),
        image=None if of_document(span.kind) else _image_name(span, body),
        rank=_rank(record, claim),
        trust=next((t for t in body.trust if t.doc_id == span.doc_id), None) if span.kind == "text" else None,
        trust_words=_trust_words(record, body),
        anchor=f"{anchor}-{number}",
    )


def _archived(span: Span, body: CertificateBody) -> Link | None:
    found = next((d.get("archived") for d in body.documents if d.get("doc_id") == span.doc_id), None)
    return link(found) if isinstance(found, str) else None


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


def _rank(record: SpanRecord, claim: ClaimRecord) -> str:
    own = record.retrieval.last
    scores = [s.retrieval.last for s in claim.spans if s.retrieval.last is not None]
    return "not ranked" if own is None else f"{1 + sum(s > own for s in scores)} of {len(scores)}"


def _trust_words(record: SpanRecord, body: CertificateBody) -> str:
    if record.trust is not None:
        gate = body.thresholds.tau_trust
        side = "at or above" if record.trust >= gate else "below"
        return f"{record.trust:.2f} ({side} the gate of {gate:.2f})"
    if record.span.kind == "record":
        return "none: a record of known images, kept by this desk"
    return "none: a submitted image has no trust" if record.span.kind != "text" else "switched off"
