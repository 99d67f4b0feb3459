"""The policy: the one place where a badge is decided, from verification records alone.

Nothing a document, an image or a language model says is read here: only scores, guard
findings, trust, kinds and thresholds. The rules are tried in the order of ``RULES``; the
first that applies decides. Each rule's name and reason stand in the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from factdesk.kernel import Failure
from report.types import ClaimRecord, Decision, JointRecord, SpanRecord
from verifier.types import Assessment, Thresholds


@dataclass(frozen=True)
class Case:
    """A claim's records sorted by what they may do; built once, read by all rules."""

    record: ClaimRecord
    thresholds: Thresholds
    failures: tuple[Failure, ...]
    support: tuple[SpanRecord, ...]
    """Trusted, admissible, entailing at ``tau_entail``, guard agreeing."""
    joint: tuple[JointRecord, ...]
    """The same for joint premises; trust is that of the least trusted member."""
    contradict: tuple[SpanRecord, ...]
    """Trusted, admissible, contradicting at ``tau_contradict``."""
    untrusted_against: tuple[str, ...]
    """Independence clusters of untrusted spans that contradict at ``tau_contradict``."""
    later_against: tuple[SpanRecord, ...]
    """Contradicting at ``tau_contradict``, whatever their trust, and published after all support."""
    refute: tuple[SpanRecord, ...]
    """Trusted, admissible, contradicting at ``tau_refute``, same subject, guard agreeing."""
    lean: tuple[SpanRecord, ...]
    """Trusted, admissible, entailing at ``tau_contradict`` or more, whatever the guard says."""
    superseded: tuple[str, ...]
    """Ids of spans left out because their own publisher later stated otherwise."""


def admissible(record: SpanRecord, claim: ClaimRecord) -> bool:
    """A submitted image is no witness for itself: what was read from it decides only claims about the image."""
    return record.span.kind == "text" or claim.claim.about_image


def trusted(record: SpanRecord, thresholds: Thresholds) -> bool:
    """Trust at the gate or above; with trust switched off (``None``) the gate stands open."""
    return record.trust is None or record.trust >= thresholds.tau_trust


def supports(assessment: Assessment, thresholds: Thresholds) -> bool:
    """Calibrated entailment at ``tau_entail`` with the slot guard agreeing."""
    return assessment.calibrated.entailment >= thresholds.tau_entail and assessment.guard.agrees


def refutes(assessment: Assessment, thresholds: Thresholds) -> bool:
    """Contradiction at ``tau_refute`` about the same subject, with the guard agreeing.

    The guard agrees with a refutation when the claim, mended in its one conflicting slot, is
    entailed at ``tau_entail`` by the same evidence: same fact, stated otherwise.
    """
    mended = assessment.counterfactual
    return (
        assessment.calibrated.contradiction >= thresholds.tau_refute
        and assessment.guard.same_subject
        and mended is not None
        and mended.entailment >= thresholds.tau_entail
    )


def build_case(record: ClaimRecord, thresholds: Thresholds, failures: Sequence[Failure]) -> Case:
    """Sort the spans of one claim by what they may do."""
    admitted = [s for s in record.spans if admissible(s, record)]
    gone = superseded(admitted, thresholds)
    usable = [s for s in admitted if s.span.span_id not in gone]
    inside = [s for s in usable if trusted(s, thresholds)]
    ids = {s.span.span_id for s in inside}
    against = [s for s in usable if s.assessment.calibrated.contradiction >= thresholds.tau_contradict]
    support = tuple(s for s in inside if supports(s.assessment, thresholds))
    joint = tuple(j for j in record.joint if set(j.span_ids) <= ids and supports(j.assessment, thresholds))
    return Case(
        record=record,
        thresholds=thresholds,
        failures=tuple(f for f in failures if f.deciding and f.claim_id in {None, record.claim.claim_id}),
        support=support,
        joint=joint,
        contradict=tuple(s for s in against if s.span.span_id in ids),
        untrusted_against=tuple(sorted({s.cluster or s.span.doc_id for s in against if s.span.span_id not in ids})),
        later_against=_later(against, support, joint, record),
        refute=tuple(s for s in inside if refutes(s.assessment, thresholds)),
        lean=tuple(s for s in inside if s.assessment.calibrated.entailment >= thresholds.tau_contradict),
        superseded=tuple(sorted(gone)),
    )


