"""Choosing what to score within the caps, and when to stop asking.

Decides no badge; the policy does, from the records.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from agent.assessment.multihop import strongest
from agent.assessment.nli_pairs import pair_of as pair_of
from agent.graphs.state import Deps
from agent.types import AtomicClaim, JointSpans, ScoredSpan
from evidence.types import Hit
from factdesk.kernel import Caps, Failure
from trust.types import TrustReport
from verifier import pair_decision
from verifier.joint_evidence import MAX_JOINTS, Candidate, joint_premises
from verifier.types import Label, Thresholds

RESERVE = 6
"""Forward passes a single span may take, counterfactuals included."""


NOT_SCORED = "{}: {} retrieved sentence(s) not scored (at most {} a claim)."
_NOT_SCORED = re.compile(re.escape(NOT_SCORED).replace(r"\{\}", "(.+?)"))


def summed(notes: Sequence[str]) -> tuple[str, ...]:
    """Notes on caps, each once; of a claim's sentences that were not scored, one note with all of them."""
    counts: Counter[tuple[str, str]] = Counter()
    found: dict[object, str] = {}
    for note in notes:
        if match := _NOT_SCORED.fullmatch(note):
            claim, count, cap = match.groups()
            counts[claim, cap] += int(count)
            found[claim, cap] = NOT_SCORED.format(claim, counts[claim, cap], cap)
        else:
            found[note] = note
    return tuple(found.values())


def select_new(
    claim: AtomicClaim, hits: Sequence[Hit], scored: Sequence[ScoredSpan], caps: Caps, left: int
) -> tuple[list[Hit], tuple[str, ...], Failure | None]:
    """Hits not yet scored for the claim, within the span cap and ``left`` forward passes.

    Reaching the span cap is noted; running out of passes is a failure on the deciding path.
    """
    known = {s.hit.span.span_id for s in scored}
    new = [h for h in hits if h.span.span_id not in known]
    room = max(0, caps.max_spans_per_claim - len(known))
    trimmed: tuple[str, ...] = ()
    if len(new) > room:
        trimmed = (NOT_SCORED.format(claim.claim_id, len(new) - room, caps.max_spans_per_claim),)
        new = new[:room]
    affordable = max(0, left // RESERVE)
    if len(new) <= affordable:
        return new, trimmed, None
    unread = len(new) - affordable
    message = f"the cap of {caps.max_pairs} verifier pairs was reached; {unread} sentence(s) stayed unread"
    failure = Failure(where="verifier.assess", kind="budget", message=message, claim_id=claim.claim_id)
    return new[:affordable], (*trimmed, f"{claim.claim_id}: {message}."), failure


def best_label(fresh: Sequence[ScoredSpan]) -> tuple[Label, float, ScoredSpan | None]:
    """Strongest label among new spans; contradiction goes before entailment."""
    by_id = {s.hit.span.span_id: s for s in fresh}
    label, score, best = strongest([(i, s.assessment) for i, s in by_id.items()])
    return label, score, by_id[best] if best is not None else None


def is_settled(
    claim: AtomicClaim, scored: Sequence[ScoredSpan], trust: TrustReport | None, thresholds: Thresholds
) -> bool:
    """Whether a trusted span already certifies or refutes, by the thresholds.

    Picture readings settle only claims about the picture.
    """
    for span in scored:
        if (span.hit.span.kind != "text") != claim.about_image or span.hit.span.kind == "caption":
            continue
        if claim.image_aspect == "scene" and span.hit.span.kind != "record":
            continue
        value = trust.at(span.hit.span.doc_id, span.hit.span.span_id) if trust is not None else None
        if value is not None and value < thresholds.tau_trust:
            continue
        found = span.assessment
        if pair_decision.supports(found, thresholds) or pair_decision.refutes(found, thresholds):
            return True
    return False


def joint_evidence(
    claim: AtomicClaim, scored: Sequence[ScoredSpan], deps: Deps, left: int
) -> tuple[tuple[JointSpans, ...], int]:
    """Premises of two sentences where no single one entails or contradicts, and the passes used."""
    if left < MAX_JOINTS * RESERVE:
        return (), 0
    if any(s.assessment.calibrated.contradiction >= deps.thresholds.tau_contradict for s in scored):
        return (), 0
    candidates = [
        Candidate(
            span_id=s.hit.span.span_id,
            premise=s.hit.span.text,
            context=s.hit.span.context,
            assessment=s.assessment,
        )
        for s in scored
        if s.hit.span.kind == "text"
    ]
    joints = joint_premises(claim.text, candidates, deps.verifier, tau_entail=deps.thresholds.tau_entail)
    found = tuple(JointSpans(claim_id=claim.claim_id, span_ids=j.span_ids, assessment=j.assessment) for j in joints)
    return found, sum(j.assessment.passes for j in found)
