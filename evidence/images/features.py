"""Local features of a picture: SIFT points (OpenCV), each with its descriptor as a code of 128 bits; and an index of
which known pictures share many with a submitted one.

A code holds the signs of a Hadamard transform of the descriptor, less its mean over many pictures: two
descriptors of one detail differ in few bits, two of different details in about half of them. Its first 20 bits are its
word in the index. A submitted code is looked up under its own word and under those that its least certain bits lead to
(multi-probe hashing); the rest of the code says whether a posting is near.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations, pairwise
from pathlib import Path
from typing import IO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image, Resampling

from evidence.images.boxes import resized

Points = NDArray[np.float32]
"""*Shape:* (n, 2): x and y."""
Codes = NDArray[np.uint64]
"""*Shape:* (n, 2)."""
KNOWN_SIDE = 320
"""Longest side in pixels at which known pictures are looked at."""
SUBMITTED_AREA = 150_000
"""Pixels with which submitted pictures are looked at, at most: what finding their features costs grows with these."""
KNOWN_MOST, SUBMITTED_MOST = 256, 1200
"""Features kept at most."""
VERSION = b"s1"
"""Before the features of a known picture; those of another version are left alone."""
_CONTRAST, _EDGE, _GRID, _BITS = 0.02, 12, 4, 128
ROW = np.dtype([("x", "<u2"), ("y", "<u2"), ("code", "<u8", (2,))])
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
class Features:
    """``points`` in pixels of the picture as it is; ``margins``: how far each bit of the word is from turning over,
    *Shape:* (n, 20).
    """

    points: Points
    codes: Codes
    margins: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.points)


def known_features(image: Image) -> Features:
    """At most 256 features, spread over the picture; ``points`` in pixels of its thumbnail."""
    grey = _grey(image, min(1.0, KNOWN_SIDE / max(image.size)))
    points, strengths, descriptors = _sift(grey, 4 * KNOWN_MOST)
    kept = _spread(points, strengths, grey.shape, KNOWN_MOST)
    return _features(points[kept], descriptors[kept])


def submitted_features(image: Image) -> tuple[Features, Features]:
    """The features of a picture as it is, and as those of its mirror image."""
    factor = min(1.0, math.sqrt(SUBMITTED_AREA / (image.width * image.height)))
    grey = _grey(image, factor)
    points, _, descriptors = _sift(grey, SUBMITTED_MOST)
    points = points / factor
    other = np.stack([image.width - points[:, 0], points[:, 1]], axis=1).astype(np.float32)
    return _features(points, descriptors), _features(other, mirrored(descriptors))


def mirrored(descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The descriptors that the mirrored picture has at the same details: SIFT's 4 x 4 cells of 8 directions,
    rows and directions reversed.
    """
    turned = descriptors.reshape(-1, 4, 4, 8)[:, ::-1][:, :, :, (-np.arange(8)) % 8]
    return np.ascontiguousarray(turned.reshape(-1, _BITS))


def to_bytes(features: Features) -> bytes:
    """Points to an eighth of a pixel, and codes."""
    rows = np.zeros(len(features), dtype=ROW)
    rows["x"], rows["y"] = (np.clip(np.round(features.points * 8), 0, 65535)).T
    rows["code"] = features.codes
    return VERSION + rows.tobytes()


def from_bytes(raw: bytes) -> tuple[Points, Codes]:
    """Points and codes of a known picture; none where another version made them."""
    body = raw[len(VERSION) :] if raw.startswith(VERSION) else b""
    rows = np.frombuffer(body[: len(body) - len(body) % ROW.itemsize], dtype=ROW)
    points = np.stack([rows["x"], rows["y"]], axis=1).astype(np.float32) / np.float32(8)
    return np.asarray(points, dtype=np.float32), rows["code"].astype(np.uint64)


