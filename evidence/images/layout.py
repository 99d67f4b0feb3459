"""Which lines of a picture belong together: blocks of text, runs of lines that make sentences, rows of tables.

A line that is part of a sentence over several lines never becomes evidence on its own: "the mayor
resigned" may be the second line of "It is not true that / the mayor resigned". Rows of tables and labelled
values of charts are read across, in plain cases alone: three rows with as many cells in the same columns, three
labels on one line with exactly one value above each, or three labels below each other with one value to the right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from evidence.images.boxes import shared, union
from evidence.images.ocr import Line
from evidence.types import Box
from language.quantities.mentions import find_slots
from language.wordlists import read_table

_WORDS = {name: words.split() for name, words in read_table("evidence.images", "data/layout.toml").items()}
_OPEN_END = re.compile(rf"(?:,|-|–|\b(?:{'|'.join(_WORDS['open_end'])}))$", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?:{'|'.join(_WORDS['goes_on'])})\s", re.IGNORECASE)
_VALUE = re.compile(r"^[~<>+\-−]?\s?[$€£]?\s?\d[\d.,\s]*\s?(?:%|[^\W\d]{1,8}\.?)?(?:\s[^\W\d]{1,12})?$")
"""A number, with a currency, a unit or "percent" at most."""
_LABELLED = re.compile(r"^(?=.*[^\W\d_])\S.*?\s[$€£]?\d[\d.,]*\s?(?:%|km|m|kg|g|l|€|euros?|EUR|USD|GBP)?$")
"""A label and its value that were read as one line."""
_LEAST = 3
"""Rows, and cells of a row, from which on lines are a table or chart."""
_JOIN = " | "
_END = re.compile(r"[.!?:;][\"'”’)\]]*$")


Item = TypeVar("Item")
Row = tuple[Line, ...]
"""From left to right."""


@dataclass(frozen=True)
class Run:
    """Lines that read as one text, from top to bottom; often just one. ``block`` counts from 0."""

    lines: tuple[Line, ...]
    block: int
    row: bool = False
    """A table's row, or a chart's label with its value: one text however many cells."""
    chart: bool = False
    """A chart's label with its value."""
    context: str = ""
    """What stands above a table or chart, and a table's head: texts joined by ``" | "``."""

    @property
    def text(self) -> str:
        """The lines joined by a blank; between a label and its value stands a colon, where it parts no amount from its
        unit ("Total EUR", "46.30").
        """
        texts = [line.text for line in self.lines]
        plain, told = " ".join(texts), ": ".join((texts[0].rstrip(": "), *texts[1:]))
        return told if self.chart and len(texts) == 2 and _amounts(told) == _amounts(plain) else plain


def _amounts(text: str) -> list[tuple[str, str, str]]:
    return [(slot.kind, slot.value, slot.unit) for slot in find_slots(text)]


def runs_of(lines: tuple[Line, ...]) -> tuple[Run, ...]:
    """Group lines into blocks in reading order and cut the blocks into runs; rows of tables come last."""
    runs: list[Run] = []
    rows, chart = _rows_of(lines)
    in_rows = [cell for row in rows for cell in row]
    blocks = _blocks(tuple(line for line in lines if line not in in_rows))
    for number, block in enumerate(blocks):
        right = max(line.box.x1 for line in block)
        width = right - min(line.box.x0 for line in block)
        parts = _parted(block, partial(_continues, right=right, width=width))
        runs += [Run(tuple(part), number) for part in parts]
    runs = _beside(runs)
    return (*runs, *_row_runs(runs, rows, len(blocks), chart=chart))


