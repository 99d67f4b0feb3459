"""What stands around a picture inside a screenshot or collage: text and plain ground, or other pictures."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image, Resampling

from evidence.images.boxes import resized
from evidence.types import Box

_SIDE, _BLOCK = 640, 20
_GROUND, _NEAR = 0.12, 4
"""Share of the surroundings that has one tone where that is the page's ground, within so many grey levels."""
_LITTLE = 0.12
"""Share of a block that may have the ground's tone in a picture; text shows more of it between its lines."""
_AS_LARGE = 0.5
"""Share of the picture's own area from which on another one counts."""


def stands_alone(image: Image, place: Box) -> bool:
    """Whether no other picture of at least half the size stands beside ``place``."""
    factor = min(1.0, _SIDE / max(image.size))
    grey = np.asarray(resized(image.convert("L"), factor, Resampling.BOX, least=_BLOCK), dtype=np.int64)
    rows, columns = grey.shape[0] // _BLOCK, grey.shape[1] // _BLOCK
    cells = grey[: rows * _BLOCK, : columns * _BLOCK].reshape(rows, _BLOCK, columns, _BLOCK)
    blocks = cells.transpose(0, 2, 1, 3).reshape(rows, columns, -1)
    x0, y0, x1, y1 = (round(v * factor / _BLOCK) for v in (place.x0, place.y0, place.x1, place.y1))
    own = max(1, (x1 - x0) * (y1 - y0))
    around = np.ones((rows, columns), dtype=np.bool_)
    around[max(0, y0 - 1) : y1 + 1, max(0, x0 - 1) : x1 + 1] = False
    ground = _ground(blocks[around])
    pictured = around & (ground[blocks].mean(axis=2) < _LITTLE)
    count, labels = cv2.connectedComponents(pictured.astype(np.uint8))
    sizes = np.bincount(labels.ravel(), minlength=count)[1:]
    return not len(sizes) or float(sizes.max()) < _AS_LARGE * own


def _ground(blocks: NDArray[np.int64]) -> NDArray[np.bool_]:
    """*Shape:* (256,): the grey levels that the ground of a page has; none where no tone prevails."""
    counts = np.bincount(blocks.ravel(), minlength=256).astype(np.float64)
    near = np.convolve(counts, np.ones(2 * _NEAR + 1), "same")
    peaks = near >= _GROUND * max(1.0, counts.sum())
    return np.convolve(peaks, np.ones(2 * _NEAR + 1), "same") > 0
