"""Perceptual hashes of two kinds (ImageHash): of the frequencies (DCT) and of the gradients, 64 bits each.

A known image is hashed whole and in nine crops, so that a copy with up to a tenth cut off finds one that is
near. A mirrored copy is found by hashing the submitted picture a second time, mirrored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image

Kind = Literal["dct", "gradient"]
KINDS: tuple[Kind, ...] = ("dct", "gradient")
Part = tuple[float, float, float, float]
CROPS: tuple[Part, ...] = (
    (0.0, 0.0, 1.0, 1.0), (0.05, 0.05, 0.95, 0.95),
    (0.1, 0.0, 1.0, 1.0), (0.0, 0.0, 0.9, 1.0), (0.0, 0.1, 1.0, 1.0), (0.0, 0.0, 1.0, 0.9),
    (0.1, 0.1, 1.0, 1.0), (0.0, 0.1, 0.9, 1.0), (0.1, 0.0, 1.0, 0.9), (0.0, 0.0, 0.9, 0.9),
)  # fmt: skip
"""Parts of the picture (left, top, right, bottom) that are hashed, the whole first."""
_WORK = 256


def hashes_of(image: Image, crops: tuple[Part, ...] = CROPS) -> NDArray[np.uint64]:
    """*Shape:* (n_crops, 2): the DCT and the gradient hash of each part of the picture."""
    import imagehash
    from PIL.Image import Resampling

    grey = image.convert("L").resize((_WORK, _WORK), Resampling.BOX)
    found = np.empty((len(crops), len(KINDS)), dtype=np.uint64)
    for row, (x0, y0, x1, y1) in enumerate(crops):
        box = (round(x0 * _WORK), round(y0 * _WORK), round(x1 * _WORK), round(y1 * _WORK))
        part = grey if row == 0 and box == (0, 0, _WORK, _WORK) else grey.crop(box)
        found[row, 0] = _packed(imagehash.phash(part).hash)
        found[row, 1] = _packed(imagehash.dhash(part).hash)
    return found


def submitted_hashes(image: Image) -> NDArray[np.uint64]:
    """*Shape:* (2, 2): the hashes of the picture as it is, and mirrored."""
    from PIL.Image import Transpose

    return np.concatenate(
        [hashes_of(i, CROPS[:1]) for i in (image, image.transpose(Transpose.FLIP_LEFT_RIGHT))]
    )


def to_bytes(hashes: NDArray[np.uint64]) -> bytes:
    """Big-endian, row by row."""
    return hashes.astype(">u8").tobytes()


def from_bytes(raw: bytes) -> NDArray[np.uint64]:
    """*Shape:* (n_crops, 2)."""
    return np.frombuffer(raw, dtype=">u8").astype(np.uint64).reshape(-1, len(KINDS))


def _packed(bits: NDArray[np.bool_]) -> np.uint64:
    return np.uint64(int.from_bytes(np.packbits(bits.ravel()).tobytes(), "big"))
