"""The agent's ports: what the graphs need from the outside, as protocols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agent.types import (
    Answer,
    AtomicClaim,
    ClaimIR,
    ImageContext,
    Proposal,
    QAPair,
    Question,
    ScoredSpan,
    TrustMemory,
    VeracityMethod,
)
from evidence.types import Hit, Span
from factdesk.kernel import Failure, Fingerprint, Record
from trust.types import TrustEdge, TrustReport


class FollowUp(Record):
    """Outcome of the follow-up check: whether the evidence is enough, and why."""

    enough: bool
    reason: str


class Elimination(Record):
    """Which of a round's pairs is kept, and for each pair, in the given order, why it was or was not."""

    kept: int | None
    """Index of the kept pair; ``None`` when no branch found an answer."""
    reasons: tuple[str, ...]


class Reasoner(Protocol):
    """Asks, answers and proposes. It never decides what is shown as verified."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def first_question(self, claim: AtomicClaim, image: ImageContext | None) -> Question:
        """The question the chain starts with."""
        ...

    def route(self, question: Question, claim: AtomicClaim, image: ImageContext | None) -> Question:
        """The same question with its route set: is it about the image or about the text?"""
        ...

    def search_text(self, question: Question, claim: AtomicClaim) -> str:
        """What to look for in the corpus."""
        ...

    def answer(self, question: Question, claim: AtomicClaim, hits: Sequence[Hit]) -> Answer:
        """An answer from evidence sentences alone."""
        ...

    def follow_up_check(self, claim: AtomicClaim, pairs: Sequence[QAPair], settled: bool) -> FollowUp:
        """Whether the pairs so far are enough; ``settled``: the scores already decide it."""
        ...

    def follow_up(
        self, claim: AtomicClaim, pairs: Sequence[QAPair], image: ImageContext | None
    ) -> Question | None:
        """The next question, knowing all earlier pairs; ``None`` when there is nothing left to ask."""
        ...

    def sub_questions(
        self, claim: AtomicClaim, image: ImageContext | None, limit: int
    ) -> tuple[Question, ...]:
        """All questions of the SubQ baseline at once, ``limit`` at most: the claim and its slots."""
        ...

    def root_questions(
        self, claim: AtomicClaim, image: ImageContext | None, limit: int
    ) -> tuple[Question, ...]:
        """The questions a tree starts with, ``limit`` at most, one a branch."""
        ...

    def branch_questions(
        self, claim: AtomicClaim, pairs: Sequence[QAPair], image: ImageContext | None, limit: int
    ) -> tuple[Question, ...]:
        """The next round of a tree, from the kept pairs; none of ``pairs``, kept or not, is asked again."""
        ...

    def eliminate(self, claim: AtomicClaim, kept: Sequence[QAPair], round_: Sequence[QAPair]) -> Elimination:
        """The best pair of a round by relevance, detail, additional information and answer confidence.

        ``kept`` are the pairs of earlier rounds. The order of ``round_`` plays no part.
        """
        ...

    def propose(
        self, claims: ClaimIR, pairs: Sequence[QAPair], method: VeracityMethod = "standard"
    ) -> Proposal:
        """The reasoner's own view of the whole, as a proposal; of ``pairs``, those that were kept.

        For ``cove`` this is the draft that ``correct`` corrects.
        """
        ...

    def verification_questions(
        self, claim: AtomicClaim, pairs: Sequence[QAPair], draft: Proposal, limit: int
    ) -> tuple[Question, ...]:
        """Questions whose answers could show the draft to be wrong about this claim."""
        ...

    def correct(
        self, claims: ClaimIR, pairs: Sequence[QAPair], draft: Proposal, checks: Sequence[QAPair]
    ) -> Proposal:
        """The draft, corrected by the answers to its verification questions."""
        ...


class TrustOutcome(Record):
    """Trust of the documents seen so far, the relations it rests on, and what it cost."""

    report: TrustReport | None
    edges: tuple[TrustEdge, ...]
    passes: int
    failure: Failure | None = None


class TrustTool(Protocol):
    """Works out how much the documents of a check deserve belief."""

    def update(self, claim: AtomicClaim, scored: Sequence[ScoredSpan], *, budget: int) -> TrustOutcome:
        """Relate the claim's documents and rank all documents seen so far.

        At most ``budget`` forward passes of the verifier; equal calls give equal outcomes.
        """
        ...

    def memory(self) -> TrustMemory:
        """All it knows of this check: kept in the state, so that a stopped run can go on."""
        ...

    def recall(self, memory: TrustMemory) -> None:
        """Take up what ``memory`` gave, in the place of what it knows."""
        ...


class ImageTool(Protocol):
    """Looks into the submitted images."""

    def spans(self) -> tuple[Span, ...]:
        """All spans that were read from the images."""
        ...

    def context(self) -> ImageContext | None:
        """The image context, or ``None`` without an image."""
        ...
