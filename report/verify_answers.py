"""The trail worked out again: labels and scores of answers, and the two statements of a two-hop reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.types import AtomicClaim, Bridge, Reading, resolved_name
from report.types import CertificateBody, ClaimRecord
from report.verify_findings import compare
from verifier.types import Assessment, Label, NLIScores

if TYPE_CHECKING:
    from report.verify_findings import Findings
    from report.verify_rerun import Tools

Scored = tuple[str, Assessment]
Said = tuple[Label, float]


@dataclass(frozen=True)
class Readings:
    """What a claim says with a name in it, and what its two statements say together (``agent.readings``)."""

    statement: Callable[[AtomicClaim, str], AtomicClaim]
    holds: Callable[[Sequence[Scored]], bool]
    both: Callable[[Sequence[Scored], Sequence[Scored]], tuple[Label, float, str | None] | None]


def check_answers(
    body: CertificateBody, records: Sequence[ClaimRecord], tools: Tools, found: Findings
) -> None:
    """Label and score of an answer are those of the sentences that were scored for its question.

    So it is in a chain; other methods weigh answers in their own way. An answer that was read with a name for
    what its claim describes has the label of that reading in every method: both statements are put to the
    verifier again. None of this decides anything. Raises ``BackendUnavailable`` when the verifier cannot run.
    """
    said = _read_again(body, records, tools, found)
    _compare_readings(body, said, found)
    named = {q.question_id for q in body.questions if resolved_name(q.purpose) is not None}
    if named and body.bridges is None:
        found.notes.append("answers that take a name for what a claim describes are taken as recorded")
    elif body.bridges is not None:
        found.notes.append("which sentences were read with a name for what a claim describes is as recorded")
        named = set(said)
    if body.settings.get("method") != "chain":
        found.notes.append("labels and scores of answers are taken as recorded")
        return
    scores: dict[str, list[NLIScores]] = {}
    for item in (s for record in records for s in record.spans):
        scores.setdefault(item.question_id, []).append(item.assessment.calibrated)
    for answer in (a for a in body.answers if a.get("question_id") not in named):
        question, recorded = answer.get("question_id"), answer.get("score")
        own = scores.get(str(question), [])
        pro = max((s.entailment for s in own), default=1.0)
        con = max((s.contradiction for s in own), default=1.0)
        expected = {"entailed": pro, "contradicted": con, "not_enough_info": max(0.0, 1 - max(pro, con))}
        wanted = (
            expected.get(str(answer.get("label")))
            if own or answer.get("label") == "not_enough_info"
            else None
        )
        if not isinstance(recorded, int | float) or wanted is None or not found.scored(recorded, wanted):
            found.problems.append(f"the answer to {question!r} has another score than its sentences")


def _read_again(
    body: CertificateBody, records: Sequence[ClaimRecord], tools: Tools, found: Findings
) -> dict[str, Said]:
    """Label and score by question, where both statements together say something."""
    claims = {q.question_id: q.claim_id for q in body.questions}
    by_id = {r.claim.claim_id: r for r in records}
    said: dict[str, Said] = {}
    for bridge in body.bridges or ():
        record = by_id.get(claims.get(bridge.question_id, ""))
        if record is None:
            found.problems.append(f"the reading for {bridge.question_id!r} belongs to no claim")
            continue
        anchor = _put_again(bridge, bridge.anchor, record, tools, found)
        rest = _put_again(bridge, bridge.rest, record, tools, found) if bridge.rest else []
        if tools.readings.holds(anchor) is (bridge.rest is None):
            found.problems.append(
                f"the reading for {bridge.question_id!r} ends where its anchor does not let it"
            )
        if (both := tools.readings.both(anchor, rest)) is not None:
            said[bridge.question_id] = both[:2]
    return said


def _put_again(
    bridge: Bridge, reading: Reading, record: ClaimRecord, tools: Tools, found: Findings
) -> list[Scored]:
    """The statement put to its sentences again, and compared."""
    spans = {s.span.span_id: s.span for s in record.spans}
    spans.update({s.span_id: s.span for s in reading.spans if s.span is not None and s.span_id not in spans})
    known = [s for s in reading.spans if s.span_id in spans]
    if len(known) < len(reading.spans):
        found.problems.append(f"the reading for {bridge.question_id!r} rests on unknown sentences")
    claim = tools.readings.statement(record.claim, reading.text)
    pairs = [tools.pair_of(claim, spans[s.span_id]) for s in known]
    fresh = list(tools.verifier.assess(pairs)) if pairs else []
    found.spans += len(pairs)
    for old, now in zip(known, fresh, strict=True):
        compare(f"question {bridge.question_id!r}, span {old.span_id!r}", old.assessment, now, found)
    return [(s.span_id, now) for s, now in zip(known, fresh, strict=True)]


def _compare_readings(body: CertificateBody, said: dict[str, Said], found: Findings) -> None:
    """The answers whose label comes from a reading have that label and its score."""
    answers = {str(a.get("question_id")): a for a in body.answers}
    for question, (label, score) in said.items():
        answer = answers.get(question, {})
        recorded = answer.get("score")
        same = isinstance(recorded, int | float) and found.scored(recorded, score)
        if not same or answer.get("label") != label:
            found.problems.append(f"the answer to {question!r} is not what its two statements say")
