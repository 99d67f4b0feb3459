"""What other rooms may know of an annotation: claim spans with their label, triplets and scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from agent.types import AtomicClaim, ScoredSpan
from evidence.graph.types import NodeKind
from factdesk.kernel import Fingerprint, Record

ANNOTATION_SCHEMA = "factdesk.annotation/1"
AttributionLabel = Literal["attributable", "extrapolatory", "contradictory"]


class LinkedEntity(Record):
    """An entity of the graph that a claim names."""

    entity_id: str
    name: str
    kind: NodeKind
    description: str = ""


Outcome = Literal["verified", "refuted", "conflicting", "open"]


class Weighed(Record):
    """What a check would decide on a claim by the sentences read for it, and which of them may decide."""

    outcome: Outcome
    reason: str = ""
    """In the policy's words; ``""`` where the evidence says too little."""
    span_ids: tuple[str, ...] = ()
    """Sentences it rests on."""
    admitted: frozenset[str] = frozenset()
    """Sentences that their pages state as a fact."""
    sound: frozenset[str] = frozenset()
    """Those of them that are trusted, not overruled by others and not superseded."""
    opposed: bool = False
    """Enough stands against the claim that it could not be Verified."""
    leaning: bool = False
    """Something, trusted or not, leans towards the claim, so that it could not be refuted."""


Weigh = Callable[[AtomicClaim, Sequence[ScoredSpan]], Weighed]
"""Takes a claim and the sentences that were read for it."""


class Triplet(Record):
    """A triple as evidence, with the sentence that says so: ``document.text[start:end] == sentence``."""

    subject: str
    relation: str
    object: str
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
    """Its sentence decided the label, and of that sentence's triples it is nearest to the claim."""


class ClaimSpan(Record):
    """One claim of the text: ``input[start:end] == text``."""

    start: int
    end: int
    text: str
    claim: str
    """The same as a sentence of its own, pronouns filled in."""
    label: AttributionLabel
    conflicting: bool = False
    """Evidence stands on both sides; the label is then ``extrapolatory``."""
    triplets: tuple[Triplet, ...] = ()
    entities: tuple[LinkedEntity, ...] = ()
    ss: float = 0.0
    """Semantic similarity of claim and triplets: cosine, 0 to 1."""
    epr: float = 0.0
    """Share of the triplets' entities that the claim names, 0 to 1."""
    tms: float = 0.0
    """Triplets match score, ``a SS + b EPR``, 0 to 1."""
    cs: int = 0
    """Claim score: 2 attributable, 1 extrapolatory with triplets, 0 without any, -1 contradictory."""
    rationale: str = ""


class Annotation(Record):
    """An annotated text."""

    schema_version: str = ANNOTATION_SCHEMA
    text: str
    spans: tuple[ClaimSpan, ...]
    kas_mean: float
    """KG attribution score over the mean of the claims, 0 to 1: what the paper's Table 2 reports."""
    kas_sum: float
    """The same over their sum, as Eq. 5 is printed."""
    fingerprints: tuple[Fingerprint, ...] = ()
