"""Retrieval through the graph: ``community``, ``both`` (with the hybrid one) and ``kaping``.

All return sentences with their places. ``semantic`` is ``dense`` of ``evidence.retrieval.hybrid``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from evidence.graph.communities import COMMUNITIES_VERSION, SEED, Communities, share
from evidence.graph.entity_graph import KnowledgeGraph, verbalised
from evidence.graph.types import Edge
from evidence.index.corpus_index import CorpusIndex
from evidence.retrieval.selection import capped
from evidence.types import Embedder, Hit, Query, RetrievalScores, Retriever, Span
from factdesk.kernel import ConfigError, Fingerprint, sha256_text

GRAPH_RETRIEVE_VERSION = "1"
DELTA, LAM = 25.0, 100.0
"""Percentages of the paper's best setting."""
POOL = 400
"""Sentences ranked exactly."""
KAPING_TRIPLES = 10
"""Triples used by KAPING (Baek et al., 2023)."""
KAPING_CANDIDATES = 120
KEPT_VECTORS = 50_000
RRF_K = 60

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class GraphParts:
    """What the graph's retrievers need besides index and embedder."""

    graph: KnowledgeGraph
    communities: Communities
    delta: float = DELTA
    lam: float = LAM

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` for invalid percentages."""
        for name, value in (("delta", self.delta), ("lam", self.lam)):
            if not 0 < value <= 100:
                raise ConfigError(f"{name} is {value!r}; give a percentage above 0 and up to 100")


class SentencesById:
    """The sentences of an index by id."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index, self._places = index, index.places()

    def of(self, span_ids: Iterable[str], query: Query) -> list[Span]:
        """Those that a query may find, each once, in the order asked for."""
        rows = np.array([self._places[i] for i in dict.fromkeys(span_ids) if i in self._places], dtype=np.int64)
        return self._index.spans(kept_rows(self._index, rows, query).tolist())


class CommunityRetriever:
    """Community-to-sentence retrieval (CommunityKG-RAG), deterministic and thread-safe."""

    def __init__(self, index: CorpusIndex, embedder: Embedder, parts: GraphParts) -> None:
        self._index, self._embedder, self._parts = index, embedder, parts
        self._rows = _rows_by_community(parts, index.places())

    @property
    def fingerprint(self) -> Fingerprint:
        """Version, percentages, and hashes of graph and embedder."""
        parts = self._parts
        versions = (GRAPH_RETRIEVE_VERSION, COMMUNITIES_VERSION)
        chosen = (parts.graph.sha256, SEED, parts.delta, parts.lam, POOL)
        return _fingerprint("community", (*versions, *chosen, self._embedder.fingerprint.sha256))

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Sentences of the best communities, nearest to the query first."""
        if not query.text.strip() or query.limit < 1 or not len(self._parts.communities):
            return ()
        claim = self._embedder.embed([query.text])[0]
        rows = kept_rows(self._index, self._nearby(claim), query)
        if not len(rows):
            return ()
        scores = _cosines(self._index, rows, claim)
        order = np.lexsort((rows, -scores))[: min(share(len(rows), self._parts.lam), max(POOL, query.limit))]
        spans = self._index.spans(rows[order].tolist())
        return capped([(RetrievalScores(dense=float(scores[i])), s) for i, s in zip(order, spans, strict=True)], query)

    def rows_for(self, text: str) -> Rows:
        """Rows of all sentences of the communities kept for a text."""
        return self._nearby(self._embedder.embed([text])[0])

    def _nearby(self, claim: NDArray[np.float32]) -> Rows:
        chosen = self._parts.communities.best(claim, self._parts.delta)
        return cast(Rows, np.unique(np.concatenate([self._rows[int(c)] for c in chosen])))


class KapingRetriever:
    """KAPING: sentences of the ``KAPING_TRIPLES`` triples nearest to the query among those of its entities."""

    def __init__(self, index: CorpusIndex, embedder: Embedder, graph: KnowledgeGraph) -> None:
        self._sentences, self._embedder, self._graph = SentencesById(index), embedder, graph

    @property
    def fingerprint(self) -> Fingerprint:
        """Version, numbers, and hashes of graph and embedder."""
        embedder = self._embedder.fingerprint.sha256
        made_of = (GRAPH_RETRIEVE_VERSION, self._graph.sha256, KAPING_TRIPLES, KAPING_CANDIDATES, embedder)
        return _fingerprint("kaping", made_of)

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Sentences of the triples nearest to the query."""
        best: dict[str, float] = {}
        for edge, score in ranked_triples(self._graph, self._embedder, query.text, KAPING_TRIPLES):
            best.setdefault(edge.triple.span_id, score)
        spans = self._sentences.of(best, query)
        return capped([(RetrievalScores(dense=best[s.span_id]), s) for s in spans], query)


def ranked_triples(graph: KnowledgeGraph, embedder: Embedder, text: str, limit: int) -> list[tuple[Edge, float]]:
    """At most ``limit`` triples of the entities in a text, by cosine, from those that share most words with it."""
    found: dict[tuple[str, str, str, str], Edge] = {}
    for entity in graph.link(text):
        for edge in graph.edges_of.get(entity.entity_id, ()):
            found.setdefault((edge.subject, edge.triple.relation, edge.object, edge.triple.span_id), edge)
    wanted = set(text.lower().split())

    def rank(edge: Edge) -> tuple[int, str, str]:
        shared = len(wanted & set(verbalised(edge, graph).lower().split()))
        return -shared, edge.triple.span_id, edge.triple.relation

    return nearest_triples(graph, embedder, text, sorted(found.values(), key=rank)[:KAPING_CANDIDATES])[:limit]


def nearest_triples(
    graph: KnowledgeGraph, embedder: Embedder, text: str, edges: Sequence[Edge]
) -> list[tuple[Edge, float]]:
    """Triples with their cosine to a text, nearest first; ties keep their order."""
    if not edges:
        return []
    claim = embedder.embed([text])[0].astype(np.float64)
    vectors = _triple_vectors(graph, embedder, edges)
    scores = [round(float(np.dot(v.astype(np.float64), claim)), 6) for v in vectors]
    return sorted(zip(edges, scores, strict=True), key=lambda found: -found[1])


def _triple_vectors(graph: KnowledgeGraph, embedder: Embedder, edges: Sequence[Edge]) -> list[NDArray[np.float32]]:
    """Unit vectors of verbalised triples; up to ``KEPT_VECTORS`` are kept."""
    keys = [(embedder.fingerprint.sha256 or "", verbalised(e, graph)) for e in edges]
    lacking = sorted(set(keys) - graph.vectors.keys())
    if lacking:
        graph.vectors.update(zip(lacking, embedder.embed([words for _, words in lacking]), strict=True))
    found = [graph.vectors[key] for key in keys]
    if len(graph.vectors) > KEPT_VECTORS:
        graph.vectors.clear()
    return found


@dataclass(frozen=True)
class BothRetriever:
    """Hybrid and community rankings fused: ``sum of 1 / (60 + rank)``."""

    hybrid: Retriever
    community: Retriever

    @property
    def fingerprint(self) -> Fingerprint:
        """Fingerprints of both."""
        return _fingerprint("both", (self.hybrid.fingerprint.sha256, self.community.fingerprint.sha256))

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Hits of both, best first."""
        wide = query.model_copy(update={"limit": max(40, query.limit), "max_chunks": 40})
        sums: dict[str, float] = {}
        hits: dict[str, Hit] = {}
        for hit in (*self.hybrid.retrieve(wide), *self.community.retrieve(wide)):
            span_id = hits.setdefault(hit.span.span_id, hit).span.span_id
            sums[span_id] = sums.get(span_id, 0.0) + 1.0 / (RRF_K + hit.rank)
        fused = {span_id: round(value, 8) for span_id, value in sums.items()}
        order = sorted(fused, key=lambda span_id: (-fused[span_id], span_id))
        shown = ((hits[i].scores.model_copy(update={"fused": fused[i], "rerank": None}), hits[i].span) for i in order)
        return capped(shown, query)


def _rows_by_community(parts: GraphParts, places: dict[str, int]) -> list[Rows]:
    """Rows of the sentences with a triple in each community."""
    label = dict(zip(parts.communities.nodes, parts.communities.labels.tolist(), strict=True))
    found: list[set[int]] = [set() for _ in range(len(parts.communities))]
    for edge in parts.graph.edges:
        row = places.get(edge.triple.span_id)
        for end in (edge.subject, edge.object):
            if row is not None and end in label:
                found[label[end]].add(row)
    return [np.array(sorted(rows), dtype=np.int64) for rows in found]


def kept_rows(index: CorpusIndex, rows: Rows, query: Query) -> Rows:
    """The rows that may be returned for a query."""
    mask = index.mask(query)
    return rows if mask is None else rows[mask[rows]]


def _cosines(index: CorpusIndex, rows: Rows, claim: NDArray[np.float32]) -> NDArray[np.float64]:
    found = np.einsum("ij,j->i", index.vectors(rows), claim)
    return cast(NDArray[np.float64], np.round(found.astype(np.float64), 6))


def _fingerprint(name: str, made_of: Sequence[object]) -> Fingerprint:
    digest = sha256_text(repr(tuple(made_of)))
    return Fingerprint(name=f"retriever:{name}", version=GRAPH_RETRIEVE_VERSION, sha256=digest)
