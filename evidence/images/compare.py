"""Is it the same picture? One is laid over the other, and what differs is looked at part by part.

Hashes only propose. Two pictures are the same when, laid over each other, their pixels go together and no
part differs; where parts differ, the picture was altered, and the place is told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evidence.images.hashes import CROPS, Part
from evidence.types import Box

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE = 320
"""Longest side of a thumbnail in pixels."""
SAME = 0.90
"""Correlation from which on two pictures are one."""
ALIKE = 0.70
_BLOCK = 10
_DIFFERS = 14.0
"""Grey levels by which a block's mean differs, after what shifts by a pixel explains was taken off."""
_STRUCTURE = 0.7
"""Local correlation below which a block is drawn otherwise; other colours alone keep it."""
_LEAST_SHARE = 0.6
"""Share of the submitted picture that the known one must cover."""
Pixels = NDArray[np.float32]
"""(height, width) grey or (height, width, 3) RGB, 0 to 255."""


@dataclass(frozen=True)
class Comparison:
    """Outcome: correlation of the pixels (-1 to 1), and where parts differ, in the submitted picture."""

    similarity: float
    altered: Box | None = None


def thumbnail(image: Image) -> bytes:
    """JPEG of at most 320 pixels a side."""
    from io import BytesIO

    out = BytesIO()
    _small(image).save(out, "JPEG", quality=85)
    return out.getvalue()


