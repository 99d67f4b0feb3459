"""Small certificates built from records directly, no model involved."""

from __future__ import annotations

from datetime import date
from typing import Any

from agent.types import AtomicClaim, Grounding, ImageContext, Proposal, Question
from evidence.types import RetrievalScores, Span
from factdesk.kernel import Caps, Failure, Fingerprint, sha256_text
from report.certificate.derived import documents_of, retrieval_sha256, settings_sha256
from report.certificate.sealing import seal
from report.policy.reasons import verdict_of
from report.types import (
    AnswerRecord,
    Certificate,
    CertificateBody,
    ClaimRecord,
    Constant,
    Decision,
    PolicyRecord,
    Retrieval,
    SpanRecord,
)
from trust.types import DocumentTrust, TrustEdge
from verifier.types import Assessment, GuardFinding, GuardReport, NLIScores, Thresholds

CREATED = "2026-01-31T12:00:00Z"
CERTIFICATE_ID = "3f2a91c0de124b77"

REPORT = "The Tollgate library reopened on 4 May 2024. It now lends 12,000 books a month."
RUMOUR = "The library never reopened, neighbours say."
SIGN = "LIBRARY OPEN\nMON TO FRI"


def make_scores(entailment: float, contradiction: float) -> NLIScores:
    neutral = round(1.0 - entailment - contradiction, 6)
    return NLIScores(entailment=entailment, neutral=neutral, contradiction=contradiction)


def make_span(
    doc_id: str, document: str, text: str, number: int, *, published: date | None = None, **fields: Any
) -> Span:
    start = document.index(text)
    values: dict[str, Any] = {
        "span_id": f"{doc_id}#0.{number}",
        "chunk_id": f"{doc_id}#0",
        "doc_id": doc_id,
        "doc_sha256": sha256_text(document),
        "start": start,
        "end": start + len(text),
        "text": text,
        "title": "Tollgate library reopens",
        "url": f"https://news.example/{doc_id}",
        "publisher": "Tollgate Post",
        "published": published,
        "retrieved": date(2026, 1, 30),
    }
    return Span(**{**values, **fields})


def make_record(
    span: Span,
    entailment: float,
    contradiction: float,
    *,
    trust: float | None = 0.62,
    question_id: str = "q1",
    sufficient: bool = False,
    findings: tuple[GuardFinding, ...] = (),
) -> SpanRecord:
    scores = make_scores(entailment, contradiction)
    return SpanRecord(
        span=span,
        retrieval=RetrievalScores(bm25=7.25, dense=0.61, fused=0.032787, rerank=0.88),
        assessment=Assessment(raw=scores, calibrated=scores, guard=GuardReport(findings=findings)),
        question_id=question_id,
        trust=trust,
        cluster=span.doc_id,
        sufficient=sufficient,
    )


def make_claim(claim_id: str, text: str, start: int) -> AtomicClaim:
    return AtomicClaim(claim_id=claim_id, text=text, start=start, end=start + len(text), source=text, type="event")


def make_decision(claim_id: str, state: str, score: float, *span_ids: str, **fields: Any) -> Decision:
    label = {"VERIFIED": "entailed", "BLOCKED": "contradicted"}.get(state, "not_enough_info")
    values: dict[str, Any] = {
        "claim_id": claim_id,
        "state": state,
        "label": label,
        "score": score,
        "rule": {"VERIFIED": "entailed", "BLOCKED": "refuted"}.get(state, "below_tau_entail"),
        "reason": f"{label} with {score:.3f}",
        "span_ids": span_ids,
    }
    return Decision(**{**values, **fields})


def make_answer(question_id: str, text: str, span_ids: tuple[str, ...], **fields: Any) -> AnswerRecord:
    """An answer that is, word for word, what it cites."""
    values: dict[str, Any] = {
        "question_id": question_id,
        "text": text,
        "span_ids": span_ids,
        "found": True,
        "grounding": Grounding(label="entailed", score=1.0),
        "label": "entailed",
        "score": 0.97,
        "trust": 0.62,
        "kept": True,
        "reason": "names the day",
    }
    values |= fields
    return AnswerRecord(**(values if values["found"] else {**values, "grounding": None}))


def make_documents() -> tuple[dict[str, Any], ...]:
    """What the example's spans say of their documents."""
    return documents_of(make_claims(), None, "2024-05-01")


def make_images() -> tuple[dict[str, Any], ...]:
    document = {"doc_id": "image-1", "text": SIGN, "sha256": sha256_text(SIGN)}
    image = {"sha256": "ab" * 32, "name": "sign.png", "format": "PNG", "width": 640, "height": 480}
    return ({**image, "document": document},)


def make_claims() -> tuple[ClaimRecord, ...]:
    """Three claims: supported by a report, short of evidence, and about the submitted image."""
    opened = make_span("post-1", REPORT, "The Tollgate library reopened on 4 May 2024.", 0)
    opened = opened.model_copy(update={"published": date(2024, 5, 5)})
    lends = make_span("post-1", REPORT, "It now lends 12,000 books a month.", 1, published=date(2024, 5, 5))
    rumour = make_span("rumour-1", RUMOUR, RUMOUR, 0, title="", publisher=None, url=None)
    sign = make_span("image-1", SIGN, "LIBRARY OPEN", 0, kind="ocr", url=None, publisher=None, title="sign")
    missing = GuardFinding(
        slot="number",
        kind="conflict",
        rule="number.other",
        claim_value="15000",
        evidence_value="12000",
        message="15,000 against 12,000",
    )
    return (
        ClaimRecord(
            claim=make_claim("c1", "The library reopened in May 2024.", 0),
            spans=(
                make_record(opened, 0.97, 0.01, sufficient=True),
                make_record(rumour, 0.02, 0.66, trust=0.31),
            ),
        ),
        ClaimRecord(
            claim=make_claim("c2", "It lends 15,000 books a month.", 34),
            spans=(make_record(lends, 0.34, 0.41, question_id="q2", findings=(missing,)),),
        ),
        ClaimRecord(
            claim=make_claim("c3", "The sign says the library is open.", 65),
            spans=(make_record(sign, 0.93, 0.02, trust=None, question_id="q3", sufficient=True),),
        ),
    )


