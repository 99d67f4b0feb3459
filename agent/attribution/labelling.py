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

from agent.assessment.attribution_scores import Weights, claim_score, kas_mean, kas_sum, tms
from agent.assessment.nli_pairs import pair_of
from agent.attribution.claim_entities import (
    entity_names,
    held,
    linked_entities,
    presence,
    unnamed,
)
from agent.attribution.edited_sentence import altered_detail
from agent.attribution.objective import propose
from agent.attribution.quantified import instance_of
from agent.attribution.rationale import left_open, rationale
from agent.attribution.spans import Located, claim_spans
from agent.attribution.triplet_reading import MAX_EDGES, TripletSet, read_sets, triplet_sets
from agent.attribution.types import (
    Annotation,
    ClaimSpan,
    LabelReading,
    LinkedEntity,
    Proposed,
    Triplet,
    Weigh,
    Weighed,
)
from agent.attribution.weighed_label import Judged, Labelled, by_triplets, label_of
from agent.types import AtomicClaim, ScoredSpan
from evidence.graph.entity_graph import KnowledgeGraph, verbalised
from evidence.graph.retrieval import ranked_triples, triple_vectors
from evidence.graph.types import Edge
from evidence.types import Embedder, Hit, Query, RetrievalScores, Retriever, Span
from verifier.types import Assessment, Thresholds, Verifier

if TYPE_CHECKING:
    from spacy.language import Language

    from agent.reasoners.chat_model import ChatModel

READ_TRIPLETS = 16
"""Triplets of a claim's entities that are looked at."""
READ_SENTENCES = 12
"""Sentences that the verifier reads for one claim."""
WIDE = 100
"""Sentences retrieved, of which the best ``READ_SENTENCES`` are read."""
SHOWN = 3
DEFAULT_WEIGHTS = Weights()
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
    weights: Weights = DEFAULT_WEIGHTS
    chat: ChatModel | None = None
    """Proposes labels too (``objective``); it decides none."""


def annotate(text: str, parts: Parts) -> Annotation:
    """Label every claim of a text. Deterministic.

    Raises ``InputError`` for a text without words, ``BackendUnavailable`` when a model fails.
    """
    claims = [_gathered(located, parts) for located in claim_spans(text, parts.nlp)]
    told, note = _proposed(text, claims, parts)
    found = tuple(_label(one, text, parts, told.get(i)) for i, one in enumerate(claims))
    return annotation_of(text, found, parts, note)


@dataclass(frozen=True)
class _Gathered:
    """A claim with its entities and the triplets found for it."""

    located: Located
    names: tuple[tuple[str, ...], ...]
    near: list[tuple[Edge, float]]
    sets: tuple[tuple[Edge, ...], ...]
    untold: str


def _gathered(located: Located, parts: Parts) -> _Gathered:
    text = located.claim.text
    names = entity_names(text, parts.graph, parts.nlp)
    near = ranked_triples(parts.graph, parts.embedder, text, READ_TRIPLETS)
    untold = left_open(located)
    sets = () if untold else triplet_sets(text, names, [edge for edge, _ in near], parts.graph)
    return _Gathered(located, names, near, sets, untold)


def _proposed(
    text: str, claims: Sequence[_Gathered], parts: Parts
) -> tuple[dict[int, tuple[Proposed, tuple[Edge, ...]]], str]:
    """What the language model says of each claim, where there is one; triplets in turn from all claims."""
    if parts.chat is None:
        return {}, ""
    own = [[*(e for s in c.sets for e in s), *(e for e, _ in c.near)] for c in claims]
    edges = [e for row in zip_longest(*own) for e in row if e is not None]
    return propose(text, [c.located for c in claims], list(dict.fromkeys(edges)), parts.graph, parts.chat)


