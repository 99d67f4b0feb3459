"""Vectors in one bit a dimension (its sign): a rough order over many rows in little memory, before the exact one. How
many bits differ falls with the cosine. What is found depends on the vectors alone, not on the order in which they came.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]
"""*Shape:* (dimension / 64 rounded up, n_rows). All first words stand together, then all second ones."""
CHUNK = 1 << 16
"""Rows that are looked at together; what is worked out for them stays in the processor's cache."""


def packed(vectors: NDArray[np.float32]) -> bytes:
    """The signs of vectors, row by row. *Shape* of ``vectors``: (n_rows, dimension)."""
    bits = np.packbits(vectors > 0, axis=1)
    wide = np.zeros((len(bits), 8 * _words(vectors.shape[1])), dtype=np.uint8)
    wide[:, : bits.shape[1]] = bits
    return wide.tobytes()


def unpacked(data: bytes, dimension: int) -> Codes:
    """Rows that were packed, laid out for ``nearest``. Raises ``ValueError`` where they are not whole."""
    rows = np.frombuffer(data, dtype=np.uint64).reshape(-1, _words(dimension))
    return np.ascontiguousarray(rows.T)


def nearest(codes: Codes, vector: NDArray[np.float32], mask: NDArray[np.bool_] | None, count: int) -> NDArray[np.int64]:
    """Rows with fewest bits that differ from a vector's, ascending: ``count``, and ties with the last. ``mask`` says
    which rows count; all where it is ``None``. *Shape:* (n_rows,).
    """
    wanted = unpacked(packed(vector[np.newaxis]), len(vector))[:, 0]
    differing = np.zeros(codes.shape[1], dtype=np.uint16)
    for start in range(0, len(differing), CHUNK):
        part = differing[start : start + CHUNK]
        for word, other in zip(codes, wanted, strict=True):
            part += np.bitwise_count(np.bitwise_xor(word[start : start + CHUNK], other))
    seen = differing if mask is None else differing[mask]
    limit = int(np.searchsorted(np.cumsum(np.bincount(seen, minlength=1)), count))
    close = differing <= limit
    return np.flatnonzero(close if mask is None else close & mask)


def _words(dimension: int) -> int:
    """How many 64-bit words a vector takes."""
    return -(-dimension // 64)