def distances(a: Codes, b: Codes) -> NDArray[np.uint8]:
    """Bits in which each code of ``a`` differs from each of ``b``, at most 128. *Shape:* (len(a), len(b))."""
    first, second = (np.bitwise_count(a[:, None, half] ^ b[None, :, half]) for half in (0, 1))
    return np.asarray(first + second, dtype=np.uint8)


def _grey(image: Image, factor: float) -> NDArray[np.uint8]:
    small = resized(image.convert("L"), factor, Resampling.BOX if factor < 0.5 else Resampling.BILINEAR)
    return np.asarray(small, dtype=np.uint8)


def _sift(grey: NDArray[np.uint8], most: int) -> tuple[Points, NDArray[np.float32], NDArray[np.float32]]:
    """Points, strengths and root descriptors of unit length."""
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=_CONTRAST, edgeThreshold=_EDGE)
    keypoints, raw = sift.detectAndCompute(grey, None)
    if raw is None or not len(keypoints):
        empty = np.empty((0, 2), dtype=np.float32)
        return empty, np.empty(0, dtype=np.float32), np.empty((0, _BITS), dtype=np.float32)
    points = np.array([k.pt for k in keypoints], dtype=np.float32)
    strengths = np.array([k.response for k in keypoints], dtype=np.float32)
    total = np.maximum(raw.sum(axis=1, keepdims=True), 1e-6)
    return points, strengths, np.sqrt(raw / total).astype(np.float32)


def _spread(points: Points, strengths: NDArray[np.float32], shape: tuple[int, ...], most: int) -> NDArray[np.int64]:
    """Indices of the strongest features, cell by cell of a grid in turn, so that each part keeps some."""
    cells = np.minimum(points / np.array([shape[1], shape[0]]) * _GRID, _GRID - 1).astype(np.int64)
    cell, order = cells[:, 0] + _GRID * cells[:, 1], np.argsort(-strengths, kind="stable")
    rank = np.empty(len(points), dtype=np.int64)
    for number in range(_GRID * _GRID):
        mine = order[cell[order] == number]
        rank[mine] = np.arange(len(mine))
    return np.lexsort((-strengths, rank))[:most]


def _features(points: Points, descriptors: NDArray[np.float32]) -> Features:
    values = _transformed(descriptors - _mean())
    packed = np.packbits(values > 0, axis=1).reshape(-1, 2, 8)
    codes = np.ascontiguousarray(packed).view(">u8").astype(np.uint64).reshape(-1, 2)
    return Features(points.astype(np.float32), codes, np.abs(values[:, :WORD_BITS]))


