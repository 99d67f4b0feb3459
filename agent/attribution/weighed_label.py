"""From weighed sentences to a label: both sides count, and only trusted sentences decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.assessment.attribution_scores import AttributionLabel
from agent.attribution.triplet_reading import TripletSet
from agent.attribution.types import Basis, LabelReading, Weighed
from agent.types import ScoredSpan
from evidence.graph.types import Edge
from evidence.types import Span
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


def label_of(judged: Sequence[Judged], weighed: Weighed, thresholds: Thresholds) -> Labelled:
    """The label of a claim.

    The policy's decision stands; where it is open, a verbatim sentence, a refuting instance or one
    altered detail decides, unless evidence stands on both sides.
    """
    named = [j for i in weighed.span_ids for j in judged if j.span.span_id == i]
    exact = [j for j in judged if j.verbatim and j.span.span_id in weighed.admitted]
    sound = [j for j in judged if j.span.span_id in weighed.sound]
    instances = [j for j in sound if _holds_instance(j, thresholds)]
    if weighed.outcome == "conflicting":
        return Labelled(decisive=tuple(named), conflicting=True)
    if weighed.outcome == "verified":
        if instances:
            return Labelled(decisive=(*named, *instances), conflicting=True)
        return Labelled("attributable", _supporting(named, sound, thresholds), basis="policy")
    if weighed.outcome == "refuted":
        if exact:
            return Labelled(decisive=(*exact, *named), conflicting=True)
        return Labelled("contradictory", tuple(sorted(named, key=lambda j: -_strength(j))), basis="policy")
    said = [j for j in sound if j.verbatim]
    if said and (weighed.opposed or instances):
        return Labelled(decisive=(*said, *instances), conflicting=True)
    if said:
        return Labelled() if weighed.outspoken else Labelled("attributable", tuple(said), basis="verbatim")
    against = instances or [j for j in sound if j.altered]
    if against and not weighed.leaning and not exact:
        surest = tuple(sorted(against, key=lambda j: -_strength(j)))
        return Labelled("contradictory", surest, basis="instance" if instances else "altered")
    return Labelled()


def by_triplets(
    read: Sequence[TripletSet], judged: Sequence[Judged], weighed: Weighed, thresholds: Thresholds
) -> Labelled | None:
    """The label that triplets give together; ``None`` where they settle nothing."""
    deciding = [r for r in read if r.decides(thresholds)]
    support = next((r for r in deciding if not r.instance), None)
    against = next((r for r in deciding if r.instance), None)
    exact = [j for j in judged if j.verbatim and j.span.span_id in weighed.admitted]
    if support is not None and (against is not None or weighed.opposed):
        return Labelled(decisive=_sentences(support, judged), conflicting=True)
    if support is not None:
        return None if weighed.outspoken else _together("attributable", support, judged)
    if against is not None and not weighed.leaning and not exact:
        return _together("contradictory", against, judged)
    return None


def _together(label: AttributionLabel, found: TripletSet, judged: Sequence[Judged]) -> Labelled:
    reading = LabelReading(
        statement=found.statement,
        span_ids=tuple(dict.fromkeys(e.triple.span_id for e in found.edges)),
        joint=True,
        score=found.assessment.calibrated.entailment,
    )
    sentences = _sentences(found, judged)
    return Labelled(label, sentences, basis="triplets", reading=reading, edges=found.edges)


def _sentences(found: TripletSet, judged: Sequence[Judged]) -> tuple[Judged, ...]:
    ids = {e.triple.span_id for e in found.edges}
    return tuple(j for j in judged if j.span.span_id in ids)


def _supporting(named: Sequence[Judged], sound: Sequence[Judged], thresholds: Thresholds) -> tuple[Judged, ...]:
    """Supporting sentences, verbatim ones first."""
    others = [j for j in sound if pair_decision.supports(j.assessment, thresholds)]
    distinct = {j.span.span_id: j for j in (*named, *others)}
    return tuple(sorted(distinct.values(), key=lambda j: (not j.verbatim, -j.assessment.calibrated.entailment)))


def _holds_instance(judged: Judged, thresholds: Thresholds) -> bool:
    """Whether it entails the refuting instance without supporting the claim."""
    if judged.instance is None or judged.verbatim:
        return False
    return pair_decision.supports(judged.instance, thresholds) and not pair_decision.supports(
        judged.assessment, thresholds
    )


def _strength(judged: Judged) -> float:
    return max(
        pair_decision.against(judged.assessment), judged.instance.calibrated.entailment if judged.instance else 0.0
    )
