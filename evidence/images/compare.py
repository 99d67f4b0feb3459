"""Is it the same picture? The submitted one is laid over the known one, and what differs is looked at.

Matching features, and the affine map that most of them agree on, tell where the known one lies. Features and hashes
only propose. Two pictures are the same when, laid over each other, their pixels go together and no part differs but
for marks laid over it; where another part differs, the picture was altered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image, Resampling

from evidence.images.boxes import around, blocks_of, corners, largest_part, resized, within
from evidence.images.features import KNOWN_SIDE, Codes, Features, Points, distances
from evidence.images.lettering import redrawn
from evidence.images.overlays import Pixels, grey, regions, shown
from evidence.types import Box

Warp = NDArray[np.float64]
"""*Shape:* (2, 3): from pixels of the known picture's thumbnail to pixels of the submitted picture."""
LEAST_MATCHING = 6
"""Matching features that must agree on one map."""
_NEAR, _APART = 40, 0.85
"""Bits of 128 that matching codes may differ in, and the share of that which the second best must exceed."""
_TOLERANCE = 3.0
"""Pixels of the known picture's thumbnail by which an agreeing feature may be off."""
_STRETCH = 2.0
"""Times as long as the other that one axis may become."""
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
_SIDE, _BLOCK = 640, 20
_GROUND, _TONES = 0.12, 4
"""Share of the surroundings that has one tone where that is the page's ground, within so many grey levels."""
_LITTLE = 0.12
"""Share of a block that may have the ground's tone in a picture; text shows more of it between its lines."""
_AS_LARGE = 0.5
"""Share of the picture's own area from which on another one counts."""


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
    known: Pixels | None = field(default=None, compare=False, repr=False)
    """Grey levels of the known picture in the colours of the submitted one."""


NOTHING = Comparison(0.0)


def thumbnail(image: Image) -> bytes:
    """JPEG of at most 320 pixels a side."""
    out = BytesIO()
    resized(image.convert("RGB"), KNOWN_SIDE / max(image.size), Resampling.BOX).save(out, "JPEG", quality=85)
    return out.getvalue()


