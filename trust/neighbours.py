"""Nearest claims of other documents, by an approximate index (HNSW, usearch): never all pairs."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import BackendUnavailable, InputError

K = 5
"""Nearest claims of other documents that are looked at, per claim."""
LEAST = 0.55
"""Cosine from which on two claims may speak of the same; below, the verifier found next to nothing."""
CONNECTIVITY = 16
EXPANSION = 128
"""Width of the search while building and while asking: recall above 0.98 at 16,000 claims."""
SPARE = 3
"""So many times ``k`` neighbours are asked for: those of the claim's own document are left out."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of claims worth a look, each once, ``first < second``, the nearest first.

    *Shape:* ``(n_pairs,)`` each.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    similarity: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.first)

    def head(self, count: int) -> Pairs:
        """The ``count`` nearest pairs."""
        return Pairs(self.first[:count], self.second[:count], self.similarity[:count])


def nearest(
    vectors: NDArray[np.float32],
    owners: NDArray[np.int64],
    *,
    k: int = K,
    least: float = LEAST,
    asking: NDArray[np.int64] | None = None,
) -> Pairs:
    """Pairs of each asking claim with its ``k`` nearest claims of other owners, at cosine ``least`` or more.

    Args:
        vectors: unit vectors. *Shape:* ``(n_claims, dimension)``.
        owners: number of the document of each claim. *Shape:* ``(n_claims,)``.
        k: 1 or more.
        least: cosine, -1 to 1.
        asking: numbers of the claims that ask; all when left out. With the new claims alone, a corpus grows
            without old pairs being looked for again.

    Deterministic: the index is built by one thread in the given order.
    Raises ``InputError`` when the shapes do not fit or ``k`` is below 1.
    """
    if vectors.ndim != 2 or owners.shape != (len(vectors),):
        raise InputError(f"{vectors.shape!r} vectors do not fit {owners.shape!r} owners")
    if k < 1:
        raise InputError(f"k is {k!r}; give 1 or more")
    numbers = np.arange(len(vectors)) if asking is None else asking
    if len(vectors) < 2 or not len(numbers):
        none = np.empty(0, dtype=np.int64)
        return Pairs(none, none, np.empty(0, dtype=np.float32))
    wanted = min(len(vectors), k * SPARE + 1)
    found, distances = _search(vectors, vectors[numbers], wanted)
    other = (owners[found] != owners[numbers][:, None]) & (found >= 0)
    near = other & (np.cumsum(other, axis=1) <= k) & (1 - distances >= least)
    rows, columns = np.nonzero(near)
    a, b = numbers[rows], found[rows, columns]
    return _unique(np.minimum(a, b), np.maximum(a, b), (1 - distances[rows, columns]).astype(np.float32))


def _search(
    vectors: NDArray[np.float32], queries: NDArray[np.float32], wanted: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Numbers of the nearest vectors and their distances, nearest first; -1 where there are fewer."""
    # Loaded after usearch (2.26), onnxruntime (1.31) ends the process when it opens a model.
    import_module("onnxruntime")
    from usearch.index import BatchMatches, Index

    index = Index(
        ndim=vectors.shape[1], metric="ip", dtype="f32", connectivity=CONNECTIVITY,
        expansion_add=EXPANSION, expansion_search=max(EXPANSION, wanted),
    )  # fmt: skip
    index.add(np.arange(len(vectors), dtype=np.uint64), vectors, threads=1)
    keys = np.full((len(queries), wanted), -1, dtype=np.int64)
    distances = np.full((len(queries), wanted), 2.0, dtype=np.float32)
    asked = queries if len(queries) > 1 else np.repeat(queries, 2, axis=0)  # for one it answers otherwise
    matches = index.search(asked, wanted, threads=1)
    if not isinstance(matches, BatchMatches):
        raise BackendUnavailable("usearch answered many questions as one; install usearch 2.26 or newer")
    found, apart = matches.keys[: len(queries)], matches.distances[: len(queries)]
    counts = matches.counts[: len(queries)]
    filled = np.arange(found.shape[1])[None, :] < counts[:, None]
    keys[:, : found.shape[1]][filled] = found[filled].astype(np.int64)
    distances[:, : found.shape[1]][filled] = apart[filled]
    return keys, distances


def _unique(first: NDArray[np.int64], second: NDArray[np.int64], similarity: NDArray[np.float32]) -> Pairs:
    order = np.lexsort((second, first, -similarity))
    first, second, similarity = first[order], second[order], similarity[order]
    _, once = np.unique(np.stack([first, second], axis=1), axis=0, return_index=True)
    kept = np.sort(once)
    return Pairs(first[kept], second[kept], similarity[kept])
