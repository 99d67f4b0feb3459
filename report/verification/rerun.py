"""Re-verification: scores, guard, answers, trust and decisions worked out again from the texts in a certificate.

Nothing is believed that can be worked out: recorded scores are compared with new ones, and the policy
decides anew on the new ones. What a re-run cannot see (were documents left out? do their texts stand where
they are said to?) is listed in ``docs/threat-model.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.assessment.answer_type import fit
from agent.assessment.attribution_scores import word_for_word
from agent.assessment.nli_pairs import Scored, ground, holds, read_both, statement_of, strongest
from agent.attribution.types import LabelReading
from agent.types import Bridge, Reading
from evidence.types import Span
from factdesk.kernel import BackendUnavailable, CertificateError, Fingerprint
from report.certificate.canonical import rounded
from report.certificate.integrity import ALTERED, integrity_problems, signature_doubt
from report.certificate.signing import PublicKey
from report.policy.fingerprints import policy_record
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
from report.verification.findings import BadgeMismatch, Findings, Reverified, Tools
from report.verification.trust import check_trust
from verifier import pair_decision
from verifier.joint_evidence import joint_pair
from verifier.types import Label, PairText, Thresholds


def reverify(certificate: Certificate, tools: Tools | None, policy: PolicyRecord, *, missing: str = "") -> Reverified:
    """Work everything out again, with the ``policy`` of this side; never raises for what the certificate says.

    ``tools`` is ``None`` where the model cannot be had; ``missing`` says why.
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
    else:
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
    spans = {s.span.span_id: s.span for s in record.spans}
    pairs = [tools.pair_of(record.claim, s.span) for s in record.spans]
    pairs += [_together(record.claim.text, [spans[i] for i in j.span_ids if i in spans]) for j in record.joint]
    scored: tuple[SpanRecord | JointRecord, ...] = (*record.spans, *record.joint)
    again = []
    for old, now in zip(scored, found.assess(tools.verifier, pairs), strict=True):
        what = old.span.span_id if isinstance(old, SpanRecord) else old.span_ids
        found.same(f"claim {record.claim.claim_id!r}, {what!r}", old.assessment, now)
        again.append(old.model_copy(update={"assessment": now}))
    singles = len(record.spans)
    return record.model_copy(update={"spans": tuple(again[:singles]), "joint": tuple(again[singles:])})


def _together(statement: str, spans: Sequence[Span]) -> PairText:
    return joint_pair(statement, premises=[s.text for s in spans], contexts=[s.context for s in spans])


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
    """The results of every answer: label and score of what it cites for the claim, or of the reading with a name for
    what the claim describes, and the answer by what it cites. Raises ``BackendUnavailable``.
    """
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
    found.same(f"{name} is not grounded as it says", old, now)


def _read_again(body: CertificateBody, tools: Tools, found: Findings) -> dict[str, tuple[Label, float]]:
    """Label and score by question, where both statements together say something."""
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
    spans = {s.span.span_id: s.span for s in record.spans}
    spans.update({s.span_id: s.span for s in reading.spans if s.span is not None and s.span_id not in spans})
    known = [s for s in reading.spans if s.span_id in spans]
    if len(known) < len(reading.spans):
        found.problems.append(f"the reading for {bridge.question_id!r} rests on unknown sentences")
    claim = statement_of(record.claim, reading.text)
    fresh = found.assess(tools.verifier, [tools.pair_of(claim, spans[s.span_id]) for s in known])
    for old, now in zip(known, fresh, strict=True):
        found.same(f"question {bridge.question_id!r}, span {old.span_id!r}", old.assessment, now)
    return [(s.span_id, now) for s, now in zip(known, fresh, strict=True)]


def check_labels(body: CertificateBody, tools: Tools, found: Findings) -> None:
    """The statements that the labels of an annotation rest on, read again. Raises ``BackendUnavailable``."""
    if body.annotation is None:
        return
    found.notes.append("which triplets the graph holds, and how near they are to the claims, is taken as recorded")
    for span, record in zip(body.annotation.annotation.spans, body.claims, strict=True):
        name = f"the label of claim {record.claim.claim_id!r}"
        if span.basis == "altered":
            found.notes.append(f"{name}: that a sentence differs from a claim in one detail is taken as recorded")
        if span.basis == "verbatim" and not any(word_for_word(span.claim, s.span.text) for s in record.spans):
            found.problems.append(f"{name}: no sentence says it word for word")
        if span.reading is not None:
            told = span.reading.statement
            [fresh] = found.assess(tools.verifier, [_pair_read(span.reading, record, tools)])
            sure = fresh.calibrated.entailment >= body.thresholds.tau_entail and fresh.guard.agrees
            joint = sure and not fresh.guard.uncovered
            decides = joint if span.reading.joint else pair_decision.supports(fresh, body.thresholds)
            if not found.scored(span.reading.score, fresh.calibrated.entailment) or not decides:
                found.problems.append(f"{name}: the verifier does not read {told!r} again as recorded")


def _pair_read(reading: LabelReading, record: ClaimRecord, tools: Tools) -> PairText:
    spans = {s.span.span_id: s.span for s in record.spans}
    sentences = [spans[i] for i in reading.span_ids]
    if reading.joint:
        return joint_pair(reading.statement, premises=[s.text for s in sentences], contexts=[""])
    return tools.pair_of(record.claim, sentences[0]).model_copy(update={"claim": reading.statement})


def doubt_of(certificate: Certificate, keys: Mapping[str, PublicKey]) -> str:
    """Why nothing of a certificate may be shown as verified: unsigned, or by an unknown key. Empty: it may.

    Raises ``CertificateError`` for one that was altered: by its hashes, its signature, or decisions that do
    not follow from its own scores (where the policy of this side made them).
    """
    name, body, found = certificate.envelope.certificate_id, certificate.body, Findings()
    found.problems += integrity_problems(certificate)
    if body.policy == policy_record():
        decide_again(name, body, body.claims, found, how="policy")
    doubt = signature_doubt(certificate.envelope, keys)
    if doubt == ALTERED:
        found.problems.append("the signature is not that of the key over this certificate")
    if found.problems:
        raise CertificateError(f"certificate {name!r} is not verified, {ALTERED}: {found.problems[0]}")
    return doubt
