"""The trail of questions as a mode shows it, and each quoted sentence: what was asked, cited and made of it.

``strict`` shows exact quotations of stored spans and fixed words of ours; the other modes show a language model's words
besides, never as a quotation.
"""

from __future__ import annotations

from agent.types import CHECK, Question
from evidence.types import Span, of_document
from factdesk.kernel import CertificateError, Record
from report.render.templates import WORDS
from report.sanitize import Link, link
from report.types import AnswerRecord, CertificateBody, ClaimRecord, Mode, SpanRecord
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


class PairView:
    """A question with its answer, as a mode shows it."""

    def __init__(self, question: Question, answer: AnswerRecord | None, record: ClaimRecord | None, mode: Mode) -> None:
        strict, grounding = mode == "strict", answer.grounding if answer is not None else None
        self.question = question
        self.asked = asked_words(question) if strict else question.text
        """The question, or in strict mode its kind in words of ours."""
        self.found = answer is not None and answer.found
        self.quotes = _quotes(answer, record) if answer is not None else ()
        self.grounding = grounding.label if grounding is not None else None
        """Of the answer by what it cites; ``None``: there is none."""
        self.grounding_score = grounding.score if grounding is not None else None
        self.exact = grounding is not None and grounding.exact
        """The answer is nothing but sentences that it cites."""
        own = answer is not None and bool(answer.text) and not strict and not self.exact
        self.own_words = answer.text if answer is not None and own else None
        """The answer in the reasoner's own words: no quotation."""
        self.label: Label = answer.label if answer is not None else "not_enough_info"
        self.score, self.trust = (answer.score, answer.trust) if answer is not None else (0.0, None)
        self.kept = answer is None or answer.kept
        self.reason = "" if answer is None else _kept(answer) if strict else answer.reason

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
    return tuple(PairView(q, answers.get(q.question_id), records.get(q.claim_id), mode) for q in body.questions)


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


class EvidenceView:
    """One quoted sentence of a claim with all that is known of it."""

    def __init__(self, record: SpanRecord, claim: ClaimRecord, claim_anchor: str, body: CertificateBody) -> None:
        span, number = record.span, [s.span.span_id for s in claim.spans].index(record.span.span_id) + 1
        self.record, self.span = record, span
        self.pieces = _pieces(span, body)
        self.best = label_score(record.assessment.calibrated)
        self.date = _date(span, body.claim_date)
        self.link = link(span.url)
        self.archived = _archived(span, body)
        """The copy of the page in an archive, where the certificate has one."""
        self.image = None if of_document(span.kind) else _image_name(span, body)
        """Name of the submitted image it was read from; ``None`` for a document."""
        self.rank = _rank(record, claim)
        self.trust = next((t for t in body.trust if t.doc_id == span.doc_id), None) if span.kind == "text" else None
        self.trust_words = _trust_words(record, body)
        self.anchor = f"{claim_anchor}-{number}"
        """An id for a page that no foreign text has a part in: ``claim-1-2``."""


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
