"""Weighing what was read for a claim as a check does: trust of its documents, then the policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from agent.assessment.document_relations import RelationTrust
from agent.attribution.types import Outcome, Weighed
from agent.types import AtomicClaim, ScoredSpan
from factdesk.check.assemble import record_of
from factdesk.kernel import Failure
from report.policy.evidence_sides import Case, admissible, build_case, superseded, trusted
from report.policy.rules import decide
from report.types import ClaimRecord, Decision
from trust.types import TrustReport
from verifier.types import Thresholds

_SAYS_LITTLE = frozenset({"not_enough", "no_evidence"})


@dataclass(frozen=True)
class Weighing:
    """One claim as the policy decided it, with what its documents' trust rests on."""

    record: ClaimRecord
    decision: Decision
    failures: tuple[Failure, ...]
    trust: TrustReport | None


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
    done: list[Weighing] = field(default_factory=list)
    """All that was weighed, in order."""

    def weigh(self, claim: AtomicClaim, scored: Sequence[ScoredSpan]) -> Weighed:
        """Each claim by itself: its label does not depend on what else a text says."""
        report, failures = None, self.failures
        if self.trust is not None and scored:
            left = max(0, self.budget - sum(s.assessment.passes for s in scored))
            outcome = self.trust().update(claim, scored, budget=left)
            report = outcome.report
            failures = (*failures, *((outcome.failure,) if outcome.failure else ()))
        record = record_of(claim, scored, report, trust_enabled=self.trust is not None, sources=self.sources)
        decision = decide(record, self.thresholds, failures)
        self.done.append(Weighing(record, decision, failures, report))
        return _weighed(decision, build_case(record, self.thresholds, failures))


def _weighed(decision: Decision, case: Case) -> Weighed:
    admitted = [s for s in case.record.spans if admissible(s, case.record)]
    barred = superseded(admitted, case.thresholds) | case.contested
    sound = frozenset(
        s.span.span_id
        for s in admitted
        if trusted(s, case.thresholds) and s.span.span_id not in barred and not case.failures
    )
    telling = decision.rule not in _SAYS_LITTLE or not sound.issuperset(decision.span_ids)
    return Weighed(
        outcome=_outcome(decision),
        reason=decision.reason if telling else "",
        span_ids=decision.span_ids,
        admitted=frozenset(s.span.span_id for s in admitted),
        sound=sound,
        opposed=bool(case.contradict or case.later_against),
        outspoken=case.outspoken,
        leaning=bool(case.support or case.lean or case.untrusted_for),
    )


def _outcome(decision: Decision) -> Outcome:
    if decision.state == "VERIFIED":
        return "verified"
    if decision.state == "BLOCKED":
        return "refuted"
    return "conflicting" if decision.conflicting else "open"
