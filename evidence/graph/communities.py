"""Communities of a graph and their vectors; the nodes' vectors are kept on disk.

CommunityKG-RAG (Chang and Zhang, arXiv 2408.08535): Louvain communities, ``h_c = 1/|c| * sum x_v``,
relevance ``h_c . e_q``. Nodes are embedded by name; values are no nodes; a name and a longer one that
holds it are joined.
"""

from __future__ import annotations

import math
import zipfile
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from evidence.graph.entity_graph import KnowledgeGraph
from evidence.types import Embedder
from factdesk.kernel import BackendUnavailable, written_whole

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

COMMUNITIES_VERSION = "1"
SEED = 7

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Communities:
    """A partition of a graph's nodes.

    *Shapes:* ``labels`` (n_nodes,), ``features`` (n_nodes, d), ``vectors`` (n_communities, d).
    """

    nodes: tuple[str, ...]
    """Entity ids, sorted, without values."""
    labels: NDArray[np.int32]
    features: Vectors
    modularity: float
    """-0.5 to 1."""

    @cached_property
    def vectors(self) -> Vectors:
        """The mean of each community's features."""
        sizes = np.bincount(self.labels).reshape(-1, 1)
        sums = np.zeros((len(sizes), self.features.shape[1]), dtype=np.float64)
        np.add.at(sums, self.labels, self.features)
        return (sums / np.maximum(sizes, 1)).astype(np.float32)

    def __len__(self) -> int:
        """Number of communities."""
        return len(self.vectors)

    def relevance(self, claim: Vectors) -> NDArray[np.float64]:
        """``h_c . e_q`` of every community. *Shape:* (n_communities,)."""
        found = np.einsum("ij,j->i", self.vectors, claim).astype(np.float64)
        return cast(NDArray[np.float64], np.round(found, 6))

    def best(self, claim: Vectors, delta: float) -> NDArray[np.intp]:
        """Indices of the top ``delta`` percent of communities, at least one, best first."""
        scores = self.relevance(claim)
        order = np.lexsort((np.arange(len(scores)), -scores))
        return order[: share(len(order), delta)]


def share(count: int, percent: float) -> int:
    """``percent`` of ``count``, rounded up."""
    return min(count, math.ceil(count * percent / 100 - 1e-9))


def nodes_of(graph: KnowledgeGraph) -> tuple[str, ...]:
    """Ids of all entities but values, sorted."""
    return tuple(e.entity_id for e in graph.entities if e.kind != "value")


def edges_of(graph: KnowledgeGraph) -> NDArray[np.int64]:
    """The undirected edges between nodes, each once.

    *Shape:* (n_edges, 3): two node numbers and the number of triples.
    """
    place = {entity_id: i for i, entity_id in enumerate(nodes_of(graph))}
    pairs = [(e.subject, e.object) for e in graph.edges]
    pairs += [(part, holder) for part, holders in graph.holders.items() for holder in holders]
    weights = Counter(
        (min(place[a], place[b]), max(place[a], place[b])) for a, b in pairs if a in place and b in place and a != b
    )
    return np.array([(a, b, w) for (a, b), w in sorted(weights.items())], dtype=np.int64).reshape(-1, 3)


def adjacency(count: int, edges: NDArray[np.int64]) -> csr_matrix:
    """The symmetric matrix of ``edges`` (see ``edges_of``). *Shape:* (count, count)."""
    from scipy.sparse import coo_matrix

    half = coo_matrix((edges[:, 2].astype(float), (edges[:, 0], edges[:, 1])), shape=(count, count))
    return (half + half.T).tocsr()


def louvain(count: int, edges: NDArray[np.int64]) -> tuple[NDArray[np.int32], float]:
    """Labels of ``count`` nodes, numbered by size, and the modularity; deterministic. ``edges``: see ``edges_of``."""
    from sknetwork.clustering import Louvain, get_modularity

    if not len(edges):
        return np.arange(count, dtype=np.int32), 0.0
    matrix = adjacency(count, edges)
    found = Louvain(modularity="newman", random_state=SEED).fit_predict(matrix)
    return np.asarray(found, dtype=np.int32), round(float(get_modularity(matrix, found)), 6)


def open_communities(graph: KnowledgeGraph, embedder: Embedder, folder: Path) -> Communities:
    """The communities of a graph. The vectors of its names are kept in ``folder``; a damaged file is made again."""
    nodes = nodes_of(graph)
    labels, modularity = louvain(len(nodes), edges_of(graph))
    return Communities(nodes, labels, _features([graph.entity(i).name for i in nodes], embedder, folder), modularity)


def _features(names: list[str], embedder: Embedder, folder: Path) -> Vectors:
    """Unit vectors of names. *Shape:* (n_names, d)."""
    path = folder / f"names-{(embedder.fingerprint.sha256 or 'none')[:16]}.npz"
    known, used = _load(path), sorted(set(names))
    lacking = [name for name in used if name not in known]
    if lacking:
        known.update(zip(lacking, embedder.embed(lacking), strict=True))
        _save(path, names=np.array(used), vectors=np.array([known[n] for n in used], dtype=np.float32))
    return np.array([known[n] for n in names], dtype=np.float32).reshape(-1, embedder.dimension)


def _load(path: Path) -> dict[str, Vectors]:
    try:
        with np.load(path, allow_pickle=False) as file:
            return dict(zip(file["names"].tolist(), file["vectors"], strict=True))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}


def _save(path: Path, **arrays: Vectors | NDArray[np.str_]) -> None:
    """Write atomically and remove what other embedders made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as file:
            np.savez(file, allow_pickle=False, **arrays)
    except OSError as error:
        raise BackendUnavailable(f"{str(path)!r} cannot be written ({error.strerror})") from error
    for old in path.parent.glob("names-*.npz"):
        if old != path:
            old.unlink(missing_ok=True)
