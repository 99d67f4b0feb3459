"""Perceptual hashes of two kinds (ImageHash): of the frequencies (DCT) and of the gradients, 64 bits each.

They find copies of the whole picture, also of one that has hardly any local features. A mirrored copy is
found by hashing the submitted picture a second time, mirrored. All known hashes are compared, which takes
milliseconds for a million.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import ImageOps
from PIL.Image import Image, Resampling

KINDS = 2
SIZE = 8 * KINDS
"""Bytes of the hashes of one picture."""
RADIUS = 11
"""Bits of 64 up to which hashes are near each other."""
_WORK = 256


def hashes_of(image: Image) -> NDArray[np.uint64]:
    """*Shape:* (2,): the DCT and the gradient hash."""
    return _hashed(_small(image))


def submitted_hashes(image: Image) -> NDArray[np.uint64]:
    """*Shape:* (2, 2): the hashes of the picture as it is, and mirrored."""
    small = _small(image)
    return np.stack([_hashed(small), _hashed(ImageOps.mirror(small))])


def _small(image: Image) -> Image:
    return image.convert("L").resize((_WORK, _WORK), Resampling.BOX)


def _hashed(grey: Image) -> NDArray[np.uint64]:
    import imagehash

    return np.array([_packed(imagehash.phash(grey).hash), _packed(imagehash.dhash(grey).hash)])


def differing(known: NDArray[np.uint64], submitted: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Bits in which the nearer of the two hashes differs, as it is and mirrored. *Shapes:* (n, 2), (2, 2) to (2, n)."""
    return np.asarray(np.bitwise_count(known[None] ^ submitted[:, None]).min(axis=2), dtype=np.uint8)


def nearest(known: NDArray[np.uint64], submitted: NDArray[np.uint64]) -> tuple[tuple[int, bool], ...]:
    """Number of all known hashes that are near, and whether mirrored ones, nearest first."""
    apart = differing(known, submitted)
    least, mirrored = apart.min(axis=0), apart.argmin(axis=0)
    near = np.flatnonzero(least <= RADIUS)
    return tuple((int(n), bool(mirrored[n])) for n in near[np.lexsort((mirrored[near], least[near]))])


def to_bytes(hashes: NDArray[np.uint64]) -> bytes:
    """Big-endian."""
    return hashes.astype(">u8").tobytes()


def from_bytes(raw: bytes) -> NDArray[np.uint64]:
    """*Shape:* (n, 2), of the bytes of n pictures one after another."""
    return np.frombuffer(raw, dtype=">u8").astype(np.uint64).reshape(-1, KINDS)


def _packed(bits: NDArray[np.bool_]) -> np.uint64:
    return np.uint64(int.from_bytes(np.packbits(bits.ravel()).tobytes(), "big"))
