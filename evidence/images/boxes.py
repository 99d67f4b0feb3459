"""Regions of a picture in pixels, pictures made smaller, and pictures in blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image, Resampling

from evidence.types import Box


def around(points: Iterable[Sequence[float]] | NDArray[np.float64], size: tuple[int, int]) -> Box:
    """The region around all points, within a picture of that size and at least a pixel wide and high."""
    xs, ys = zip(*points, strict=True)
    width, height = size
    x0, y0 = min(max(int(min(xs)), 0), width - 1), min(max(int(min(ys)), 0), height - 1)
    return Box(x0=x0, y0=y0, x1=min(max(round(max(xs)), x0 + 1), width), y1=min(max(round(max(ys)), y0 + 1), height))


def corners(box: Box) -> tuple[tuple[int, int], ...]:
    """Clockwise from the upper left one."""
    return (box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)


def union(boxes: list[Box]) -> Box:
    """The smallest region around all of them."""
    return Box(
        x0=min(b.x0 for b in boxes),
        y0=min(b.y0 for b in boxes),
        x1=max(b.x1 for b in boxes),
        y1=max(b.y1 for b in boxes),
    )


def shared(a: Box, b: Box) -> tuple[int, int]:
    """Width and height of what two regions share; negative where they lie apart."""
    return min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)


def within(box: Box, place: Box) -> bool:
    """Whether most of ``box`` lies in ``place``."""
    across, down = shared(box, place)
    return across > 0 and down > 0 and across * down > 0.5 * (box.x1 - box.x0) * (box.y1 - box.y0)


def resized(image: Image, factor: float, resampling: Resampling, least: int = 8) -> Image:
    """The picture with its sides times ``factor``, each at least ``least`` pixels."""
    size = (max(least, round(image.width * factor)), max(least, round(image.height * factor)))
    return image.resize(size, resampling)


def blocks_of(pixels: NDArray[Any], side: int) -> NDArray[Any]:
    """Squares of pixels, what is over at the right and below left out. *Shape:* (rows, columns, side, side)."""
    rows, columns = pixels.shape[0] // side, pixels.shape[1] // side
    return pixels[: rows * side, : columns * side].reshape(rows, side, columns, side).swapaxes(1, 2)


def largest_part(mask: NDArray[np.bool_]) -> tuple[int, Box | None]:
    """Pixels of the largest connected part of a mask, and the box around it."""
    import cv2

    stats = cv2.connectedComponentsWithStats(mask.astype(np.uint8))[2][1:]
    if not len(stats):
        return 0, None
    left, top, width, height, area = (int(v) for v in max(stats, key=lambda part: part[cv2.CC_STAT_AREA]))
    return area, Box(x0=left, y0=top, x1=left + width, y1=top + height)
