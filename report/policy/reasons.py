"""Words of the policy's reasons, and the verdict of a report, from decisions alone."""

from __future__ import annotations

from collections.abc import Sequence

from report.types import Decision, SpanRecord, Verdict
from verifier import pair_decision
from verifier.types import Assessment, Thresholds


def apart(score: float, limit: float) -> tuple[str, str]:
    """Two figures with as many decimals, two at least, as tell them apart."""
    for decimals in range(2, 6):
        pair = f"{score:.{decimals}f}", f"{limit:.{decimals}f}"
        if pair[0] != pair[1]:
            return pair
    return f"{score:.6f}", f"{limit:.6f}"


def how_against(record: SpanRecord, thresholds: Thresholds) -> str:
    """How a span stands against a claim, as a clause: by a high score, or by what the guard found."""
    found, name = record.assessment, repr(record.span.doc_id)
    score, limit = found.calibrated.contradiction, thresholds.tau_contradict
    if score >= limit:
        return f"{name} contradicts it at {score:.2f} (limit {limit:.2f})"
    if found.guard.rejected:
        return f"{name} has the statement only to deny it"
    if found.guard.value_rejected:
        return f"{name} names the statement's own value only to reject it"
    if pair_decision.refutes(found, thresholds):
        return f"{name} states it otherwise, and refutes it at {pair_decision.against(found):.2f}"
    if found.guard.count_differs:
        return f"{name} gives another number of what it counts"
    message = next((f.message for f in found.guard.findings if f.kind == "conflict"), "")
    return f"{name} states a detail of it otherwise" + (f" ({message.rstrip('.')})" if message else "")


def how_far(found: Assessment) -> str:
    """What of the claim's own words a span lacks that is not near it, as a clause."""
    if found.guard.uncovered:
        return f"it says nothing of {found.guard.uncovered[0]!r}"
    return f"it has only {found.guard.premise_overlap:.0%} of the claim's words besides names, amounts and dates"


def neither(found: Assessment, thresholds: Thresholds) -> str:
    """What is missing of a span that most likely settles nothing, as a sentence."""
    scores = found.calibrated
    return (
        "The nearest evidence neither states nor denies it (entailed at "
        f"{scores.entailment:.2f}, limit {thresholds.tau_entail:.2f}; contradicted at "
        f"{scores.contradiction:.2f}, limit {thresholds.tau_refute:.2f})."
    )


def no_refutation(found: Assessment, thresholds: Thresholds) -> str:
    """Why a span that contradicts a claim does not refute it, as a sentence."""
    score, mended = f"{found.calibrated.contradiction:.2f}", found.counterfactual
    head = f"The nearest evidence contradicts it at {score}, but refutes nothing:"
    if not found.guard.same_subject:
        return f"{head} it speaks of another subject."
    if found.guard.unsettled:
        return f"{head} {found.guard.unsettled[0].message}"
    if mended is None:
        return f"{head} no single detail can be set right so that it says so."
    if found.guard.denied and found.guard.premise_future:
        return f"{head} what was planned or feared denies nothing."
    if pair_decision.opposes(found, thresholds):
        return f"{head} {how_far(found)}."
    known = found.calibrated.contradiction if mended.refutation is None else mended.refutation
    if known < thresholds.tau_refute:
        at, limit = apart(known, thresholds.tau_refute)
        return f"{head} a refutation is likely at {at} only, below the limit {limit}."
    return f"{head} with its own detail in it the statement is entailed at {mended.entailment:.2f} only."


def verdict_of(decisions: Sequence[Decision]) -> Verdict:
    """Any BLOCKED claim: ``refuted``. Else any conflicting: ``conflicting``. Else all VERIFIED (and at
    least one claim): ``supported``. Else ``not_enough_evidence``.
    """
    if any(d.state == "BLOCKED" for d in decisions):
        return "refuted"
    if any(d.conflicting for d in decisions):
        return "conflicting"
    if decisions and all(d.state == "VERIFIED" for d in decisions):
        return "supported"
    return "not_enough_evidence"


def recorded(record: SpanRecord) -> str:
    """What a record says of its picture, and when and by whom it was published."""
    span = record.span
    words = span.text if len(span.text) <= 200 else f"{span.text[:200]}…"
    on = f", published on {span.published}" if span.published else ""
    by = f" by {span.publisher}" if span.publisher and on else ""
    return f"The record of the picture says {words.rstrip('.')!r}{on}{by}"
