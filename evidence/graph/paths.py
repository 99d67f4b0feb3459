"""Short paths between entities, verbalised, each step with its sentence.

As in ClaimVer: breadth-first from all linked entities, at most three hops between two and four paths,
without cycles, in a fixed order. Values connect nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations

from evidence.graph.entity_graph import KnowledgeGraph, verbalised
from evidence.graph.retrieval import GRAPH_RETRIEVE_VERSION, GraphParts, SentencesById
from evidence.graph.types import Edge, Entity, Explanation
from evidence.index.corpus_index import CorpusIndex
from evidence.retrieval.selection import capped
from evidence.types import Hit, Query, RetrievalScores, Retriever
from factdesk.kernel import Fingerprint, sha256_text

MAX_HOPS = 3
MAX_PATHS = 4
HUB = 300
"""Entities with more neighbours only end paths."""

Near = Callable[[str], dict[str, Edge]]
"""An entity's neighbours by id, each with the first edge to it."""
Walk = tuple[tuple[str, ...], tuple[Edge, ...]]
"""Entities in order, and the edges between them."""


def find_paths(graph: KnowledgeGraph, entities: Sequence[Entity]) -> tuple[Explanation, ...]:
    """Paths between any two of the entities, shortest first; relations of a longer name count for those it contains."""
    ids = list(dict.fromkeys(e.entity_id for e in entities))
    near = cache(partial(_neighbours, graph))
    reach = {i: _distances(near, i) for i in ids}
    found: dict[tuple[str, ...], Explanation] = {}
    for length in range(1, MAX_HOPS + 1):
        for first, second in combinations(ids, 2):
            for nodes, steps in _walks(near, ((first,), ()), reach[second], length):
                if len(found) < MAX_PATHS and len({e.triple.span_id for e in steps}) == len(steps):
                    text = " ".join(verbalised(edge, graph) for edge in steps)
                    named = tuple(graph.entity(i) for i in nodes)
                    found.setdefault(nodes, Explanation(entities=named, edges=steps, text=text))
    return tuple(found.values())


def _neighbours(graph: KnowledgeGraph, entity_id: str) -> dict[str, Edge]:
    found: dict[str, Edge] = {}
    for one in (entity_id, *graph.holders.get(entity_id, ())):
        for edge in graph.edges_of.get(one, ()):
            other = edge.object if edge.subject == one else edge.subject
            for end in (other, *graph.held.get(other, ())):
                if end not in {entity_id, one} and graph.entity(end).kind != "value":
                    found.setdefault(end, edge)
    return dict(sorted(found.items()))


def _distances(near: Near, target: str) -> dict[str, int]:
    """Hops to an entity, up to ``MAX_HOPS``."""
    found, frontier = {target: 0}, [target]
    for distance in range(1, MAX_HOPS + 1):
        passed = [near(i) for i in frontier]
        following = {end for around in passed if distance == 1 or len(around) <= HUB for end in around} - found.keys()
        found |= dict.fromkeys(following, distance)
        frontier = sorted(following)
    return found


def _walks(near: Near, begun: Walk, reach: dict[str, int], left: int) -> Iterator[Walk]:
    """Simple paths of ``left`` more hops to where ``reach`` is 0, in a fixed order."""
    nodes, steps = begun
    around = near(nodes[-1])
    if steps and len(around) > HUB:
        return
    for other, edge in around.items():
        distance = reach.get(other, left)
        if other not in nodes and distance < left and (distance == 0) == (left == 1):
            longer = (*nodes, other), (*steps, edge)
            yield from [longer] if distance == 0 else _walks(near, longer, reach, left - 1)


class PathRetriever:
    """Adds sentences of paths before the inner retriever's hits, for queries that connect entities."""

    def __init__(self, inner: Retriever, index: CorpusIndex, parts: GraphParts) -> None:
        self._inner, self._sentences, self._graph = inner, SentencesById(index), parts.graph

    @property
    def fingerprint(self) -> Fingerprint:
        """Fingerprint of the inner retriever and of the graph."""
        inner = self._inner.fingerprint
        digest = sha256_text(f"{inner.sha256} {self._graph.sha256} {MAX_HOPS} {MAX_PATHS} {HUB}")
        return Fingerprint(name=f"{inner.name}+graph", version=GRAPH_RETRIEVE_VERSION, sha256=digest)

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Sentences of paths first, each once."""
        rest = self._inner.retrieve(query.model_copy(update={"connect": ()}))
        if len(query.connect) < 2:
            return rest
        named = [e for e in (self._graph.find(name) for name in query.connect) if e is not None]
        ids = [e.triple.span_id for path in find_paths(self._graph, named) for e in path.edges]
        scored = {span.span_id: (RetrievalScores(), span) for span in self._sentences.of(ids, query)}
        for hit in rest:
            scored.setdefault(hit.span.span_id, (hit.scores, hit.span))
        return capped(scored.values(), query)
