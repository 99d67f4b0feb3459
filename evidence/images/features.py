"""Local features of a picture: SIFT points (OpenCV), each with its descriptor as a code of 128 bits.

A code holds the signs of a Hadamard transform of the descriptor, less its mean over many pictures: two
descriptors of one detail differ in few bits, two of different details in about half of them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache, reduce
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image, Resampling

from evidence.images.boxes import resized

Points = NDArray[np.float32]
"""*Shape:* (n, 2): x and y."""
Codes = NDArray[np.uint64]
"""*Shape:* (n, 2)."""
KNOWN_SIDE, SUBMITTED_SIDE = 320, 640
"""Longest side in pixels at which known and submitted pictures are looked at."""
KNOWN_MOST, SUBMITTED_MOST = 256, 1200
"""Features kept at most."""
VERSION = b"s1"
"""Before the features of a known picture; those of another version are left alone."""
_CONTRAST, _EDGE, _GRID, _BITS = 0.02, 12, 4, 128
ROW = np.dtype([("x", "<u2"), ("y", "<u2"), ("code", "<u8", (2,))])


@dataclass(frozen=True)
class Features:
    """``points`` in pixels of the picture as it is; ``margins``: how far each bit is from turning over,
    *Shape:* (n, 128).
    """

    points: Points
    codes: Codes
    margins: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.points)


def known_features(image: Image) -> Features:
    """At most 256 features, spread over the picture; ``points`` in pixels of its thumbnail."""
    grey, _ = _grey(image, KNOWN_SIDE)
    points, strengths, descriptors = _sift(grey, 4 * KNOWN_MOST)
    kept = _spread(points, strengths, grey.shape, KNOWN_MOST)
    return _features(points[kept], descriptors[kept])


def submitted_features(image: Image) -> tuple[Features, Features]:
    """The features of a picture as it is, and as those of its mirror image."""
    grey, factor = _grey(image, SUBMITTED_SIDE)
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


def distances(a: Codes, b: Codes) -> NDArray[np.int64]:
    """Bits in which each code of ``a`` differs from each of ``b``. *Shape:* (len(a), len(b))."""
    first = np.bitwise_count(a[:, None, 0] ^ b[None, :, 0]).astype(np.int64)
    return np.asarray(first + np.bitwise_count(a[:, None, 1] ^ b[None, :, 1]), dtype=np.int64)


def _grey(image: Image, side: int) -> tuple[NDArray[np.uint8], float]:
    """Grey pixels with a longest side of ``side`` at most, and the factor of the size."""
    factor = min(1.0, side / max(image.size))
    small = resized(image.convert("L"), factor, Resampling.BOX if factor < 0.5 else Resampling.BILINEAR)
    return np.asarray(small, dtype=np.uint8), factor


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
    basis, limits = _basis()
    values = np.asarray(descriptors @ basis - limits, dtype=np.float32)
    packed = np.packbits(values > 0, axis=1).reshape(-1, 2, 8)
    codes = np.ascontiguousarray(packed).view(">u8").astype(np.uint64).reshape(-1, 2)
    return Features(points.astype(np.float32), codes, np.abs(values))


@lru_cache(maxsize=1)
def _basis() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The Hadamard transform behind fixed changes of sign, and under it the mean of many pictures' descriptors,
    which is kept in thousandths.
    """
    signs = np.unpackbits(np.frombuffer(hashlib.sha256(b"factdesk descriptor signs").digest(), np.uint8))
    flips = np.where(signs[:_BITS], 1.0, -1.0)
    transform = reduce(np.kron, [np.array([[1, 1], [1, -1]])] * (_BITS.bit_length() - 1))
    basis = (flips[:, None] * transform / np.sqrt(_BITS)).astype(np.float32)
    text = files("evidence.images").joinpath("data", "descriptor_mean.txt").read_text("ascii")
    mean = np.array([int(part) for part in text.split()], dtype=np.float32) / 1000
    return basis, mean @ basis
