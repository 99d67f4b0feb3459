"""One claim against one piece of evidence: what the verifier, the guard and the policy make of it."""

from __future__ import annotations

from agent.types import AtomicClaim
from evidence.types import RetrievalScores, Span
from factdesk.check.models import open_verifier
from factdesk.kernel import InputError, Record, sha256_text
from factdesk.settings import Settings
from report.policy.rules import decide
from report.types import ClaimRecord, Decision, SpanRecord
from verifier.types import Assessment, PairText, Thresholds


class Explanation(Record):
    """Assessment of a pair and the decision the policy would take on it alone, trust set aside."""

    claim: str
    evidence: str
    assessment: Assessment
    decision: Decision
    thresholds: Thresholds


def explain_pair(claim: str, evidence: str, context: str, settings: Settings) -> Explanation:
    """Assess one pair. Raises ``InputError`` for an empty claim or evidence."""
    if not claim.strip() or not evidence.strip():
        raise InputError("claim and evidence must not be empty; give both as text")
    verifier = open_verifier(settings)
    thresholds = settings.thresholds.apply(verifier.thresholds)
    (assessment,) = verifier.assess([PairText(claim=claim, premise=evidence, context=context)])
    span = Span(
        span_id="evidence#0.0",
        chunk_id="evidence#0",
        doc_id="evidence",
        doc_sha256=sha256_text(evidence),
        start=0,
        end=len(evidence),
        text=evidence,
        context=context,
    )
    atom = AtomicClaim(claim_id="c1", text=claim, start=0, end=len(claim), source=claim)
    record = ClaimRecord(
        claim=atom,
        spans=(SpanRecord(span=span, retrieval=RetrievalScores(), assessment=assessment, question_id="c1.q1"),),
    )
    return Explanation(
        claim=claim,
        evidence=evidence,
        assessment=assessment,
        decision=decide(record, thresholds),
        thresholds=thresholds,
    )
