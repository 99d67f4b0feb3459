"""``trust``: ClaimRank to convergence on made-up graphs, and the search for pairs of claims.

Ten edges a document, four of five supporting, between documents drawn at random: the worst case for caches.
Memory is what numpy and scipy ask for, the edges themselves included.
"""

from __future__ import annotations

import time
import tracemalloc

import numpy as np

from factdesk.bench.types import BenchRecord, Effort, alone

EDGES = 10
"""Edges of a document."""
SIZES = (814, 10_000, 100_000, 1_000_000)
QUICK = 2
"""How many of the sizes ``--quick`` measures."""
CLAIMS = (2_000, 4_000, 8_000, 16_000)
TOPICS = 200
SEED = 0


def run(effort: Effort) -> list[BenchRecord]:
    """Seconds and mebibytes of matrices and iterations by size; claims searched a second by size."""
    records: list[BenchRecord] = []
    for size in SIZES[: effort.of(QUICK, len(SIZES))]:
        records += _propagation(size)
    for count in CLAIMS[: effort.of(QUICK, len(CLAIMS))]:
        records.append(alone(f"trust.pairs.{count}_claims", _search(count), "claims/s"))
    return records


def _propagation(size: int) -> list[BenchRecord]:
    from trust.claimrank import claimrank, matrices_of

    rng = np.random.default_rng(SEED)
    sources = rng.integers(0, size, size * EDGES, dtype=np.int32)
    targets = rng.integers(0, size, size * EDGES, dtype=np.int32)
    weights = rng.random(size * EDGES) * rng.choice([1.0, -1.0], size * EDGES, p=[0.8, 0.2])
    start = time.perf_counter()
    found = claimrank(*matrices_of(size, sources, targets, weights))
    seconds = time.perf_counter() - start
    tracemalloc.start()
    claimrank(*matrices_of(size, sources, targets, weights))
    peak = tracemalloc.get_traced_memory()[1] + sources.nbytes + targets.nbytes + weights.nbytes
    tracemalloc.stop()
    name = f"trust.claimrank.{size}_documents"
    return [
        alone(f"{name}.seconds", seconds, "s"),
        alone(f"{name}.memory", peak / 2**20, "MiB"),
        alone(f"{name}.iterations", found.iterations, "iterations"),
    ]


def _search(count: int) -> float:
    """Claims a second, index included; vectors lie around ``TOPICS`` centres, as those of news do."""
    from trust.neighbours import nearest

    rng = np.random.default_rng(SEED)
    centres = rng.standard_normal((TOPICS, 384))
    vectors = centres[rng.integers(0, TOPICS, count)] + rng.standard_normal((count, 384))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    start = time.perf_counter()
    nearest(vectors.astype(np.float32), np.arange(count) // 10, k=5)
    return count / (time.perf_counter() - start)
