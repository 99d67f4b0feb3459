"""Communities of a graph and their vectors, computed once and kept on disk.

CommunityKG-RAG (Chang and Zhang, arXiv 2408.08535): Louvain communities, ``h_c = 1/|c| * sum x_v``,
relevance ``h_c . e_q``. Nodes are embedded by name; values are no nodes; a name and a longer one that
holds it are joined.
"""

from __future__ import annotations

import math
import os
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from evidence.graph.entity_graph import KnowledgeGraph
from evidence.types import Embedder
from factdesk.kernel import BackendUnavailable, sha256_text

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
    vectors: Vectors
    modularity: float
    """-0.5 to 1."""
    seed: int

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


def adjacency_of(graph: KnowledgeGraph) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Nodes (sorted ids, without values) and the undirected edges between them, each once.

    *Shape* of the edges: (n_edges, 3): two node numbers and the number of triples.
    """
    nodes = tuple(e.entity_id for e in graph.entities if e.kind != "value")
    place = {entity_id: i for i, entity_id in enumerate(nodes)}
    pairs = [(e.subject, e.object) for e in graph.edges]
    pairs += [(part, holder) for part, holders in graph.holders.items() for holder in holders]
    weights = Counter(
        (min(place[a], place[b]), max(place[a], place[b])) for a, b in pairs if a in place and b in place and a != b
    )
    rows = [(a, b, w) for (a, b), w in sorted(weights.items())]
    return nodes, np.array(rows, dtype=np.int64).reshape(-1, 3)


def louvain(count: int, edges: NDArray[np.int64], seed: int = SEED) -> tuple[NDArray[np.int32], float]:
    """Labels of ``count`` nodes, numbered by size, and the modularity; deterministic by seed.

    *Shape* of ``edges``: (n_edges, 3), see ``adjacency_of``. Raises ``BackendUnavailable`` without
    scikit-network.
    """
    try:
        from sknetwork.clustering import Louvain, get_modularity
    except ImportError as error:
        raise BackendUnavailable("scikit-network is not installed; run `pip install scikit-network`") from error
    from scipy.sparse import coo_matrix

    if not count:
        return np.zeros(0, dtype=np.int32), 0.0
    if not len(edges):
        return np.arange(count, dtype=np.int32), 0.0
    half = coo_matrix((edges[:, 2].astype(float), (edges[:, 0], edges[:, 1])), shape=(count, count))
    adjacency = (half + half.T).tocsr()
    found = Louvain(modularity="newman", random_state=seed).fit_predict(adjacency)
    return np.asarray(found, dtype=np.int32), round(float(get_modularity(adjacency, found)), 6)


def means(features: Vectors, labels: NDArray[np.int32]) -> Vectors:
    """Mean feature vector of each label. *Shape:* (max label + 1, d)."""
    count = int(labels.max()) + 1 if len(labels) else 0
    sums = np.zeros((count, features.shape[1]), dtype=np.float64)
    np.add.at(sums, labels, features)
    sizes = np.bincount(labels, minlength=count).reshape(-1, 1)
    return (sums / np.maximum(sizes, 1)).astype(np.float32)


def open_communities(graph: KnowledgeGraph, embedder: Embedder, folder: Path, *, seed: int = SEED) -> Communities:
    """The communities of a graph, read from ``folder`` or computed and stored there; a damaged file is made again."""
    made_of = f"{COMMUNITIES_VERSION} {graph.sha256} {embedder.fingerprint.sha256} {seed}"
    path = folder / f"communities-{sha256_text(made_of)[:32]}.npz"
    nodes = tuple(e.entity_id for e in graph.entities if e.kind != "value")
    kept = _load(path)
    if kept is not None and len(kept["labels"]) == len(nodes) == len(kept["features"]):
        features, labels, modularity = kept["features"], kept["labels"].astype(np.int32), float(kept["modularity"])
    else:
        features = _features(graph, nodes, embedder, folder)
        labels, modularity = louvain(len(nodes), adjacency_of(graph)[1], seed)
        _save(path, labels=labels, features=features, modularity=np.float64(modularity))
    return Communities(nodes, labels, features, means(features, labels), modularity, seed)


def _features(graph: KnowledgeGraph, nodes: tuple[str, ...], embedder: Embedder, folder: Path) -> Vectors:
    """Unit vectors of the nodes' names. *Shape:* (n_nodes, d)."""
    path = folder / f"names-{(embedder.fingerprint.sha256 or 'none')[:16]}.npz"
    kept = _load(path)
    known: dict[str, Vectors] = {}
    if kept is not None and len(kept["names"]) == len(kept["vectors"]):
        known = dict(zip((str(n) for n in kept["names"]), kept["vectors"], strict=True))
    names = [graph.entity(entity_id).name for entity_id in nodes]
    lacking = sorted(set(names) - known.keys())
    if lacking:
        known.update(zip(lacking, embedder.embed(lacking), strict=True))
        used = sorted(set(names))
        _save(path, names=np.array(used), vectors=np.array([known[n] for n in used], dtype=np.float32))
    if not names:
        return np.zeros((0, embedder.dimension), dtype=np.float32)
    return np.array([known[n] for n in names], dtype=np.float32)


def _load(path: Path) -> dict[str, NDArray[np.float32]] | None:
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def _save(path: Path, **arrays: object) -> None:
    """Write atomically and remove other versions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.npz")
    try:
        np.savez(draft, **arrays)  # type: ignore[arg-type]
        os.replace(draft, path)
    except OSError as error:
        raise BackendUnavailable(f"{str(path)!r} cannot be written ({error.strerror})") from error
    for old in path.parent.glob(f"{path.name.split('-')[0]}-*.npz"):
        if old != path:
            old.unlink(missing_ok=True)
