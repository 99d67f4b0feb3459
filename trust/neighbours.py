"""Nearest claims of other documents: all cosines, exactly, block by block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import InputError

K = 5
"""Neighbours per claim."""
LEAST = 0.55
"""Least cosine of a pair of claims."""
ASKING = 128
"""Claims that are compared with all others at once; bounds the memory."""
CHUNK = 1 << 16
"""Pairs whose cosines are computed together."""
ROUNDING = np.float32(1e-5)
"""Upper bound on the rounding error of a cosine."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of claims, each once with ``first < second``, nearest first. *Shape:* ``(n_pairs,)`` each."""

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
    ``vectors``: unit, *shape* ``(n_claims, dimension)``; ``owners``: document numbers, *shape* ``(n_claims,)``;
    ``asking``: claims that ask, all by default. Equal cosines go by number. Raises ``InputError`` for wrong shapes or
    ``k`` below 1.
    """
    if vectors.ndim != 2 or owners.shape != (len(vectors),):
        raise InputError(f"{vectors.shape!r} vectors do not fit {owners.shape!r} owners")
    if k < 1:
        raise InputError(f"k is {k!r}; give 1 or more")
    numbers = np.arange(len(vectors)) if asking is None else asking
    if len(vectors) < 2 or not len(numbers):
        none = np.empty(0, dtype=np.int64)
        return Pairs(none, none, np.empty(0, dtype=np.float32))
    parts = [
        _of_others(vectors, owners, numbers[start : start + ASKING], k, least)
        for start in range(0, len(numbers), ASKING)
    ]
    a, b, similarity = (np.concatenate([part[i] for part in parts]) for i in range(3))
    return _unique(np.minimum(a, b), np.maximum(a, b), similarity)


def _of_others(
    vectors: NDArray[np.float32], owners: NDArray[np.int64], asking: NDArray[np.int64], k: int, least: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Some claims, each with its nearest of other owners, and the cosines. *Shape:* ``(n_found,)`` each."""
    rough = vectors[asking] @ vectors.T
    rough[owners[asking][:, None] == owners[None, :]] = -2.0
    last = np.partition(rough, -min(k, len(owners)), axis=1)[:, -min(k, len(owners))]
    rows, found = np.nonzero(rough >= np.maximum(last, max(least, -1.0))[:, None] - ROUNDING)
    similarity = _cosines(vectors, asking[rows], found)
    order = np.lexsort((found, -similarity, rows))
    rows, found, similarity = rows[order], found[order], similarity[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    kept = (rank < k) & (similarity >= least)
    return asking[rows[kept]], found[kept], similarity[kept]


def _cosines(vectors: NDArray[np.float32], first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float32]:
    """Each pair on its own, so that the numbers do not depend on what is compared beside it."""
    found = np.empty(len(first), dtype=np.float32)
    for start in range(0, len(first), CHUNK):
        part = slice(start, start + CHUNK)
        found[part] = np.einsum("ij,ij->i", vectors[first[part]], vectors[second[part]])
    return found


def _unique(first: NDArray[np.int64], second: NDArray[np.int64], similarity: NDArray[np.float32]) -> Pairs:
    order = np.lexsort((second, first, -similarity))
    first, second, similarity = first[order], second[order], similarity[order]
    _, once = np.unique(np.stack([first, second], axis=1), axis=0, return_index=True)
    kept = np.sort(once)
    return Pairs(first[kept], second[kept], similarity[kept])
