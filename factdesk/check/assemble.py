"""From a finished investigation to the body of a certificate: decisions included, nothing invented."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from agent.assessment.nli_pairs import Scored, read_both, strongest
from agent.graphs.qa_pairs import summed
from agent.types import AtomicClaim, Investigation, JointSpans, QAPair, Reading, ScoredSpan
from evidence.types import ImageRecord
from factdesk import kernel
from factdesk.check.context import CheckContext
from factdesk.check.evidence_source import prompts_sha256
from report.certificate.canonical import rounded
from report.certificate.derived import (
    behind,
    documents_of,
    independent_sources,
    is_rated,
    least_trust,
    retrieval_sha256,
    settings_sha256,
)
from report.policy.fingerprints import policy_record
from report.policy.reasons import verdict_of
from report.policy.rules import decide
from report.types import (
    AnswerRecord,
    Asked,
    CertificateBody,
    ClaimRecord,
    Decision,
    JointRecord,
    SpanRecord,
    TrustGraph,
    TrustNode,
    Witness,
)
from trust.types import TrustReport


def assemble(found: Investigation, check: CheckContext) -> CertificateBody:
    """Build the claims' records, let the policy decide each, and put everything into one body."""
    settings, order, report = check.settings, check.order, check.looked.report
    failures = (*check.failures(), *found.failures)
    records, thresholds = _records(found, check), check.thresholds
    decisions = tuple(decide(record, thresholds, failures) for record in records)
    marked = tuple(mark_sufficient(r, d) for r, d in zip(records, decisions, strict=True))
    cited = {s.span.doc_id for r in marked for s in r.spans}
    claim_date, as_of = (day.isoformat() if day else None for day in (order.claim_date, order.as_of))
    return CertificateBody(
        factdesk_version=kernel.__version__,
        claim_text=found.claim_ir.input_text,
        claim_date=claim_date,
        as_of=as_of,
        images=_images(check),
        claims=marked,
        trimmed_claims=found.claim_ir.trimmed,
        questions=tuple(p.question for p in found.qa_pairs),
        answers=answer_records(found.qa_pairs, marked),
        image_context=found.image_context,
        documents=documents_of(marked, as_of, claim_date),
        trust=tuple(d for d in found.trust.documents if d.doc_id in cited) if found.trust else (),
        trust_enabled=settings.trust,
        proposal=found.proposal,
        policy=policy_record(),
        thresholds=thresholds,
        decisions=decisions,
        verdict=verdict_of(decisions),
        mode=settings.mode,
        fingerprints=tuple(sorted(check.fingerprints, key=lambda f: f.name)),
        settings=settings.recorded(),
        caps=settings.caps,
        trimmed=summed(found.trimmed),
        failures=failures,
        usage=found.usage,
        trust_graph=trust_graph(found.trust) if found.trust else None,
        retrieval=check.retrieval,
        retrieval_sha256=retrieval_sha256(check.retrieval),
        settings_sha256=settings_sha256(settings.recorded()),
        prompts_sha256=prompts_sha256(),
        asked=_asked(check.question, found) if check.question is not None else None,
        bridges=tuple(rounded(p.bridge) for p in found.qa_pairs if p.bridge is not None),
        image_report=rounded(report) if report else None,
    )


def _records(found: Investigation, check: CheckContext) -> tuple[ClaimRecord, ...]:
    settings = check.settings
    needed = Witness.asked_for(settings.answer_sources, settings.sources)
    return tuple(
        record_of(
            claim,
            [s for s in found.scored if s.claim_id == claim.claim_id],
            found.trust,
            joints=[j for j in found.joints if j.claim_id == claim.claim_id],
            trust_enabled=settings.trust,
            witness=needed if check.question is not None else None,
            sources=settings.sources,
        )
        for claim in found.claim_ir.claims
    )


def _asked(question: str, found: Investigation) -> Asked:
    from agent.assessment.answer_type import fit

    claims = found.claim_ir.claims
    return Asked(question=question, fits=tuple(rounded(fit(question, c.text, c.claim_id)) for c in claims))


def trust_graph(report: TrustReport) -> TrustGraph:
    """All that the trust of documents was computed from."""
    return TrustGraph(
        alpha=report.alpha,
        documents=tuple(TrustNode.taken_from(d) for d in sorted(report.documents, key=lambda d: d.doc_id)),
        edges=report.edges,
        sentences=report.sentences,
    )


