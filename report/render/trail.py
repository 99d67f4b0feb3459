"""The trail of questions as a mode shows it: what was asked, what is cited, and what was made of it.

``strict`` shows exact quotations of stored spans and fixed words of ours. A language model's words, in a
question, an answer, a reason or a view of a picture, are shown in the other modes alone, and never as a
quotation.
"""

from __future__ import annotations

from agent.types import CHECK, Question
from factdesk.kernel import CertificateError, Record
from report.render.check_types import QuoteJson
from report.render.visibility import label_score
from report.types import AnswerRecord, CertificateBody, ClaimRecord, Mode
from verifier.types import Label

UNSUPPORTED = "not supported by what it cites"
_ASKED = {
    "claim": "What do the sources say about this statement?",
    "dispute": "Does any source dispute or correct this statement?",
    "image": "What does the picture show or say about this statement?",
    "slot": "What do the sources give for a detail of this statement?",
    "value": "Which of two values do the sources bear out?",
    "bridge": "What is known of a name that the evidence brought up?",
    "connect": "How are two names of this statement connected?",
    "resolve": "What do the sources say with a name for what this statement describes?",
    "subject": "What else is known of what this statement speaks of?",
}
"""What a question asks for, by the kind of its purpose."""
_OTHER = "A question that the reasoner made up"


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
    return _ASKED.get(question.purpose.removeprefix(CHECK).partition(":")[0], _OTHER)


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
    return PairView.of(
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
    quotes = list[QuoteJson]()
    for span_id in answer.span_ids:
        item = scored.get(span_id)
        span = item.span if item is not None else rest.get(span_id)
        if span is None or span.kind == "caption":
            continue
        best = label_score(item.assessment.calibrated) if item is not None else None
        quotes.append(
            QuoteJson(
                span_id=span_id,
                doc_id=span.doc_id,
                text=span.text,
                label=best.label if best else None,
                score=best.score if best else None,
                trust=item.trust if item is not None else None,
            )
        )
    return tuple(quotes)
