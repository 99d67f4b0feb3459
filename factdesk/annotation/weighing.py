"""Weighing what was read for a claim as a check does: trust of its documents, then the policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.assessment.document_relations import RelationTrust
from agent.types import AtomicClaim, ScoredSpan
from factdesk.check.assemble import record_of
from factdesk.kernel import Failure
from report.policy.evidence_sides import Case, admissible, superseded, trusted
from report.policy.rules import decide
from report.types import Decision, SpanRecord
from trust.types import TrustReport
from verifier.types import Thresholds

_SAYS_LITTLE = frozenset({"not_enough", "no_evidence"})


@dataclass(frozen=True)
class Weighing:
    """One claim as the policy decided it, with what its documents' trust rests on."""

    case: Case
    decision: Decision
    failures: tuple[Failure, ...]
    trust: TrustReport | None

    @cached_property
    def admitted(self) -> dict[str, SpanRecord]:
        """Sentences that their pages state as a fact, by id."""
        return {s.span.span_id: s for s in self.case.record.spans if admissible(s, self.case.record)}

    @cached_property
    def sound(self) -> frozenset[str]:
        """Ids of admitted sentences that are trusted, not overruled and not superseded."""
        thresholds = self.case.thresholds
        barred = superseded(list(self.admitted.values()), thresholds) | self.case.contested
        found = frozenset(i for i, s in self.admitted.items() if trusted(s, thresholds) and i not in barred)
        return found if not self.case.failures else frozenset()

    @property
    def opposed(self) -> bool:
        """The evidence against the claim prevents Verified."""
        return bool(self.case.contradict or self.case.later_against)

    @property
    def leaning(self) -> bool:
        """A sentence, trusted or not, leans towards the claim and prevents a refutation."""
        return bool(self.case.support or self.case.lean or self.case.untrusted_for)

    @property
    def reason(self) -> str:
        """The policy's reason; ``""`` where the evidence is too weak."""
        little = self.decision.rule in _SAYS_LITTLE and self.sound.issuperset(self.decision.span_ids)
        return "" if little else self.decision.reason


@dataclass(frozen=True)
class Scales:
    """What claims are weighed with. ``trust`` makes the tool for one claim; ``None``: trust is off."""

    thresholds: Thresholds
    budget: int
    """Forward passes of the verifier that one claim may take."""
    trust: Callable[[], RelationTrust] | None
    sources: tuple[str, ...]
    """Sites that are rated."""
    failures: tuple[Failure, ...] = ()
    """Of the evidence; they count for every claim."""

    def weigh(self, claim: AtomicClaim, scored: Sequence[ScoredSpan]) -> Weighing:
        """Each claim by itself: its label does not depend on what else a text says."""
        report, failures = None, self.failures
        if self.trust is not None and scored:
            left = max(0, self.budget - sum(s.assessment.passes for s in scored))
            outcome = self.trust().update(claim, scored, budget=left)
            report = outcome.report
            failures = (*failures, *((outcome.failure,) if outcome.failure else ()))
        record = record_of(claim, scored, report, trust_enabled=self.trust is not None, sources=self.sources)
        case = Case(record, self.thresholds, failures)
        return Weighing(case, decide(record, self.thresholds, failures), failures, report)
