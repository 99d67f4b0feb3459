"""What differs between a known picture and the submitted one laid over it, part by part.

A part is a mark laid over the picture (a bar with a text, letters, a watermark) or an alteration. A mark only
adds: a bar spans the picture's side in one colour, letters are thin and hide little, a watermark lets the
picture through. Whatever takes something away, or puts something solid there, alters the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.float32]
"""(height, width) grey or (height, width, 3) RGB, 0 to 255."""
Mask = NDArray[np.bool_]
"""*Shape:* (height, width)."""
_BLOCK = 10
_DIFFERS = 14.0
"""Grey levels by which a block's mean differs, after what shifts by a pixel explains was taken off."""
_STRUCTURE = 0.7
"""Local correlation below which a block is drawn otherwise; other colours alone keep it."""
_EVERY = 5
"""Every fifth pixel is enough to fit colours."""
_FAINT = 6.0
"""The same, from which on structure that differs counts as another."""
_LEAST_AREA = 40
"""Pixels of a part; smaller ones are grain."""
_STROKE = 7.0
"""Half the width in pixels that a letter's stroke may have at most."""
_PIXEL = 24.0
"""Grey levels from which on a single pixel differs."""
_REMOVED = 0.25
"""Share of a letter's pixels at which the picture may be plainer than before."""
_BLENDED, _BLEND_ERROR = 0.8, 18.0
"""Share of a mark's pixels that one colour laid over the picture explains, within so many grey levels."""
_SHEER = 0.3
"""Share of the picture's own contrast that shines through a watermark."""
_CUT = 0.5
"""Share of a row or column that differs where the submitted picture no longer shows the known one."""
_MOST_CUT = 0.45
"""Share of a side that may be cut off so."""
_BAR_FLAT, _BAR_DIFFERS = 0.5, 0.3
"""Share of a bar's row that has one colour, and that differs."""
_BAR_DEPTH = 0.4
"""Share of the picture that bars may take."""


@dataclass(frozen=True)
class Regions:
    """``known``: grey levels of the known picture in the colours of the submitted one. ``agreement``: share
    of the structure of either that the other has too, marks left out. Parts are masks, largest first.
    """

    known: Pixels
    differing: Mask
    agreement: float
    altered: tuple[Mask, ...]
    overlaid: tuple[Mask, ...]


def grey(pixels: Pixels) -> Pixels:
    """Luminance."""
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), dtype=np.float32)


def regions(known: Pixels, laid: Pixels, mask: Mask) -> Regions:
    """Compare the pictures where ``mask`` holds."""
    here = grey(laid)
    there = _coloured(known, here, mask)
    structure = _structure(here, there)
    excess = _excess(here, there, mask)
    drawn = cv2.dilate((structure < _STRUCTURE).astype(np.uint8), np.ones((_BLOCK, _BLOCK))) > 0
    differs = (excess > _DIFFERS) & drawn & mask
    bars = _bars(laid, differs, mask)
    count, labels = cv2.connectedComponents((differs & ~bars).astype(np.uint8))
    parts = [p for p in (labels == n for n in range(1, count)) if p.sum() >= _LEAST_AREA]
    parts.sort(key=lambda p: -int(p.sum()))
    marks = _lines_on(parts, [p for p in parts if _is_mark(p, here, there)], here, there)
    edge = cv2.dilate(bars.astype(np.uint8), np.ones((2 * _BLOCK + 1, 2 * _BLOCK + 1))) > 0
    marks += [p for p in parts if (p & edge).any() and p.sum() < 0.05 * bars.sum()]
    altered = [p for p in parts if not any(p is m for m in marks)]
    whole = differs | bars
    textured = mask & (np.maximum(_deviation(here), _deviation(there)) > 8.0)
    for part in (bars, *marks):
        textured &= ~part
    other = (structure < _STRUCTURE) & (excess > _FAINT)
    agreement = 1.0 - float(other[textured].mean()) if textured.sum() > 50 else 1.0
    return Regions(there, whole, agreement, tuple(altered), (*([bars] if bars.any() else []), *marks))


