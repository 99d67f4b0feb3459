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

    def of(self, doc_id: str) -> DocumentTrust | None:
        """The entry of a document, or ``None``."""
        return next((d for d in self.documents if d.doc_id == doc_id), None)
