"""A claim held against the texts that came with it: intake, verifier and policy, without any search.

The sentences nearest to each atomic claim are scored, and the shipped policy decides. Trust plays no part:
the texts were given by whoever made the data set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.assessment.nli_pairs import pair_of
from agent.types import AtomicClaim, ClaimIR
from evaluation.data.outcome import Trace
from evidence.segmentation.spans import spans_of
from evidence.types import Document, RetrievalScores, Span
from factdesk.kernel import Caps
from language.names import content_stems
from language.quantities.mentions import find_slots
from report.certificate.canonical import rounded
from report.policy.reasons import verdict_of
from report.policy.rules import decide
from report.types import ClaimRecord, JointRecord, SpanRecord
from verifier.joint_evidence import Candidate, joint_premises
from verifier.types import Thresholds, Verifier

Compile = Callable[[str], ClaimIR]


def check_given(
    row_id: str,
    text: str,
    documents: Sequence[Document],
    *,
    compile_claims: Compile,
    verifier: Verifier,
    thresholds: Thresholds,
    caps: Caps,
) -> Trace:
    """Decide a claim by the sentences of some documents. Deterministic; nothing is stored.

    Raises ``InputError`` for a claim without words and ``BackendUnavailable`` for a broken model.
    """
    spans = [span for document in documents for span in sentences(document)]
    compiled = compile_claims(text)
    records = tuple(score(claim, spans, verifier, thresholds, caps) for claim in compiled.claims)
    decisions = tuple(decide(record, thresholds) for record in records)
    return Trace(
        id=row_id,
        claims=records,
        decisions=decisions,
        verdict=verdict_of(decisions),
        thresholds=thresholds,
        trimmed_claims=compiled.trimmed,
        trimmed=tuple(
            f"{c.claim.claim_id}: {len(spans) - len(c.spans)} sentence(s) not scored."
            for c in records
            if len(c.spans) < len(spans)
        ),
    )


def sentences(document: Document) -> tuple[Span, ...]:
    """The sentences of a text; one that looks like a heading alone counts as a sentence as it stands."""
    found = spans_of(document)
    text = document.text
    if found or not text.strip():
        return found
    start = len(text) - len(text.lstrip())
    return (
        Span(
            span_id=f"{document.doc_id}#1.1",
            chunk_id=f"{document.doc_id}#1",
            doc_id=document.doc_id,
            doc_sha256=document.sha256,
            start=start,
            end=len(text.rstrip()),
            text=text.strip(),
            context=document.title,
            title=document.title,
            url=document.url,
            publisher=document.publisher,
            published=document.published,
        ),
    )


def score(
    claim: AtomicClaim, spans: Sequence[Span], verifier: Verifier, thresholds: Thresholds, caps: Caps
) -> ClaimRecord:
    """The record of one atomic claim over the ``caps.max_spans_per_claim`` nearest sentences."""
    chosen = nearest(claim.text, spans, caps.max_spans_per_claim)
    assessed = verifier.assess([pair_of(claim, span) for span in chosen]) if chosen else ()
    records = [
        SpanRecord(
            span=span,
            retrieval=RetrievalScores(),
            assessment=found,
            question_id="",
            trust=None,
            cluster=span.doc_id,
            rank=rank,
        )
        for rank, (span, found) in enumerate(zip(chosen, assessed, strict=True), 1)
    ]
    joint = joints_of(claim, records, verifier, thresholds)
    return rounded(ClaimRecord(claim=claim, spans=tuple(sorted(records, key=lambda s: s.span.span_id)), joint=joint))


def joints_of(
    claim: AtomicClaim, records: Sequence[SpanRecord], verifier: Verifier, thresholds: Thresholds
) -> tuple[JointRecord, ...]:
    """Two sentences read together, where a check would do so."""
    if any(r.assessment.calibrated.contradiction >= thresholds.tau_contradict for r in records):
        return ()
    candidates = [
        Candidate(span_id=r.span.span_id, premise=r.span.text, context=r.span.context, assessment=r.assessment)
        for r in records
        if r.span.kind == "text"
    ]
    found = joint_premises(claim.text, candidates, verifier, tau_entail=thresholds.tau_entail)
    return tuple(JointRecord(span_ids=j.span_ids, assessment=j.assessment) for j in found)


def nearest(claim: str, spans: Sequence[Span], limit: int) -> list[Span]:
    """The sentences that hold most of the claim's telling words and numbers; ties in their order."""
    wanted = content_stems(claim) | {s.value for s in find_slots(claim)}

    def shared(span: Span) -> int:
        return len(wanted & (content_stems(span.text) | {s.value for s in find_slots(span.text)}))

    order = sorted(range(len(spans)), key=lambda i: (-shared(spans[i]), i))
    return [spans[i] for i in order[:limit]]
