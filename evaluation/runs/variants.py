"""Ablations that decide anew on what a run scored: the guard, calibration, evidence, granularity and limits.

Candidates and trust stay as they were, so that nothing but the switch differs. **None of this can set a
badge**: a changed trace is measured and thrown away. No setting leads here, no certificate is made from it,
and nothing outside ``evaluation`` imports it (``tests/factdesk/test_eval_ablate.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.assessment.nli_pairs import pair_of
from agent.types import AtomicClaim
from evaluation.data.formats.types import EvalRow
from evaluation.data.outcome import Cost, EvalItem, Trace, item_of
from evaluation.runs.given_evidence import joints_of
from report.certificate.canonical import rounded
from report.policy.reasons import verdict_of
from report.policy.rules import decide
from report.types import ClaimRecord, SpanRecord
from verifier.calibration.probabilities import Calibration
from verifier.joint_evidence import joint_pair
from verifier.types import Assessment, Counterfactual, GuardReport, Thresholds, Verifier

Change = Callable[[EvalRow, Trace], Trace]
SWEEP = (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99)
"""Values of ``tau_entail`` for the curves."""


@dataclass(frozen=True)
class Variant:
    """One switch turned. ``change``: how it alters a trace; ``rescored``: it asks the verifier again."""

    axis: str
    name: str
    change: Change
    rescored: bool = False


def apply(variant: Variant, row: EvalRow, trace: Trace, cost: Cost) -> EvalItem:
    """The line of figures of one claim under a variant; pairs of sentences left out are not counted."""
    changed = decided(variant.change(row, trace))
    if variant.axis in ("evidence", "granularity"):
        cost = cost.model_copy(update={"pairs": cost.pairs - _passes(trace) + _passes(changed)})
    return item_of(row, changed, cost)


def decided(trace: Trace) -> Trace:
    """The same records, decided by the shipped policy under the trace's thresholds."""
    decisions = tuple(decide(record, trace.thresholds, trace.failures) for record in trace.claims)
    kept = {name: value for name, value in trace if name not in ("decisions", "verdict")}
    return Trace(**kept, decisions=decisions, verdict=verdict_of(decisions))


def _passes(trace: Trace) -> int:
    single = sum(s.assessment.passes for c in trace.claims for s in c.spans)
    return single + sum(j.assessment.passes for c in trace.claims for j in c.joint)


def assessed(change: Callable[[Assessment], Assessment]) -> Change:
    """A variant that reads every assessment otherwise."""

    def changed(row: EvalRow, trace: Trace) -> Trace:
        del row
        return trace.model_copy(update={"claims": tuple(_reread(c, change) for c in trace.claims)})

    return changed


def _reread(record: ClaimRecord, change: Callable[[Assessment], Assessment]) -> ClaimRecord:
    spans = tuple(s.model_copy(update={"assessment": change(s.assessment)}) for s in record.spans)
    joint = tuple(j.model_copy(update={"assessment": change(j.assessment)}) for j in record.joint)
    return record.model_copy(update={"spans": spans, "joint": joint})


def without_guard(calibration: Calibration | None) -> Callable[[Assessment], Assessment]:
    """The model alone: no slot, no subject, no covered words; a contradiction refutes by itself."""

    def change(found: Assessment) -> Assessment:
        scores = calibration.apply(found.raw) if calibration else found.raw
        alone = Counterfactual(claim="", entailment=1.0, refutation=scores.contradiction)
        return found.model_copy(update={"calibrated": scores, "guard": GuardReport(), "counterfactual": alone})

    return change


def without_calibration(found: Assessment) -> Assessment:
    """Raw scores in the place of calibrated ones; the refutation's own probability goes too."""
    mended = found.counterfactual
    bare = mended.model_copy(update={"refutation": None}) if mended else None
    return found.model_copy(update={"calibrated": found.raw, "counterfactual": bare})


def top(k: int) -> Change:
    """Only the first ``k`` sentences that were found for each claim, each by itself."""

    def changed(row: EvalRow, trace: Trace) -> Trace:
        del row
        claims = []
        for record in trace.claims:
            chosen = first_hits(record, trace, k)
            ids = {s.span.span_id for s in chosen}
            joint = tuple(j for j in record.joint if set(j.span_ids) <= ids)
            claims.append(record.model_copy(update={"spans": tuple(chosen), "joint": joint if k > 1 else ()}))
        return trace.model_copy(update={"claims": tuple(claims)})

    return changed


