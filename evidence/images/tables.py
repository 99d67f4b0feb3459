"""Rows of tables and labelled values of charts: lines that are read across, not down.

Only plain cases: at least three rows with as many cells in the same columns, at least three labels on
one line with exactly one value above each, or at least three labels below each other with exactly one
value to the right of each. Everything else is left to the blocks of ``layout``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evidence.images.ocr import Line

_VALUE = re.compile(r"^[~<>+\-−]?\s?[$€£]?\s?\d[\d.,\s]*\s?(?:%|[^\W\d]{1,8}\.?)?(?:\s[^\W\d]{1,12})?$")
"""A number, with a currency, a unit or "percent" at most."""

_LABELLED = re.compile(r"^(?=.*[^\W\d_])\S.*?\s[$€£]?\d[\d.,]*\s?(?:%|km|m|kg|g|l|€|euros?|EUR|USD|GBP)?$")
"""A label and its value that were read as one line."""
_MIN_ROWS = 3
_MIN_CELLS = 3


@dataclass(frozen=True)
class Rows:
    """Rows, each from left to right; ``chart``: they are pairs of a label and its value."""

    rows: tuple[tuple[Line, ...], ...]
    chart: bool


def rows_of(lines: tuple[Line, ...]) -> Rows:
    """Table rows or chart pairs (label, value); no line is in two of them."""
    rows = [tuple(sorted(row, key=lambda c: c.box.x0)) for row in _level(lines)]
    table = _table(rows)
    if table:
        return Rows(table, chart=False)
    return Rows(_pairs(lines, rows) or _bars(rows), chart=True)


def _height(line: Line) -> int:
    return line.box.y1 - line.box.y0


def _middle(line: Line) -> float:
    return (line.box.x0 + line.box.x1) / 2


def _level(lines: tuple[Line, ...]) -> list[list[Line]]:
    """Lines grouped by height on the page."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda c: ((c.box.y0 + c.box.y1) / 2, c.box.x0)):
        centre = (line.box.y0 + line.box.y1) / 2
        last = rows[-1][0] if rows else None
        if last is not None and abs((last.box.y0 + last.box.y1) / 2 - centre) <= 0.4 * min(
            _height(last), _height(line)
        ):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _table(rows: list[tuple[Line, ...]]) -> tuple[tuple[Line, ...], ...]:
    best: list[tuple[Line, ...]] = []
    current: list[tuple[Line, ...]] = []
    for row in rows:
        fits = len(row) >= _MIN_CELLS and all(_is_cell(c) for c in row)
        if fits and current and (len(row) != len(current[-1]) or not _same_columns(current[0], row)):
            current = []
        current = [*current, row] if fits else []
        if len(current) > len(best):
            best = current
    return tuple(best) if len(best) >= _MIN_ROWS else ()


def _is_cell(line: Line) -> bool:
    return len(line.text.split()) <= 4 and not line.text.endswith((".", "!", "?"))


def _same_columns(first: tuple[Line, ...], row: tuple[Line, ...]) -> bool:
    for a, b in zip(first, row, strict=True):
        slack = 1.5 * max(_height(a), _height(b))
        near = min(abs(a.box.x0 - b.box.x0), abs(a.box.x1 - b.box.x1), abs(_middle(a) - _middle(b)))
        if near > slack:
            return False
    return True


def _pairs(lines: tuple[Line, ...], rows: list[tuple[Line, ...]]) -> tuple[tuple[Line, ...], ...]:
    for labels in reversed(rows):
        if len(labels) < _MIN_CELLS or not all(_is_cell(c) for c in labels):
            continue
        pairs = []
        for label in labels:
            above = [
                c
                for c in lines
                if c not in labels
                and c.box.y1 <= label.box.y0
                and abs(_middle(c) - _middle(label)) <= 1.0 * _height(label)
                and any(x.isdigit() for x in c.text)
                and _is_cell(c)
            ]
            if len(above) == 1:
                pairs.append((label, above[0]))
        if len(pairs) == len(labels):
            return tuple(pairs)
    return ()


def _bars(rows: list[tuple[Line, ...]]) -> tuple[tuple[Line, ...], ...]:
    """Horizontal bars: labels flush left or right under each other, one value behind each.

    A row whose label and value were read as one line may stand among them.
    """
    best: list[tuple[Line, ...]] = []
    current: list[tuple[Line, ...]] = []
    for row in rows:
        fits = all(_is_cell(c) for c in row) and (_is_pair(row) or (bool(current) and is_labelled(row)))
        if fits and current and not _flush(current[-1][0], row[0]):
            current = []
        current = [*current, row] if fits else []
        if len(current) > len(best):
            best = current
    return tuple(best) if len(best) >= _MIN_ROWS and sum(len(row) == 2 for row in best) >= 2 else ()


def _is_pair(row: tuple[Line, ...]) -> bool:
    """A label and a value behind it."""
    return len(row) == 2 and any(x.isalpha() for x in row[0].text) and _VALUE.match(row[1].text) is not None


def is_labelled(row: tuple[Line, ...]) -> bool:
    """A label and its value, read as one line."""
    return len(row) == 1 and len(row[0].text.split()) <= 5 and _LABELLED.match(row[0].text) is not None


def _flush(upper: Line, lower: Line) -> bool:
    slack = 0.8 * max(_height(upper), _height(lower))
    left, right = abs(upper.box.x0 - lower.box.x0), abs(upper.box.x1 - lower.box.x1)
    return min(left, right) <= slack