def _parted(items: Iterable[Item], belongs: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """Items cut into parts: one begins a new part where it does not belong to the part before."""
    parts: list[list[Item]] = []
    for item in items:
        if parts and belongs(parts[-1], item):
            parts[-1].append(item)
        else:
            parts.append([item])
    return parts


def _row_runs(runs: list[Run], rows: tuple[Row, ...], block: int, *, chart: bool) -> Iterator[Run]:
    """The rows, each with up to three texts that stand above all of them, and with the table's head."""
    if not rows:
        return
    top = min(cell.box.y0 for row in rows for cell in row)
    titles = _titles([run for run in runs if run.lines[-1].box.y1 <= top + 2])
    head = " ".join(cell.text for cell in rows[0])
    headed = not chart and not any(c.isdigit() for c in head)
    for number, row in enumerate(rows):
        above = [*titles, head] if headed and number else titles
        yield Run(row, block, row=True, chart=chart, context=_JOIN.join(above))


def _titles(above: list[Run]) -> list[str]:
    """The lowest texts of two words and more, up to three that stand right below each other. None where something
    stands beside them: two charts may share the page, or a legend may name two series.
    """
    stack: list[Run] = []
    for run in sorted(above, key=lambda r: -r.lines[-1].box.y1):
        box = union([line.box for line in run.lines])
        if any(_overlap(box, other) for other in above if other is not run):
            return []
        if len(stack) == 3 or (stack and stack[-1].lines[0].box.y0 - box.y1 > 2 * run.lines[-1].height):
            break
        if len(run.text.split()) > 1 and any(c.isalpha() for c in run.text):
            stack.append(run)
    return [run.text for run in reversed(stack)]


def _overlap(box: Box, other: Run) -> bool:
    """Whether it stands beside the box: on its height."""
    there = union([line.box for line in other.lines])
    return shared(box, there)[1] > 0.3 * min(box.y1 - box.y0, there.y1 - there.y0)


def _beside(runs: list[Run]) -> list[Run]:
    """A large "64%" goes with the text to its right that begins in lower case."""
    merged = list(runs)
    for run in runs:
        first = run.lines[0]
        lefts = [
            r
            for r in merged
            if r is not run
            and len(r.lines) == 1
            and not _END.search(r.text)
            and 0 <= first.box.x0 - r.lines[0].box.x1 <= 1.5 * r.lines[0].height
            and shared(first.box, r.lines[0].box)[1] > 0
        ]
        if first.text[:1].islower() and len(lefts) == 1 and run in merged:
            place = merged.index(run)
            merged[place] = Run((*lefts[0].lines, *run.lines), lefts[0].block)
            merged.remove(lefts[0])
    return merged


def _blocks(lines: tuple[Line, ...]) -> list[list[Line]]:
    blocks: list[list[Line]] = []
    for line in lines:
        fitting = [b for b in blocks if _below(b[-1], line)]
        if fitting:
            nearest = min(fitting, key=lambda b: (line.box.y0 - b[-1].box.y1, abs(line.box.x0 - b[-1].box.x0)))
            nearest.append(line)
        else:
            blocks.append([line])
    return _reading_order(blocks)


def _reading_order(blocks: list[list[Line]]) -> list[list[Line]]:
    """From top to bottom; side by side blocks from left to right."""
    rows = _parted(
        sorted(blocks, key=lambda b: (b[0].box.y0, b[0].box.x0)),
        lambda row, block: block[0].box.y0 - row[0][0].box.y0 <= block[0].height,
    )
    return [b for row in rows for b in sorted(row, key=lambda b: (b[0].box.x0, b[0].box.y0))]


def _below(upper: Line, lower: Line) -> bool:
    """Directly below, as large, and under each other (flush left or centred)."""
    tall = max(upper.height, lower.height)
    gap = lower.box.y0 - upper.box.y1
    if gap > 0.9 * tall or lower.box.y0 <= upper.box.y0 + 0.4 * tall:
        return False
    goes_on = lower.text[:1].islower() and not _END.search(upper.text)
    if min(upper.height, lower.height) < (0.3 if goes_on else 0.65) * tall:
        return False
    flush = abs(upper.box.x0 - lower.box.x0) <= 1.5 * tall
    centred = abs((upper.box.x0 + upper.box.x1) - (lower.box.x0 + lower.box.x1)) <= 2 * tall
    return flush or centred


def _continues(lines: list[Line], following: Line, *, right: int, width: int) -> bool:
    """Whether the text of lines plainly goes on in the one below them."""
    line = lines[-1]
    if _is_labelled(line) and following.text[:1].isupper():
        return False
    if _END.search(line.text):
        return _is_prose(line.text) and _is_prose(following.text) and right - line.box.x1 <= 0.35 * width
    if not any(c.isalpha() for c in following.text) and not _OPEN_END.search(line.text):
        return False
    if following.text[:1].islower() or _OPEN_END.search(line.text):
        return True
    opens = following.text.split()[0].lower() in _WORDS["openers"] or ":" in following.text or ":" in line.text
    if line.text.isupper() and following.text.isupper() and _GOES_ON.match(following.text):
        return True
    full = right - line.box.x1 <= 0.2 * width
    return full and _is_prose(line.text) and not opens


def _is_prose(text: str) -> bool:
    return len(text.split()) >= 4 and sum(c.islower() for c in text) > len(text) / 2


def _rows_of(lines: tuple[Line, ...]) -> tuple[tuple[Row, ...], bool]:
    """Rows of a table, or pairs of a label and its value (``True``: a chart); no line is in two of them."""
    rows = [tuple(sorted(row, key=lambda c: c.box.x0)) for row in _level(lines)]
    if table := _longest(rows, lambda row, _: _is_table_row(row), _same_columns):
        return table, False
    bars = _longest(rows, _is_bar, _flush)
    return _pairs(lines, rows) or (bars if sum(len(row) == 2 for row in bars) >= 2 else ()), True


def _longest(
    rows: list[Row], fits: Callable[[Row, list[Row]], bool], goes_with: Callable[[list[Row], Row], bool]
) -> tuple[Row, ...]:
    """The longest sequence of rows that fit and go with those before them; none below three."""
    best: list[Row] = []
    current: list[Row] = []
    for row in rows:
        fitting = fits(row, current)
        if current and fitting and not goes_with(current, row):
            current = []
        current = [*current, row] if fitting else []
        best = max(best, current, key=len)
    return tuple(best) if len(best) >= _LEAST else ()


def _level(lines: tuple[Line, ...]) -> list[list[Line]]:
    """Lines grouped by height on the page."""

    def centre(line: Line) -> float:
        return (line.box.y0 + line.box.y1) / 2

    return _parted(
        sorted(lines, key=lambda c: (centre(c), c.box.x0)),
        lambda row, line: abs(centre(row[0]) - centre(line)) <= 0.4 * min(row[0].height, line.height),
    )


def _is_cell(line: Line) -> bool:
    return len(line.text.split()) <= 4 and not line.text.endswith((".", "!", "?"))


def _middle(line: Line) -> float:
    return (line.box.x0 + line.box.x1) / 2


def _is_table_row(row: Row) -> bool:
    return len(row) >= _LEAST and all(_is_cell(c) for c in row)


def _same_columns(before: list[Row], row: Row) -> bool:
    return len(row) == len(before[-1]) and all(
        min(abs(a.box.x0 - b.box.x0), abs(a.box.x1 - b.box.x1), abs(_middle(a) - _middle(b)))
        <= 1.5 * max(a.height, b.height)
        for a, b in zip(before[0], row, strict=True)
    )


def _pairs(lines: tuple[Line, ...], rows: list[Row]) -> tuple[Row, ...]:
    """The labels of the lowest row that has exactly one value above each, with these."""
    for labels in reversed(rows):
        if not _is_table_row(labels):
            continue
        values = [[c for c in lines if c not in labels and _is_value_above(c, label)] for label in labels]
        if all(len(above) == 1 for above in values):
            return tuple((label, above[0]) for label, above in zip(labels, values, strict=True))
    return ()


def _is_value_above(line: Line, label: Line) -> bool:
    near = line.box.y1 <= label.box.y0 and abs(_middle(line) - _middle(label)) <= label.height
    return near and any(x.isdigit() for x in line.text) and _is_cell(line)


def _is_bar(row: Row, before: list[Row]) -> bool:
    """A label with a value behind it, or among such rows one that was read as one line."""
    if not all(_is_cell(c) for c in row):
        return False
    if len(row) == 2:
        return any(x.isalpha() for x in row[0].text) and _VALUE.match(row[1].text) is not None
    return bool(before) and len(row) == 1 and _is_labelled(row[0])


def _is_labelled(line: Line) -> bool:
    """A label and its value, read as one line."""
    return len(line.text.split()) <= 5 and _LABELLED.match(line.text) is not None


def _flush(before: list[Row], row: Row) -> bool:
    """Left or right under the label above."""
    upper, lower = before[-1][0], row[0]
    slack = 0.8 * max(upper.height, lower.height)
    return min(abs(upper.box.x0 - lower.box.x0), abs(upper.box.x1 - lower.box.x1)) <= slack
