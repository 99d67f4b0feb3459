"""What other rooms may know of the report: records the policy decides on, decisions, the certificate."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as Date
from typing import Any, Literal

from pydantic import Field

from agent.attribution.types import Annotation
from agent.types import AtomicClaim, Bridge, Fit, Grounding, ImageContext, Proposal, Question, Usage
from evidence.types import ImageReport, RetrievalScores, Span
from factdesk.kernel import CERTIFICATE_SCHEMA, Caps, Failure, Fingerprint, Record
from trust.types import Dispute, DocumentTrust, TrustEdge, TrustSentence
from verifier.types import Assessment, Label, Thresholds

State = Literal["VERIFIED", "UNVERIFIED", "BLOCKED"]
Verdict = Literal["supported", "refuted", "conflicting", "not_enough_evidence"]
Mode = Literal["strict", "mixed", "debug"]
Dating = Literal["before", "later", "dated", "undated"]
LABELS: dict[State, Label] = {"VERIFIED": "entailed", "UNVERIFIED": "not_enough_info", "BLOCKED": "contradicted"}
"""The label of a decision, by its state."""


class SpanRecord(Record):
    """One scored span of one atomic claim: the span with its text and all that was said of it."""

    span: Span
    retrieval: RetrievalScores
    assessment: Assessment
    question_id: str
    trust: float | None = None
    """Of its document, or less where others overrule this sentence; ``None``: trust is off, the gate open."""
    disputes: tuple[Dispute, ...] = ()
    """Sentences of other documents that refute this one."""
    cluster: str = ""
    """Independence cluster of its document."""
    source: str = ""
    """Independent source: copies are one, and all of one publisher or site is. Empty: the cluster."""
    rated: bool = False
    """The desk knows the source: its site is listed in ``sources``, or it is a seed of trust."""
    sufficient: bool = False
    """Member of the minimal sufficient set."""
    rank: int | None = None
    """Place among the hits of its question, from 1."""


class JointRecord(Record):
    """Several spans read together as one premise (two-hop evidence)."""

    span_ids: tuple[str, ...]
    assessment: Assessment


class Witness(Record):
    """What a statement that was drafted from the evidence itself needs besides (``report.policy.answers``)."""

    sources: tuple[str, ...]
    """Sites whose own word counts: named by whoever asked."""
    least: int = 2
    """Independent sources that it needs; with 1 any source's own word counts, and is shown as its word."""

    @classmethod
    def asked_for(cls, least: int | None, sources: Sequence[str]) -> Witness:
        """As was set; otherwise one source is enough, or two where sites were named."""
        return cls(sources=tuple(sources), least=least if least is not None else 2 if sources else 1)


class ClaimRecord(Record):
    """An atomic claim with every span that was scored for it (at most 20)."""

    claim: AtomicClaim
    spans: tuple[SpanRecord, ...]
    joint: tuple[JointRecord, ...] = ()
    witness: Witness | None = None
    """Set for a statement of a draft answer: one source's own word is not enough for it."""


class Decision(Record):
    """What the policy decided on one atomic claim, by which rule, resting on which spans."""

    claim_id: str
    state: State
    label: Label
    score: float
    """Calibrated probability the decision rests on; 0 where nothing was scored."""
    rule: str
    """Name of the rule in ``report/policy/rules.py``."""
    reason: str
    """The rule in words, with the numbers."""
    span_ids: tuple[str, ...] = ()
    conflicting: bool = False
    """Trusted evidence stands on both sides."""
    independent: int = 0
    """On how many independent sources a certified decision stands."""
    rated: int = 0
    """How many of these the desk has rated."""


class Constant(Record):
    """A number that the rules compare with."""

    name: str
    """Dotted: ``report.policy.evidence_sides.UNRELATED``."""
    value: float


class PolicyRecord(Record):
    """What the policy was, by content (``report/policy/fingerprints.py``)."""

    sha256: str
    """Over the source files of the policy."""
    constants: tuple[Constant, ...]
    """Every one of the files that decide, the guard's and trust's too, in the order of their names."""


class TrustNode(Record):
    """A document that took part in the trust computation, cited or not."""

    doc_id: str
    cluster: str
    seed: bool = False
    stranger: bool = False
    """Nothing that it says beside the claim is reported by any other document of a large corpus."""
    sentences: int = 1
    """How many it has: a disputed one costs it its share."""


class TrustGraph(Record):
    """All that the trust of documents was computed from, so that it can be computed again."""

    alpha: float
    documents: tuple[TrustNode, ...]
    edges: tuple[TrustEdge, ...]
    sentences: tuple[TrustSentence, ...]
    """What the verifier was given for the edges: their weights can be scored again."""


class Retrieval(Record):
    """How evidence was looked for, and in what."""

    retriever: Fingerprint
    hits: int
    """Spans asked for per question."""
    published_from: Date | None
    published_to: Date | None
    only_domains: tuple[str, ...]
    block_domains: tuple[str, ...]
    snapshot_id: str
    """Hex SHA-256 over ids and hashes of all documents of the corpora as they were searched."""


class AnswerRecord(Record):
    """A question's answer with its three results."""

    question_id: str
    text: str
    """As the reasoner gave it; no quotation unless ``grounding.exact``."""
    span_ids: tuple[str, ...]
    """What it cites."""
    found: bool
    grounding: Grounding | None
    """The answer against the spans it cites; ``None``: there is no answer."""
    label: Label
    """Of the spans it cites, for the claim; or of the reading in ``bridges``."""
    score: float
    trust: float | None
    """Least trust of their documents; ``None`` when trust is off, or where no document is cited."""
    kept: bool
    """``False``: discarded by the tree's elimination."""
    reason: str
    unscored: tuple[Span, ...] = ()
    """Spans it cites that were not scored for the claim (a cap was reached)."""


