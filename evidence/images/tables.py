"""Rows of tables and labelled values of charts: lines that are read across, not down.

Only plain cases: at least three rows with as many cells in the same columns, or at least three labels on
one line with exactly one value above each. Everything else is left to the blocks of ``layout``.
"""

from __future__ import annotations

from evidence.images.ocr import Line

_MIN_ROWS = 3
_MIN_CELLS = 3


def rows_of(lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], ...]:
    """Table rows and chart pairs (label, value), each from left to right; no line is in two of them."""
    rows = [tuple(sorted(row, key=lambda c: c.box.x0)) for row in _level(lines)]
    table = _table(rows)
    if table:
        return table
    return _pairs(lines, rows)


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