def superseded(spans: Sequence[SpanRecord], thresholds: Thresholds) -> set[str]:
    """Ids of spans on one side of the claim whose own publisher later stated the other side.

    A publisher's later word takes the place of its earlier report, and of copies of that report
    (same independence cluster). It must be trusted, and either contradict the claim about the same
    subject in a conflicting slot, or support it with the guard agreeing.
    """
    publishers: dict[str, set[str]] = {}
    for s in spans:
        publishers.setdefault(s.cluster or s.span.doc_id, set()).add(_publisher(s))
    later = [(s, side) for s in spans if trusted(s, thresholds) and (side := _clear_side(s.assessment, thresholds))]
    return {
        s.span.span_id
        for s in spans
        for word, side in later
        if _lean_of(s.assessment) == -side
        and _publisher(word) in publishers[s.cluster or s.span.doc_id] - {""}
        and s.span.published is not None
        and word.span.published is not None
        and word.span.published > s.span.published
    }


def _lean_of(found: Assessment) -> int:
    """1 where entailment outweighs contradiction, else -1."""
    return 1 if found.calibrated.entailment > found.calibrated.contradiction else -1


def _clear_side(found: Assessment, thresholds: Thresholds) -> int:
    """1: supports; -1: contradicts about the same subject in a conflicting slot; 0: neither clearly."""
    if supports(found, thresholds):
        return 1
    against = found.calibrated.contradiction >= thresholds.tau_contradict
    return -1 if against and found.guard.same_subject and found.guard.conflicts else 0


def _publisher(record: SpanRecord) -> str:
    """Publisher and host together, so that a name alone cannot speak for another site; ``""`` when unknown."""
    host = urlsplit(record.span.url or "").hostname or ""
    return f"{record.span.publisher}|{host}" if record.span.publisher and host else ""


def _later(
    against: Sequence[SpanRecord], support: Sequence[SpanRecord], joint: Sequence[JointRecord], record: ClaimRecord
) -> tuple[SpanRecord, ...]:
    """Contradicting spans about the same subject that are newer than every supporting one.

    A joint premise has the date of its latest member. Undated support is older than dated
    contradiction: what may be outdated is not certified.
    """
    joined = {i for j in joint for i in j.span_ids}
    days = [s.span.published for s in (*support, *(s for s in record.spans if s.span.span_id in joined)) if s.span.published]
    newest = max(days, default=None)
    return tuple(
        s
        for s in against
        if s.assessment.guard.same_subject and s.span.published and (newest is None or s.span.published > newest)
    )


def _clusters(spans: Sequence[SpanRecord]) -> set[str]:
    return {s.cluster or s.span.doc_id for s in spans}


def _best(spans: Sequence[SpanRecord], score: Callable[[SpanRecord], float]) -> SpanRecord:
    return sorted(spans, key=lambda s: (-score(s), s.span.span_id))[0]


def _entailment(record: SpanRecord) -> float:
    return record.assessment.calibrated.entailment


def _contradiction(record: SpanRecord) -> float:
    return record.assessment.calibrated.contradiction


def _open(case: Case, rule: str, reason: str, spans: Sequence[SpanRecord] = (), *, conflicting: bool = False, score: float = 0.0) -> Decision:  # fmt: skip
    return Decision(
        claim_id=case.record.claim.claim_id, state="UNVERIFIED", label="not_enough_info", score=score, rule=rule,
        reason=reason, span_ids=tuple(s.span.span_id for s in spans), conflicting=conflicting,
    )  # fmt: skip


def by_design(case: Case) -> Decision | None:
    """Opinions, questions and predictions are never verified."""
    why = case.record.claim.unsupported_by_design
    return _open(case, "unsupported_by_design", f"No document can settle this: {why}.") if why else None


def on_failure(case: Case) -> Decision | None:
    """A failure on the deciding path leaves the claim open."""
    if not case.failures:
        return None
    first = case.failures[0]
    return _open(case, "failure", f"A part did not work ({first.where}: {first.message}), so nothing is decided.")


def no_evidence(case: Case) -> Decision | None:
    """Nothing was found to score."""
    return None if case.record.spans else _open(case, "no_evidence", "No evidence was found for this statement.")


def both_ways(case: Case) -> Decision | None:
    """Trusted evidence on both sides."""
    for_it = [*case.support] or [s for s in case.record.spans if any(s.span.span_id in j.span_ids for j in case.joint)]
    if for_it and case.contradict:
        pro, con = _best(for_it, _entailment), _best(case.contradict, _contradiction)
        reason = (
            f"Trusted evidence stands on both sides: {pro.span.doc_id!r} supports it, {con.span.doc_id!r} contradicts "
            f"it at {_contradiction(con):.2f} (limit {case.thresholds.tau_contradict:.2f})."
        )
        return _open(case, "both_ways", reason, (pro, con), conflicting=True, score=_entailment(pro))
    if case.refute and case.lean:
        pro, con = _best(case.lean, _entailment), _best(case.refute, _contradiction)
        reason = f"{con.span.doc_id!r} contradicts it, but {pro.span.doc_id!r} leans towards it ({_entailment(pro):.2f})."
        return _open(case, "both_ways", reason, (pro, con), conflicting=True, score=_contradiction(con))
    return None


