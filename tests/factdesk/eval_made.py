"""Items and traces made by hand, for tests of what is worked out from them."""

from __future__ import annotations

from typing import Any

from agent.types import AtomicClaim
from evaluation.data.outcome import Cost, EvalItem, Trace
from evidence.types import RetrievalScores, Span
from report.policy.reasons import verdict_of
from report.policy.rules import decide
from report.types import ClaimRecord, SpanRecord
from verifier.types import Assessment, Counterfactual, GuardFinding, GuardReport, NLIScores, Thresholds

LIMITS = Thresholds(tau_entail=0.9, tau_contradict=0.7, tau_refute=0.9, tau_trust=0.4)


def item(name: str, label: str, verdict: str, **more: Any) -> EvalItem:
    """An item whose score of support follows its verdict unless told otherwise."""
    given: dict[str, Any] = {
        "claim": f"claim {name}",
        "support": 0.95 if verdict == "supported" else 0.2,
        "against": 0.1,
        "atomic": 1,
        "questions": 2,
        "rules": ("verified",),
        "failures": 0,
        "gold_found": None,
        "cited": (),
        "cited_right": None,
        "gold_cited": None,
        "cost": Cost(seconds=1.0, cpu_seconds=0.5, pairs=10),
    }
    return EvalItem.model_validate({"id": name, "label": label, "verdict": verdict, **given, **more})


def assessment(
    entailment: float,
    contradiction: float = 0.0,
    *,
    raw: tuple[float, float] | None = None,
    finding: str = "",
    mended: float | None = None,
    refutation: float | None = None,
    same_subject: bool = True,
    overlap: float = 1.0,
) -> Assessment:
    """Calibrated and raw scores (equal unless given), and what the guard says."""
    first, second = raw or (entailment, contradiction)
    findings = (GuardFinding(slot="number", kind="missing", claim_value="3", message=finding),) if finding else ()
    return Assessment(
        raw=NLIScores(entailment=first, neutral=round(1 - first - second, 6), contradiction=second),
        calibrated=NLIScores(
            entailment=entailment,
            neutral=round(1 - entailment - contradiction, 6),
            contradiction=contradiction,
        ),
        guard=GuardReport(findings=findings, same_subject=same_subject, overlap=overlap),
        counterfactual=Counterfactual(claim="mended", entailment=mended, refutation=refutation)
        if mended is not None
        else None,
    )


def span(number: int, found: Assessment, *, trust: float | None = None, doc: str = "d", rank: int = 1) -> SpanRecord:
    """A sentence of a document with its assessment."""
    text = f"Sentence {number}."
    return SpanRecord(
        span=Span(
            span_id=f"{doc}#1.{number}",
            chunk_id=f"{doc}#1",
            doc_id=doc,
            doc_sha256="0",
            start=0,
            end=len(text),
            text=text,
            context="Title",
        ),
        retrieval=RetrievalScores(),
        assessment=found,
        question_id="",
        trust=trust,
        cluster=doc,
        rank=rank,
    )


def trace(name: str, *spans: SpanRecord, text: str = "The hall was built in 1912.", **more: Any) -> Trace:
    """A trace of one atomic claim, decided by the shipped policy."""
    claim = AtomicClaim(
        claim_id="c1",
        text=text,
        start=0,
        end=len(text),
        source=text,
        unsupported_by_design=more.pop("by_design", None),
        about_image=more.pop("about_image", False),
    )
    record = ClaimRecord(claim=claim, spans=spans)
    decisions = (decide(record, LIMITS, more.get("failures", ())),)
    return Trace(
        id=name,
        claims=(record,),
        decisions=decisions,
        verdict=verdict_of(decisions),
        thresholds=LIMITS,
        **more,
    )
