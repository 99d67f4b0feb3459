"""The answers of a check as its certificate holds them: each with three results, by all that was scored.

While a check runs, later questions may score sentences that an earlier answer cites, and trust changes. So
labels and trust are worked out once more from the finished records; a re-run comes to the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.assessment.multihop import Scored, read_both, strongest
from agent.types import QAPair, Reading
from report.certificate.canonical import rounded
from report.certificate.derived import behind, least_trust
from report.types import AnswerRecord, ClaimRecord


def answer_records(pairs: Sequence[QAPair], records: Sequence[ClaimRecord]) -> tuple[AnswerRecord, ...]:
    """The answer of each pair, in their order."""
    by_claim = {record.claim.claim_id: record for record in records}
    return tuple(_answer(pair, by_claim[pair.question.claim_id]) for pair in pairs)


def _answer(pair: QAPair, record: ClaimRecord) -> AnswerRecord:
    cited, scored = tuple(s.span_id for s in pair.cited), {s.span.span_id for s in record.spans}
    label, score, _ = strongest([(s.span.span_id, s.assessment) for s in record.spans if s.span.span_id in cited])
    bridge = pair.bridge
    both = read_both(_items(bridge.first_hop), _items(bridge.second_hop)) if bridge is not None else None
    if both is not None:
        label, score, _ = both
    return rounded(
        AnswerRecord(
            question_id=pair.question.question_id,
            text=pair.answer.text,
            span_ids=cited,
            found=pair.answer.found,
            grounding=pair.grounding,
            label=label,
            score=score,
            trust=least_trust(record, behind(cited, bridge)),
            kept=pair.kept,
            reason=pair.reason,
            unscored=tuple(s for s in pair.cited if s.span_id not in scored),
        )
    )


def _items(reading: Reading | None) -> list[Scored]:
    return [(s.span_id, s.assessment) for s in reading.spans] if reading is not None else []
