"""Vectors in one bit a dimension: a rough order over many rows in little memory, before the exact one.

The sign of each dimension is kept (``numpy.packbits``), 48 bytes for 384 dimensions. How many bits differ
falls with the cosine, so the nearest by bits hold the nearest by cosine, once enough of them are looked at.
No graph is built: what is found depends on the vectors alone, neither on how they are spread over segments
nor on the order in which they came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]
"""*Shape:* (dimension / 64 rounded up, n_rows). All first words stand together, then all second ones."""
CHUNK = 1 << 16
"""Rows that are looked at together; what is worked out for them stays in the processor's cache."""


def words_of(dimension: int) -> int:
    """How many 64-bit words a vector takes."""
    return -(-dimension // 64)


def codes_of(vectors: NDArray[np.float32]) -> Codes:
    """The signs of vectors. *Shape* of ``vectors``: (n_rows, dimension)."""
    count, dimension = vectors.shape
    found = np.zeros((words_of(dimension), count), dtype=np.uint64)
    for start in range(0, count, CHUNK):
        bits = np.packbits(np.asarray(vectors[start : start + CHUNK]) > 0, axis=1)
        wide = np.zeros((len(bits), 8 * len(found)), dtype=np.uint8)
        wide[:, : bits.shape[1]] = bits
        found[:, start : start + CHUNK] = wide.view(np.uint64).T
    return found


def nearest(
    parts: Sequence[Codes], vector: NDArray[np.float32], live: NDArray[np.bool_] | None, count: int
) -> NDArray[np.int64]:
    """Rows with fewest bits that differ from a vector's: ``count`` of them, and all that tie with the last.

    Args:
        parts: codes of the segments, whose rows are numbered through.
        live: which rows count; all where it is ``None``. *Shape:* (n_rows,).
    """
    wanted = codes_of(vector[np.newaxis])[:, 0]
    differing = np.concatenate([_differing(codes, wanted) for codes in parts])
    seen = differing if live is None else differing[live]
    up_to = np.cumsum(np.bincount(seen, minlength=1))
    limit = int(np.searchsorted(up_to, count))
    close = differing <= limit
    return np.flatnonzero(close if live is None else close & live)


def _differing(codes: Codes, wanted: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """In how many bits each row differs. *Shape:* (n_rows,)."""
    found = np.zeros(codes.shape[1], dtype=np.uint16)
    for start in range(0, len(found), CHUNK):
        part = found[start : start + CHUNK]
        for word, other in zip(codes, wanted, strict=True):
            part += np.bitwise_count(cast(Codes, word[start : start + CHUNK] ^ other))
    return found