def refuted(case: Case) -> Decision | None:
    """Certified refutation."""
    if len(_clusters(case.refute)) < max(1, case.thresholds.min_independent):
        return None
    best = _best(case.refute, _contradiction)
    mended = best.assessment.counterfactual
    reason = (
        f"Contradicted at {_contradiction(best):.2f} (limit {case.thresholds.tau_refute:.2f}) by a trusted source about "
        f"the same subject"
        + (f"; what the source says instead: {mended.claim!r} (entailed at {mended.entailment:.2f})." if mended else ".")
    )
    return Decision(
        claim_id=case.record.claim.claim_id, state="BLOCKED", label="contradicted", score=_contradiction(best),
        rule="refuted", reason=reason, span_ids=tuple(s.span.span_id for s in case.refute),
    )  # fmt: skip


def two_against(case: Case) -> Decision | None:
    """Two independent untrusted sources against it prevent Verified."""
    if not (case.support or case.joint) or len(case.untrusted_against) < 2:
        return None
    reason = f"{len(case.untrusted_against)} independent sources below the trust gate contradict it."
    return _open(case, "two_untrusted_against", reason, case.support)


def outdated(case: Case) -> Decision | None:
    """A later source contradicts all that supports it: even below the trust gate it prevents Verified."""
    if not (case.support or case.joint) or not case.later_against:
        return None
    best = _best(case.later_against, _contradiction)
    reason = f"The support is older than {best.span.doc_id!r}, which contradicts it at {_contradiction(best):.2f}."
    return _open(case, "outdated", reason, (best,))


def verified(case: Case) -> Decision | None:
    """Certified support: the only rule that gives Verified."""
    if case.contradict or case.later_against or len(case.untrusted_against) >= 2:
        return None
    least = max(1, case.thresholds.min_independent)
    if case.support and len(_clusters(case.support)) >= least:
        best = _best(case.support, _entailment)
        reason = (
            f"Entailed at {_entailment(best):.2f} (limit {case.thresholds.tau_entail:.2f}) by {best.span.doc_id!r}; "
            f"numbers, dates and names agree; {len(_clusters(case.support))} independent source(s)."
        )
        chosen, score = [best.span.span_id], _entailment(best)
    elif case.joint and least == 1:
        joint = sorted(case.joint, key=lambda j: (-j.assessment.calibrated.entailment, j.span_ids))[0]
        score = joint.assessment.calibrated.entailment
        reason = f"Entailed at {score:.2f} (limit {case.thresholds.tau_entail:.2f}) by {len(joint.span_ids)} sentences together."
        chosen = list(joint.span_ids)
    else:
        return None
    return Decision(
        claim_id=case.record.claim.claim_id, state="VERIFIED", label="entailed", score=score, rule="verified",
        reason=reason, span_ids=tuple(chosen),
    )  # fmt: skip


def not_enough(case: Case) -> Decision | None:
    """Says what was missing, from the span that came nearest."""
    spans = case.record.spans
    near = _best(spans, lambda s: max(_entailment(s), _contradiction(s)))
    return _open(case, "not_enough", _why_open(case, near), (near,), score=near.assessment.calibrated.neutral)


def _why_open(case: Case, near: SpanRecord) -> str:
    limits = case.thresholds
    if not admissible(near, case.record):
        return "Only the submitted image itself says so, and an image is no witness for its own truth."
    if not trusted(near, limits):
        return f"The nearest evidence stands in {near.span.doc_id!r}, whose trust {near.trust:.2f} is below {limits.tau_trust:.2f}."
    if _contradiction(near) > _entailment(near):
        return (
            f"The nearest evidence contradicts it at {_contradiction(near):.2f}, which is not enough for a refutation "
            f"(limit {limits.tau_refute:.2f}, same subject, and the guard agreeing)."
        )
    if _entailment(near) >= limits.tau_entail and near.assessment.guard.findings:
        return f"The evidence comes near, but: {near.assessment.guard.findings[0].message}"
    if _entailment(near) >= limits.tau_entail:
        return f"Fewer than {limits.min_independent} independent sources support it."
    return f"The nearest evidence entails it at {_entailment(near):.2f}, below the limit {limits.tau_entail:.2f}."


RULES: tuple[Callable[[Case], Decision | None], ...] = (
    by_design,
    on_failure,
    no_evidence,
    both_ways,
    refuted,
    two_against,
    outdated,
    verified,
    not_enough,
)


def decide(record: ClaimRecord, thresholds: Thresholds, failures: Sequence[Failure] = ()) -> Decision:
    """Decide one atomic claim. Pure: the same records give the same decision, in any order of spans."""
    case = build_case(record, thresholds, failures)
    for rule in RULES:
        decision = rule(case)
        if decision is not None:
            return decision
    return _open(case, "not_enough", "No rule applied.")
