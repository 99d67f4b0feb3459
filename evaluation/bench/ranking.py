"""``trust``: ClaimRank to convergence on made-up graphs, and the search for pairs of claims.

Ten edges a document, four of five supporting, between documents drawn at random: the worst case for caches.
Beside it a plain implementation with dictionaries, on 10,000 documents. Memory is what numpy and scipy ask
for, the edges themselves included.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from evaluation.bench.types import BenchRecord, Effort, alone, less_is_better
from factdesk.kernel import BackendUnavailable
from trust.claimrank import S0, TOLERANCE
from trust.types import ALPHA

EDGES = 10
"""Edges of a document."""
SIZES = (814, 10_000, 100_000, 1_000_000)
QUICK = 2
"""How many of the sizes ``--quick`` measures."""
CLAIMS = (2_000, 4_000, 8_000, 16_000, 32_000)
SAMPLE = 200
"""Claims whose exact neighbours are looked for beside the index's."""
TOPICS = 200
SEED = 0


def run(effort: Effort) -> list[BenchRecord]:
    """Seconds and mebibytes of matrices and iterations by size; claims searched a second by size."""
    records: list[BenchRecord] = []
    for size in SIZES[: effort.of(QUICK, len(SIZES))]:
        records += _propagation(size)
    records.append(_beside_plain(effort.of(2_000, 10_000)))
    for count in CLAIMS[: effort.of(QUICK, len(CLAIMS))]:
        records += _search(count)
    return records


def _drawn(size: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Sources, targets and signed weights of the edges. *Shape:* ``(size * EDGES,)`` each."""
    rng = np.random.default_rng(SEED)
    sources = rng.integers(0, size, size * EDGES, dtype=np.int32)
    targets = rng.integers(0, size, size * EDGES, dtype=np.int32)
    weights = rng.random(size * EDGES) * rng.choice([1.0, -1.0], size * EDGES, p=[0.8, 0.2])
    return sources, targets, weights


def _propagation(size: int) -> list[BenchRecord]:
    from trust.claimrank import claimrank, matrices_of

    sources, targets, weights = _drawn(size)
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


def _beside_plain(size: int) -> BenchRecord:
    """Matrices and iterations, beside the same equation over dictionaries."""
    from trust.claimrank import claimrank, matrices_of

    sources, targets, weights = _drawn(size)
    start = time.perf_counter()
    found = claimrank(*matrices_of(size, sources, targets, weights))
    ours = time.perf_counter() - start
    start = time.perf_counter()
    plain = plain_claimrank(size, zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True))
    theirs = time.perf_counter() - start
    if not np.allclose(found.scores, plain, atol=1e-4):
        raise BackendUnavailable("the plain implementation gives other scores; the comparison means nothing")
    peer = f"plain dictionaries, {size} documents"
    return less_is_better("trust.claimrank.vs_plain", ours, "s", peer, theirs)


def plain_claimrank(size: int, edges: Iterable[tuple[int, int, float]]) -> list[float]:
    """ClaimRank over dictionaries of lists, to the same tolerance."""
    support: dict[int, list[tuple[int, float]]] = {}
    refute: dict[int, list[tuple[int, float]]] = {}
    for source, target, weight in edges:
        (support if weight > 0 else refute).setdefault(target, []).append((source, abs(weight)))
    scores = [S0] * size
    while True:
        new = [
            (1 - ALPHA) * S0 + ALPHA * (_mean(support.get(n), scores) - _mean(refute.get(n), scores) + 1) / 2
            for n in range(size)
        ]
        if max(abs(a - b) for a, b in zip(new, scores, strict=True)) < TOLERANCE:
            return new
        scores = new


def _mean(voices: list[tuple[int, float]] | None, scores: list[float]) -> float:
    if not voices:
        return 0.0
    return sum(scores[n] * weight for n, weight in voices) / sum(weight for _, weight in voices)


def _search(count: int) -> list[BenchRecord]:
    """Seconds of the processor for all pairs, and the share of exact neighbours found.

    Vectors lie around ``TOPICS`` centres, as those of news do. One thread searches.
    """
    from trust.neighbours import K, nearest

    rng = np.random.default_rng(SEED)
    centres = rng.standard_normal((TOPICS, 384))
    vectors = centres[rng.integers(0, TOPICS, count)] + rng.standard_normal((count, 384))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    owners = np.arange(count) // 10
    nearest(vectors[:100], owners[:100])  # loads the library
    start = time.process_time()
    found = nearest(vectors, owners, least=-1.0)
    seconds = time.process_time() - start
    pairs = set(zip(found.first.tolist(), found.second.tolist(), strict=True))
    hits = 0
    for number in rng.choice(count, SAMPLE, replace=False).tolist():
        similarity = vectors @ vectors[number]
        similarity[owners == owners[number]] = -2.0
        exact = np.argpartition(-similarity, K)[:K].tolist()
        hits += sum((min(number, n), max(number, n)) in pairs for n in exact)
    name = f"trust.pairs.{count}_claims"
    return [
        alone(f"{name}.seconds", seconds, "s"),
        alone(f"{name}.per_claim", 1e6 * seconds / count, "us/claim"),
        alone(f"{name}.recall", hits / (SAMPLE * K), "of the exact neighbours"),
    ]