def shown(known: Pixels, laid: Pixels, mask: Mask) -> Mask:
    """``mask`` without the outer rows and columns in which the pictures differ: there the submitted one, in
    which the known one is a part, no longer shows it. Unchanged where that would cut off too much.
    """
    differing = regions(known, laid, mask).differing
    rows = _alike(mask, differing)
    columns = _alike(mask[rows].T, differing[rows].T)
    _, _, wide, tall = cv2.boundingRect(mask.astype(np.uint8))
    if rows.stop - rows.start < (1 - _MOST_CUT) * tall or columns.stop - columns.start < (1 - _MOST_CUT) * wide:
        return mask
    kept = np.zeros_like(mask)
    kept[rows, columns] = mask[rows, columns]
    return kept


def _alike(mask: Mask, differing: Mask) -> slice:
    """From the first to the last row in which the pictures do not differ."""
    count = mask.sum(axis=1)
    rows = np.flatnonzero((count > 0) & ((differing & mask).sum(axis=1) <= _CUT * count))
    return slice(int(rows[0]), int(rows[-1]) + 1) if len(rows) else slice(0, 0)


def _bars(laid: Pixels, differs: Mask, mask: Mask) -> Mask:
    """Rows, or columns, that have mostly one colour where the known picture has something else."""
    found = np.zeros_like(mask)
    for across in (False, True):
        pixels = np.swapaxes(laid, 0, 1) if across else laid
        off, inside = (m.T if across else m for m in (differs, mask))
        count = inside.sum(axis=1)
        rows = (count >= 20) & ((off & inside).sum(axis=1) >= _BAR_DIFFERS * count)
        for n in np.flatnonzero(rows):
            row = pixels[n][inside[n]]
            one_colour = np.abs(row - np.median(row, axis=0)).max(axis=1) < 26
            rows[n] = one_colour.mean() >= _BAR_FLAT
        near = np.convolve(rows, np.ones(2 * _BLOCK + 1), "same") > 0
        near &= off.mean(axis=1) > 0.08
        band = near[:, None] & inside
        if 0 < band.sum() <= _BAR_DEPTH * inside.sum() and rows.sum() >= 4:
            found |= band.T if across else band
    return found


def _is_mark(part: Mask, here: Pixels, there: Pixels) -> bool:
    """Whether a differing part is letters or a watermark laid over the picture."""
    drawn = part & (np.abs(here - there) > _PIXEL)
    if drawn.sum() < 12:
        return False
    inks = [i for i in (drawn & (here > there), drawn & (here < there)) if i.sum() > 0.12 * drawn.sum()]
    if all(_is_sheer(here[ink], there[ink]) for ink in inks):
        return True
    return all(_is_thin(ink, part) for ink in inks) and _removed(drawn, here, there) <= _REMOVED


def _lines_on(parts: list[Mask], marks: list[Mask], here: Pixels, there: Pixels) -> list[Mask]:
    """The marks, and thin smaller parts that stand in one line with one of them."""
    found = list(marks)
    for part in parts:
        drawn = part & (np.abs(here - there) > _PIXEL)
        near = any(_beside(part, mark) and part.sum() < mark.sum() for mark in marks)
        if near and not any(part is m for m in marks) and _is_thin(drawn, part):
            found.append(part)
    return found


def _beside(part: Mask, mark: Mask) -> bool:
    """On the height of ``mark`` and not far from it."""
    (ys, xs), (rows, columns) = np.nonzero(part), np.nonzero(mark)
    tall = rows.max() - rows.min() + 1
    level = ys.min() >= rows.min() - 4 and ys.max() <= rows.max() + 4
    return bool(level and max(xs.min() - columns.max(), columns.min() - xs.max()) <= 2 * tall)


def _is_sheer(here: Pixels, there: Pixels) -> bool:
    """Whether one colour laid over the picture explains the pixels, and enough of the picture shines through."""
    if len(here) < 12 or there.std() < 2.0:
        return False
    slope, start = np.polyfit(there, here, 1)
    error = np.abs(here - (slope * there + start))
    return bool(_SHEER <= slope < 0.98 and (error <= _BLEND_ERROR).mean() >= _BLENDED)


