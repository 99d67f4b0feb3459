"""Statistics of a graph, and of what a claim gets at each ``delta`` (as in the paper's Table 5)."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evidence.graph.communities import Communities, adjacency_of
from evidence.graph.entity_graph import KnowledgeGraph
from evidence.types import Embedder
from factdesk.kernel import Record

EXACT = 400
"""Most nodes for exact path lengths; above, so many sources are sampled."""
SOURCES = 60
SEED = 7


class DeltaStats(Record):
    """Means over the claims of the top ``delta`` percent of communities."""

    delta: float
    claims: int
    communities: float
    nodes: float
    edges: float
    degree: float
    """Mean degree within the chosen communities."""
    path_length: float
    """Mean shortest path within the largest component."""
    diameter: float
    sampled: bool
    """Path length and diameter are sampled; the diameter is then a lower bound."""


class GraphStats(Record):
    """A graph in numbers."""

    entities: int
    values: int
    triples: int
    sentences: int
    nodes: int
    """Entities without values."""
    edges: int
    degree: float
    communities: int
    singletons: int
    """Communities of one node."""
    largest: int
    modularity: float
    seed: int
    deltas: tuple[DeltaStats, ...] = ()


def graph_stats(
    graph: KnowledgeGraph,
    communities: Communities,
    embedder: Embedder,
    claims: Sequence[str] = (),
    deltas: Sequence[float] = (25, 50, 75, 100),
) -> GraphStats:
    """All statistics; those by delta only where claims are given."""
    nodes, edges = adjacency_of(graph)
    sizes = np.bincount(communities.labels) if len(nodes) else np.zeros(0, dtype=np.int64)
    vectors = embedder.embed(list(claims)) if claims else np.zeros((0, 0), dtype=np.float32)
    return GraphStats(
        entities=len(graph),
        values=len(graph) - len(nodes),
        triples=len(graph.edges),
        sentences=len({e.triple.span_id for e in graph.edges}),
        nodes=len(nodes),
        edges=len(edges),
        degree=round(2 * len(edges) / len(nodes), 4) if nodes else 0.0,
        communities=len(communities),
        singletons=int((sizes == 1).sum()),
        largest=int(sizes.max()) if len(sizes) else 0,
        modularity=communities.modularity,
        seed=communities.seed,
        deltas=tuple(_at(delta, communities, edges, vectors) for delta in deltas) if claims else (),
    )


def _at(delta: float, communities: Communities, edges: NDArray[np.int64], vectors: NDArray[np.float32]) -> DeltaStats:
    rows = []
    sampled = False
    for vector in vectors:
        chosen = np.zeros(len(communities), dtype=np.bool_)
        chosen[communities.best(vector, delta)] = True
        inside = chosen[communities.labels]
        kept = edges[inside[edges[:, 0]] & inside[edges[:, 1]]]
        length, diameter, drawn = _paths(inside, kept)
        sampled = sampled or drawn
        count = int(inside.sum())
        rows.append((int(chosen.sum()), count, len(kept), 2 * len(kept) / max(1, count), length, diameter))
    names = ("communities", "nodes", "edges", "degree", "path_length", "diameter")
    means = dict(zip(names, np.array(rows, dtype=np.float64).mean(axis=0).round(3).tolist(), strict=True))
    return DeltaStats(delta=delta, claims=len(vectors), sampled=sampled, **means)


def _paths(inside: NDArray[np.bool_], edges: NDArray[np.int64]) -> tuple[float, float, bool]:
    """Mean shortest path and diameter of the largest component, and whether sampled."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components, shortest_path

    if not len(edges):
        return 0.0, 0.0, False
    number = np.cumsum(inside) - 1
    count = int(inside.sum())
    half = coo_matrix((np.ones(len(edges)), (number[edges[:, 0]], number[edges[:, 1]])), shape=(count, count))
    whole = (half + half.T).tocsr()
    _, parts = connected_components(whole, directed=False)
    members = np.flatnonzero(parts == np.bincount(parts).argmax())
    part = whole[members][:, members]
    drawn = len(members) > EXACT
    sources = sorted(random.Random(SEED).sample(range(len(members)), SOURCES)) if drawn else list(range(len(members)))
    found = shortest_path(part, method="D", directed=False, unweighted=True, indices=sources)
    lengths = found[found > 0]
    return (float(lengths.mean()), float(lengths.max()), drawn) if len(lengths) else (0.0, 0.0, drawn)
