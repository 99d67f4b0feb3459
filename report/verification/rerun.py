"""Re-verification: scores, guard, answers, trust and decisions worked out again from the texts in a certificate.

Nothing is believed that can be worked out: recorded scores are compared with new ones, and the policy
decides anew on the new ones. What a re-run cannot see (were documents left out? do their texts stand where
they are said to?) is listed in ``docs/threat-model.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.types import Bridge, Reading
from factdesk.kernel import BackendUnavailable, Fingerprint
from report.certificate.canonical import rounded
from report.policy.reasons import verdict_of
from report.policy.rules import decide
from report.types import (
    AnswerRecord,
    Certificate,
    CertificateBody,
    ClaimRecord,
    Decision,
    JointRecord,
    PolicyRecord,
    SpanRecord,
)
from report.verification.annotations import check_labels
from report.verification.findings import BadgeMismatch, Findings, Reverified, Tools, compare
from report.verification.trust import check_trust
from verifier.types import Thresholds

if TYPE_CHECKING:
    from agent.assessment.nli_pairs import Scored
    from verifier.types import Label


def reverify(certificate: Certificate, tools: Tools | None, policy: PolicyRecord, *, missing: str = "") -> Reverified:
    """Work everything out again, with the ``policy`` of this side.

    ``tools`` is ``None`` where the model cannot be had; ``missing`` says why.

    Never raises for what the certificate says.
    """
    body, found = certificate.body, Findings()
    name = certificate.envelope.certificate_id
    if body.policy != policy:
        found.differences += _other_policy(body.policy, policy)
    else:
        decide_again(name, body, body.claims, found, how="policy")
    if tools is None:
        found.differences.append(missing or "the verifier is not available")
        return found.answer()
    _compare_models(body, tools, found)
    if found.differences:
        return found.answer()
    _check_thresholds(body, tools.verifier.thresholds, found)
    _check_fits(body, found)
    try:
        scored = tuple(_score_again(record, tools, found) for record in body.claims)
        fresh = check_trust(body.model_copy(update={"claims": scored}), tools.verifier, found)
        check_labels(fresh, tools, found)
        check_answers(fresh, tools, found)
    except BackendUnavailable as error:
        found.differences.append(f"the verifier does not work: {error}")
        return found.answer()
    decide_again(name, body, fresh.claims, found, how="model")
    return found.answer()


def _compare_models(body: CertificateBody, tools: Tools, found: Findings) -> None:
    here = (tools.verifier.fingerprint, *tools.rules)
    for mine in here:
        prefix = mine.name.split(":")[0]
        if mine not in body.fingerprints:
            theirs = [_said(f) for f in body.fingerprints if f.name.split(":")[0] == prefix]
            found.differences.append(f"{prefix}: {', '.join(theirs) or 'none'} there, {_said(mine)} here")
    there, own = body.thresholds.calibration_sha256, tools.verifier.thresholds.calibration_sha256
    if there != own:
        found.differences.append(f"calibration: {there or 'none'} there, {own or 'none'} here")


def _other_policy(there: PolicyRecord, here: PolicyRecord) -> list[str]:
    """What differs between two policies: the sums, and constants by name."""
    found = []
    if there.sha256 != here.sha256:
        found.append(f"policy: {there.sha256[:16]!r} there, {here.sha256[:16]!r} here")
    recorded, known = ({c.name: c.value for c in one.constants} for one in (there, here))
    for name in sorted(recorded.keys() | known.keys()):
        theirs, own = recorded.get(name), known.get(name)
        if theirs != own:
            found.append(f"constant {name!r}: {theirs!r} there, {own!r} here")
    return found or ["policy: its constants are listed otherwise"]


def _said(print_: Fingerprint) -> str:
    return f"{print_.name} {print_.version} ({(print_.sha256 or 'no weights')[:16]})"


def _check_thresholds(body: CertificateBody, calibrated: Thresholds, found: Findings) -> None:
    """The recorded thresholds are the calibrated ones with the recorded settings put over them."""
    given = body.settings.get("thresholds")
    if isinstance(given, dict):
        changes = {k: v for k, v in given.items() if v is not None and k in Thresholds.model_fields}
        if calibrated.model_copy(update=changes) != body.thresholds:
            found.problems.append("the thresholds are not those of calibration and settings")
    if isinstance(body.settings.get("trust"), bool) and body.settings["trust"] != body.trust_enabled:
        found.problems.append("the settings and the certificate do not agree on whether trust was on")
    if body.mode != body.settings.get("mode", body.mode):
        found.problems.append("the settings and the certificate do not agree on the mode")
    for name in ("tau_entail", "tau_contradict", "tau_refute", "least_mended", "tau_trust"):
        there, own = getattr(body.thresholds, name), getattr(calibrated, name)
        looser = there > own if name == "tau_contradict" else there < own
        if looser:
            found.notes.append(f"{name} is {there:.3f}, looser than the calibrated {own:.3f}")


def _check_fits(body: CertificateBody, found: Findings) -> None:
    """Of an answer: how each statement fits the question, and whose own word counted."""
    from agent.assessment.answer_type import fit

    if body.asked is None:
        return
    for record, recorded in zip(body.claims, body.asked.fits, strict=False):
        fresh = rounded(fit(body.asked.question, record.claim.text, record.claim.claim_id))
        if fresh != recorded:
            found.problems.append(f"claim {recorded.claim_id!r} does not fit the question as it says")
    if sources := sorted({s for r in body.claims if r.witness for s in r.witness.sources}):
        found.notes.append(f"sites whose own word was enough for whoever asked: {', '.join(sources)}")


def _score_again(record: ClaimRecord, tools: Tools, found: Findings) -> ClaimRecord:
    """The claim with what verifier and guard say now."""
    from verifier.joint_evidence import joint_pair

    spans = {s.span.span_id: s.span for s in record.spans}
    pairs = [tools.pair_of(record.claim, s.span) for s in record.spans]
    for joint in record.joint:
        parts = [spans[i] for i in joint.span_ids if i in spans]
        pairs.append(
            joint_pair(record.claim.text, premises=[p.text for p in parts], contexts=[p.context for p in parts])
        )
    fresh = list(tools.verifier.assess(pairs)) if pairs else []
    found.spans += len(pairs)
    name = record.claim.claim_id
    named = [f"span {s.span.span_id!r}" for s in record.spans] + [f"spans {j.span_ids!r}" for j in record.joint]
    scored: tuple[SpanRecord | JointRecord, ...] = (*record.spans, *record.joint)
    for what, old, now in zip(named, scored, fresh, strict=True):
        compare(f"claim {name!r}, {what}", old.assessment, now, found)
    again = tuple(old.model_copy(update={"assessment": now}) for old, now in zip(scored, fresh, strict=True))
    singles = len(record.spans)
    return record.model_copy(update={"spans": again[:singles], "joint": again[singles:]})


def decide_again(
    name: str, body: CertificateBody, records: Sequence[ClaimRecord], found: Findings, *, how: str
) -> None:
    """Let the policy decide, and compare: to the letter on recorded scores, else all but scores and words."""
    recorded = {d.claim_id: d for d in body.decisions}
    decisions = [decide(record, body.thresholds, body.failures) for record in records]
    for record, now in zip(records, decisions, strict=True):
        old = recorded.get(now.claim_id)
        if old is None:
            found.problems.append(f"claim {now.claim_id!r} has no decision")
            continue
        if old.state != now.state:
            states = {"recorded": old.state, "recomputed": now.state}
            found.mismatches.append(BadgeMismatch(certificate_id=name, claim_id=now.claim_id, how=how, **states))
        if how == "policy":
            same = old == now and _marks_fit(record, old)
        else:
            numbers = {"score": now.score, "reason": now.reason}
            same = old.model_copy(update=numbers) == now and found.scored(old.score, now.score)
        if not same:
            found.problems.append(f"claim {now.claim_id!r}: the {how} decides otherwise ({now.rule}: {now.reason})")
    if verdict_of(decisions) != body.verdict:
        found.problems.append(f"the verdict is {body.verdict!r}, worked out again {verdict_of(decisions)!r}")


def _marks_fit(record: ClaimRecord, decision: Decision) -> bool:
    """The minimal sufficient set is what a certifying decision rests on."""
    chosen = set(decision.span_ids) if decision.state != "UNVERIFIED" else set()
    return {s.span.span_id for s in record.spans if s.sufficient} == chosen


def check_answers(body: CertificateBody, tools: Tools, found: Findings) -> None:
    """The three results of every answer, in every method; none of this decides anything.

    Label and score are those of the sentences it cites for the claim; where a name was taken for what the
    claim describes, of the reading with that name, which is put to the verifier again. The answer itself is
    put to it again by what it cites. Trust follows from the documents' (``report.certificate.derived``).

    Raises ``BackendUnavailable`` when the verifier cannot run.
    """
    from agent.assessment.nli_pairs import strongest

    said = _read_again(body, tools, found)
    if body.bridges:
        found.notes.append("which sentences were read with a name for what a claim describes is as recorded")
    for answer in body.answers:
        record = body.record_for(answer.question_id)
        if record is None:
            found.problems.append(f"the answer to {answer.question_id!r} belongs to no claim")
            continue
        cited = [(s.span.span_id, s.assessment) for s in record.spans if s.span.span_id in answer.span_ids]
        label, score = said.get(answer.question_id) or strongest(cited)[:2]
        if not found.scored(answer.score, score) or answer.label != label:
            why = "has another label or score than what it rests on"
            found.problems.append(f"the answer to {answer.question_id!r} {why}")
        _ground_again(answer, record, body.thresholds, tools, found)


def _ground_again(
    answer: AnswerRecord, record: ClaimRecord, thresholds: Thresholds, tools: Tools, found: Findings
) -> None:
    from agent.assessment.nli_pairs import ground

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
    now = ground(record.claim, answer.text, cited, tools.verifier, thresholds)
    found.spans += len(now.parts)
    same = found.scored(old.score, now.score) and old.label == now.label and not now.unread
    if not same or [p.text for p in old.parts] != [p.text for p in now.parts]:
        found.problems.append(f"{name} is not grounded as it says")
        return
    for before, part in zip(old.parts, now.parts, strict=True):
        compare(f"{name}, sentence {part.text!r}", before.assessment, part.assessment, found)


def _read_again(body: CertificateBody, tools: Tools, found: Findings) -> dict[str, tuple[Label, float]]:
    """Label and score by question, where both statements together say something."""
    from agent.assessment.nli_pairs import holds, read_both

    said: dict[str, tuple[Label, float]] = {}
    for bridge in body.bridges:
        record = body.record_for(bridge.question_id)
        if record is None:
            found.problems.append(f"the reading for {bridge.question_id!r} belongs to no claim")
            continue
        anchor = _put_again(bridge, bridge.first_hop, record, tools, found)
        rest = _put_again(bridge, bridge.second_hop, record, tools, found) if bridge.second_hop else []
        if holds(anchor) is (bridge.second_hop is None):
            found.problems.append(f"the reading for {bridge.question_id!r} ends where its anchor does not let it")
        if (both := read_both(anchor, rest)) is not None:
            said[bridge.question_id] = both[:2]
    return said


def _put_again(bridge: Bridge, reading: Reading, record: ClaimRecord, tools: Tools, found: Findings) -> list[Scored]:
    """The statement put to its sentences again, and compared."""
    from agent.assessment.nli_pairs import statement_of

    spans = {s.span.span_id: s.span for s in record.spans}
    spans.update({s.span_id: s.span for s in reading.spans if s.span is not None and s.span_id not in spans})
    known = [s for s in reading.spans if s.span_id in spans]
    if len(known) < len(reading.spans):
        found.problems.append(f"the reading for {bridge.question_id!r} rests on unknown sentences")
    claim = statement_of(record.claim, reading.text)
    pairs = [tools.pair_of(claim, spans[s.span_id]) for s in known]
    fresh = list(tools.verifier.assess(pairs)) if pairs else []
    found.spans += len(pairs)
    for old, now in zip(known, fresh, strict=True):
        compare(f"question {bridge.question_id!r}, span {old.span_id!r}", old.assessment, now, found)
    return [(s.span_id, now) for s, now in zip(known, fresh, strict=True)]
