"""What other rooms may know of trust: edges, scores and explanations."""

from __future__ import annotations

from factdesk.kernel import Record


class TrustEdge(Record):
    """A relation between two documents, summed over their spans.

    ``weight`` is in -1 to 1: positive supports, negative refutes.
    """

    source: str
    target: str
    weight: float
    source_span: str = ""
    target_span: str = ""
    corrects: bool = False
    """The source takes the target's place (a publisher's later word): it is not refuted in turn."""


class TrustSentence(Record):
    """A sentence that an edge rests on, as the verifier was given it: the edge can be scored again."""

    span_id: str
    doc_id: str
    text: str
    context: str = ""
    published: str = ""
    """ISO day, or ``""``."""


class DocumentTrust(Record):
    """Trust of one document: ClaimRank's score in 0 to 1 (0.5: nothing known), with its reasons."""

    doc_id: str
    score: float
    rank: int
    """1 is the most trusted of the documents looked at."""
    seed: bool = False
    supporting: tuple[TrustEdge, ...] = ()
    """Strongest edges that raised the score, at most three."""
    refuting: tuple[TrustEdge, ...] = ()
    cluster: str = ""
    """Id of the independence cluster: the doc_id of its earliest member. Copies share one cluster."""
    explanation: str = ""
    sentences: int = 1
    """How many it has."""
    stranger: bool = False
    """Nothing that it says beside the claim is reported by any other document of a large corpus."""


class Dispute(Record):
    """A sentence of another document that refutes one, and how far it is trusted on that matter."""

    doc_id: str
    span_id: str
    trust: float


class Matter(Record):
    """What is trusted of a disputed sentence (``trust/matters.py``)."""

    span_id: str
    score: float
    """0 to 1, at most that of its document."""
    disputes: tuple[Dispute, ...]


class TrustReport(Record):
    """Trust of all documents retrieved for a check, with the record of convergence."""

    documents: tuple[DocumentTrust, ...]
    alpha: float
    iterations: int
    converged: bool
    edges: tuple[TrustEdge, ...] = ()
    """All relations the scores rest on; those inside a cluster of copies are left out."""
    sentences: tuple[TrustSentence, ...] = ()
    """The sentences at the ends of ``edges``, by span id."""

    matters: tuple[Matter, ...] = ()
    """Sentences that other documents refute, by span id."""

    def of(self, doc_id: str) -> DocumentTrust | None:
        """The entry of a document, or ``None``."""
        return next((d for d in self.documents if d.doc_id == doc_id), None)

    def matter(self, span_id: str) -> Matter | None:
        """What is trusted of a sentence, where others refute it."""
        return next((m for m in self.matters if m.span_id == span_id), None)

    def at(self, doc_id: str, span_id: str) -> float | None:
        """How far a sentence is trusted: as its document, or less where others overrule it."""
        entry, matter = self.of(doc_id), self.matter(span_id)
        return matter.score if entry and matter else entry.score if entry else None


class DocumentFacts(Record):
    """A document as the claim graph knows it."""

    doc_id: str
    title: str = ""
    published: str = ""
    """ISO day, or ``""``."""
    publisher: str = ""
    cluster: str = ""
    """Independence cluster: the doc_id of its earliest member; ``""``: alone."""


class ClaimNode(Record):
    """A claim of a document; ``document.text[start:end]`` is where it stands."""

    claim_id: str
    doc_id: str
    text: str
    start: int = 0
    end: int = 0


class ClaimLink(Record):
    """How one claim bears on another, by the verifier.

    ``weight`` in -1 to 1: above 0 supports, below 0 refutes, 0 neither.
    """

    source: str
    target: str
    weight: float
    similarity: float = 1.0
    """Cosine of the claims' vectors."""
    denied: bool = False
    """One of the two denies what the other says, by the words alone: no report of the same matter."""


class RankOptions(Record):
    """Variants of ClaimRank, each off by default: then it is the published equation."""

    independence: bool = False
    """Copies are one witness, and none for each other."""
    coverage: bool = False
    """P and N are means over a document's claims, so that what nobody else reports counts as not supported;
    another's claim about the same matter (cosine ``SAME_MATTER``) supports where it neither refutes nor
    denies."""
    confidence: bool = False
    """A relation weighs as much as the verifier is sure of it, instead of 1."""
    restart: bool = False
    """The walk begins anew at the trusted seeds: what lies near them starts higher."""
    strongest: bool = False
    """The strongest voice on each side counts and not the mean, so that a distrusted refuter beside a trusted
    one cannot raise its target."""
    publisher: bool = False
    """A document starts at the mean trust of its publisher's documents."""
    half_life: float | None = None
    """Days of distance between two documents after which a relation weighs half; ``None``: no decay."""


class Voice(Record):
    """One link as it bore on a document, with its share in the score (below 0: it lowered it)."""

    source: str
    """Document that speaks."""
    source_claim: str
    target_claim: str
    weight: float
    trust: float
    """Of the document that speaks."""
    effect: float