def record_of(
    claim: AtomicClaim,
    scored: Sequence[ScoredSpan],
    trust: TrustReport | None,
    *,
    joints: Sequence[JointSpans] = (),
    trust_enabled: bool,
    witness: Witness | None = None,
    sources: tuple[str, ...],
) -> ClaimRecord:
    """What the policy decides on for one claim and what was scored for it; ``sources``: sites that are rated."""
    spans = [_span_record(s, trust, trust_enabled, sources) for s in scored]
    source = independent_sources(spans)
    spans = [s.model_copy(update={"source": source[s.span.span_id]}) for s in spans]
    return rounded(
        ClaimRecord(
            claim=claim,
            spans=tuple(sorted(spans, key=lambda s: s.span.span_id)),
            joint=tuple(JointRecord(span_ids=j.span_ids, assessment=j.assessment) for j in joints),
            witness=witness,
        )
    )


def _span_record(
    scored: ScoredSpan, report: TrustReport | None, trust_enabled: bool, sources: tuple[str, ...]
) -> SpanRecord:
    span = scored.hit.span
    entry = report.of(span.doc_id) if report else None
    matter = report.matter(span.span_id) if report and trust_enabled else None
    trust: float | None = None
    if trust_enabled and span.kind == "text":
        # trust that is on and could not be worked out leaves the gate shut
        trust = report.at(span.doc_id, span.span_id) if report and entry else 0.0
    return SpanRecord(
        span=span,
        disputes=matter.disputes if matter else (),
        retrieval=scored.hit.scores,
        assessment=scored.assessment,
        question_id=scored.question_id,
        trust=trust,
        cluster=entry.cluster if entry else span.doc_id,
        rank=scored.hit.rank,
        rated=is_rated(span, sources, seed=bool(entry and entry.seed)),
    )


def mark_sufficient(record: ClaimRecord, decision: Decision) -> ClaimRecord:
    """Mark the minimal sufficient set: what the decision rests on, where it certifies."""
    if decision.state == "UNVERIFIED":
        return record
    chosen = set(decision.span_ids)
    spans = tuple(s.model_copy(update={"sufficient": s.span.span_id in chosen}) for s in record.spans)
    return record.model_copy(update={"spans": spans})


def _images(check: CheckContext) -> tuple[dict[str, Any], ...]:
    addresses = check.order.image_urls[: len(check.pictures)]
    return tuple(_image(record, address) for record, address in zip_longest(check.pictures, addresses))


def _image(record: ImageRecord, address: str | None) -> dict[str, Any]:
    shown = {"sha256": True, "name": True, "format": True, "width": True, "height": True}
    told = {"document": {"doc_id", "text", "sha256"}}
    return {
        **record.model_dump(mode="json", include={**shown, **told}),
        "url": address,
        "file": record.file.model_dump(mode="json", exclude_defaults=True),
    }


def answer_records(pairs: Sequence[QAPair], records: Sequence[ClaimRecord]) -> tuple[AnswerRecord, ...]:
    """The answer of each pair, in their order."""
    by_claim = {record.claim.claim_id: record for record in records}
    return tuple(_answer(pair, by_claim[pair.question.claim_id]) for pair in pairs)


def _answer(pair: QAPair, record: ClaimRecord) -> AnswerRecord:
    cited, scored = tuple(s.span_id for s in pair.cited), {s.span.span_id for s in record.spans}
    label, score, _ = strongest([(s.span.span_id, s.assessment) for s in record.spans if s.span.span_id in cited])
    bridge = pair.bridge
    both = read_both(_items(bridge.first_hop), _items(bridge.second_hop)) if bridge is not None else None
    if both is not None:
        label, score, _ = both
    return rounded(
        AnswerRecord(
            question_id=pair.question.question_id,
            text=pair.answer.text,
            span_ids=cited,
            found=pair.answer.found,
            grounding=pair.grounding,
            label=label,
            score=score,
            trust=least_trust(record, behind(cited, bridge)),
            kept=pair.kept,
            reason=pair.reason,
            unscored=tuple(s for s in pair.cited if s.span_id not in scored),
        )
    )


def _items(reading: Reading | None) -> list[Scored]:
    return [(s.span_id, s.assessment) for s in reading.spans] if reading is not None else []
