"""``graph``: building a graph of made-up sentences, communities at the size of CommunityKG-RAG's graph,
beside networkx, and one community query.

The graph is drawn: 48,630 nodes and 202,455 edges as in the paper, in groups of about 60 with one edge in ten
between groups. Without ``--quick`` ten times that too (minutes, most of them networkx'). Both sides are given
the same edges; modularity of both stands beside the times, since a worse partition is quickly found.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from evaluation.bench.types import BenchRecord, Effort, alone, less_is_better, more_is_better

NODES, EDGES = 48_630, 202_455
GROUP = 60
SENTENCES = 25
"""Of a made-up article."""
DIMENSION = 384
SEED = 7


def run(effort: Effort) -> list[BenchRecord]:
    """Seconds of a build, seconds and modularity of Louvain on both sides, then milliseconds of one query."""
    records = [_build(effort.of(40, 400)), *_louvain("paper_size", NODES, EDGES)]
    if not effort.quick:
        records += _louvain("ten_times", 10 * NODES, 10 * EDGES)
    return [*records, alone("graph.community_query", 1000 * _query(), "ms/query")]


def _build(count: int) -> BenchRecord:
    """Triples and merged entities of ``count`` articles of ``SENTENCES`` each, models loaded before."""
    from evaluation.bench.generate import articles
    from evidence.graph.build import make_extractor
    from evidence.graph.entity_resolution import merge
    from evidence.retrieval.embedder import OnnxEmbedder
    from language.nlp.pipeline import load_nlp, nlp_fingerprint

    extractor, embedder = make_extractor("rules", load_nlp(), nlp_fingerprint()), OnnxEmbedder()
    documents = articles(count, SENTENCES)
    merge(extractor.extract(documents[0]), embedder)
    start = time.perf_counter()
    merge([triple for d in documents for triple in extractor.extract(d)], embedder)
    return alone(f"graph.build.{count * SENTENCES}_sentences", time.perf_counter() - start, "s")


def drawn(nodes: int, edges: int, seed: int = SEED) -> NDArray[np.int64]:
    """Random edges with communities in them, each once. *Shape:* (``edges``, 3): two nodes, weight 1."""
    rng = np.random.default_rng(seed)
    found: NDArray[np.int64] = np.zeros((0, 2), dtype=np.int64)
    while len(found) < edges:
        count = edges + edges // 4
        first = rng.integers(0, nodes, count)
        near = (first // GROUP) * GROUP + rng.integers(0, GROUP, count)
        second = np.where(rng.random(count) < 0.1, rng.integers(0, nodes, count), np.minimum(near, nodes - 1))
        pairs = np.sort(np.stack([first, second], axis=1), axis=1)
        found = np.unique(np.concatenate([found, pairs[pairs[:, 0] != pairs[:, 1]]]), axis=0)
    kept = found[np.sort(rng.permutation(len(found))[:edges])]
    return np.concatenate([kept, np.ones((edges, 1), dtype=np.int64)], axis=1)


def _louvain(name: str, nodes: int, edges: int) -> list[BenchRecord]:
    import networkx

    from evidence.graph.communities import louvain

    rows = drawn(nodes, edges)
    louvain(10, drawn(10, 12))  # loads the library
    start = time.perf_counter()
    _, ours = louvain(nodes, rows)
    seconds = time.perf_counter() - start
    graph = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(rows[:, :2].tolist())
    start = time.perf_counter()
    parts = networkx.community.louvain_communities(graph, seed=SEED)
    theirs = time.perf_counter() - start
    quality = networkx.community.modularity(graph, parts)
    return [
        less_is_better(f"graph.louvain.{name}.vs_networkx", seconds, "s", "networkx Louvain", theirs),
        more_is_better(f"graph.modularity.{name}", ours, "modularity", "networkx Louvain", quality),
    ]


def _query() -> float:
    """Seconds of one community query at the paper's size: relevance of all communities, top quarter."""
    from evidence.graph.communities import Communities, louvain

    labels, modularity = louvain(NODES, drawn(NODES, EDGES))
    rng = np.random.default_rng(SEED)
    features = rng.standard_normal((NODES, DIMENSION)).astype(np.float32)
    nodes = tuple(str(n) for n in range(NODES))
    communities = Communities(nodes, labels, features, modularity)
    rounds = 50
    start = time.perf_counter()
    for row in features[:rounds]:
        communities.best(row, 25.0)
    return (time.perf_counter() - start) / rounds