def _transformed(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The Hadamard transform behind fixed changes of sign, by sums and differences of halves: a product of matrices
    wakes threads that cost more than this.
    """
    turned = (values * _flips()).T
    for half in (1 << n for n in range(_BITS.bit_length() - 1)):
        pairs = turned.reshape(-1, 2, half, len(values))
        turned = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
    return np.asarray(turned.reshape(_BITS, len(values)).T, dtype=np.float32)


@lru_cache(maxsize=1)
def _flips() -> NDArray[np.float32]:
    signs = np.unpackbits(np.frombuffer(hashlib.sha256(b"factdesk descriptor signs").digest(), np.uint8))
    return np.where(signs[:_BITS], 1.0, -1.0).astype(np.float32) / np.float32(math.sqrt(_BITS))


@lru_cache(maxsize=1)
def _mean() -> NDArray[np.float32]:
    """The mean of many pictures' descriptors, which is kept in thousandths."""
    text = files("evidence.images").joinpath("data", "descriptor_mean.txt").read_text("ascii")
    return np.array([int(part) for part in text.split()], dtype=np.float32) / np.float32(1000)


@dataclass(frozen=True)
class FeatureIndex:
    """Postings of the pictures ``ids`` in the order of their words. ``starts`` *Shape:* (2 ** 20 + 1,): where
    each word's begin.
    """

    ids: tuple[str, ...]
    starts: NDArray[np.uint32]
    owners: NDArray[np.uint32]
    """Number of the picture of each posting."""
    codes: NDArray[np.uint64]
    """First 64 bits of its code."""
    sizes: NDArray[np.uint32]
    """How many features each picture has."""

    def nearest(self, wanted: Features, most: int) -> tuple[tuple[str, float], ...]:
        """(id, score) of the pictures with most features near those of ``wanted``, best first. Each submitted feature
        counts once a picture, more the nearer it is; a sum over many features is taken down by the root of their
        number.
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
        return tuple((self.ids[n], round(float(scores[n]), 6)) for n in best if scores[n] > 0)

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


def build(pictures: Iterable[tuple[str, bytes]]) -> FeatureIndex:
    """Of pictures' ids with their features as ``to_bytes`` gives them."""
    ids: list[str] = []
    codes = [np.empty((0, 2), dtype=np.uint64)]
    for known, raw in pictures:
        ids.append(known)
        codes.append(from_bytes(raw)[1])
    sizes = np.array([len(part) for part in codes[1:]], dtype=np.uint32)
    joined = np.concatenate(codes)
    words = _words(joined)
    order = np.argsort(words, kind="stable")
    starts = np.zeros((1 << WORD_BITS) + 1, dtype=np.uint32)
    np.cumsum(np.bincount(words, minlength=1 << WORD_BITS), out=starts[1:])
    owners = np.repeat(np.arange(len(ids), dtype=np.uint32), sizes)
    return FeatureIndex(tuple(ids), starts, owners[order], np.ascontiguousarray(joined[order, 0]), sizes)


def save(index: FeatureIndex, file: IO[bytes]) -> None:
    """The arrays and the ids one after another, behind the numbers of postings, pictures and bytes of ids."""
    ids = "\n".join(index.ids).encode()
    file.write(np.array([len(index.owners), len(index.ids), len(ids)], dtype=np.uint64).tobytes())
    for part in (index.codes, index.starts, index.owners, index.sizes):
        file.write(part.tobytes())
    file.write(ids)


def load(path: Path) -> FeatureIndex:
    """Mapped into memory: a look-up reads the parts that it needs. Raises ``ValueError``, ``OSError``."""
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    postings, pictures, named = (int(n) for n in raw[:24].view(np.uint64))
    lengths = (24, postings * 8, ((1 << WORD_BITS) + 1) * 4, postings * 4, pictures * 4, named)
    codes, starts, owners, sizes, ids = (raw[a:b] for a, b in pairwise(int(e) for e in np.cumsum(lengths)))
    known = tuple(ids.tobytes().decode().split("\n")) if named else ()
    if len(raw) != sum(lengths) or len(known) != pictures:
        raise ValueError(f"{str(path)!r} is no whole index of features")
    counts = [part.view(np.uint32) for part in (starts, owners, sizes)]
    return FeatureIndex(known, counts[0], counts[1], codes.view(np.uint64), counts[2])


def _words(codes: Codes) -> NDArray[np.int64]:
    return (codes[:, 0] >> np.uint64(64 - WORD_BITS)).astype(np.int64)


def _probed(wanted: Features) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The words to look up, and the feature that each is for."""
    unsure = np.argsort(wanted.margins, axis=1)[:, :_UNSURE]
    bits = np.int64(1) << (WORD_BITS - 1 - unsure)
    turned = np.stack([bits[:, list(p)].sum(axis=1) for p in _PATTERNS], axis=1)
    words = _words(wanted.codes)[:, None] ^ turned
    return words.ravel(), np.repeat(np.arange(len(wanted)), len(_PATTERNS))


_PATTERNS = sorted(
    (ranks for size in range(4) for ranks in combinations(range(_UNSURE), size)),
    key=lambda ranks: (sum(rank + 1 for rank in ranks), ranks),
)[:PROBES]
"""Sets of ranks of uncertainty, those that are likeliest turned over first."""
