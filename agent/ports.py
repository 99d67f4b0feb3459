"""The agent's ports: what the graphs need from the outside, as protocols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from agent.types import Answer, AtomicClaim, ClaimIR, ImageContext, Proposal, QAPair, Question, VeracityMethod
from evidence.types import Hit
from factdesk.kernel import Failure, Fingerprint, Record
from trust.types import TrustReport

Plan = Literal["chain", "tree", "subq", "checks"]
"""Which questions: the next of a chain, a round of a tree, sub-questions, or checks of a draft."""


class Elimination(Record):
    """Which pair of a round is kept, and the reason for each pair, in the given order."""

    kept: int | None
    """Index of the kept pair; ``None`` if no branch has an answer."""
    reasons: tuple[str, ...]


class Reasoner(Protocol):
    """Asks, answers and proposes. It never decides what is shown as verified."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def questions(
        self,
        plan: Plan,
        claim: AtomicClaim,
        pairs: Sequence[QAPair],
        image: ImageContext | None,
        limit: int,
        draft: Proposal | None = None,
    ) -> tuple[Question, ...]:
        """At most ``limit`` questions that come next, after all ``pairs``; none of these is repeated.

        ``draft``: the proposal that the checks doubt.
        """
        ...

    def route(self, question: Question, claim: AtomicClaim, image: ImageContext | None) -> Question:
        """The question with its route set: image, text or graph."""
        ...

    def search_text(self, question: Question, claim: AtomicClaim) -> str:
        """The query for the corpus."""
        ...

    def answer(self, question: Question, claim: AtomicClaim, hits: Sequence[Hit]) -> Answer:
        """An answer from the evidence sentences alone."""
        ...

    def follow_up_check(self, claim: AtomicClaim, pairs: Sequence[QAPair], settled: bool) -> bool:
        """Whether the pairs so far are enough; ``settled``: the scores already decide it."""
        ...

    def eliminate(self, claim: AtomicClaim, kept: Sequence[QAPair], round_: Sequence[QAPair]) -> Elimination:
        """The best pair of a round by relevance, detail, additional information and answer confidence.

        ``kept`` are the pairs of earlier rounds; the order of ``round_`` does not matter.
        """
        ...

    def propose(self, claims: ClaimIR, pairs: Sequence[QAPair], method: VeracityMethod = "standard") -> Proposal:
        """A proposal over the kept ``pairs``; for ``cove``, the draft that ``correct`` corrects."""
        ...

    def correct(self, claims: ClaimIR, pairs: Sequence[QAPair], draft: Proposal, checks: Sequence[QAPair]) -> Proposal:
        """The draft, corrected by the answers to its verification questions."""
        ...


class TrustOutcome(Record):
    """Trust of the documents seen so far, and what it cost."""

    report: TrustReport | None
    passes: int
    failure: Failure | None = None


@dataclass(frozen=True)
class Bounds:
    """Dates (inclusive), sites and number of hits; see ``evidence.types.Query``."""

    published_from: date | None = None
    published_to: date | None = None
    only_domains: tuple[str, ...] = ()
    block_domains: tuple[str, ...] = ()
    rated_domains: tuple[str, ...] = ()
    """Sites that the desk has rated: they keep places in the question for the other side."""
    hits: int = 10
    """Spans retrieved per question."""
    wider: bool = False
    """A chain looks once more, with twice as many, into a claim that its questions left open."""
