"""Hints of tampering: error levels, copied regions, double compression, stripped metadata.

Honest pictures show all of them now and then, and careful forgeries none. They are told as hints with a
region to look at; none of them is ever a span, so none can decide anything.
"""

from __future__ import annotations

import warnings
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image, Resampling
from PIL.Image import open as open_image

from evidence.images.boxes import resized
from evidence.types import Box, FileFacts, ImageFinding

_SIDE = 1000
"""Larger pictures are made smaller before copied regions are looked for."""
_BLOCK = 16
_OUTSTANDING = 9.0
"""So many times the usual error level, in median deviations, and the block stands out."""
_LEAST_MATCHES = 16
_RESEMBLES = 24.0
"""Hamming distance of ORB descriptors (of 256) up to which two places are alike."""


def tampering_hints(pixels: Image, data: bytes, format_: str, facts: FileFacts) -> tuple[ImageFinding, ...]:
    """All hints. ``pixels`` upright RGB, ``data`` the bytes of the file."""
    found: list[tuple[str, Box | None]] = []
    if format_ == "JPEG":
        if (region := error_levels(pixels)) is not None:
            found.append(("Part of the picture was compressed differently from the rest.", region))
        if doubly_compressed(data):
            found.append(("The picture was compressed as JPEG more than once.", None))
    if (copied := copied_region(pixels)) is not None:
        found.append(("A region of the picture occurs in it a second time.", copied))
    if facts.empty and format_ in ("JPEG", "TIFF"):
        found.append(("The file has no data of a camera or program; platforms and editors strip it.", None))
    return tuple(
        ImageFinding(kind="tampering", text=f"{text} This is a hint, not proof.", region=region)
        for text, region in found
    )


def error_levels(pixels: Image) -> Box | None:
    """Error level analysis: the region that changes unlike the rest when saved again (quality 90)."""
    out = BytesIO()
    pixels.save(out, "JPEG", quality=90)
    again = open_image(BytesIO(out.getvalue())).convert("RGB")
    change = np.abs(np.asarray(pixels, dtype=np.int16) - np.asarray(again, dtype=np.int16)).mean(axis=2)
    rows, columns = change.shape[0] // _BLOCK, change.shape[1] // _BLOCK
    if rows < 4 or columns < 4:
        return None
    blocks = change[: rows * _BLOCK, : columns * _BLOCK].reshape(rows, _BLOCK, columns, _BLOCK).mean(axis=(1, 3))
    middle = np.median(blocks)
    spread = np.median(np.abs(blocks - middle)) + 0.25
    outstanding = blocks > middle + _OUTSTANDING * spread
    if not 3 <= outstanding.sum() <= 0.2 * outstanding.size:
        return None
    return _largest(outstanding, pixels.size)


def _largest(blocks: NDArray[np.bool_], size: tuple[int, int]) -> Box | None:
    count, parts = cv2.connectedComponents(blocks.astype(np.uint8))
    sizes = np.bincount(parts.ravel(), minlength=count)[1:]
    if not len(sizes) or sizes.max() < 3:
        return None
    ys, xs = np.nonzero(parts == 1 + int(sizes.argmax()))
    return Box(
        x0=int(xs.min()) * _BLOCK,
        y0=int(ys.min()) * _BLOCK,
        x1=min(size[0], int(xs.max() + 1) * _BLOCK),
        y1=min(size[1], int(ys.max() + 1) * _BLOCK),
    )


def doubly_compressed(data: bytes) -> bool:
    """Gaps in the histogram of a DCT coefficient, as a second quantisation with other steps leaves them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # damaged EXIF data is none of this module's business
        with open_image(BytesIO(data), formats=("JPEG",)) as image:
            tables = getattr(image, "quantization", {})
            grey = np.asarray(image.convert("L"), dtype=np.float32) - 128
    step = tables.get(0, [0] * 64)[1] if tables else 0
    rows, columns = grey.shape[0] // 8, grey.shape[1] // 8
    if not step or rows * columns < 400:
        return False
    blocks = grey[: rows * 8, : columns * 8].reshape(rows, 8, columns, 8).transpose(0, 2, 1, 3).reshape(-1, 8, 8)
    basis = np.cos((2 * np.arange(8) + 1) * np.pi / 16) * 0.5
    first = (blocks.mean(axis=1) @ basis) * np.sqrt(8)
    values = np.round(first / step).astype(np.int64)
    counts = np.bincount(np.clip(values, -12, 12) + 12, minlength=25).astype(np.float64)
    inner = counts[6:19]
    gaps = sum(
        1 for n in range(1, len(inner) - 1) if inner[n] < 0.35 * min(inner[n - 1], inner[n + 1]) and inner[n + 1] > 20
    )
    return gaps >= 2


def _double(match: cv2.DMatch) -> bool:
    return match.queryIdx != match.trainIdx and match.distance <= _RESEMBLES


def copied_region(pixels: Image) -> Box | None:
    """Copy-move: many keypoints with a double at one and the same distance; the region of the doubles."""
    factor = min(1.0, _SIDE / max(pixels.size))
    grey = np.asarray(resized(pixels.convert("L"), factor, Resampling.BICUBIC, least=16), dtype=np.uint8)
    keypoints, descriptors = cv2.ORB.create(nfeatures=1500).detectAndCompute(grey, None)
    if descriptors is None or len(keypoints) < 2 * _LEAST_MATCHES:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(descriptors, descriptors, k=3)
    shifts: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for match in (m for group in pairs for m in group if _double(m)):
        a, b = keypoints[match.queryIdx].pt, keypoints[match.trainIdx].pt
        across, down = b[0] - a[0], b[1] - a[1]
        if across * across + down * down > 50 * 50 and (across, down) > (0, 0):
            shifts.setdefault((round(across / 4), round(down / 4)), []).append((b[0], b[1]))
    best = max(shifts.values(), key=len, default=[])
    if len(best) < _LEAST_MATCHES:
        return None
    points = np.array(best) / factor
    low, high = points.min(axis=0), points.max(axis=0)
    if high[0] - low[0] < 8 or high[1] - low[1] < 8:
        return None
    return Box(
        x0=int(max(0, low[0])),
        y0=int(max(0, low[1])),
        x1=int(min(pixels.width, high[0] + 1)),
        y1=int(min(pixels.height, high[1] + 1)),
    )
