"""Labels for claim spans: triplets of the graph, their sentences to the verifier, a rationale in plain words.

The verifier reads the sentences that the triplets stand in, never a triplet's bare words: what a rule drew
from a sentence may lack what makes it true. Evidence is only what the graph holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from agent.assessment.nli_pairs import pair_of
from agent.attribution.edited_sentence import altered_detail
from agent.attribution.quantified import instance_of
from agent.attribution.scores import claim_score, kas_mean, kas_sum, tms
from agent.attribution.spans import Located, claim_spans
from agent.attribution.types import Annotation, AttributionLabel, ClaimSpan, LinkedEntity, Triplet
from evidence.graph.entity_graph import KnowledgeGraph, verbalised
from evidence.graph.retrieval import ranked_triples, triple_vectors
from evidence.graph.types import Edge
from evidence.types import Embedder, Query, Retriever, Span
from verifier.types import Assessment, Thresholds, Verifier

if TYPE_CHECKING:
    from spacy.language import Language

READ_TRIPLETS = 16
"""Triplets of a claim's entities that are looked at."""
READ_SENTENCES = 10
"""Sentences that the verifier reads for one claim."""
WIDE = 100
"""Sentences that are looked for: one that words alone find stands behind many that words and vectors find."""
SHOWN = 3
NEAR = 0.45
"""Cosine from which on a triplet is about an extrapolatory claim's matter."""


@dataclass(frozen=True)
class Parts:
    """What labels are made with. ``spans`` gives spans by id; unknown ids are left out."""

    graph: KnowledgeGraph
    embedder: Embedder
    retriever: Retriever
    verifier: Verifier
    thresholds: Thresholds
    spans: Callable[[Sequence[str]], dict[str, Span]]
    nlp: Language


@dataclass(frozen=True)
class _Judged:
    span: Span
    assessment: Assessment
    instance: Assessment | None
    """The same sentence against the instance that would refute a universal claim."""
    altered: str = ""
    """Where the claim is this sentence but for one detail: what the sentence has there."""
    verbatim: bool = False
    """The sentence is the claim, word for word: it says so, whatever the model makes of it."""


def annotate(text: str, parts: Parts) -> Annotation:
    """Label every claim of a text. Deterministic.

    Raises ``InputError`` for a text without words, ``BackendUnavailable`` when a model fails.
    """
    found = tuple(_label(located, text, parts) for located in claim_spans(text, parts.nlp))
    scores = [(span.cs, span.tms) for span in found]
    return Annotation(
        text=text, spans=found, kas_mean=round(kas_mean(scores), 4), kas_sum=round(kas_sum(scores), 4),
        fingerprints=(parts.verifier.fingerprint, parts.embedder.fingerprint, parts.retriever.fingerprint),
    )  # fmt: skip


def _label(located: Located, text: str, parts: Parts) -> ClaimSpan:
    claim, graph = located.claim, parts.graph
    entities = graph.link(claim.text)
    near = ranked_triples(graph, parts.embedder, claim.text, READ_TRIPLETS)
    by_sentence = graph.edges_by_sentence
    left_open = _left_open(located)
    judged = [] if left_open else _judge(located, near, by_sentence, parts)
    label, decisive = _decide(judged, parts.thresholds)
    edges = [e for j in decisive for e in by_sentence.get(j.span.span_id, ())]
    if not edges:
        edges = [edge for edge, score in near if score >= NEAR]
    ranked = _nearest(claim.text, edges, parts)[:SHOWN]
    spans = {j.span.span_id: j.span for j in judged}
    spans.update(parts.spans([e.triple.span_id for e in ranked if e.triple.span_id not in spans]))
    triplets = tuple(
        _triplet(edge, spans[edge.triple.span_id], graph, label != "extrapolatory" and number == 0)
        for number, edge in enumerate(e for e in ranked if e.triple.span_id in spans)
    )
    ss, epr = _similarity(claim.text, ranked, parts), _presence(claim.text, ranked, graph)
    return ClaimSpan(
        start=located.start, end=located.end, text=text[located.start : located.end], claim=claim.text,
        label=label, triplets=triplets,
        entities=tuple(
            LinkedEntity(entity_id=e.entity_id, name=e.name, kind=e.kind, description=e.description)
            for e in entities
        ),
        ss=round(ss, 4), epr=round(epr, 4), tms=round(tms(ss, epr), 4),
        cs=claim_score(label, bool(triplets)),
        rationale=_rationale(label, triplets, decisive, left_open, bool(judged)),
    )  # fmt: skip


def _judge(
    located: Located, near: Sequence[tuple[Edge, float]], known: dict[str, tuple[Edge, ...]], parts: Parts
) -> list[_Judged]:
    """The verifier's word on the sentences behind the nearest triplets, and on those found for the claim."""
    claim = located.claim
    hits = parts.retriever.retrieve(Query(text=claim.text, limit=WIDE, max_chunks=WIDE))
    spans = {h.span.span_id: h.span for h in hits if h.span.span_id in known}
    found, wanted = list(spans), list(dict.fromkeys(edge.triple.span_id for edge, _ in near))
    spans = {**spans, **parts.spans([i for i in wanted if i not in spans])}
    # Both rankings in turn, so that neither fills all places.
    order = [i for pair in zip_longest(found, wanted) for i in pair if i is not None and i in spans]
    chosen = [spans[i] for i in dict.fromkeys(order)][:READ_SENTENCES]
    pairs = [pair_of(claim, span) for span in chosen]
    instance = instance_of(claim.text)
    assessed = parts.verifier.assess(pairs)
    other: Sequence[Assessment | None] = [None] * len(chosen)
    if instance is not None:
        other = parts.verifier.assess([p.model_copy(update={"claim": instance}) for p in pairs])
    mine = _plain(claim.text)
    return [
        _Judged(
            s, a, o, altered_detail(claim.text, s.text, a.guard, parts.nlp), verbatim=_plain(s.text) == mine
        )
        for s, a, o in zip(chosen, assessed, other, strict=True)
    ]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(' .!"“”')


