"""Where a known picture lies in a submitted one: matching features, and the affine map that most agree on."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from evidence.images.features import Codes, Features, Points, distances

Warp = NDArray[np.float64]
"""*Shape:* (2, 3): from pixels of the known picture's thumbnail to pixels of the submitted picture."""
LEAST_AGREEING = 6
"""Matching features that must agree on one map."""
_NEAR, _APART = 40, 0.85
"""Bits of 128 that matching codes may differ in, and the share of that which the second best must exceed."""
_TOLERANCE = 3.0
"""Pixels of the known picture's thumbnail by which an agreeing feature may be off."""
_STRETCH = 2.0
"""Times as long as the other that one axis may become."""


@dataclass(frozen=True)
class Alignment:
    """A map with the number of features that agree on it."""

    warp: Warp
    agreeing: int


def align(known: tuple[Points, Codes], submitted: Features) -> Alignment | None:
    """The map by RANSAC; ``None`` where too few features agree. Deterministic."""
    points, codes = known
    if len(points) < LEAST_AGREEING or len(submitted) < LEAST_AGREEING:
        return None
    mine, theirs = _matching(codes, submitted.codes)
    source, target = points[mine], submitted.points[theirs]
    if len(source) < LEAST_AGREEING:
        return None
    # From submitted to known, so that the tolerance is one of the known picture's pixels.
    back, agreeing = cv2.estimateAffine2D(
        target, source, method=cv2.RANSAC, ransacReprojThreshold=_TOLERANCE, maxIters=3000, confidence=0.999
    )
    if back is None or not np.isfinite(back).all():
        return None
    count = len(np.unique(np.round(source[agreeing.ravel() > 0]), axis=0))
    if count < LEAST_AGREEING or not _plausible(np.asarray(back[:, :2], dtype=np.float64)):
        return None
    return Alignment(inverted(np.asarray(back, dtype=np.float64)), count)


def inverted(warp: Warp) -> Warp:
    """The map in the other direction."""
    turned = np.linalg.inv(warp[:, :2])
    return np.concatenate([turned, -(turned @ warp[:, 2:])], axis=1)


def _matching(known: Codes, submitted: Codes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    apart = distances(known, submitted)
    best = apart.argmin(axis=1)
    rows = np.arange(len(known))
    least = apart[rows, best]
    apart[rows, best] = 129
    kept = np.flatnonzero((least <= _NEAR) & (least <= _APART * apart.min(axis=1)))
    return kept, best[kept]


def _plausible(turn: NDArray[np.float64]) -> bool:
    """Not mirrored (mirrored features are aligned apart), hardly sheared, not shrunk to nothing."""
    if np.linalg.det(turn) <= 0:
        return False
    long, short = np.linalg.svd(turn, compute_uv=False)
    return bool(short > 0.02 and long / short <= _STRETCH and long < 20)
