"""An inverted index over the codes of local features: which known pictures share many with a submitted one.

A code's first 20 bits are its word. A submitted code is looked up under its own word and under those that
its least certain bits lead to (multi-probe hashing); the rest of the code says whether a posting is near.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from evidence.images.features import Codes, Features

WORD_BITS = 20
PROBES = 16
"""Words that are looked up for each submitted feature."""
MOST_POSTINGS = 400_000
"""Postings that a look-up reads at most, those of the rarest words first: what is common tells little."""
NEAR = 14
"""Bits of the first 64 in which a posting's code may differ."""
_FADING = 7.0
"""Bits over which a near posting's weight falls to a third."""
_FEW = 16
"""Pictures with fewer features are weighed as if they had so many."""
_UNSURE = 8
"""Least certain bits of a word that are turned over, alone and together."""


@dataclass(frozen=True)
class FeatureIndex:
    """Postings in the order of their words. ``starts`` *Shape:* (2 ** 20 + 1,): where each word's begin."""

    starts: NDArray[np.uint32]
    owners: NDArray[np.uint32]
    """Number of the picture of each posting."""
    codes: NDArray[np.uint64]
    """First 64 bits of its code."""
    sizes: NDArray[np.uint32]
    """How many features each picture has."""

    def nearest(self, wanted: Features, most: int) -> tuple[tuple[int, float], ...]:
        """(picture, score) of those with most features near those of ``wanted``, best first.

        Each submitted feature counts once a picture, more the nearer it is; a sum over many features is
        taken down by the root of their number.
        """
        if not len(wanted) or not len(self.owners):
            return ()
        owners, rows, bits = self._near(wanted)
        keys = owners * len(wanted) + rows
        order = np.lexsort((bits, keys))
        kept, first = np.unique(keys[order], return_index=True)
        weights = np.exp(-((bits[order][first] / _FADING) ** 2))
        summed = np.bincount(kept // len(wanted), weights=weights, minlength=len(self.sizes))
        scores: NDArray[np.float64] = summed / np.sqrt(np.maximum(self.sizes, _FEW))
        best = np.argsort(-scores, kind="stable")[:most]
        return tuple((int(n), round(float(scores[n]), 6)) for n in best if scores[n] > 0)

    def _near(self, wanted: Features) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Picture, submitted feature and differing bits of each posting that is near."""
        words, rows = _probed(wanted)
        first, last = self.starts[words].astype(np.int64), self.starts[words + 1].astype(np.int64)
        counts = last - first
        rare = np.argsort(counts, kind="stable")
        rare = np.sort(rare[np.cumsum(counts[rare]) <= MOST_POSTINGS])
        first, counts, rows = first[rare], counts[rare], rows[rare]
        places = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
        rows = np.repeat(rows, counts)
        bits = np.bitwise_count(self.codes[places] ^ wanted.codes[rows, 0])
        near = bits <= NEAR
        return self.owners[places[near]].astype(np.int64), rows[near], bits[near].astype(np.float64)


def build(codes: Codes, owners: NDArray[np.uint32], pictures: int) -> FeatureIndex:
    """``owners``: number of the picture of each code, of so many ``pictures``."""
    words = _words(codes)
    order = np.argsort(words, kind="stable")
    starts = np.zeros((1 << WORD_BITS) + 1, dtype=np.uint32)
    np.cumsum(np.bincount(words, minlength=1 << WORD_BITS), out=starts[1:])
    sizes = np.bincount(owners, minlength=pictures).astype(np.uint32)
    first = np.ascontiguousarray(codes[order, 0])
    return FeatureIndex(starts, owners[order].astype(np.uint32), first, sizes)


def save(index: FeatureIndex, file: IO[bytes]) -> None:
    """The arrays one after another, behind the numbers of postings and pictures."""
    file.write(np.array([len(index.owners), len(index.sizes)], dtype=np.uint64).tobytes())
    for part in (index.codes, index.starts, index.owners, index.sizes):
        file.write(np.ascontiguousarray(part).tobytes())


def load(path: Path) -> FeatureIndex:
    """Mapped into memory: a look-up reads the parts that it needs. Raises ``ValueError``, ``OSError``."""
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    postings, pictures = (int(n) for n in raw[:16].view(np.uint64))
    lengths = (16, postings * 8, ((1 << WORD_BITS) + 1) * 4, postings * 4, pictures * 4)
    if len(raw) != sum(lengths):
        raise ValueError(f"{str(path)!r} is no whole index of features")
    ends = np.cumsum(lengths)
    codes, starts, owners, sizes = (raw[a:b] for a, b in pairwise(int(e) for e in ends))
    return FeatureIndex(starts.view(np.uint32), owners.view(np.uint32), codes.view(np.uint64), sizes.view(np.uint32))


def _words(codes: Codes) -> NDArray[np.int64]:
    return (codes[:, 0] >> np.uint64(64 - WORD_BITS)).astype(np.int64)


def _probed(wanted: Features) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The words to look up, and the feature that each is for."""
    unsure = np.argsort(wanted.margins[:, :WORD_BITS], axis=1)[:, :_UNSURE]
    bits = np.int64(1) << (WORD_BITS - 1 - unsure)
    turned = np.stack([bits[:, list(p)].sum(axis=1) for p in _PATTERNS], axis=1)
    words = _words(wanted.codes)[:, None] ^ turned
    return words.ravel(), np.repeat(np.arange(len(wanted)), len(_PATTERNS))


def _patterns() -> tuple[tuple[int, ...], ...]:
    """Sets of ranks of uncertainty, those that are likeliest turned over first."""
    found = [c for size in range(4) for c in combinations(range(_UNSURE), size)]
    return tuple(sorted(found, key=lambda c: (sum(rank + 1 for rank in c), c))[:PROBES])


_PATTERNS = _patterns()