def _decide(judged: Sequence[_Judged], thresholds: Thresholds) -> tuple[AttributionLabel, list[_Judged]]:
    """The label, and the sentences it rests on, surest first; where they disagree, none is believed."""
    for_ = [j for j in judged if j.verbatim or j.assessment.supports(thresholds)]
    against = [j for j in judged if _refutes(j, thresholds)]
    for_ = [j for j in for_ if j not in against]
    if for_ and not against:
        return "attributable", sorted(
            for_, key=lambda j: (not j.verbatim, -j.assessment.calibrated.entailment)
        )
    if against and not for_:
        return "contradictory", sorted(against, key=lambda j: -_strength(j))
    altered = [j for j in judged if j.altered]
    if altered and not for_ and not against:
        return "contradictory", altered
    return "extrapolatory", [*for_, *against]


def _refutes(judged: _Judged, thresholds: Thresholds) -> bool:
    """The sentence refutes the claim, or holds the instance that a universal claim rules out.

    One that supports the claim itself holds no such instance, whatever the model says.
    """
    instance = judged.instance is not None and judged.instance.supports(thresholds)
    if judged.verbatim:
        return False
    return judged.assessment.refutes(thresholds) or (instance and not judged.assessment.supports(thresholds))


def _strength(judged: _Judged) -> float:
    return max(judged.assessment.against, judged.instance.calibrated.entailment if judged.instance else 0.0)


def _nearest(claim: str, edges: Sequence[Edge], parts: Parts) -> list[Edge]:
    """Edges by likeness to the claim; edges of the first sentence stay before those of later ones."""
    distinct = list({(e.subject, e.triple.relation, e.object): e for e in reversed(edges)}.values())[::-1]
    if not distinct:
        return []
    mine = parts.embedder.embed([claim])[0].astype(np.float64)
    vectors = triple_vectors(parts.graph, parts.embedder, distinct)
    scores = [round(float(np.dot(v.astype(np.float64), mine)), 6) for v in vectors]
    first = distinct[0].triple.span_id
    order = sorted(range(len(distinct)), key=lambda i: (distinct[i].triple.span_id != first, -scores[i], i))
    return [distinct[i] for i in order]


def _triplet(edge: Edge, span: Span, graph: KnowledgeGraph, deciding: bool) -> Triplet:
    triple = edge.triple
    return Triplet(
        subject=graph.entity(edge.subject).name, relation=triple.relation,
        object=graph.entity(edge.object).name, negated=triple.negated, said_by=triple.said_by,
        sentence=span.text, doc_id=span.doc_id, span_id=span.span_id, start=span.start, end=span.end,
        title=span.title, published=span.published.isoformat() if span.published else "", deciding=deciding,
    )  # fmt: skip


def _similarity(claim: str, edges: Sequence[Edge], parts: Parts) -> float:
    """``SS``: cosine of the claim with the triplets written out, 0 to 1."""
    if not edges:
        return 0.0
    words = " ".join(verbalised(e, parts.graph) for e in edges)
    first, second = parts.embedder.embed([claim, words]).astype(np.float64)
    return min(1.0, max(0.0, float(np.dot(first, second))))


def _presence(claim: str, edges: Sequence[Edge], graph: KnowledgeGraph) -> float:
    """``EPR``: share of the triplets' entities that the claim names."""
    ends = list(dict.fromkeys(i for e in edges for i in (e.subject, e.object)))
    if not ends:
        return 0.0
    named = {e.entity_id for e in graph.link(claim)}
    plain = f" {' '.join(claim.casefold().rstrip('.').split())} "
    present = [i for i in ends if i in named or f" {graph.entity(i).name.casefold()} " in plain]
    return len(present) / len(ends)


def _left_open(located: Located) -> str:
    """Why the verifier was not asked, or ``""``."""
    if located.claim.unsupported_by_design:
        return f"No document could settle this: {located.claim.unsupported_by_design}."
    if located.open_pronoun:
        return f"The text does not tell whom or what {located.open_pronoun!r} means."
    return ""


def _rationale(
    label: AttributionLabel,
    triplets: Sequence[Triplet],
    decisive: Sequence[_Judged],
    left_open: str,
    read: bool,
) -> str:
    """Why, in plain words, from the deciding triplet."""
    if left_open:
        return left_open
    if label == "extrapolatory" and decisive:
        return "The graph's sentences disagree about this, so it is left open."
    if not triplets:
        return (
            "No triplet of the graph speaks of this." if not read else "No triplet of the graph settles this."
        )
    first = triplets[0]
    said = f"({first.subject}, {'not ' if first.negated else ''}{first.relation}, {first.object})"
    place = f"“{first.sentence}” ({', '.join(filter(None, (first.title, first.published)))})"
    if label == "attributable":
        return f"The graph holds {said}: {place}."
    if label == "contradictory":
        findings = decisive[0].assessment.guard.findings if decisive else ()
        told = decisive[0].altered if decisive else ""
        why = f" {told or findings[0].message}" if told or findings else ""
        return f"The graph holds {said}, which says otherwise: {place}.{why}"
    return f"The nearest triplet, {said}, neither bears this out nor contradicts it."
