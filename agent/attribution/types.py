"""What other rooms may know of an annotation: claim spans with their label, triplets and scores."""

from __future__ import annotations

from typing import Literal

from agent.assessment.attribution_scores import AttributionLabel, Weights
from evidence.graph.types import NodeKind
from factdesk.kernel import Fingerprint, Record

ANNOTATION_SCHEMA = "factdesk.annotation/1"


class LinkedEntity(Record):
    """An entity of the graph that a claim names."""

    entity_id: str
    name: str
    kind: NodeKind
    description: str = ""


class NamedTriplet(Record):
    """A triplet by its names alone."""

    subject: str
    relation: str
    object: str


class Triplet(NamedTriplet):
    """A triple as evidence, with its sentence: ``document.text[start:end] == sentence``."""

    negated: bool = False
    said_by: str | None = None
    sentence: str
    doc_id: str
    span_id: str
    start: int
    end: int
    title: str = ""
    published: str = ""
    """ISO day, or ``""``."""
    deciding: bool = False
    """It decides, alone or with others; of a deciding sentence's, the nearest to the claim."""


class Proposed(Record):
    """What a language model says of a claim; it sets no label."""

    label: AttributionLabel
    triplets: tuple[NamedTriplet, ...] = ()
    """Those it names that it was given."""
    unknown: tuple[NamedTriplet, ...] = ()
    """Those it names that it was not given."""
    rationale: str = ""
    tms: float = 0.0
    """Match score of its triplets."""
    cs: int = 0


Basis = Literal["policy", "verbatim", "instance", "altered", "triplets", "none"]


class LabelReading(Record):
    """A statement that the verifier read for a label beside the claim itself, and from which sentences."""

    statement: str
    span_ids: tuple[str, ...]
    joint: bool
    """The sentences were one premise, without their surroundings."""
    score: float
    """Calibrated probability of entailment."""


class ClaimSpan(Record):
    """One claim of the text: ``input[start:end] == text``."""

    start: int
    end: int
    text: str
    claim: str
    """As a sentence of its own, with pronouns resolved."""
    label: AttributionLabel
    conflicting: bool = False
    """There is evidence on both sides; the label is then ``extrapolatory``."""
    basis: Basis = "none"
    """What a label other than ``extrapolatory`` rests on: the policy's decision, a sentence with the claim's
    own words, an instance that refutes it, one altered detail, or triplets read together."""
    reading: LabelReading | None = None
    """Of the bases ``instance`` and ``triplets``."""
    triplets: tuple[Triplet, ...] = ()
    entities: tuple[LinkedEntity, ...] = ()
    ss: float = 0.0
    """Semantic similarity of claim and triplets: cosine, 0 to 1."""
    epr: float = 0.0
    """Share of the claim's entities that the triplets contain, 0 to 1."""
    tms: float = 0.0
    """Triplets match score, ``alpha SS + beta EPR``, 0 to 1."""
    cs: int = 0
    """Claim score: 2 attributable, 1 extrapolatory with triplets, 0 without any, -1 contradictory."""
    rationale: str = ""
    proposed: Proposed | None = None


class Annotation(Record):
    """An annotated text."""

    schema_version: str = ANNOTATION_SCHEMA
    text: str
    spans: tuple[ClaimSpan, ...]
    kas_mean: float
    """KG attribution score over the mean of the claims, 0 to 1."""
    kas_sum: float
    """The same over their sum (Eq. 5)."""
    weights: Weights = Weights()
    proposed_kas: float | None = None
    """The score by a language model's labels and triplets; ``None`` where none was asked."""
    note: str = ""
    """Why a language model that was asked proposed nothing."""
    fingerprints: tuple[Fingerprint, ...] = ()
