"""State and context of the graphs. Every key with several writers has a reducer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Annotated, TypedDict, TypeVar

from langgraph.graph import StateGraph

from agent.assessment.document_relations import RelationTrust
from agent.ports import Bounds, Reasoner
from agent.tools.image import ImageReader
from agent.types import (
    AtomicClaim,
    BranchResult,
    ClaimIR,
    ImageContext,
    JointSpans,
    Proposal,
    QAPair,
    Question,
    ScoredSpan,
    TrustMemory,
    VeracityMethod,
)
from evidence.types import Retriever
from factdesk.kernel import Caps, Failure
from trust.types import TrustReport
from verifier.types import Thresholds, Verifier

Stands = Callable[[AtomicClaim, Sequence[ScoredSpan], TrustReport | None, Sequence[Failure]], bool]
"""Maps a claim, its scored spans, their trust and the failures to whether it would be Verified."""


@dataclass(frozen=True)
class Deps:
    """Everything a node may use: the runtime's context."""

    compile_claims: Callable[[str], ClaimIR]
    retriever: Retriever
    verifier: Verifier
    reasoner: Reasoner
    images: ImageReader
    trust: RelationTrust | None
    thresholds: Thresholds
    caps: Caps
    clock: Callable[[], float]
    """Seconds since the check began."""
    bounds: Bounds = field(default_factory=Bounds)
    veracity: VeracityMethod = "standard"
    stands: Stands | None = None
    """The policy's test, for a graph that stops at the first verified statement; ``None``: by scores."""


def gather(known: tuple[BranchResult, ...], new: tuple[BranchResult, ...]) -> tuple[BranchResult, ...]:
    """Reducer of parallel branches: appends in the order sent; the empty tuple clears."""
    return (*known, *new) if new else ()


Item = TypeVar("Item")


def extend(known: tuple[Item, ...], new: tuple[Item, ...]) -> tuple[Item, ...]:
    """Reducer: appends. Takes lists too, since checkpoints return tuples as lists."""
    return (*known, *new)


class InvestigationState(TypedDict, total=False):
    """State of a Chain-of-RAG run over all atomic claims of one input."""

    text: str
    claim_ir: ClaimIR
    image_context: ImageContext | None
    cursor: int
    """Index of the claim that is being investigated."""
    enough: bool
    round: tuple[Question, ...]
    """Questions answered in parallel: one of a chain, a round of the tree, sub-questions, or checks of a draft."""
    branches: Annotated[tuple[BranchResult, ...], gather]
    failed: tuple[int, ...] | None
    """Places in ``claim_ir`` of draft statements that the first round left open."""
    drafts: tuple[QAPair, ...]
    """Pairs of the round, before elimination."""
    qa_pairs: Annotated[tuple[QAPair, ...], extend]
    scored: Annotated[tuple[ScoredSpan, ...], extend]
    joints: Annotated[tuple[JointSpans, ...], extend]
    trust: TrustReport | None
    trust_memory: TrustMemory | None
    """What the trust tool knew after its last call."""
    seconds: float
    """Time used when the last question was asked; a resumed run counts on from here."""
    passes: Annotated[int, add]
    """Forward passes of the verifier so far."""
    proposal: Proposal | None
    failures: Annotated[tuple[Failure, ...], extend]
    trimmed: Annotated[tuple[str, ...], extend]


InvestigationGraph = StateGraph[InvestigationState, Deps, InvestigationState, InvestigationState]
"""A graph over that state, uncompiled."""


class BranchState(TypedDict):
    """What is sent to a branch."""

    claim: AtomicClaim
    question: Question
    share: float
    """Of the hits that a question has: 0.5, 1 or 2."""


class Update(InvestigationState, total=False):
    """What a node returns: the keys it changes."""
