"""Hints of tampering: error levels, copied regions, double compression, stripped metadata.

Honest pictures show all of them now and then, and careful forgeries none. They are told as hints with a
region to look at; none of them is ever a span, so none can decide anything.
"""

from __future__ import annotations

import warnings
from io import BytesIO

import cv2
import numpy as np
from PIL.Image import Image, Resampling
from PIL.Image import open as open_image

from evidence.images.boxes import blocks_of, largest_part, resized
from evidence.types import Box, FileFacts, ImageFinding

_SIDE = 1000
"""Larger pictures are made smaller before copied regions are looked for."""
_BLOCK = 16
_OUTSTANDING = 9.0
"""So many times the usual error level, in median deviations, and the block stands out."""
_LEAST_MATCHES = 16
_RESEMBLES = 24.0
"""Hamming distance of ORB descriptors (of 256) up to which two places are alike."""


def tampering_hints(
    pixels: Image, data: bytes, format_: str, facts: FileFacts, image: str = ""
) -> tuple[ImageFinding, ...]:
    """All hints. ``pixels`` upright RGB, ``data`` the bytes of the file, ``image`` their SHA-256."""
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
        ImageFinding(kind="tampering", text=f"{text} This is a hint, not proof.", region=region, image=image)
        for text, region in found
    )


def error_levels(pixels: Image) -> Box | None:
    """Error level analysis: the region that changes unlike the rest when saved again (quality 90)."""
    out = BytesIO()
    pixels.save(out, "JPEG", quality=90)
    again = open_image(BytesIO(out.getvalue())).convert("RGB")
    change = np.abs(np.asarray(pixels, dtype=np.int16) - np.asarray(again, dtype=np.int16)).mean(axis=2)
    blocks = blocks_of(change, _BLOCK).mean(axis=(2, 3))
    if min(blocks.shape) < 4:
        return None
    middle = np.median(blocks)
    spread = np.median(np.abs(blocks - middle)) + 0.25
    outstanding = blocks > middle + _OUTSTANDING * spread
    count, part = largest_part(outstanding)
    if part is None or count < 3 or outstanding.sum() > 0.2 * outstanding.size:
        return None
    return Box(**{side: getattr(part, side) * _BLOCK for side in Box.model_fields})


def doubly_compressed(data: bytes) -> bool:
    """Gaps in the histogram of a DCT coefficient, as a second quantisation with other steps leaves them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # damaged EXIF data is none of this module's business
        with open_image(BytesIO(data), formats=("JPEG",)) as image:
            tables = getattr(image, "quantization", {})
            grey = np.asarray(image.convert("L"), dtype=np.float32) - 128
    step = tables.get(0, [0] * 64)[1] if tables else 0
    blocks = blocks_of(grey, 8).reshape(-1, 8, 8)
    if not step or len(blocks) < 400:
        return False
    basis = np.cos((2 * np.arange(8) + 1) * np.pi / 16) * 0.5
    first = (blocks.mean(axis=1) @ basis) * np.sqrt(8)
    values = np.round(first / step).astype(np.int64)
    counts = np.bincount(np.clip(values, -12, 12) + 12, minlength=25).astype(np.float64)
    inner = counts[6:19]
    gaps = sum(
        1 for n in range(1, len(inner) - 1) if inner[n] < 0.35 * min(inner[n - 1], inner[n + 1]) and inner[n + 1] > 20
    )
    return gaps >= 2


def copied_region(pixels: Image) -> Box | None:
    """Copy-move: many keypoints with a double at one and the same distance; the region of the doubles."""
    factor = min(1.0, _SIDE / max(pixels.size))
    grey = np.asarray(resized(pixels.convert("L"), factor, Resampling.BICUBIC, least=16), dtype=np.uint8)
    keypoints, descriptors = cv2.ORB.create(nfeatures=1500).detectAndCompute(grey, None)
    if descriptors is None or len(keypoints) < 2 * _LEAST_MATCHES:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(descriptors, descriptors, k=3)
    shifts: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for match in (m for group in pairs for m in group):
        if match.queryIdx == match.trainIdx or match.distance > _RESEMBLES:
            continue
        a, b = keypoints[match.queryIdx].pt, keypoints[match.trainIdx].pt
        across, down = b[0] - a[0], b[1] - a[1]
        if across * across + down * down > 50 * 50 and (across, down) > (0, 0):
            shifts.setdefault((round(across / 4), round(down / 4)), []).append((b[0], b[1]))
    best = max(shifts.values(), key=len, default=[])
    if len(best) < _LEAST_MATCHES:
        return None
    points = np.array(best) / factor
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    if right - left < 8 or bottom - top < 8:
        return None
    right, bottom = min(pixels.width, right + 1), min(pixels.height, bottom + 1)
    return Box(x0=int(left), y0=int(top), x1=int(right), y1=int(bottom))
