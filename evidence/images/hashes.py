"""Perceptual hashes of two kinds (ImageHash): of the frequencies (DCT) and of the gradients, 64 bits each.

They find copies of the whole picture, also of one that has hardly any local features. A mirrored copy is
found by hashing the submitted picture a second time, mirrored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image

Kind = Literal["dct", "gradient"]
KINDS: tuple[Kind, ...] = ("dct", "gradient")
_WORK = 256


def hashes_of(image: Image) -> NDArray[np.uint64]:
    """*Shape:* (2,): the DCT and the gradient hash."""
    import imagehash
    from PIL.Image import Resampling

    grey = image.convert("L").resize((_WORK, _WORK), Resampling.BOX)
    return np.array([_packed(imagehash.phash(grey).hash), _packed(imagehash.dhash(grey).hash)])


def submitted_hashes(image: Image) -> NDArray[np.uint64]:
    """*Shape:* (2, 2): the hashes of the picture as it is, and mirrored."""
    from PIL.Image import Transpose

    return np.stack([hashes_of(i) for i in (image, image.transpose(Transpose.FLIP_LEFT_RIGHT))])


def to_bytes(hashes: NDArray[np.uint64]) -> bytes:
    """Big-endian."""
    return hashes.astype(">u8").tobytes()


def from_bytes(raw: bytes) -> NDArray[np.uint64]:
    """*Shape:* (2,)."""
    return np.frombuffer(raw, dtype=">u8").astype(np.uint64)


def _packed(bits: NDArray[np.bool_]) -> np.uint64:
    return np.uint64(int.from_bytes(np.packbits(bits.ravel()).tobytes(), "big"))
