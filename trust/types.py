"""What other rooms may know of trust: edges, scores and explanations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from factdesk.kernel import ConfigError, Record

ALPHA = 0.85
"""Damping of ClaimRank, as published."""
SAME_MATTER = 0.60
"""Least cosine of two claims on the same matter (``coverage``)."""
VERBATIM = 0.95
"""Least cosine of two claims in the same words: a copy (``independence``)."""
VARIANTS = ("independence", "coverage", "confidence", "restart", "strongest", "publisher", "decay")
HALF_LIFE = 14.0
"""Days, for the variant ``decay``."""


class TrustEdge(Record):
    """A relation between two documents, summed over their spans; ``weight`` is -1 to 1.

    Positive supports, negative refutes.
    """

    source: str
    target: str
    weight: float
    source_span: str = ""
    target_span: str = ""
    corrects: bool = False
    """A publisher's later word replaces the target's; it is not refuted in turn."""
    known: bool = Field(default=False, exclude_if=lambda value: not value)
    """Looked at because the ranking of the whole corpus has a relation there."""


class TrustSentence(Record):
    """A sentence that an edge rests on, as the verifier read it, for a re-run."""

    span_id: str
    doc_id: str
    text: str
    context: str = ""
    published: str = ""
    """ISO day, or ``""``."""


class DocumentTrust(Record):
    """Trust of one document: ClaimRank's score, 0 to 1 (0.5: unknown), with its reasons."""

    doc_id: str
    score: float
    rank: int
    """1 is the most trusted."""
    seed: bool = False
    supporting: tuple[TrustEdge, ...] = ()
    """At most three strongest edges that raised the score."""
    refuting: tuple[TrustEdge, ...] = ()
    cluster: str = ""
    """Independence cluster: the doc_id of its earliest member."""
    explanation: str = ""
    sentences: int = 1
    """Number of its sentences."""
    stranger: bool = False
    """Isolated: no other document of a large corpus reports anything else it says."""
    alone: float | None = Field(default=None, exclude_if=lambda value: value is None)
    """The score without relations that were ``known``, where there are any."""

    @property
    def changed(self) -> bool:
        """Whether what is known of the whole corpus changed the score as it is shown."""
        return self.alone is not None and round(self.alone, 2) != round(self.score, 2)


class Dispute(Record):
    """A refuting sentence of another document, and its trust on that matter."""

    doc_id: str
    span_id: str
    trust: float


class Matter(Record):
    """Trust of a disputed sentence (``trust/matters.py``)."""

    span_id: str
    score: float
    """0 to 1, at most its document's."""
    disputes: tuple[Dispute, ...]


class TrustReport(Record):
    """Trust of all documents retrieved for a check, with the record of convergence."""

    documents: tuple[DocumentTrust, ...]
    alpha: float
    iterations: int
    converged: bool
    edges: tuple[TrustEdge, ...] = ()
    """All relations that the scores rest on, without those inside a cluster."""
    sentences: tuple[TrustSentence, ...] = ()
    """Sentences at the ends of ``edges``, by span id."""
    matters: tuple[Matter, ...] = ()
    """Disputed sentences by span id."""

    def of(self, doc_id: str) -> DocumentTrust | None:
        """The entry of a document, or ``None``."""
        return next((d for d in self.documents if d.doc_id == doc_id), None)

    def matter(self, span_id: str) -> Matter | None:
        """The trust of a disputed sentence, or ``None``."""
        return next((m for m in self.matters if m.span_id == span_id), None)

    def at(self, doc_id: str, span_id: str) -> float | None:
        """Trust of a sentence: its document's, or less where it is disputed."""
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
    """A claim of a document, at ``document.text[start:end]``."""

    claim_id: str
    doc_id: str
    text: str
    start: int = 0
    end: int = 0


class ClaimLink(Record):
    """A relation between two claims by the verifier; ``weight`` is -1 to 1.

    Above 0 supports, below 0 refutes.
    """

    source: str
    target: str
    weight: float
    similarity: float = 1.0
    """Cosine of the claims' vectors."""
    denied: bool = False
    """One of the two denies the other by its words; no report of the same matter."""


class RankOptions(Record):
    """Variants of ClaimRank, each off by default: the published equation."""

    independence: bool = False
    """Copies are one source, and none for each other."""
    coverage: bool = False
    """P and N are means over a document's claims; unreported claims count as not supported.

    Claims on the same matter (``SAME_MATTER``) support unless they refute or deny.
    """
    confidence: bool = False
    """A relation weighs its probability instead of 1."""
    restart: bool = False
    """A random walk from the trusted seeds sets the starting values."""
    strongest: bool = False
    """The strongest relation of each side counts, not the mean."""
    publisher: bool = False
    """A document starts at the mean of its publisher's documents."""
    half_life: float | None = None
    """Days between two documents that halve a relation's weight; ``None``: no decay."""
    alpha: Annotated[float, Field(ge=0.0, lt=1.0)] = ALPHA
    """Damping of ClaimRank: how much the relations count against the starting value."""


def options_of(variants: Sequence[str], alpha: float = ALPHA) -> RankOptions:
    """Options from the names of variants and ``alpha``. Raises ``ConfigError`` for an unknown one."""
    unknown = [v for v in variants if v not in VARIANTS]
    if unknown:
        raise ConfigError(f"variant {unknown[0]!r} is unknown; known: {', '.join(VARIANTS)}")
    flags = {name: True for name in variants if name != "decay"}
    return RankOptions(**flags, half_life=HALF_LIFE if "decay" in variants else None, alpha=alpha)


class Voice(Record):
    """One link with its contribution to a document's score."""

    source: str
    """The document it comes from."""
    source_claim: str
    target_claim: str
    weight: float
    trust: float
    """Trust of that document."""
    effect: float
