"""What would stop a missed verdict next, if the model were sure of the sentence that decides it.

A sentence that the model is unsure of may besides be stopped by a rule: then a better model alone gains
nothing.
"""

from __future__ import annotations

from evaluation.data.outcome import EvalItem, Trace
from report.policy.evidence_sides import trusted
from report.policy.rules import decide
from report.types import SpanRecord
from verifier import pair_decision
from verifier.types import Assessment, NLIScores, Thresholds

OBSTACLES = ("nothing", "guard", "opposed", "trust gate", "no mended claim", "not reached")
"""``opposed``: another sentence stands against it. ``no mended claim``: no single detail was mended by which
the sentence could refute. ``not reached``: no sentence was there to decide."""


def behind(item: EvalItem, trace: Trace, span: SpanRecord | None) -> str:
    """One of ``OBSTACLES`` for a missed verdict, by the sentence that the taxonomy points to."""
    record = next((c for c in trace.claims if span is not None and span in c.spans), None)
    if span is None or record is None:
        return "not reached"
    sure = span.model_copy(update={"assessment": certain(span.assessment, item.label)})
    others = [s for s in record.spans if s.span.span_id != span.span.span_id]
    changed = record.model_copy(update={"spans": (sure, *others)})
    decision = decide(changed, trace.thresholds, trace.failures)
    if decision.state == ("VERIFIED" if item.label == "supported" else "BLOCKED"):
        return "nothing"
    return _obstacle(sure, item, trace.thresholds)


def _obstacle(sure: SpanRecord, item: EvalItem, thresholds: Thresholds) -> str:
    found = sure.assessment
    if not trusted(sure, thresholds):
        return "trust gate"
    if item.label == "refuted":
        if found.counterfactual is None:
            return "no mended claim"
        return "opposed" if pair_decision.refutes(found, thresholds) else "guard"
    return "opposed" if pair_decision.supports(found, thresholds) else "guard"


def certain(found: Assessment, label: str) -> Assessment:
    """The same assessment by a model that is sure, for or against; the guard and its findings stay."""
    for_it = float(label == "supported")
    scores = NLIScores(entailment=for_it, neutral=0.0, contradiction=1 - for_it)
    mended = found.counterfactual
    if mended is not None:
        mended = mended.model_copy(update={"entailment": 1 - for_it, "refutation": 1 - for_it})
    return found.model_copy(update={"raw": scores, "calibrated": scores, "counterfactual": mended})