def annotation_of(text: str, spans: tuple[ClaimSpan, ...], parts: Parts, note: str) -> Annotation:
    """The annotation of labelled spans, with the score of the text."""
    told = [(s.proposed.cs, s.proposed.tms) if s.proposed else (0, 0.0) for s in spans]
    asked = parts.chat is not None and not note
    scores = [(span.cs, span.tms) for span in spans]
    gamma = parts.weights.gamma
    return Annotation(
        text=text,
        spans=spans,
        kas_mean=round(kas_mean(scores, gamma), 4),
        kas_sum=round(kas_sum(scores, gamma), 4),
        weights=parts.weights,
        proposed_kas=round(kas_mean(told, gamma), 4) if asked else None,
        note=note,
        fingerprints=(parts.verifier.fingerprint, parts.embedder.fingerprint, parts.retriever.fingerprint),
    )


def _label(one: _Gathered, text: str, parts: Parts, told: tuple[Proposed, tuple[Edge, ...]] | None) -> ClaimSpan:
    located, names, near, untold = one.located, one.names, one.near, one.untold
    claim, graph = located.claim, parts.graph
    sets = one.sets
    if told and not untold and names and len(told[1]) <= MAX_EDGES and all(held(names, told[1], graph)):
        sets = (told[1], *sets)
    judged = [] if untold else _judge(claim, near, sets, parts)
    weighed = parts.weigh(claim, [j.scored for j in judged])
    found = _decided(claim, names, sets, judged, weighed, parts)
    spans = {j.span.span_id: j.span for j in judged}
    ranked, triplets = _triplets(claim.text, found, near, spans, parts)
    ss, epr = _similarity(claim.text, ranked, parts), presence(names, ranked, graph)
    return ClaimSpan(
        start=located.start,
        end=located.end,
        text=text[located.start : located.end],
        claim=claim.text,
        label=found.label,
        conflicting=found.conflicting,
        basis=found.basis,
        reading=found.reading or _instance_read(claim, found),
        triplets=triplets,
        entities=tuple(
            LinkedEntity(entity_id=e.entity_id, name=e.name, kind=e.kind, description=e.description)
            for e in linked_entities(claim.text, names, graph)
        ),
        ss=round(ss, 4),
        epr=round(epr, 4),
        tms=round(tms(ss, epr, parts.weights), 4),
        cs=claim_score(found.label, bool(triplets)),
        rationale=untold or rationale(found, triplets, weighed, bool(judged), claim.text),
        proposed=_scored(*told, claim.text, names, parts) if told else None,
    )


def _instance_read(claim: AtomicClaim, found: Labelled) -> LabelReading | None:
    """The instance that the surest sentence bears out, where that refutes the claim."""
    if found.basis != "instance" or found.decisive[0].instance is None:
        return None
    first = found.decisive[0]
    return LabelReading(
        statement=instance_of(claim.text) or "",
        span_ids=(first.span.span_id,),
        joint=False,
        score=found.decisive[0].instance.calibrated.entailment,
    )


def _scored(
    proposed: Proposed, edges: Sequence[Edge], claim: str, names: Sequence[tuple[str, ...]], parts: Parts
) -> Proposed:
    """A model's proposal with the scores of its triplets."""
    found = tms(_similarity(claim, edges, parts), presence(names, edges, parts.graph), parts.weights)
    return proposed.model_copy(update={"tms": round(found, 4), "cs": claim_score(proposed.label, bool(edges))})


def _decided(
    claim: AtomicClaim,
    names: Sequence[tuple[str, ...]],
    sets: Sequence[tuple[Edge, ...]],
    judged: Sequence[Judged],
    weighed: Weighed,
    parts: Parts,
) -> Labelled:
    """The label by sentences, else by triplets read together; green only where every entity is named."""
    found = label_of(judged, weighed, parts.thresholds)
    if found.label == "attributable" and not any(j.verbatim for j in found.decisive):
        lacking = unnamed(names, [j.span for j in found.decisive], parts.graph)
        if lacking:
            found = Labelled(lacking=lacking)
    if found.label != "extrapolatory" or found.conflicting or not sets:
        return found
    spans = {j.span.span_id: j.span for j in judged if j.span.span_id in weighed.sound}
    read: list[TripletSet] = read_sets(claim.text, sets, spans, parts.verifier, parts.graph)
    return by_triplets(read, judged, weighed, parts.thresholds) or found


