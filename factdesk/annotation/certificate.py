"""The certificate of an annotation: each claim as a check records it, with its label and triplets beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.prompts import prompt_fingerprints
from agent.types import Question
from factdesk import kernel
from factdesk.annotation.weighing import Weighing
from factdesk.bounds import bounds_of
from factdesk.check.assemble import mark_sufficient, trust_graph
from factdesk.check.evidence_source import prompts_sha256, retrieval_of
from factdesk.kernel import Fingerprint
from language.nlp.pipeline import nlp_fingerprint
from report.certificate.canonical import rounded
from report.certificate.derived import documents_of, retrieval_sha256, settings_sha256
from report.policy.fingerprints import policy_record, rule_fingerprints
from report.policy.reasons import verdict_of
from report.types import AnnotationRecord, CertificateBody, TrustOfClaim

if TYPE_CHECKING:
    from agent.attribution.types import Annotation
    from factdesk.annotation.labelling import Parts
    from factdesk.check.evidence_source import Evidence
    from factdesk.settings import Settings


def annotation_body(
    annotation: Annotation,
    weighed: Sequence[Weighing],
    parts: Parts,
    settings: Settings,
    evidence: Evidence,
) -> CertificateBody:
    """The body: ``weighed`` are the claims of the annotation, in its order."""
    records = tuple(mark_sufficient(w.case.record, w.decision) for w in weighed)
    decisions = tuple(w.decision for w in weighed)
    retrieval, recorded = retrieval_of(evidence, bounds_of(settings, None)), settings.recorded()
    return CertificateBody(
        factdesk_version=kernel.__version__,
        claim_text=annotation.text,
        claim_date=None,
        as_of=None,
        images=(),
        claims=records,
        trimmed_claims=0,
        questions=tuple(_question(w) for w in weighed),
        answers=(),
        image_context=None,
        documents=documents_of(records, None, None),
        trust=(),
        trust_enabled=settings.trust,
        proposal=None,
        policy=policy_record(),
        thresholds=parts.scales.thresholds,
        decisions=decisions,
        verdict=verdict_of(decisions),
        mode=settings.mode,
        fingerprints=_fingerprints(parts, evidence),
        settings=recorded,
        caps=settings.caps,
        trimmed=(),
        failures=tuple(dict.fromkeys(f for w in weighed for f in w.failures)),
        retrieval=retrieval,
        retrieval_sha256=retrieval_sha256(retrieval),
        settings_sha256=settings_sha256(recorded),
        prompts_sha256=prompts_sha256(),
        usage=parts.chat.usage if parts.chat is not None else None,
        annotation=rounded(AnnotationRecord(annotation=annotation, trust=tuple(_trust_of(w) for w in weighed))),
    )


def _question(weighing: Weighing) -> Question:
    claim = weighing.case.record.claim
    return Question(
        question_id=f"{claim.claim_id}.q1", claim_id=claim.claim_id, text=claim.text, route="text", purpose="claim"
    )


def _trust_of(weighing: Weighing) -> TrustOfClaim:
    report = weighing.trust
    if report is None:
        return TrustOfClaim()
    cited = {s.span.doc_id for s in weighing.case.record.spans}
    return TrustOfClaim(graph=trust_graph(report), documents=tuple(d for d in report.documents if d.doc_id in cited))


def _fingerprints(parts: Parts, evidence: Evidence) -> tuple[Fingerprint, ...]:
    models = (parts.verifier, parts.embedder, *((parts.chat,) if parts.chat is not None else ()))
    prompts = prompt_fingerprints() if parts.chat is not None else ()
    found = (
        *(m.fingerprint for m in models),
        *rule_fingerprints(),
        *evidence.fingerprints,
        nlp_fingerprint(),
        *prompts,
    )
    return tuple(sorted(dict.fromkeys(found), key=lambda f: f.name))
