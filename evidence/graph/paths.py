"""Short paths between entities, verbalised, each step with its sentence.

As in ClaimVer: breadth-first from all linked entities, at most three hops between two and four paths,
without cycles, in a fixed order. Values connect nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from evidence.graph.entity_graph import KnowledgeGraph, verbalised
from evidence.graph.retrieval import GRAPH_RETRIEVE_VERSION, GraphParts, kept_rows
from evidence.graph.types import Edge, Entity, Explanation
from evidence.index.corpus_index import CorpusIndex
from evidence.retrieval.selection import capped
from evidence.types import Hit, Query, RetrievalScores, Retriever
from factdesk.kernel import Fingerprint

MAX_HOPS = 3
MAX_PATHS = 4
HUB = 300
"""Entities with more neighbours only end paths."""

Near = dict[str, Edge]


def find_paths(
    graph: KnowledgeGraph, entities: Sequence[Entity], *, max_hops: int = MAX_HOPS, max_paths: int = MAX_PATHS
) -> tuple[Explanation, ...]:
    """Paths between any two of the entities, shortest first; relations of a longer name count for those it contains."""
    ids = list(dict.fromkeys(e.entity_id for e in entities))
    near = _Neighbours(graph)
    reach = {i: _distances(near, i, max_hops) for i in ids}
    found: dict[tuple[str, ...], Explanation] = {}
    for length in range(1, max_hops + 1):
        for first, second in combinations(ids, 2):
            for nodes, steps in _walks(near, first, second, reach[second], length):
                if len(found) < max_paths and len({e.triple.span_id for e in steps}) == len(steps):
                    text = " ".join(verbalised(edge, graph) for edge in steps)
                    named = tuple(graph.entity(i) for i in nodes)
                    found.setdefault(nodes, Explanation(entities=named, edges=steps, text=text))
    return tuple(found.values())


class _Neighbours:
    """Each entity's neighbours with the first edge to them, cached."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self._graph = graph
        self._known: dict[str, Near] = {}

    def of(self, entity_id: str) -> Near:
        if entity_id not in self._known:
            found: Near = {}
            for one in (entity_id, *self._graph.holders.get(entity_id, ())):
                for edge in self._graph.edges_of.get(one, ()):
                    other = edge.object if edge.subject == one else edge.subject
                    for end in (other, *self._graph.held.get(other, ())):
                        if end not in {entity_id, one} and self._graph.entity(end).kind != "value":
                            found.setdefault(end, edge)
            self._known[entity_id] = dict(sorted(found.items()))
        return self._known[entity_id]


def _distances(near: _Neighbours, source: str, most: int) -> dict[str, int]:
    """Hops to the source, up to ``most``."""
    found, frontier = {source: 0}, [source]
    for distance in range(1, most + 1):
        following: set[str] = set()
        for entity_id in frontier:
            around = near.of(entity_id)
            if distance == 1 or len(around) <= HUB:
                following |= around.keys() - found.keys()
        found.update(dict.fromkeys(following, distance))
        frontier = sorted(following)
    return found


def _walks(
    near: _Neighbours, source: str, target: str, reach: dict[str, int], length: int
) -> Iterator[tuple[tuple[str, ...], tuple[Edge, ...]]]:
    """Simple paths of exactly ``length`` hops, as entities and edges, in a fixed order."""

    def walk(nodes: tuple[str, ...], steps: tuple[Edge, ...]) -> Iterator[tuple[tuple[str, ...], tuple[Edge, ...]]]:
        left = length - len(steps)
        around = near.of(nodes[-1])
        if steps and len(around) > HUB:
            return
        for other, edge in around.items():
            if other == target and left == 1:
                yield (*nodes, other), (*steps, edge)
            elif left > 1 and other != target and other not in nodes and reach.get(other, length) <= left - 1:
                yield from walk((*nodes, other), (*steps, edge))

    yield from walk((source,), ())


class PathRetriever:
    """Adds sentences of paths before the inner retriever's hits, for queries that connect entities."""

    def __init__(self, inner: Retriever, index: CorpusIndex, parts: GraphParts) -> None:
        self._inner, self._index, self._graph = inner, index, parts.graph
        self._places = index.places()

    @property
    def fingerprint(self) -> Fingerprint:
        """Fingerprint of the inner retriever and of the graph."""
        inner = self._inner.fingerprint
        made_of = f"{inner.sha256} {self._graph.sha256} {MAX_HOPS} {MAX_PATHS} {HUB}"
        digest = hashlib.sha256(made_of.encode()).hexdigest()
        return Fingerprint(name=f"{inner.name}+graph", version=GRAPH_RETRIEVE_VERSION, sha256=digest)

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Sentences of paths first, each once."""
        rest = self._inner.retrieve(query.model_copy(update={"connect": ()}))
        if len(query.connect) < 2:
            return rest
        named = [e for e in (self._graph.find(name) for name in query.connect) if e is not None]
        ids = [e.triple.span_id for path in find_paths(self._graph, named) for e in path.edges]
        rows = np.array([self._places[i] for i in dict.fromkeys(ids) if i in self._places], dtype=np.int64)
        rows = kept_rows(self._index, rows, query)
        spans = self._index.spans([int(r) for r in rows])
        known = {s.span_id for s in spans}
        scored = [(RetrievalScores(), span) for span in spans]
        scored += [(hit.scores, hit.span) for hit in rest if hit.span.span_id not in known]
        return capped(scored, query)