def _is_thin(ink: Mask, part: Mask) -> bool:
    if not ink.any() or ink.sum() > 0.8 * part.sum():
        return False
    width = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 3)
    return float(np.quantile(width[ink], 0.98)) <= _STROKE


def _removed(drawn: Mask, here: Pixels, there: Pixels) -> float:
    """Share of the pixels at which the submitted picture is plainer than the known one: nearer to the ground around."""
    ground = np.asarray(cv2.medianBlur(np.clip(there, 0, 255).astype(np.uint8), 21), dtype=np.float32)
    before, after = np.abs(there - ground)[drawn], np.abs(here - ground)[drawn]
    return float((after + 12 < before).mean())


def _coloured(known: Pixels, wanted: Pixels, mask: Mask) -> Pixels:
    """Grey levels of the known picture in the colours of the submitted one: brightness, contrast, saturation
    and tint are one change of the colours, fitted by squares and products of them; then a curve for what was
    cut off. Fitted anew without the pixels that it leaves far off.
    """
    colours = [known[:, :, n] / 255 for n in range(3)]
    products = [colours[a] * colours[b] for a in range(3) for b in range(a, 3)]
    planes = np.stack([np.ones_like(wanted), *colours, *products, wanted])
    fitted, kept = known[:, :, 0], mask
    inside = np.flatnonzero(mask)[::_EVERY]
    for _ in range(2):
        rows = planes.reshape(len(planes), -1)[:, np.flatnonzero(kept)[::_EVERY]].astype(np.float64)
        squares = cv2.mulTransposed(rows, aTa=False)
        change, *_ = np.linalg.lstsq(squares[:-1, :-1], squares[:-1, -1], rcond=None)
        fitted = np.clip(np.einsum("khw,k->hw", planes[:-1], change.astype(np.float32)), 0.0, 255.0)
        off = np.abs(fitted - wanted)
        near = mask & (off <= max(20.0, 2 * float(np.median(off.ravel()[inside]))))
        kept = near if near.sum() > 100 * _EVERY else mask
    levels = np.clip(fitted[kept] / 8, 0, 31).astype(np.int64)
    counts = np.bincount(levels, minlength=32)
    filled = np.flatnonzero(counts > 20)
    if len(filled) < 2:
        return np.asarray(fitted, dtype=np.float32)
    means = np.bincount(levels, weights=wanted[kept], minlength=32)[filled] / counts[filled]
    centres = np.bincount(levels, weights=fitted[kept], minlength=32)[filled] / counts[filled]
    return np.asarray(np.interp(fitted, centres, means), dtype=np.float32)


def _excess(here: Pixels, there: Pixels, mask: Mask) -> Pixels:
    """Mean difference of the block around each pixel, less what a shift by a pixel explains."""
    kernel = np.ones((3, 3), dtype=np.uint8)
    low, high = cv2.erode(there, kernel), cv2.dilate(there, kernel)
    excess = np.maximum(np.maximum(low - here, here - high), 0.0)
    excess[cv2.erode(mask.astype(np.uint8), np.ones((5, 5), dtype=np.uint8)) == 0] = 0.0
    return np.asarray(cv2.blur(excess, (_BLOCK, _BLOCK)), dtype=np.float32)


def _mean(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.blur(pixels, (2 * _BLOCK + 1, 2 * _BLOCK + 1)), dtype=np.float32)


def _deviation(pixels: Pixels) -> Pixels:
    middle = _mean(pixels)
    return np.sqrt(np.maximum(_mean(pixels * pixels) - middle * middle, 0.0))


def _structure(here: Pixels, there: Pixels) -> Pixels:
    """Correlation within the window around each pixel, -1 to 1; 1 where both are flat."""
    a, b = _mean(here), _mean(there)
    var_a, var_b = _mean(here * here) - a * a, _mean(there * there) - b * b
    product = np.sqrt(np.maximum(var_a, 16.0) * np.maximum(var_b, 16.0))
    found = (_mean(here * there) - a * b) / product
    return np.where(np.maximum(var_a, var_b) < 64.0, np.float32(1.0), found).astype(np.float32)
