"""Nearest claims of other documents, by an approximate index (HNSW, usearch): never all pairs.

The index holds the vectors in eight bits a number, a quarter of what they are: most of its time goes into
waiting for memory. The few neighbours it finds are compared anew with the vectors as they are.
"""

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
EXPANSION = 96
"""Width of the search while building and while asking; 0.996 of the exact neighbours of 7,855 news claims."""
SPARE = 3
"""So many times ``k`` neighbours are asked for: those of the claim's own document are left out."""
_CHUNK = 1000
"""Claims whose neighbours are compared at once; bounds the memory."""


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
    found = _search(vectors, vectors[numbers], min(len(vectors), k * SPARE + 1))
    found, similarity = _by_likeness(vectors, numbers, found)
    other = (owners[found] != owners[numbers][:, None]) & (found >= 0)
    near = other & (np.cumsum(other, axis=1) <= k) & (similarity >= least)
    rows, columns = np.nonzero(near)
    a, b = numbers[rows], found[rows, columns]
    return _unique(np.minimum(a, b), np.maximum(a, b), similarity[rows, columns])


def _search(vectors: NDArray[np.float32], queries: NDArray[np.float32], wanted: int) -> NDArray[np.int64]:
    """Numbers of about the nearest vectors, -1 where there are fewer. *Shape:* ``(n_queries, wanted)``."""
    # Loaded after usearch (2.26), onnxruntime (1.31) ends the process when it opens a model.
    import_module("onnxruntime")
    from usearch.index import BatchMatches, Index

    index = Index(
        ndim=vectors.shape[1], metric="cos", dtype="i8", connectivity=CONNECTIVITY,
        expansion_add=EXPANSION, expansion_search=max(EXPANSION, wanted),
    )  # fmt: skip
    index.add(np.arange(len(vectors), dtype=np.uint64), vectors, threads=1)
    keys = np.full((len(queries), wanted), -1, dtype=np.int64)
    asked = queries if len(queries) > 1 else np.repeat(queries, 2, axis=0)  # for one it answers otherwise
    matches = index.search(asked, wanted, threads=1)
    if not isinstance(matches, BatchMatches):
        raise BackendUnavailable("usearch answered many questions as one; install usearch 2.26 or newer")
    found, counts = matches.keys[: len(queries)], matches.counts[: len(queries)]
    filled = np.arange(found.shape[1])[None, :] < counts[:, None]
    keys[:, : found.shape[1]][filled] = found[filled].astype(np.int64)
    return keys


def _by_likeness(
    vectors: NDArray[np.float32], numbers: NDArray[np.int64], found: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """What was found, put in order by the cosine of the vectors as they are; and the cosines.

    *Shape:* ``(n_asking, wanted)`` each; -2 and last where nothing was found.
    """
    similarity = np.empty(found.shape, dtype=np.float32)
    for start in range(0, len(numbers), _CHUNK):
        rows = slice(start, start + _CHUNK)
        similarity[rows] = np.einsum("ij,ikj->ik", vectors[numbers[rows]], vectors[found[rows]])
    similarity[found < 0] = -2.0
    order = np.lexsort((found, -similarity), axis=1)
    return np.take_along_axis(found, order, 1), np.take_along_axis(similarity, order, 1)


def _unique(first: NDArray[np.int64], second: NDArray[np.int64], similarity: NDArray[np.float32]) -> Pairs:
    order = np.lexsort((second, first, -similarity))
    first, second, similarity = first[order], second[order], similarity[order]
    _, once = np.unique(np.stack([first, second], axis=1), axis=0, return_index=True)
    kept = np.sort(once)
    return Pairs(first[kept], second[kept], similarity[kept])