class Asked(Record):
    """A question, and how the statements of the draft answer fit it."""

    question: str
    fits: tuple[Fit, ...]
    """One a claim, in their order."""


class TrustOfClaim(Record):
    """Trust of the documents that one claim of an annotation cites, and what it was computed from."""

    graph: TrustGraph | None = None
    documents: tuple[DocumentTrust, ...] = ()


class AnnotationRecord(Record):
    """An annotated text. Claims stand in its order; the policy's decisions are theirs, labels certify nothing."""

    annotation: Annotation
    trust: tuple[TrustOfClaim, ...]
    """One a claim: each is weighed by itself."""


class CertificateBody(Record):
    """The deterministic part: same inputs, models and settings give the same bytes."""

    schema_version: str = CERTIFICATE_SCHEMA
    factdesk_version: str
    claim_text: str
    claim_date: str | None
    as_of: str | None
    images: tuple[dict[str, Any], ...]
    """Per image: sha256, name, format, width, height, and the document read from it (text and sha256)."""
    claims: tuple[ClaimRecord, ...]
    trimmed_claims: int
    questions: tuple[Question, ...]
    answers: tuple[AnswerRecord, ...]
    """One a question."""
    image_context: ImageContext | None
    documents: tuple[dict[str, Any], ...]
    """Per cited document: doc_id, sha256, title, url, publisher, published, retrieved, dating; maybe ``archived``."""
    trust: tuple[DocumentTrust, ...]
    trust_enabled: bool
    proposal: Proposal | None
    policy: PolicyRecord
    thresholds: Thresholds
    decisions: tuple[Decision, ...]
    verdict: Verdict
    mode: Mode
    fingerprints: tuple[Fingerprint, ...]
    """Of every model, index, prompt and rule set that took part, sorted by name."""
    settings: dict[str, Any]
    caps: Caps
    trimmed: tuple[str, ...]
    failures: tuple[Failure, ...]
    retrieval: Retrieval
    retrieval_sha256: str
    """Over ``retrieval``, canonical."""
    settings_sha256: str
    """Over ``settings``, canonical."""
    prompts_sha256: str
    """Over names and bytes of all prompt files."""
    usage: Usage | None = None
    """What the language model took; ``None`` where none was asked for."""
    trust_graph: TrustGraph | None = None
    """``None``: trust was off, or could not be worked out."""
    image_report: ImageReport | None = None
    """Findings and earlier uses of the submitted images; ``None`` without an image."""
    asked: Asked | None = None
    """The question that ``claim_text`` is the draft answer to; ``None``: a claim was checked."""
    bridges: tuple[Bridge, ...] = ()
    """Per question that took a name for what a claim describes: both statements. The policy reads none."""
    annotation: AnnotationRecord | None = Field(default=None, exclude_if=lambda value: value is None)
    """Set where a text was annotated; the body does not name it elsewhere."""

    @property
    def scored(self) -> tuple[SpanRecord, ...]:
        """Every scored span of every claim."""
        return tuple(item for record in self.claims for item in record.spans)

    def record_for(self, question_id: str) -> ClaimRecord | None:
        """The claim that a question was asked for; ``None`` where either is unknown."""
        claims = {record.claim.claim_id: record for record in self.claims}
        return next((claims.get(q.claim_id) for q in self.questions if q.question_id == question_id), None)


class Envelope(Record):
    """What differs from run to run: id, time, place in the history."""

    certificate_id: str
    created: str
    """ISO 8601 UTC."""
    sequence: int
    """Place in the ledger, from 1; 0 before it was appended."""
    previous_sha256: str | None
    """``envelope_sha256`` of the certificate before it in the ledger."""
    body_sha256: str
    envelope_sha256: str
    """Over the other fields of this envelope save ``signature``, canonical."""
    supersedes: str | None = None
    """Id of the certificate that this re-check replaces."""
    key_id: str | None = None
    """Hex SHA-256 of the public key that signed; ``None``: unsigned."""
    signature: str | None = None
    """Ed25519 over ``envelope_sha256``, base64; see ``report/certificate/signing.py``."""


class Certificate(Record):
    """Body and envelope."""

    body: CertificateBody
    envelope: Envelope


class Head(Record):
    """The end of a history, signed: whoever holds one sees whether certificates were cut off."""

    schema_version: Literal["factdesk.head/1"] = "factdesk.head/1"
    first_sha256: str
    """``envelope_sha256`` of certificate 1: which history this is."""
    sequence: int
    envelope_sha256: str
    """Of the last certificate, whose number is ``sequence``."""
    created: str
    """When the last certificate was made, ISO 8601 UTC."""
    key_id: str | None = None
    signature: str | None = None
    """Ed25519 over the other fields, base64; ``None``: unsigned."""


class ListedCertificate(Record):
    """What a list shows of a stored certificate, read from its text."""

    envelope: Envelope
    claim_text: str
    verdict: str
    states: tuple[str, ...]
    doubt: str
    """Why it does not count (unsigned, unknown key, altered); empty where it does."""


class LedgerEntry(Record):
    """A line of the history."""

    certificate_id: str
    sequence: int
    created: str
    claim_text: str
    verdict: Verdict
    body_sha256: str
    verified: int
    unverified: int
    blocked: int
    key_id: str | None = None
    supersedes: str | None = None
    superseded_by: str | None = None
    doubt: str = ""
    """Why the certificate does not count (it has no claim, verdict and counts then); empty where it does."""
