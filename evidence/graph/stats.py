"""Statistics of a graph, and of what a claim gets at each ``delta`` (as in the paper's Table 5)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evidence.graph.communities import SEED, Communities, adjacency, edges_of
from evidence.graph.entity_graph import KnowledgeGraph
from evidence.types import Embedder
from factdesk.kernel import Record

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

EXACT = 400
"""Most nodes for exact path lengths; above, so many sources are sampled."""
SOURCES = 60


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
    nodes, edges = communities.nodes, edges_of(graph)
    sizes = np.bincount(communities.labels)
    vectors = embedder.embed(list(claims)) if claims else np.zeros((0, 0), dtype=np.float32)
    whole = adjacency(len(nodes), edges)
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
        largest=int(sizes.max(initial=0)),
        modularity=communities.modularity,
        seed=SEED,
        deltas=tuple(_at(delta, communities, whole, vectors) for delta in deltas) if claims else (),
    )


def _at(delta: float, communities: Communities, whole: csr_matrix, vectors: NDArray[np.float32]) -> DeltaStats:
    rows = []
    for vector in vectors:
        chosen = communities.best(vector, delta)
        inside = np.isin(communities.labels, chosen)
        part = whole[inside][:, inside]
        nodes, edges = part.shape[0], part.nnz // 2
        rows.append((len(chosen), nodes, edges, 2 * edges / max(1, nodes), *_paths(part)))
    table = np.array(rows, dtype=np.float64)
    names = ("communities", "nodes", "edges", "degree", "path_length", "diameter")
    means = dict(zip(names, table[:, :-1].mean(axis=0).round(3).tolist(), strict=True))
    return DeltaStats(delta=delta, claims=len(vectors), sampled=bool(table[:, -1].any()), **means)


def _paths(part: csr_matrix) -> tuple[float, float, bool]:
    """Mean shortest path and diameter of the largest component, and whether sampled."""
    from scipy.sparse.csgraph import connected_components, shortest_path

    if not part.nnz:
        return 0.0, 0.0, False
    _, labels = connected_components(part, directed=False)
    members = np.flatnonzero(labels == np.bincount(labels).argmax())
    drawn = len(members) > EXACT
    sources = sorted(random.Random(SEED).sample(range(len(members)), SOURCES)) if drawn else list(range(len(members)))
    component = part[members][:, members]
    found = shortest_path(component, method="D", directed=False, unweighted=True, indices=sources)
    lengths = found[found > 0]
    return float(lengths.mean()), float(lengths.max()), drawn
