"""Is it the same picture? The submitted one is laid over the known one, and what differs is looked at.

Features and hashes only propose. Two pictures are the same when, laid over each other, their pixels go
together and no part differs but for marks laid over it; where another part differs, the picture was altered.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image, Resampling

from evidence.images.alignment import Warp
from evidence.images.boxes import around, resized
from evidence.images.features import KNOWN_SIDE as SIDE
from evidence.images.overlays import Pixels, grey, regions, shown
from evidence.types import Box

SAME = 0.90
"""Correlation from which on two pictures are one."""
ALIKE = 0.70
LEAST_COVERED = 0.12
"""Share of the known picture that the submitted one must show."""
MOST_HIDDEN = 0.4
"""Share of what is laid over each other that may differ."""
LEAST_AGREEING = 0.6
"""Share of the structure laid over each other that must be the same."""

_FINE, _ROUGH = 8.0, 60.0
"""Pixels of the thumbnail by which a map from features, or from nothing, may be mended."""


@dataclass(frozen=True)
class Comparison:
    """Outcome; regions are in pixels of the submitted picture."""

    similarity: float
    """Correlation of the pixels where no part differs, -1 to 1."""
    place: Box | None = None
    """Where the known picture lies in the submitted one; ``None`` where it does not."""
    covered: float = 0.0
    """Share of the known picture that the submitted one shows."""
    share: float = 0.0
    """Share of the submitted picture that the known one fills."""
    altered: Box | None = None
    """The part that differs most, marks laid over it apart."""
    overlaid: tuple[Box, ...] = ()
    """Bars, letters and watermarks laid over it."""


NOTHING = Comparison(0.0)


def thumbnail(image: Image) -> bytes:
    """JPEG of at most 320 pixels a side."""
    out = BytesIO()
    resized(image.convert("RGB"), SIDE / max(image.size), Resampling.BOX).save(out, "JPEG", quality=85)
    return out.getvalue()


def compare(submitted: Image, known: bytes, warp: Warp | None = None) -> Comparison:
    """Lay the submitted picture over the known one (its thumbnail) and compare.

    ``warp`` leads from the thumbnail to the submitted picture; without one, the whole lies on the whole. A
    thumbnail that cannot be decoded is like nothing.
    """
    raw = np.frombuffer(known, dtype=np.uint8)
    decoded = cv2.imdecode(raw, cv2.IMREAD_COLOR) if len(raw) else None
    if decoded is None:
        return NOTHING
    source = np.asarray(decoded[:, :, ::-1], dtype=np.float32)
    height, width = source.shape[:2]
    most = _FINE
    if warp is None:
        most, warp = _ROUGH, np.array([[submitted.width / width, 0, 0], [0, submitted.height / height, 0]])
    query, factor = _shrunk(submitted, warp)
    fitted = _aligned(grey(source), grey(query), warp * factor, most)
    laid, mask = _laid(query, fitted, (width, height))
    covered = float(mask.mean())
    if covered < LEAST_COVERED or min(grey(source)[mask].std(), grey(laid)[mask].std()) < 2.0:
        return NOTHING
    warp = fitted / factor
    if height * width * _enlarged(warp) < 0.97 * submitted.width * submitted.height:  # there is more around it
        mask = shown(source, laid, mask)
    return _judged(source, laid, mask, warp, submitted.size)


def _judged(source: Pixels, laid: Pixels, mask: NDArray[np.bool_], warp: Warp, size: tuple[int, int]) -> Comparison:
    found = regions(source, laid, mask)
    kept = mask & ~found.differing
    if (
        found.differing[mask].mean() > MOST_HIDDEN
        or found.agreement < LEAST_AGREEING
        or kept.sum() < 200
        or found.known[kept].std() < 2.0
    ):
        return NOTHING
    similarity = float(np.corrcoef(found.known[kept], grey(laid)[kept])[0, 1])
    place = _box_of(mask, warp, size)
    return Comparison(
        similarity=round(similarity, 4),
        place=place,
        covered=round(float(mask.mean()), 3),
        share=round(min(1.0, float(mask.sum()) * _enlarged(warp) / (size[0] * size[1])), 3),
        altered=_box_of(found.altered[0], warp, size) if found.altered else None,
        overlaid=tuple(_box_of(part, warp, size) for part in found.overlaid),
    )


def _enlarged(warp: Warp) -> float:
    """How many times as large an area becomes."""
    return abs(float(np.linalg.det(warp[:, :2])))


def _shrunk(image: Image, warp: Warp) -> tuple[Pixels, float]:
    """The submitted picture at the scale of the thumbnail, where it is larger, and the factor."""
    factor = min(1.0, 1 / max(1e-6, math.sqrt(_enlarged(warp))))
    if factor > 0.9:
        return np.asarray(image.convert("RGB"), dtype=np.float32), 1.0
    return np.asarray(resized(image.convert("RGB"), factor, Resampling.BOX), dtype=np.float32), factor


def _laid(query: Pixels, warp: Warp, shape: tuple[int, int]) -> tuple[Pixels, NDArray[np.bool_]]:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = np.asarray(cv2.warpAffine(query, warp, shape, flags=flags), dtype=np.float32)
    ones = np.ones(query.shape[:2], dtype=np.float32)
    return laid, np.asarray(cv2.warpAffine(ones, warp, shape, flags=flags) > 0.999)


def _aligned(known: Pixels, query: Pixels, warp: Warp, most: float) -> Warp:
    """The warp made finer by maximising correlation (ECC), coarse first; unchanged where that does not help,
    or moves a corner by more than ``most`` of the thumbnail's pixels.
    """
    first = warp
    for scale in (0.25, 1.0):
        small, large = (_blurred(x, scale) for x in (known, query))
        scaled = warp.astype(np.float32)
        scaled[:, 2] *= scale
        criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
        try:
            _, moved = cv2.findTransformECC(  # type: ignore[call-overload]  # the stubs know no mask of None
                small, large, scaled, cv2.MOTION_AFFINE, criteria, None, 5
            )
        except cv2.error:
            continue
        found = np.asarray(moved, dtype=np.float64)
        found[:, 2] /= scale
        if _moved(found, first, known.shape) <= most and _together(known, query, found) > _together(known, query, warp):
            warp = found
    return warp


def _moved(found: Warp, first: Warp, shape: tuple[int, ...]) -> float:
    """Pixels of the thumbnail by which a corner moves at most; infinite for what is no map."""
    height, width = shape
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]])
    scale = max(1e-6, math.sqrt(_enlarged(first)))
    away = np.linalg.norm(corners @ (found - first).T, axis=1).max() / scale
    return float(away) if np.isfinite(away) else float("inf")


def _together(known: Pixels, query: Pixels, warp: Warp) -> float:
    """Correlation of the two under a warp; -1 where hardly anything lies on each other."""
    laid, mask = _laid(query, warp, (known.shape[1], known.shape[0]))
    if mask.mean() < LEAST_COVERED or known[mask].std() < 1 or laid[mask].std() < 1:
        return -1.0
    return float(np.corrcoef(known[mask], laid[mask])[0, 1])


def _blurred(pixels: Pixels, scale: float) -> Pixels:
    if scale == 1.0:
        return pixels
    size = (max(8, round(pixels.shape[1] * scale)), max(8, round(pixels.shape[0] * scale)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _box_of(part: NDArray[np.bool_], warp: Warp, size: tuple[int, int]) -> Box:
    """The region of the submitted picture that a part of the thumbnail lies on."""
    ys, xs = np.nonzero(part)
    left, right, top, bottom = xs.min(), xs.max() + 1, ys.min(), ys.max() + 1
    corners = np.array([[left, top, 1], [right, top, 1], [left, bottom, 1], [right, bottom, 1]])
    return around(corners @ warp.T, size)
