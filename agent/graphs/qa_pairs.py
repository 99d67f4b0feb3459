"""Question-answer pairs with three results: answer by its spans, spans for the claim, trust of documents.

An unsupported answer stays in the trail and is hidden from reasoners (``as_told``).
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.assessment.grounding import MOST_PARTS, UNSUPPORTED, ground
from agent.graphs.multihop import Bridged, read_bridge
from agent.graphs.selection import RESERVE, best_label
from agent.graphs.state import Deps
from agent.types import Answer, AtomicClaim, Grounding, QAPair, Question, ScoredSpan
from evidence.types import Hit, Span
from factdesk.kernel import Record
from trust.types import TrustReport

ANSWERS_SHARE = 4
"""At most one in so many verifier pairs is spent on answers."""


class Completed(Record):
    """A pair with all its results, and its cost."""

    pair: QAPair
    passes: int
    trimmed: tuple[str, ...]


class Asked(Record):
    """A question with what was found and answered."""

    question: Question
    answer: Answer
    hits: tuple[Hit, ...]
    """All spans found for the question."""
    fresh: tuple[ScoredSpan, ...]
    """Those that no earlier question found."""
    reason: str = ""


def complete(
    deps: Deps,
    claim: AtomicClaim,
    asked: Asked,
    known: Sequence[ScoredSpan],
    report: TrustReport | None,
    *,
    passes: int,
    on_answers: int,
) -> Completed:
    """The pair of a question; errors of the verifier are the caller's.

    ``known``: spans scored for the claim; ``passes``: forward passes used before, of them ``on_answers``
    on answers.
    """
    by_id = {h.span.span_id: h.span for h in asked.hits}
    cited = tuple(by_id[i] for i in asked.answer.span_ids if i in by_id)
    left = deps.caps.max_pairs - passes
    bridged = read_bridge(deps, claim, asked.question, asked.hits, known, left)
    label, score, _ = bridged.or_else(*best_label(_among(known, cited)))
    room = min(left - bridged.passes, deps.caps.max_pairs // ANSWERS_SHARE - on_answers)
    grounding = _grounded(deps, claim, asked.answer, cited, room)
    behind = (*cited, *_read_besides(bridged, asked.hits))
    unsupported = grounding is not None and not grounding.holds
    pair = QAPair(
        question=asked.question,
        answer=asked.answer,
        hits=tuple(s.hit for s in asked.fresh),
        cited=cited,
        grounding=grounding,
        label=label,
        score=score,
        trust=least_trust(behind, report),
        reason=UNSUPPORTED if unsupported else asked.reason,
        bridge=bridged.bridge,
    )
    return Completed(pair=pair, passes=bridged.passes + passes_of(grounding), trimmed=_trimmed(deps, claim, grounding))


def _read_besides(bridged: Bridged, hits: Sequence[Hit]) -> list[Span]:
    """The sentences that a resolved claim was read with."""
    rest = bridged.bridge.second_hop if bridged.bridge is not None else None
    ids = {s.span_id for s in rest.spans} if rest is not None else set()
    return [h.span for h in hits if h.span.span_id in ids]


def _among(known: Sequence[ScoredSpan], cited: Sequence[Span]) -> list[ScoredSpan]:
    ids = {s.span_id for s in cited}
    return [s for s in known if s.hit.span.span_id in ids]


def _grounded(deps: Deps, claim: AtomicClaim, answer: Answer, cited: Sequence[Span], room: int) -> Grounding | None:
    if not answer.found:
        return None
    readable = min(MOST_PARTS, max(0, room // RESERVE))
    return ground(claim, answer.text, cited, deps.verifier, deps.thresholds, readable=readable)


def _trimmed(deps: Deps, claim: AtomicClaim, grounding: Grounding | None) -> tuple[str, ...]:
    if grounding is None or not grounding.unread:
        return ()
    most = deps.caps.max_pairs // ANSWERS_SHARE
    return (
        f"{claim.claim_id}: an answer was not read by what it cites (at most {MOST_PARTS} sentences an "
        f"answer, and {most} verifier pairs for all answers).",
    )


def passes_of(grounding: Grounding | None) -> int:
    """Forward passes that reading an answer took."""
    return sum(p.assessment.passes for p in grounding.parts) if grounding is not None else 0


def spent_on(pairs: Sequence[QAPair]) -> int:
    """Forward passes that reading all answers took."""
    return sum(passes_of(p.grounding) for p in pairs)


def least_trust(spans: Sequence[Span], report: TrustReport | None) -> float | None:
    """Least trust of the cited documents; ``None`` if trust is off or nothing is rated."""
    if report is None:
        return None
    entries = [report.of(s.doc_id) for s in spans if s.kind == "text"]
    return min((entry.score if entry else 0.0 for entry in entries), default=None)


def as_told(pair: QAPair) -> QAPair:
    """The pair as a reasoner sees it: an unsupported answer is blank and unlabelled."""
    if not pair.answer.found or pair.supported:
        return pair
    blank = Answer(text=f"An answer was given that is {UNSUPPORTED}.", found=False)
    return pair.model_copy(
        update={"answer": blank, "label": "not_enough_info", "score": 0.0, "trust": None, "cited": ()}
    )


def failed_pair(asked: Asked) -> QAPair:
    """The pair after a failure of the verifier: no results."""
    none = Grounding(label="not_enough_info", score=0.0, unread=1) if asked.answer.found else None
    return QAPair(question=asked.question, answer=asked.answer, grounding=none, reason=asked.reason)