POLICY = PolicyRecord(sha256="ab" * 32, constants=(Constant(name="report.policy.evidence_sides.UNRELATED", value=0.2),))
RETRIEVER = Fingerprint(name="retriever:hybrid", version="1")
RETRIEVAL = Retrieval(
    retriever=RETRIEVER,
    hits=10,
    published_from=None,
    published_to=None,
    only_domains=(),
    block_domains=(),
    snapshot_id="ba" * 32,
)
DECISIONS = (
    make_decision("c1", "VERIFIED", 0.97, "post-1#0.0"),
    make_decision("c2", "UNVERIFIED", 0.41, reason="no sentence reaches 0.85; the number differs"),
    make_decision("c3", "VERIFIED", 0.93, "image-1#0.0"),
)


def make_body(**changes: Any) -> CertificateBody:
    """The example body, or one with some of its fields changed; the verdict follows the decisions."""
    claims: tuple[ClaimRecord, ...] = changes.get("claims", make_claims())
    decisions: tuple[Decision, ...] = changes.get("decisions", DECISIONS)
    values: dict[str, Any] = {
        "factdesk_version": "0.1.0",
        "claim_text": " ".join(c.claim.text for c in claims),
        "claim_date": "2024-05-01",
        "as_of": None,
        "images": make_images(),
        "claims": claims,
        "trimmed_claims": 1,
        "questions": (
            Question(question_id="q1", claim_id="c1", text="When did it reopen?", route="text", depth=0),
            Question(question_id="q2", claim_id="c2", text="How many books?", route="text", depth=1),
            Question(question_id="q3", claim_id="c3", text="Is it open?", route="image", depth=0),
        ),
        "answers": (
            make_answer("q1", REPORT.split(". ")[0] + ".", ("post-1#0.0",)),
            make_answer("q2", "", (), found=False, label="not_enough_info", score=0.0, trust=None, kept=False),
        ),
        "image_context": ImageContext(text="LIBRARY OPEN / MON TO FRI", date=date(2024, 5, 4), matters=True),
        "documents": documents_of(claims, changes.get("as_of"), changes.get("claim_date", "2024-05-01")),
        "trust": (make_trust(),),
        "trust_enabled": True,
        "proposal": Proposal(label="supported", explanation="The report names the day.", method="cot"),
        "policy": POLICY,
        "thresholds": Thresholds(calibration_sha256="cd" * 32),
        "decisions": decisions,
        "verdict": verdict_of(decisions),
        "mode": "strict",
        "fingerprints": (Fingerprint(name="onnx:minilm-fact", version="1", sha256="ef" * 32), RETRIEVER),
        "retrieval": RETRIEVAL,
        "prompts_sha256": "dc" * 32,
        "settings": {"retriever": "hybrid", "seed": 7, "nested": {"lam": 0.25, "flags": [True, None]}},
        "caps": Caps(),
        "trimmed": ("1 statement past the cap of 12 was not checked",),
        "failures": (Failure(where="evidence.web", kind="timeout", message="the search took too long", claim_id="c2"),),
    }
    values |= changes
    made = {
        "retrieval_sha256": retrieval_sha256(values["retrieval"]),
        "settings_sha256": settings_sha256(values["settings"]),
    }
    return CertificateBody(**{**made, **values})


def make_trust() -> DocumentTrust:
    edge = TrustEdge(source="rumour-1", target="post-1", weight=-0.3, source_span="r", target_span="p")
    return DocumentTrust(
        doc_id="post-1",
        score=0.62,
        rank=1,
        refuting=(edge,),
        cluster="post-1",
        explanation="a report by name",
    )


def make_certificate(certificate_id: str = CERTIFICATE_ID, **changes: Any) -> Certificate:
    """The example certificate, sealed, outside of any ledger."""
    return seal(make_body(**changes), created=CREATED, certificate_id=certificate_id)


def make_refuted_certificate() -> Certificate:
    """The rumour is refuted by the report; nothing is verified."""
    opened = make_span("post-1", REPORT, "The Tollgate library reopened on 4 May 2024.", 0, published=date(2024, 5, 5))
    claim = ClaimRecord(
        claim=make_claim("c1", "The library never reopened.", 0),
        spans=(make_record(opened, 0.01, 0.98, sufficient=True),),
    )
    other = ClaimRecord(claim=make_claim("c2", "Neighbours are angry.", 28), spans=())
    return make_certificate(
        claims=(claim, other),
        questions=(),
        answers=(),
        images=(),
        image_context=None,
        decisions=(
            make_decision("c1", "BLOCKED", 0.98, "post-1#0.0"),
            make_decision("c2", "UNVERIFIED", 0.0),
        ),
    )
