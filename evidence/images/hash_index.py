"""Near neighbours among 64-bit hashes: all are compared, which takes milliseconds for a million."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RADIUS = 11
"""Bits of 64 up to which neighbours are found, all of them."""


@dataclass(frozen=True)
class Neighbour:
    """An entry near the hash that was asked for."""

    entry: int
    distance: int


class HashIndex:
    """64-bit hashes to look among."""

    def __init__(self, hashes: NDArray[np.uint64]) -> None:
        """*Shape* of ``hashes``: (n_entries,)."""
        self._hashes = hashes

    def near(self, wanted: int, radius: int = RADIUS) -> tuple[Neighbour, ...]:
        """All entries that differ in at most ``radius`` bits, nearest first."""
        distances = np.bitwise_count(self._hashes ^ np.uint64(wanted))
        found = np.flatnonzero(distances <= radius)
        order = found[np.argsort(distances[found], kind="stable")]
        return tuple(Neighbour(int(entry), int(distances[entry])) for entry in order)