def compare(submitted: Image, known: bytes, warp: Warp | None = None, lines: Sequence[Box] = ()) -> Comparison:
    """Lay the submitted picture (RGB) over the known one (its thumbnail) and compare. ``warp`` leads from the thumbnail
    to the submitted picture; without one, the whole lies on the whole. ``lines``: places of text, which is compared
    letter by letter. A thumbnail that cannot be decoded is like nothing.
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
    found = _judged(source, laid, mask, warp, submitted.size)
    line = next((line for line, here, there in _lettering(found, lines, laid, warp) if redrawn(here, there)), None)
    return replace(found, altered=found.altered or line)


def _lettering(
    found: Comparison, lines: Sequence[Box], laid: Pixels, warp: Warp
) -> Iterator[tuple[Box, Pixels, Pixels]]:
    """The lines that lie in the known picture and are no mark laid over it, each cut out of both pictures."""
    if found.known is None:
        return
    here, back = grey(laid), np.asarray(cv2.invertAffineTransform(warp), dtype=np.float64)
    for line in lines:
        if found.place is None or not within(line, found.place) or any(within(line, over) for over in found.overlaid):
            continue
        points = np.array([(*corner, 1) for corner in corners(line)]) @ back.T
        box = around(points, (laid.shape[1], laid.shape[0]))
        part = slice(box.y0, box.y1), slice(box.x0, box.x1)
        yield line, here[part], found.known[part]


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
    similarity = _correlation(found.known[kept], grey(laid)[kept])
    place = _box_of(mask, warp, size)
    return Comparison(
        similarity=round(similarity, 4),
        place=place,
        covered=round(float(mask.mean()), 3),
        share=round(min(1.0, float(mask.sum()) * _enlarged(warp) / (size[0] * size[1])), 3),
        altered=_box_of(found.altered[0], warp, size) if found.altered else None,
        overlaid=tuple(_box_of(part, warp, size) for part in found.overlaid),
        known=found.known,
    )


def _enlarged(warp: Warp) -> float:
    """How many times as large an area becomes."""
    return abs(float(np.linalg.det(warp[:, :2])))


def _shrunk(image: Image, warp: Warp) -> tuple[Pixels, float]:
    """The submitted picture at the scale of the thumbnail, where it is larger, and the factor."""
    factor = min(1.0, 1 / max(1e-6, math.sqrt(_enlarged(warp))))
    if factor > 0.9:
        return np.asarray(image, dtype=np.float32), 1.0
    return np.asarray(resized(image, factor, Resampling.BOX), dtype=np.float32), factor


def _laid(query: Pixels, warp: Warp, shape: tuple[int, int]) -> tuple[Pixels, NDArray[np.bool_]]:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = np.asarray(cv2.warpAffine(query, warp, shape, flags=flags), dtype=np.float32)
    ones = np.ones(query.shape[:2], dtype=np.float32)
    return laid, np.asarray(cv2.warpAffine(ones, warp, shape, flags=flags) > 0.999)


def _aligned(known: Pixels, query: Pixels, warp: Warp, most: float) -> Warp:
    """The warp made finer by maximising correlation (ECC), coarse first; unchanged where that does not help,
    or moves a corner by more than ``most`` of the thumbnail's pixels.
    """
    first, together = warp, _together(known, query, warp)
    for scale in (0.25, 1.0):
        small, large = (
            cv2.resize(x, [max(min(8, n), round(n * scale)) for n in x.shape[::-1]], interpolation=cv2.INTER_AREA)
            for x in (known, query)
        )
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
        if _moved(found, first, known.shape) <= most and (better := _together(known, query, found)) > together:
            warp, together = found, better
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
    return _correlation(known[mask], laid[mask])


def _correlation(a: Pixels, b: Pixels) -> float:
    """Of the pixels of two pictures, neither of them flat; ``np.corrcoef`` wakes threads that cost more than this."""
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).mean() / (a.std() * b.std()))


def _box_of(part: NDArray[np.bool_], warp: Warp, size: tuple[int, int]) -> Box:
    """The region of the submitted picture that a part of the thumbnail lies on."""
    left, top, width, height = cv2.boundingRect(part.astype(np.uint8))
    right, bottom = left + width, top + height
    corners = np.array([[left, top, 1], [right, top, 1], [left, bottom, 1], [right, bottom, 1]])
    return around(corners @ warp.T, size)


def align(known: tuple[Points, Codes], submitted: Features) -> tuple[Warp, int] | None:
    """The map by RANSAC, and how many features agree on it; ``None`` where too few do. Deterministic."""
    points, codes = known
    if len(points) < LEAST_MATCHING or len(submitted) < LEAST_MATCHING:
        return None
    mine, theirs = _matching(codes, submitted.codes)
    source, target = points[mine], submitted.points[theirs]
    if len(source) < LEAST_MATCHING:
        return None
    # From submitted to known, so that the tolerance is one of the known picture's pixels.
    back, agreeing = cv2.estimateAffine2D(
        target, source, method=cv2.RANSAC, ransacReprojThreshold=_TOLERANCE, maxIters=3000, confidence=0.999
    )
    if back is None or not np.isfinite(back).all():
        return None
    count = len(np.unique(np.round(source[agreeing.ravel() > 0]), axis=0))
    if count < LEAST_MATCHING or not _plausible(np.asarray(back[:, :2], dtype=np.float64)):
        return None
    return np.asarray(cv2.invertAffineTransform(back), dtype=np.float64), count


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


def stands_alone(image: Image, place: Box) -> bool:
    """Whether no other picture of at least half the size stands beside ``place``."""
    factor = min(1.0, _SIDE / max(image.size))
    tones = np.asarray(resized(image.convert("L"), factor, Resampling.BOX, least=_BLOCK), dtype=np.int64)
    blocks = blocks_of(tones, _BLOCK).reshape(tones.shape[0] // _BLOCK, tones.shape[1] // _BLOCK, -1)
    x0, y0, x1, y1 = (round(v * factor / _BLOCK) for v in (place.x0, place.y0, place.x1, place.y1))
    own = max(1, (x1 - x0) * (y1 - y0))
    outside = np.ones(blocks.shape[:2], dtype=np.bool_)
    outside[max(0, y0 - 1) : y1 + 1, max(0, x0 - 1) : x1 + 1] = False
    ground = _ground(blocks[outside])
    pictured = outside & (ground[blocks].mean(axis=2) < _LITTLE)
    return largest_part(pictured)[0] < _AS_LARGE * own


def _ground(blocks: NDArray[np.int64]) -> NDArray[np.bool_]:
    """*Shape:* (256,): the grey levels that the ground of a page has; none where no tone prevails."""
    counts = np.bincount(blocks.ravel(), minlength=256).astype(np.float64)
    near = np.convolve(counts, np.ones(2 * _TONES + 1), "same")
    peaks = near >= _GROUND * max(1.0, counts.sum())
    return np.convolve(peaks, np.ones(2 * _TONES + 1), "same") > 0
