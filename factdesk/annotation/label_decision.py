"""From weighed sentences to a label: both sides count, and only trusted sentences decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.assessment.attribution_scores import AttributionLabel
from agent.attribution.triplet_reading import TripletSet
from agent.attribution.types import Basis, LabelReading
from agent.types import ScoredSpan
from evidence.graph.types import Edge
from evidence.types import Span
from factdesk.annotation.weighing import Weighing
from verifier import pair_decision
from verifier.types import Assessment, Thresholds


@dataclass(frozen=True)
class Judged:
    """A sentence with its assessment."""

    scored: ScoredSpan
    instance: Assessment | None
    """Its assessment against the instance that refutes a universal claim."""
    altered: str = ""
    """The sentence's value where the claim differs from it in one detail."""
    verbatim: bool = False
    """The claim is this sentence word for word."""

    @property
    def span(self) -> Span:
        return self.scored.hit.span

    @property
    def assessment(self) -> Assessment:
        return self.scored.assessment

    @property
    def strength(self) -> float:
        """How clearly it stands against the claim."""
        instance = self.instance.calibrated.entailment if self.instance else 0.0
        return max(pair_decision.against(self.assessment), instance)

    def holds_instance(self, thresholds: Thresholds) -> bool:
        """Whether it entails the refuting instance without supporting the claim."""
        if self.instance is None or self.verbatim or pair_decision.supports(self.assessment, thresholds):
            return False
        return pair_decision.supports(self.instance, thresholds)


@dataclass(frozen=True)
class Labelled:
    """A label with its sentences, surest first."""

    label: AttributionLabel = "extrapolatory"
    decisive: tuple[Judged, ...] = ()
    conflicting: bool = False
    basis: Basis = "none"
    reading: LabelReading | None = None
    edges: tuple[Edge, ...] = ()
    """Triplets that decide together, where no sentence did alone."""
    lacking: tuple[str, ...] = ()
    """Entities of the claim that the supporting sentence does not name."""


def label_of(judged: Sequence[Judged], weighed: Weighing, thresholds: Thresholds, instance: str) -> Labelled:
    """The label of a claim; ``instance``: the statement that refutes it, of a universal one.

    The policy's decision stands; where it is open, a verbatim sentence, a refuting instance or one
    altered detail decides, unless evidence stands on both sides.
    """
    decision = weighed.decision
    named = [j for i in decision.span_ids for j in judged if j.span.span_id == i]
    exact = [j for j in judged if j.verbatim and j.span.span_id in weighed.admitted]
    sound = [j for j in judged if j.span.span_id in weighed.sound]
    said = [j for j in sound if j.verbatim]
    instances = [j for j in sound if j.holds_instance(thresholds)]
    if decision.state == "VERIFIED":
        if instances:
            return _conflict(*named, *instances)
        return Labelled("attributable", _supporting(named, sound, thresholds), basis="policy")
    if decision.state == "BLOCKED":
        return _conflict(*exact, *named) if exact else _contradictory(named, "policy")
    if decision.conflicting:
        return _conflict(*named)
    if said and (weighed.opposed or instances):
        return _conflict(*said, *instances)
    if said:
        return Labelled() if weighed.case.outspoken else Labelled("attributable", tuple(said), basis="verbatim")
    against = instances or [j for j in sound if j.altered]
    if against and not weighed.leaning and not exact:
        found = _contradictory(against, "instance" if instances else "altered")
        return replace(found, reading=_instance_read(found.decisive[0], instance)) if instances else found
    return Labelled()


def by_triplets(
    read: Sequence[TripletSet], judged: Sequence[Judged], weighed: Weighing, thresholds: Thresholds
) -> Labelled | None:
    """The label that triplets give together; ``None`` where they settle nothing."""
    deciding = [r for r in read if r.decides(thresholds)]
    support = next((r for r in deciding if not r.instance), None)
    against = next((r for r in deciding if r.instance), None)
    exact = any(j.verbatim and j.span.span_id in weighed.admitted for j in judged)
    if support is not None and (against is not None or weighed.opposed):
        return _conflict(*_sentences(support, judged))
    if support is not None:
        return None if weighed.case.outspoken else _together("attributable", support, judged)
    if against is not None and not weighed.leaning and not exact:
        return _together("contradictory", against, judged)
    return None


def _conflict(*sides: Judged) -> Labelled:
    return Labelled(decisive=sides, conflicting=True)


def _contradictory(against: Sequence[Judged], basis: Basis) -> Labelled:
    return Labelled("contradictory", tuple(sorted(against, key=lambda j: -j.strength)), basis=basis)


def _instance_read(surest: Judged, instance: str) -> LabelReading | None:
    if surest.instance is None:
        return None
    score = surest.instance.calibrated.entailment
    return LabelReading(statement=instance, span_ids=(surest.span.span_id,), joint=False, score=score)


def _together(label: AttributionLabel, found: TripletSet, judged: Sequence[Judged]) -> Labelled:
    score = found.assessment.calibrated.entailment
    reading = LabelReading(statement=found.statement, span_ids=found.span_ids, joint=True, score=score)
    return Labelled(label, _sentences(found, judged), basis="triplets", reading=reading, edges=found.edges)


def _sentences(found: TripletSet, judged: Sequence[Judged]) -> tuple[Judged, ...]:
    return tuple(j for j in judged if j.span.span_id in found.span_ids)


def _supporting(named: Sequence[Judged], sound: Sequence[Judged], thresholds: Thresholds) -> tuple[Judged, ...]:
    """Supporting sentences, verbatim ones first."""
    others = [j for j in sound if pair_decision.supports(j.assessment, thresholds)]
    distinct = {j.span.span_id: j for j in (*named, *others)}
    return tuple(sorted(distinct.values(), key=lambda j: (not j.verbatim, -j.assessment.calibrated.entailment)))
