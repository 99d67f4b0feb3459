"""Lines that are found in a picture but hold letters which the models do not know (Cyrillic, Arabic, …)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SURE = 0.7
"""Score of the detector from which on a place is text; rough surfaces have 0.4 to 0.65."""
LONG = 2.5
"""Width by height from which on a place is a line."""
LETTERS = 0.65
"""Letters and digits by height of the line: Latin text has about 2, Chinese 1."""


def unread_lines(boxes: NDArray[np.float32], scores: Sequence[float], texts: Sequence[str]) -> int:
    """How many lines are surely text of which hardly a letter was read. *Shape* of boxes: (n, 4, 2)."""
    import numpy as np

    count = 0
    for corners, score, text in zip(boxes, scores, texts, strict=True):
        wide = float(np.linalg.norm(corners[1] - corners[0]))
        long = wide / max(1.0, float(np.linalg.norm(corners[3] - corners[0])))
        count += score >= SURE and long >= LONG and sum(c.isalnum() for c in text) < LETTERS * long
    return count