def _triplets(
    claim: str,
    found: Labelled,
    near: Sequence[tuple[Edge, float]],
    spans: dict[str, Span],
    parts: Parts,
) -> tuple[list[Edge], tuple[Triplet, ...]]:
    """The deciding triplets, those of the deciding sentences, else the nearest: as edges and as shown."""
    by_sentence = parts.graph.edges_by_sentence
    decisive = {j.span.span_id for j in found.decisive}
    edges = [e for j in found.decisive for e in by_sentence.get(j.span.span_id, ())]
    if not edges:
        edges = [edge for edge, score in near if score >= NEAR]
    ranked = list(found.edges) or _nearest(claim, edges, parts)[:SHOWN]
    known = {**parts.spans([e.triple.span_id for e in ranked if e.triple.span_id not in spans]), **spans}
    ranked = [e for e in ranked if e.triple.span_id in known]
    decided = found.label != "extrapolatory"
    shown = tuple(
        _triplet(
            edge,
            known[edge.triple.span_id],
            parts.graph,
            deciding=decided and (bool(found.edges) or (number == 0 and edge.triple.span_id in decisive)),
        )
        for number, edge in enumerate(ranked)
    )
    return ranked, shown


def _judge(
    claim: AtomicClaim,
    near: Sequence[tuple[Edge, float]],
    sets: Sequence[tuple[Edge, ...]],
    parts: Parts,
) -> list[Judged]:
    """Assessments of the sentences found for the claim and of those of the nearest triplets."""
    chosen = _read(claim.text, near, sets, parts)
    pairs = [pair_of(claim, hit.span) for hit in chosen]
    instance = instance_of(claim.text)
    assessed = parts.verifier.assess(pairs)
    other: Sequence[Assessment | None] = [None] * len(chosen)
    if instance is not None:
        other = parts.verifier.assess([p.model_copy(update={"claim": instance}) for p in pairs])
    mine = _plain(claim.text)
    return [
        Judged(
            ScoredSpan(claim_id=claim.claim_id, question_id=f"{claim.claim_id}.q1", hit=hit, assessment=a),
            o,
            altered_detail(claim.text, hit.span.text, a.guard, parts.nlp),
            verbatim=_plain(hit.span.text) == mine,
        )
        for hit, a, o in zip(chosen, assessed, other, strict=True)
    ]


def _read(claim: str, near: Sequence[tuple[Edge, float]], sets: Sequence[tuple[Edge, ...]], parts: Parts) -> list[Hit]:
    """Sentences to read: by similarity, and those of triplets, of sets of them above all."""
    query = Query(
        text=claim,
        limit=WIDE,
        max_chunks=WIDE,
        max_spans_per_chunk=READ_SENTENCES,
        block_domains=parts.block_domains,
    )
    hits = {h.span.span_id: h for h in parts.retriever.retrieve(query)}
    with_triplet = [i for i in hits if i in parts.graph.edges_by_sentence]
    told = [e.triple.span_id for edges in sets for e in edges]
    wanted = list(dict.fromkeys([*told, *(edge.triple.span_id for edge, _ in near)]))
    others = parts.spans([i for i in wanted if i not in hits])
    found = {i: Hit(span=s, scores=RetrievalScores(), rank=len(hits) + 1) for i, s in others.items()} | hits
    # The rankings in turn, so that none fills all places.
    order = [i for row in zip_longest(hits, with_triplet, wanted) for i in row if i is not None and i in found]
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
        subject=graph.entity(edge.subject).name,
        relation=triple.relation,
        object=graph.entity(edge.object).name,
        negated=triple.negated,
        said_by=triple.said_by,
        sentence=span.text,
        doc_id=span.doc_id,
        span_id=span.span_id,
        start=span.start,
        end=span.end,
        title=span.title,
        published=span.published.isoformat() if span.published else "",
        deciding=deciding,
    )


def _similarity(claim: str, edges: Sequence[Edge], parts: Parts) -> float:
    """``SS``: cosine of the claim with the triplets written out, 0 to 1."""
    if not edges:
        return 0.0
    words = " ".join(verbalised(e, parts.graph) for e in edges)
    first, second = parts.embedder.embed([claim, words]).astype(np.float64)
    return min(1.0, max(0.0, float(np.dot(first, second))))