def compare(submitted: Image, known: bytes, variant: int) -> Comparison:
    """Lay the known picture (its thumbnail) over the submitted one and compare.

    ``variant`` is the part in ``hashes.CROPS`` whose hash was near: where to begin. A known thumbnail that
    cannot be decoded is like nothing.
    """
    import cv2

    query = np.asarray(_small(submitted), dtype=np.float32)
    decoded = cv2.imdecode(np.frombuffer(known, dtype=np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        return Comparison(0.0)
    source = np.asarray(decoded[:, :, ::-1], dtype=np.float32)
    best = Comparison(-1.0)
    for first in dict.fromkeys((variant, 0)):
        found = _laid_over(query, source, CROPS[first], submitted.size)
        if found.similarity > best.similarity:
            best = found
        if best.similarity >= SAME:
            break
    return best


def _small(image: Image) -> Image:
    from PIL.Image import Resampling

    factor = SIDE / max(image.size)
    size = (max(8, round(image.width * factor)), max(8, round(image.height * factor)))
    return image.convert("RGB").resize(size, Resampling.BOX)


def _laid_over(query: Pixels, source: Pixels, crop: Part, size: tuple[int, int]) -> Comparison:
    import cv2

    warp = _aligned(_grey(query), _grey(source), _first(query, source, crop))
    shape = (query.shape[1], query.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = np.asarray(cv2.warpAffine(source, warp, shape, flags=flags), dtype=np.float32)
    mask = cv2.warpAffine(np.ones(source.shape[:2], dtype=np.float32), warp, shape, flags=flags) > 0.999
    if mask.mean() < _LEAST_SHARE:
        return Comparison(0.0)
    a, b = _grey(laid)[mask], _grey(query)[mask]
    if a.std() < 2.0 or b.std() < 2.0:
        return Comparison(0.0)
    similarity = float(np.corrcoef(a, b)[0, 1])
    return Comparison(
        round(similarity, 4), _differing(_grey(query), _coloured(laid, query, mask), mask, size)
    )


def _grey(pixels: Pixels) -> Pixels:
    return np.asarray(pixels @ np.array([0.299, 0.587, 0.114], dtype=np.float32), dtype=np.float32)


def _coloured(laid: Pixels, query: Pixels, mask: NDArray[np.bool_]) -> Pixels:
    """Grey levels of the known picture in the colours of the submitted one: brightness, contrast, saturation
    and tint are one affine change of the colours, which is fitted; then a curve for what was cut off.
    """
    known = np.concatenate([laid[mask], np.ones((int(mask.sum()), 1), dtype=np.float32)], axis=1)
    wanted = _grey(query)[mask]
    change, *_ = np.linalg.lstsq(known, wanted, rcond=None)
    fitted = np.clip(laid @ change[:3] + change[3], 0.0, 255.0)
    levels = np.clip(fitted[mask] / 8, 0, 31).astype(np.int64)
    counts = np.bincount(levels, minlength=32)
    filled = np.flatnonzero(counts > 20)
    if len(filled) < 2:
        return np.asarray(fitted, dtype=np.float32)
    means = np.bincount(levels, weights=wanted, minlength=32)[filled] / counts[filled]
    centres = np.bincount(levels, weights=fitted[mask], minlength=32)[filled] / counts[filled]
    return np.asarray(np.interp(fitted, centres, means), dtype=np.float32)


def _first(query: Pixels, source: Pixels, crop: Part) -> NDArray[np.float32]:
    """From places in the query to places in the known picture, if the query were that crop of it."""
    height, width = source.shape[:2]
    x0, y0, x1, y1 = crop[0] * width, crop[1] * height, crop[2] * width, crop[3] * height
    across, down = (x1 - x0) / query.shape[1], (y1 - y0) / query.shape[0]
    return np.array([[across, 0, x0], [0, down, y0]], dtype=np.float32)


def _aligned(query: Pixels, source: Pixels, warp: NDArray[np.float32]) -> NDArray[np.float32]:
    """The warp made finer by maximising correlation (ECC), coarse first; unchanged where that fails."""
    import cv2

    for scale in (0.25, 1.0):
        small, large = (_blurred(x, scale) for x in (query, source))
        scaled = warp.copy()
        scaled[:, 2] *= scale
        criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
        try:
            _, moved = cv2.findTransformECC(  # type: ignore[call-overload]  # the stubs know no mask of None
                small, large, scaled, cv2.MOTION_AFFINE, criteria, None, 5
            )
        except cv2.error:
            continue
        found = np.asarray(moved, dtype=np.float32)
        if np.isfinite(found).all() and 0.5 < found[0, 0] / max(warp[0, 0], 1e-6) < 2.0:
            warp = found.copy()
            warp[:, 2] /= scale
    return warp


def _blurred(grey: Pixels, scale: float) -> Pixels:
    import cv2

    if scale == 1.0:
        return grey
    size = (max(8, round(grey.shape[1] * scale)), max(8, round(grey.shape[0] * scale)))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _differing(query: Pixels, laid: Pixels, mask: NDArray[np.bool_], size: tuple[int, int]) -> Box | None:
    """The region of blocks that differs, in pixels of the submitted picture; ``None`` where none does.

    Of several regions the one that differs most.
    """
    import cv2

    kernel = np.ones((3, 3), dtype=np.uint8)
    low, high = cv2.erode(laid, kernel), cv2.dilate(laid, kernel)
    excess = np.maximum(np.maximum(low - query, query - high), 0.0)
    excess[cv2.erode(mask.astype(np.uint8), np.ones((5, 5), dtype=np.uint8)) == 0] = 0.0
    drawn = cv2.dilate((_structure(query, laid) < _STRUCTURE).astype(np.uint8), np.ones((_BLOCK, _BLOCK)))
    differs = ((cv2.blur(excess, (_BLOCK, _BLOCK)) > _DIFFERS) & (drawn > 0)).astype(np.uint8)
    count, parts = cv2.connectedComponents(differs)
    if count < 2:
        return None
    weights = np.bincount(parts.ravel(), weights=excess.ravel(), minlength=count)
    ys, xs = np.nonzero(parts == 1 + int(weights[1:].argmax()))
    half, scale = _BLOCK // 2, max(size) / SIDE
    x0, y0 = (max(0, math.floor((int(v.min()) - half) * scale)) for v in (xs, ys))
    x1 = min(size[0], math.ceil((int(xs.max()) + half) * scale))
    y1 = min(size[1], math.ceil((int(ys.max()) + half) * scale))
    return Box(x0=x0, y0=y0, x1=max(x1, x0 + 1), y1=max(y1, y0 + 1))


def _structure(query: Pixels, laid: Pixels) -> Pixels:
    """Correlation within the window around each pixel, -1 to 1; 1 where both are flat."""
    import cv2

    def mean(grey: Pixels) -> Pixels:
        return np.asarray(cv2.blur(grey, (2 * _BLOCK + 1, 2 * _BLOCK + 1)), dtype=np.float32)

    a, b = mean(query), mean(laid)
    var_a, var_b = mean(query * query) - a * a, mean(laid * laid) - b * b
    product = np.sqrt(np.maximum(var_a, 16.0) * np.maximum(var_b, 16.0))
    found = (mean(query * laid) - a * b) / product
    return np.where(np.maximum(var_a, var_b) < 64.0, np.float32(1.0), found).astype(np.float32)
