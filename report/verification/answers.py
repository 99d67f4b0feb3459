"""The trail worked out again: three results of each answer, and the two statements of a two-hop reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.types import Bridge, Reading
from report.types import AnswerRecord, CertificateBody, ClaimRecord
from report.verification.findings import compare
from report.verification.tools import Said, Scored
from verifier.types import Thresholds

if TYPE_CHECKING:
    from report.verification.findings import Findings
    from report.verification.tools import Tools


def check_answers(body: CertificateBody, records: Sequence[ClaimRecord], tools: Tools, found: Findings) -> None:
    """The three results of every answer, in every method; none of this decides anything.

    Label and score are those of the sentences it cites for the claim; where a name was taken for what the
    claim describes, of the reading with that name, which is put to the verifier again. The answer itself is
    put to it again by what it cites. Trust follows from the documents' (``report.certificate.derived``).

    Raises
    ``BackendUnavailable`` when the verifier cannot run.
    """
    said = _read_again(body, records, tools, found)
    if body.bridges:
        found.notes.append("which sentences were read with a name for what a claim describes is as recorded")
    claims = {q.question_id: q.claim_id for q in body.questions}
    by_id = {r.claim.claim_id: r for r in records}
    for answer in body.answers:
        record = by_id.get(claims.get(answer.question_id, ""))
        if record is None:
            found.problems.append(f"the answer to {answer.question_id!r} belongs to no claim")
            continue
        cited = [(s.span.span_id, s.assessment) for s in record.spans if s.span.span_id in answer.span_ids]
        label, score = said.get(answer.question_id) or tools.readings.strongest(cited)[:2]
        if not found.scored(answer.score, score) or answer.label != label:
            found.problems.append(
                f"the answer to {answer.question_id!r} has another label or score than what it rests on"
            )
        _ground_again(answer, record, body.thresholds, tools, found)


def _ground_again(
    answer: AnswerRecord, record: ClaimRecord, thresholds: Thresholds, tools: Tools, found: Findings
) -> None:
    old, name = answer.grounding, f"the answer to {answer.question_id!r}"
    if old is None:
        return
    if old.unread:
        found.notes.append(f"{name} was not read by what it cites, and counts as not supported")
        if (old.label, old.score, old.parts) != ("not_enough_info", 0.0, ()):
            found.problems.append(f"{name} was not read, but has a grounding")
        return
    spans = {s.span_id: s for s in (*(r.span for r in record.spans), *answer.unscored)}
    cited = [spans[i] for i in answer.span_ids if i in spans]
    now = tools.readings.ground(record.claim, answer.text, cited, tools.verifier, thresholds)
    found.spans += len(now.parts)
    same = found.scored(old.score, now.score) and old.label == now.label and not now.unread
    if not same or [p.text for p in old.parts] != [p.text for p in now.parts]:
        found.problems.append(f"{name} is not grounded as it says")
        return
    for before, part in zip(old.parts, now.parts, strict=True):
        compare(f"{name}, sentence {part.text!r}", before.assessment, part.assessment, found)


def _read_again(
    body: CertificateBody, records: Sequence[ClaimRecord], tools: Tools, found: Findings
) -> dict[str, Said]:
    """Label and score by question, where both statements together say something."""
    claims = {q.question_id: q.claim_id for q in body.questions}
    by_id = {r.claim.claim_id: r for r in records}
    said: dict[str, Said] = {}
    for bridge in body.bridges:
        record = by_id.get(claims.get(bridge.question_id, ""))
        if record is None:
            found.problems.append(f"the reading for {bridge.question_id!r} belongs to no claim")
            continue
        anchor = _put_again(bridge, bridge.first_hop, record, tools, found)
        rest = _put_again(bridge, bridge.second_hop, record, tools, found) if bridge.second_hop else []
        if tools.readings.holds(anchor) is (bridge.second_hop is None):
            found.problems.append(f"the reading for {bridge.question_id!r} ends where its anchor does not let it")
        if (both := tools.readings.both(anchor, rest)) is not None:
            said[bridge.question_id] = both[:2]
    return said


def _put_again(bridge: Bridge, reading: Reading, record: ClaimRecord, tools: Tools, found: Findings) -> list[Scored]:
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
