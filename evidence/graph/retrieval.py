"""Retrieval through the graph: ``community``, ``both`` (with the hybrid one) and ``kaping``.

All return sentences with their places. ``semantic`` is ``dense`` of ``evidence.retrieval.hybrid``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from evidence.graph.communities import COMMUNITIES_VERSION, Communities, share
from evidence.graph.entity_graph import KnowledgeGraph, verbalised
from evidence.graph.types import Edge
from evidence.index.corpus_index import CorpusIndex
from evidence.retrieval.selection import capped
from evidence.types import Embedder, Hit, Query, RetrievalScores, Retriever
from factdesk.kernel import ConfigError, Fingerprint

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


def make_graph_retriever(
    spec: str, index: CorpusIndex, embedder: Embedder, parts: GraphParts, hybrid: Retriever
) -> Retriever:
    """The retriever ``community``, ``both`` or ``kaping``. Raises ``ConfigError`` for others."""
    if spec == "community":
        return CommunityRetriever(index, embedder, parts)
    if spec == "both":
        return BothRetriever(hybrid, CommunityRetriever(index, embedder, parts))
    if spec == "kaping":
        return KapingRetriever(index, embedder, parts.graph)
    raise ConfigError(f"graph retriever {spec!r} is unknown; choose one of community, both, kaping")


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
        chosen = (parts.graph.sha256, parts.communities.seed, parts.delta, parts.lam, POOL)
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
        spans = self._index.spans([int(r) for r in rows[order]])
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
        self._index, self._embedder, self._graph = index, embedder, graph
        self._places = index.places()

    @property
    def fingerprint(self) -> Fingerprint:
        """Version, numbers, and hashes of graph and embedder."""
        embedder = self._embedder.fingerprint.sha256
        made_of = (GRAPH_RETRIEVE_VERSION, self._graph.sha256, KAPING_TRIPLES, KAPING_CANDIDATES, embedder)
        return _fingerprint("kaping", made_of)

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Sentences of the triples nearest to the query."""
        best: dict[int, float] = {}
        for edge, score in self.triples(query.text):
            if (row := self._places.get(edge.triple.span_id)) is not None:
                best.setdefault(row, score)
        rows = kept_rows(self._index, np.array(list(best), dtype=np.int64), query)
        spans = self._index.spans([int(r) for r in rows])
        scored = [(RetrievalScores(dense=best[int(r)]), s) for r, s in zip(rows, spans, strict=True)]
        return capped(scored, query)

    def triples(self, text: str, limit: int = KAPING_TRIPLES) -> list[tuple[Edge, float]]:
        """Triples of the entities in a text, with their cosine, best first."""
        return ranked_triples(self._graph, self._embedder, text, limit)


def ranked_triples(graph: KnowledgeGraph, embedder: Embedder, text: str, limit: int) -> list[tuple[Edge, float]]:
    """At most ``limit`` triples of the entities in a text, by cosine, from those that share most words with it."""
    found: dict[tuple[str, str, str, str], Edge] = {}
    for entity in graph.link(text):
        for edge in graph.edges_of.get(entity.entity_id, ()):
            found.setdefault((edge.subject, edge.triple.relation, edge.object, edge.triple.span_id), edge)
    wanted = set(text.lower().split())
    shared = {key: len(wanted & set(verbalised(e, graph).lower().split())) for key, e in found.items()}
    nearest = sorted(found, key=lambda key: (-shared[key], found[key].triple.span_id, found[key].triple.relation))
    edges = [found[key] for key in nearest[:KAPING_CANDIDATES]]
    if not edges:
        return []
    claim = embedder.embed([text])[0].astype(np.float64)
    vectors = triple_vectors(graph, embedder, edges)
    scores = [round(float(np.dot(v.astype(np.float64), claim)), 6) for v in vectors]
    order = sorted(range(len(edges)), key=lambda i: (-scores[i], i))
    return [(edges[i], scores[i]) for i in order[:limit]]


def triple_vectors(graph: KnowledgeGraph, embedder: Embedder, edges: Sequence[Edge]) -> list[NDArray[np.float32]]:
    """Unit vectors of verbalised triples, cached up to ``KEPT_VECTORS``."""
    made_by = embedder.fingerprint.sha256 or ""
    words = [verbalised(e, graph) for e in edges]
    lacking = sorted({w for w in words if (made_by, w) not in graph.vectors})
    if len(graph.vectors) + len(lacking) > KEPT_VECTORS:
        graph.vectors.clear()
        lacking = sorted(set(words))
    if lacking:
        for word, vector in zip(lacking, embedder.embed(lacking), strict=True):
            graph.vectors[made_by, word] = vector
    return [graph.vectors[made_by, w] for w in words]


class BothRetriever:
    """Hybrid and community rankings fused: ``sum of 1 / (60 + rank)``."""

    def __init__(self, hybrid: Retriever, community: Retriever) -> None:
        self._parts = (hybrid, community)

    @property
    def fingerprint(self) -> Fingerprint:
        """Fingerprints of both."""
        return _fingerprint("both", tuple(p.fingerprint.sha256 for p in self._parts))

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Hits of both, best first."""
        wide = query.model_copy(update={"limit": max(40, query.limit), "max_chunks": 40})
        sums: dict[str, float] = {}
        hits: dict[str, Hit] = {}
        for part in self._parts:
            for hit in part.retrieve(wide):
                hits.setdefault(hit.span.span_id, hit)
                sums[hit.span.span_id] = sums.get(hit.span.span_id, 0.0) + 1.0 / (RRF_K + hit.rank)
        order = sorted(hits, key=lambda span_id: (-round(sums[span_id], 8), span_id))
        scored = [
            (hits[i].scores.model_copy(update={"fused": round(sums[i], 8), "rerank": None}), hits[i].span)
            for i in order
        ]
        return capped(scored, query)


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
    digest = hashlib.sha256(repr(tuple(made_of)).encode()).hexdigest()
    return Fingerprint(name=f"retriever:{name}", version=GRAPH_RETRIEVE_VERSION, sha256=digest)
