"""What a re-run needs of other rooms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.types import AtomicClaim, Fit, Grounding
from evidence.types import Span
from factdesk.kernel import Fingerprint
from trust.types import TrustEdge, TrustReport
from verifier.types import Assessment, Label, PairText, Thresholds, Verifier

Scored = tuple[str, Assessment]
Said = tuple[Label, float]


class Ground(Protocol):
    """See ``agent.assessment.grounding.ground``."""

    def __call__(
        self,
        claim: AtomicClaim,
        answer: str,
        cited: Sequence[Span],
        verifier: Verifier,
        thresholds: Thresholds,
    ) -> Grounding: ...


@dataclass(frozen=True)
class Readings:
    """What sentences say of a claim, of its two statements with a name in it, and of an answer."""

    strongest: Callable[[Sequence[Scored]], tuple[Label, float, str | None]]
    statement: Callable[[AtomicClaim, str], AtomicClaim]
    holds: Callable[[Sequence[Scored]], bool]
    both: Callable[[Sequence[Scored], Sequence[Scored]], tuple[Label, float, str | None] | None]
    ground: Ground


class JointPair(Protocol):
    """See ``verifier.joint_evidence.joint_pair``."""

    def __call__(self, claim: str, *, premises: Sequence[str], contexts: Sequence[str]) -> PairText: ...


@dataclass(frozen=True)
class Tools:
    """What a re-run needs of other rooms."""

    verifier: Verifier
    rules: tuple[Fingerprint, ...]
    """Of the rules on this side that a re-run needs to be the same."""
    pair_of: Callable[[AtomicClaim, Span], PairText]
    joint_pair: JointPair
    relations: Relations
    fit: Callable[[str, str, str], Fit]
    """See ``agent.assessment.answer_type.fit``."""
    readings: Readings


class AssessTrust(Protocol):
    """See ``trust.document_trust.assess_trust``."""

    def __call__(
        self,
        doc_ids: Sequence[str],
        edges: Sequence[TrustEdge],
        *,
        clusters: Mapping[str, str] | None = None,
        seeds: Collection[str] = (),
        alpha: float = ...,
        strangers: Collection[str] = (),
        sentences: Mapping[str, int] | None = None,
    ) -> TrustReport: ...


@dataclass(frozen=True)
class Relations:
    """How the relations of documents are weighed and ranked here."""

    weight: Callable[[Assessment], float]
    assess: AssessTrust
    alpha: float
