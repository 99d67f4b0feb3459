"""Whether letters that both pictures have are the same ones: a number of which one digit was changed differs in so
few pixels that no block of the picture tells.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from evidence.images.overlays import Pixels

LEAST_HEIGHT = 11
"""Height in pixels from which on a line can be compared, the space around its letters included."""
_LETTER = 0.7
"""Side of a window that holds about one letter, as a share of the line's height."""
_INK = 0.3
"""Share of the line's greatest variance from which on a window has ink in it."""
_FAINT = 150.0
"""Variance of grey levels below which a line has no contrast to compare."""
_REDRAWN = 0.78
"""Correlation of a window below which another letter stands there."""


def redrawn(here: Pixels, there: Pixels) -> bool:
    """Whether a letter of one line is another one in the other picture. Grey levels, one laid over the other."""
    height = min(here.shape)
    if height < LEAST_HEIGHT:
        return False
    side = max(3, round(_LETTER * height))

    def mean(pixels: Pixels) -> NDArray[np.float32]:
        return np.asarray(cv2.blur(pixels, (side, side), borderType=cv2.BORDER_REPLICATE), dtype=np.float32)

    a, b = mean(here), mean(there)
    first, second = mean(here * here) - a * a, mean(there * there) - b * b
    most = np.maximum(first, second)
    if most.max() < _FAINT:
        return False
    together = (mean(here * there) - a * b) / np.sqrt(np.maximum(first, 1.0) * np.maximum(second, 1.0))
    return bool(together[most > _INK * most.max()].min() < _REDRAWN)
