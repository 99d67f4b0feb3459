"""Failure taxonomy: every wrong or missed verdict of a run in one class, by rule, in this order of asking.

- ``image tool``: a tool that reads pictures failed, or a claim about a picture met nothing read from it
- ``budget``: a cap was reached and evidence stayed unread, or claims were cut
- ``failure``: another part did not work
- ``split wrong``: no atomic claim came out, one was taken for an opinion, or numbers or names were lost
- ``retrieval missed``: no whole set of gold sentences was scored; without gold: nothing on the claim's matter
- ``trust gate``: a sentence would have decided rightly, but its document is below the gate
- ``guard blocked``: the model is sure enough, and the slot guard or the missing words stop it
- ``threshold``: the model leans to the right side, below the limit
- ``verifier wrong``: the model does not see it, or sees what is not there
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.data.formats.types import EvalLabel
from evaluation.data.outcome import EvalItem, Trace
from evaluation.metrics.figures import predicted
from evaluation.runs.obstacles import OBSTACLES, behind
from factdesk.kernel import Record
from language.names import find_names, name_in
from language.quantities.mentions import find_slots
from report.policy.evidence_sides import STATED, admissible, trusted
from report.policy.reasons import how_far
from report.types import ClaimRecord, SpanRecord
from verifier import pair_decision
from verifier.pair_decision import LEANS
from verifier.types import Thresholds

CLASSES = (
    "image tool",
    "budget",
    "failure",
    "split wrong",
    "retrieval missed",
    "trust gate",
    "guard blocked",
    "threshold",
    "verifier wrong",
)


class EvalError(Record):
    """One wrong or missed verdict."""

    id: str
    claim: str
    label: EvalLabel
    verdict: str
    kind: str
    """One of ``CLASSES``."""
    why: str
    """The rule that applied, in words."""
    evidence: str = ""
    """The sentence that the rule speaks of."""
    doc_id: str = ""
    then: str = ""
    """Of missed supported and refuted claims: what would stop the verdict if the model were sure of that
    sentence (``evaluation.runs.obstacles``)."""


class ErrorReport(Record):
    """All errors of a run."""

    n: int
    wrong: int
    """Certified with another label: the dangerous ones."""
    missed: int
    """Left open although there is an answer."""
    counts: dict[str, int]
    """By class, in the order of ``CLASSES``; all are there."""
    counts_wrong: dict[str, int]
    then_counts: dict[str, int]
    """Missed supported and refuted claims by what would stop them next."""
    errors: tuple[EvalError, ...]


class _Found(Record):
    kind: str
    why: str
    span: SpanRecord | None = None


def classify_run(items: Sequence[EvalItem], traces: Mapping[str, Trace], *, binary: bool = False) -> ErrorReport:
    """Sort every error into a class. Without gold evidence only the scores speak."""
    four = not binary and any(i.label == "conflicting" for i in items)
    errors = []
    for item in items:
        wanted = "not_enough_evidence" if binary and item.label != "supported" else item.label
        if predicted(item, binary=binary, four=four) == wanted:
            continue
        found = classify(item, traces[item.id])
        span = found.span.span if found.span else None
        open_ = item.verdict not in ("supported", "refuted") and wanted in ("supported", "refuted")
        errors.append(
            EvalError(
                id=item.id,
                claim=item.claim,
                label=item.label,
                verdict=item.verdict,
                kind=found.kind,
                why=found.why,
                evidence=span.text if span else "",
                doc_id=span.doc_id if span else "",
                then=behind(item, traces[item.id], found.span) if open_ else "",
            )
        )
    wrong = [e for e in errors if e.verdict in ("supported", "refuted")]
    return ErrorReport(
        n=len(items),
        wrong=len(wrong),
        missed=len(errors) - len(wrong),
        counts={kind: sum(e.kind == kind for e in errors) for kind in CLASSES},
        counts_wrong={kind: sum(e.kind == kind for e in wrong) for kind in CLASSES},
        then_counts={name: sum(e.then == name for e in errors) for name in OBSTACLES},
        errors=tuple(errors),
    )


def classify(item: EvalItem, trace: Trace) -> _Found:
    """The class of one error."""
    if item.verdict in ("supported", "refuted"):
        return _certified_wrongly(item, trace)
    return _outside(trace) or _split(item, trace) or _missed(item, trace)


def _certified_wrongly(item: EvalItem, trace: Trace) -> _Found:
    decided = next(d for d in trace.decisions if d.state != "UNVERIFIED")
    spans = [s for c in trace.claims for s in c.spans if s.span.span_id in decided.span_ids]
    span = spans[0] if spans else None
    lost = _lost(item.claim, trace.claims)
    if item.verdict == "supported" and lost:
        return _Found(kind="split wrong", why=f"the atomic claims lost {lost!r}", span=span)
    return _Found(kind="verifier wrong", why=f"certified by rule {decided.rule}: {decided.reason}", span=span)


def _outside(trace: Trace) -> _Found | None:
    """What went wrong before any evidence was weighed."""
    for failure in trace.failures:
        if "image" in failure.where or "ocr" in failure.where:
            return _Found(kind="image tool", why=f"{failure.where}: {failure.message}")
    for claim in trace.claims:
        if claim.claim.about_image and not any(admissible(s, claim) for s in claim.spans):
            return _Found(kind="image tool", why="nothing that was read from the picture bears on the claim")
    for failure in trace.failures:
        if failure.deciding and failure.kind in ("budget", "timeout"):
            return _Found(kind="budget", why=f"{failure.where}: {failure.message}")
    if trace.trimmed_claims:
        return _Found(kind="budget", why=f"{trace.trimmed_claims} atomic claim(s) past the cap were cut")
    deciding = next((f for f in trace.failures if f.deciding), None)
    return _Found(kind="failure", why=f"{deciding.where}: {deciding.message}") if deciding else None


def _split(item: EvalItem, trace: Trace) -> _Found | None:
    if not trace.claims:
        return _Found(kind="split wrong", why="no atomic claim came out of the text")
    for claim in trace.claims:
        if claim.claim.unsupported_by_design:
            why = f"{claim.claim.text!r} was taken for what no document can settle"
            return _Found(kind="split wrong", why=f"{why}: {claim.claim.unsupported_by_design}")
    lost = _lost(item.claim, trace.claims)
    return _Found(kind="split wrong", why=f"the atomic claims lost {lost!r}") if lost else None


def _lost(text: str, claims: Sequence[ClaimRecord]) -> str:
    """A number or name of the text that stands in none of its atomic claims, or ``""``."""
    joined = " ".join(c.claim.text for c in claims)
    kept = {s.value for s in find_slots(joined) if s.kind == "number"}
    number = next((s.text for s in find_slots(text) if s.kind == "number" and s.value not in kept), "")
    return number or next((n.text for n in find_names(text) if not name_in(n, joined)), "")


def _missed(item: EvalItem, trace: Trace) -> _Found:
    """Left open: the claim that stands in the way, and the sentence that should have decided it."""
    state = {"supported": "VERIFIED", "refuted": "BLOCKED"}.get(item.label)
    records = {c.claim.claim_id: c for c in trace.claims}
    open_ = [records[d.claim_id] for d in trace.decisions if d.state != state]
    spans = [s for c in open_ for s in c.spans]
    if item.gold_found is not None:
        if not item.gold_found:
            return _Found(kind="retrieval missed", why="no whole set of the gold sentences was scored")
        spans = [s for s in spans if s.span.span_id in trace.gold_ids] or spans
    elif not any(_on_the_matter(s) for s in spans):
        return _Found(kind="retrieval missed", why="nothing that was scored speaks of the claim's matter")
    if not spans:
        return _Found(kind="retrieval missed", why="nothing was scored for the claim that stayed open")
    if item.label == "supported":
        return _unsupported(spans, trace)
    return _unrefuted(spans, trace)


def _on_the_matter(span: SpanRecord) -> bool:
    scores = span.assessment.calibrated
    return span.assessment.guard.overlap >= STATED or max(scores.entailment, scores.contradiction) >= LEANS


def _unsupported(spans: Sequence[SpanRecord], trace: Trace) -> _Found:
    limits = trace.thresholds
    best = max(spans, key=lambda s: (s.assessment.calibrated.entailment, s.span.span_id))
    score = best.assessment.calibrated.entailment
    able = [s for s in spans if pair_decision.supports(s.assessment, limits)]
    if able and not any(trusted(s, limits) for s in able):
        return _Found(kind="trust gate", why=_gate(able[0], limits), span=able[0])
    if able:
        rules = ", ".join(dict.fromkeys(d.rule for d in trace.decisions if d.state == "UNVERIFIED"))
        why = f"support is there, but another sentence opposes it ({rules})"
        return _Found(kind="verifier wrong", why=why, span=able[0])
    if score >= limits.tau_entail:
        return _Found(kind="guard blocked", why=_guard(best), span=best)
    if score >= LEANS:
        why = f"entailed at {score:.2f}, below {limits.tau_entail:.2f}"
        return _Found(kind="threshold", why=why, span=best)
    raw = best.assessment.raw.entailment
    if raw >= LEANS and not best.assessment.guard.agrees:
        return _Found(kind="guard blocked", why=f"{_guard(best)} (the model alone: {raw:.2f})", span=best)
    return _Found(kind="verifier wrong", why=f"the best sentence is entailed at {score:.2f} only", span=best)


def _unrefuted(spans: Sequence[SpanRecord], trace: Trace) -> _Found:
    limits = trace.thresholds
    best = max(spans, key=lambda s: (pair_decision.against(s.assessment), s.span.span_id))
    score = pair_decision.against(best.assessment)
    able = [s for s in spans if pair_decision.refutes(s.assessment, limits)]
    if able and not any(trusted(s, limits) for s in able):
        return _Found(kind="trust gate", why=_gate(able[0], limits), span=able[0])
    if able:
        rules = ", ".join(dict.fromkeys(d.rule for d in trace.decisions if d.state == "UNVERIFIED"))
        why = f"a refutation is there, but another sentence leans towards the claim ({rules})"
        return _Found(kind="verifier wrong", why=why, span=able[0])
    if score >= limits.tau_refute:
        why = "contradicted, but not about the same subject" if not best.assessment.guard.same_subject else ""
        why = f"contradicted, but {how_far(best.assessment)}" if pair_decision.opposes(best.assessment, limits) else why
        return _Found(kind="guard blocked", why=why or "contradicted, but no mended claim is entailed", span=best)
    if score >= LEANS:
        return _Found(kind="threshold", why=f"refuted at {score:.2f}, below {limits.tau_refute:.2f}", span=best)
    return _Found(kind="verifier wrong", why=f"the best sentence contradicts at {score:.2f} only", span=best)


def _gate(span: SpanRecord, limits: Thresholds) -> str:
    low = f"its trust {span.trust:.2f} is below {limits.tau_trust:.2f}"
    return f"{span.span.doc_id!r} would decide it, but {low}"


def _guard(span: SpanRecord) -> str:
    guard = span.assessment.guard
    if guard.findings:
        return guard.findings[0].message
    return how_far(span.assessment)