def first_hits(record: ClaimRecord, trace: Trace, k: int) -> list[SpanRecord]:
    """The sentences of a claim in the order in which they were found: by question, then by rank."""
    order = {q.question_id: n for n, q in enumerate(trace.questions)}
    ranked = sorted(record.spans, key=lambda s: (order.get(s.question_id, 0), s.rank or 0, s.span.span_id))
    return ranked[:k]


def joined(k: int, verifier: Verifier) -> Change:
    """The first ``k`` sentences read as one premise, as a standard pipeline does."""

    def changed(row: EvalRow, trace: Trace) -> Trace:
        del row
        claims = []
        for record in trace.claims:
            chosen = first_hits(record, trace, k)
            if chosen:
                pair = joint_pair(
                    record.claim.text,
                    premises=[s.span.text for s in chosen],
                    contexts=[s.span.context for s in chosen],
                )
                [found] = verifier.assess([pair])
                least = min(chosen, key=lambda s: 1.0 if s.trust is None else s.trust)
                chosen = [least.model_copy(update={"assessment": found})]
            claims.append(rounded(record.model_copy(update={"spans": tuple(chosen), "joint": ()})))
        return trace.model_copy(update={"claims": tuple(claims)})

    return changed


def raw_claim(verifier: Verifier) -> Change:
    """The input as it stands as the only claim, against every sentence that was found for any part of it."""

    def changed(row: EvalRow, trace: Trace) -> Trace:
        spans = list({s.span.span_id: s for c in trace.claims for s in c.spans}.values())
        first = trace.claims[0].claim if trace.claims else None
        claim = AtomicClaim(
            claim_id="c1",
            text=row.claim,
            start=0,
            end=len(row.claim),
            source=row.claim,
            about_image=any(c.claim.about_image for c in trace.claims),
            image_aspect=first.image_aspect if first else None,
        )
        found = verifier.assess([pair_of(claim, s.span) for s in spans]) if spans else ()
        read = [s.model_copy(update={"assessment": a}) for s, a in zip(spans, found, strict=True)]
        joint = joints_of(claim, read, verifier, trace.thresholds)
        ordered = tuple(sorted(read, key=lambda s: s.span.span_id))
        return trace.model_copy(update={"claims": (rounded(ClaimRecord(claim=claim, spans=ordered, joint=joint)),)})

    return changed


def limits(**changed: float) -> Change:
    """Other thresholds."""

    def change(row: EvalRow, trace: Trace) -> Trace:
        del row
        return trace.model_copy(update={"thresholds": moved(trace.thresholds, **changed)})

    return change


def moved(thresholds: Thresholds, **changed: float) -> Thresholds:
    """Thresholds with some of them set."""
    return Thresholds.model_validate({**thresholds.model_dump(), **changed})


def offline_variants(axes: Sequence[str], verifier: Verifier, calibration: Calibration | None) -> list[Variant]:
    """All variants of some axes that need no other run."""
    found = [
        Variant("verifier", "guard off", assessed(without_guard(calibration))),
        Variant("verifier", "calibration off", assessed(without_calibration)),
        Variant("verifier", "guard and calibration off", assessed(without_guard(None))),
        Variant("evidence", "top-1", top(1)),
        Variant("evidence", "top-3", top(3)),
        Variant("evidence", "top-5", top(5)),
        Variant("evidence", "top-3 as one premise", joined(3, verifier), rescored=True),
        Variant("granularity", "raw", raw_claim(verifier), rescored=True),
        Variant("thresholds", "tau_contradict 0.5", limits(tau_contradict=0.5)),
        Variant("thresholds", "tau_contradict 0.9", limits(tau_contradict=0.9)),
        Variant("thresholds", "tau_trust 0", limits(tau_trust=0.0)),
        Variant("thresholds", "min_independent 2", limits(min_independent=2)),
        *(Variant("thresholds", f"tau_entail {tau}", limits(tau_entail=tau)) for tau in SWEEP),
    ]
    return [v for v in found if v.axis in axes]
