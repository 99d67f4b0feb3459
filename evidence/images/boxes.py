"""Regions of a picture in pixels, and pictures made smaller."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def resized(image: Image, factor: float, resampling: Resampling, least: int = 8) -> Image:
    """The picture with its sides times ``factor``, each at least ``least`` pixels."""
    size = (max(least, round(image.width * factor)), max(least, round(image.height * factor)))
    return image.resize(size, resampling)
