"""Labels for claim spans from triplets and sentences, with a rationale in plain words.

The verifier reads the sentences of the triplets and those nearest to the claim; all are weighed as in a
check (``Weigh``).
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
from agent.attribution.rationale import rationale
from agent.attribution.scores import claim_score, kas_mean, kas_sum, tms
from agent.attribution.spans import Located, claim_spans
from agent.attribution.types import (
    Annotation,
    ClaimSpan,
    LinkedEntity,
    Triplet,
    Weigh,
    Weighed,
)
from agent.attribution.weighed_label import Judged, Labelled, label_of
from agent.types import AtomicClaim, ScoredSpan
from evidence.graph.entity_graph import KnowledgeGraph, verbalised
from evidence.graph.retrieval import ranked_triples, triple_vectors
from evidence.graph.types import Edge
from evidence.types import Embedder, Hit, Query, RetrievalScores, Retriever, Span
from verifier.types import Assessment, Thresholds, Verifier

if TYPE_CHECKING:
    from spacy.language import Language

READ_TRIPLETS = 16
"""Triplets of a claim's entities that are looked at."""
READ_SENTENCES = 12
"""Sentences that the verifier reads for one claim."""
WIDE = 100
"""Sentences retrieved, of which the best ``READ_SENTENCES`` are read."""
SHOWN = 3
NEAR = 0.45
"""Least cosine of a triplet shown for an extrapolatory claim."""


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
    weigh: Weigh
    block_domains: tuple[str, ...] = ()
    """Sites left out of the evidence."""


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
    near = ranked_triples(graph, parts.embedder, claim.text, READ_TRIPLETS)
    left_open = _left_open(located)
    judged = [] if left_open else _judge(claim, near, parts)
    weighed = parts.weigh(claim, [j.scored for j in judged]) if judged else Weighed(outcome="open")
    found = label_of(judged, weighed, parts.thresholds)
    ranked, triplets = _triplets(claim.text, found, near, {j.span.span_id: j.span for j in judged}, parts)
    ss, epr = _similarity(claim.text, ranked, parts), _presence(claim.text, ranked, graph)
    return ClaimSpan(
        start=located.start,
        end=located.end,
        text=text[located.start : located.end],
        claim=claim.text,
        label=found.label,
        conflicting=found.conflicting,
        triplets=triplets,
        entities=tuple(
            LinkedEntity(entity_id=e.entity_id, name=e.name, kind=e.kind, description=e.description)
            for e in graph.link(claim.text)
        ),
        ss=round(ss, 4),
        epr=round(epr, 4),
        tms=round(tms(ss, epr), 4),
        cs=claim_score(found.label, bool(triplets)),
        rationale=left_open or rationale(found, triplets, weighed, bool(judged)),
    )


def _triplets(
    claim: str,
    found: Labelled,
    near: Sequence[tuple[Edge, float]],
    spans: dict[str, Span],
    parts: Parts,
) -> tuple[list[Edge], tuple[Triplet, ...]]:
    """Triplets of the deciding sentences, else the nearest: as edges and as shown."""
    by_sentence = parts.graph.edges_by_sentence
    decisive = {j.span.span_id for j in found.decisive}
    edges = [e for j in found.decisive for e in by_sentence.get(j.span.span_id, ())]
    if not edges:
        edges = [edge for edge, score in near if score >= NEAR]
    ranked = _nearest(claim, edges, parts)[:SHOWN]
    known = {**parts.spans([e.triple.span_id for e in ranked if e.triple.span_id not in spans]), **spans}
    ranked = [e for e in ranked if e.triple.span_id in known]
    decided = found.label != "extrapolatory"
    shown = tuple(
        _triplet(
            edge,
            known[edge.triple.span_id],
            parts.graph,
            deciding=decided and number == 0 and edge.triple.span_id in decisive,
        )
        for number, edge in enumerate(ranked)
    )
    return ranked, shown


def _judge(claim: AtomicClaim, near: Sequence[tuple[Edge, float]], parts: Parts) -> list[Judged]:
    """Assessments of the sentences found for the claim and of those of the nearest triplets."""
    chosen = _read(claim.text, near, parts)
    pairs = [pair_of(claim, hit.span) for hit in chosen]
    instance = instance_of(claim.text)
    assessed = parts.verifier.assess(pairs)
    other: Sequence[Assessment | None] = [None] * len(chosen)
    if instance is not None:
        other = parts.verifier.assess([p.model_copy(update={"claim": instance}) for p in pairs])
    mine = _plain(claim.text)
    return [
        Judged(
            ScoredSpan(claim_id=claim.claim_id, question_id="", hit=hit, assessment=a),
            o,
            altered_detail(claim.text, hit.span.text, a.guard, parts.nlp),
            verbatim=_plain(hit.span.text) == mine,
        )
        for hit, a, o in zip(chosen, assessed, other, strict=True)
    ]


def _read(claim: str, near: Sequence[tuple[Edge, float]], parts: Parts) -> list[Hit]:
    """Sentences to read: by similarity, and those of triplets."""
    query = Query(
        text=claim,
        limit=WIDE,
        max_chunks=WIDE,
        max_spans_per_chunk=READ_SENTENCES,
        block_domains=parts.block_domains,
    )
    hits = {h.span.span_id: h for h in parts.retriever.retrieve(query)}
    with_triplet = [i for i in hits if i in parts.graph.edges_by_sentence]
    wanted = list(dict.fromkeys(edge.triple.span_id for edge, _ in near))
    others = parts.spans([i for i in wanted if i not in hits])
    found = {i: Hit(span=s, scores=RetrievalScores(), rank=len(hits) + 1) for i, s in others.items()} | hits
    # The rankings in turn, so that none fills all places.
    order = [
        i for row in zip_longest(hits, with_triplet, wanted) for i in row if i is not None and i in found
    ]
    return [found[i] for i in dict.fromkeys(order)][:READ_SENTENCES]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(' .!"“”')


def _nearest(claim: str, edges: Sequence[Edge], parts: Parts) -> list[Edge]:
    """Edges by similarity to the claim; ties keep the order of sentences."""
    distinct = list({(e.subject, e.triple.relation, e.object): e for e in reversed(edges)}.values())[::-1]
    if not distinct:
        return []
    mine = parts.embedder.embed([claim])[0].astype(np.float64)
    vectors = triple_vectors(parts.graph, parts.embedder, distinct)
    scores = [round(float(np.dot(v.astype(np.float64), mine)), 6) for v in vectors]
    first = distinct[0].triple.span_id
    order = sorted(range(len(distinct)), key=lambda i: (distinct[i].triple.span_id != first, -scores[i], i))
    return [distinct[i] for i in order]


def _triplet(edge: Edge, span: Span, graph: KnowledgeGraph, *, deciding: bool) -> Triplet:
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
    """Why the claim is not verified, or ``""``."""
    if located.open_pronoun:
        return f"The text does not tell whom or what {located.open_pronoun!r} means."
    if located.claim.unsupported_by_design:
        return f"No document could settle this: {located.claim.unsupported_by_design.rstrip('.')}."
    return ""
