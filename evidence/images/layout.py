"""Which lines of a picture belong together: blocks of text, and runs of lines that make sentences.

A line that is part of a sentence over several lines never becomes evidence on its own: "the mayor
resigned" may be the second line of "It is not true that / the mayor resigned".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evidence.images.ocr import Line
from evidence.images.tables import Rows, is_labelled, rows_of
from evidence.types import Box

_OPEN_END = re.compile(
    r"(?:,|-|–|\b(?:the|a|an|of|in|on|at|to|and|or|but|for|by|with|from|that|which|who|is|was|were|are|be|been|has|"
    r"have|had|will|not|no|than|as|its|his|her|their|this|into|over|under|about|after|before|between|said|says|denies|"
    r"denied|rejects|rejected|disputes|disputed|doubts|doubted|refutes|refuted|claims|claimed|alleges|alleged|fears|"
    r"feared|warns|warned|fakes|faked|if|unless))$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:a|an|the|of|in|on|at|to|and|or|but|for|by|with|from|that|which|who|is|was|were|are|be|been|has|have|had|"
    r"will|not|than|as|its|his|her|their|into|over|under|about|after|before|between)\s",
    re.IGNORECASE,
)
"""What opens no text of its own, where all is in capitals."""
_JOIN = " | "
_END = re.compile(r"[.!?:;][\"'”’)\]]*$")


_OPENERS = frozenset(
    "the a an it in on at this that these those he she they we i you there after before when since".split()
)
"""With a capital after a line without an end mark, they open a text under its heading."""


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
        """The lines joined by a blank."""
        return " ".join(line.text for line in self.lines)


def union(boxes: list[Box]) -> Box:
    """The smallest region around all of them."""
    return Box(
        x0=min(b.x0 for b in boxes),
        y0=min(b.y0 for b in boxes),
        x1=max(b.x1 for b in boxes),
        y1=max(b.y1 for b in boxes),
    )


def runs_of(lines: tuple[Line, ...]) -> tuple[Run, ...]:
    """Group lines into blocks in reading order and cut the blocks into runs; rows of tables come last."""
    runs: list[Run] = []
    found = rows_of(lines)
    in_rows = [cell for row in found.rows for cell in row]
    blocks = _blocks(tuple(line for line in lines if line not in in_rows))
    for number, block in enumerate(blocks):
        right = max(line.box.x1 for line in block)
        width = right - min(line.box.x0 for line in block)
        current = [block[0]]
        for line in block[1:]:
            if _continues(current[-1], line, right, width):
                current.append(line)
            else:
                runs.append(Run(tuple(current), number))
                current = [line]
        runs.append(Run(tuple(current), number))
    runs = _beside(runs)
    return (*runs, *_row_runs(runs, found, len(blocks)))


def _row_runs(runs: list[Run], found: Rows, block: int) -> Iterator[Run]:
    """The rows, each with up to three texts that stand above all of them, and with the table's head."""
    if not found.rows:
        return
    top = min(cell.box.y0 for row in found.rows for cell in row)
    titles = _titles([run for run in runs if run.lines[-1].box.y1 <= top + 2])
    head = " ".join(cell.text for cell in found.rows[0])
    headed = not found.chart and not any(c.isdigit() for c in head)
    for number, row in enumerate(found.rows):
        above = [*titles, head] if headed and number else titles
        yield Run(row, block, row=True, chart=found.chart, context=_JOIN.join(above))


def _titles(above: list[Run]) -> list[str]:
    """The lowest texts of two words and more, up to three that stand right below each other.

    None where something stands beside them: two charts may share the page, or a legend may name two series.
    """
    stack: list[Run] = []
    for run in sorted(above, key=lambda r: -r.lines[-1].box.y1):
        box = union([line.box for line in run.lines])
        if any(_overlap(box, other) for other in above if other is not run):
            return []
        if len(stack) == 3 or (stack and stack[-1].lines[0].box.y0 - box.y1 > 2 * _height(run.lines[-1])):
            break
        if len(run.text.split()) > 1 and any(c.isalpha() for c in run.text):
            stack.append(run)
    return [run.text for run in reversed(stack)]


def _overlap(box: Box, other: Run) -> bool:
    """Whether it stands beside the box: on its height."""
    there = union([line.box for line in other.lines])
    return min(box.y1, there.y1) - max(box.y0, there.y0) > 0.3 * min(box.y1 - box.y0, there.y1 - there.y0)


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
            and 0 <= first.box.x0 - r.lines[0].box.x1 <= 1.5 * _height(r.lines[0])
            and min(first.box.y1, r.lines[0].box.y1) - max(first.box.y0, r.lines[0].box.y0) > 0
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
    rows: list[list[list[Line]]] = []
    for block in sorted(blocks, key=lambda b: (b[0].box.y0, b[0].box.x0)):
        row = rows[-1] if rows else None
        tolerance = _height(block[0])
        if row is not None and block[0].box.y0 - row[0][0].box.y0 <= tolerance:
            row.append(block)
        else:
            rows.append([block])
    return [b for row in rows for b in sorted(row, key=lambda b: (b[0].box.x0, b[0].box.y0))]


def _height(line: Line) -> int:
    return line.box.y1 - line.box.y0


def _below(upper: Line, lower: Line) -> bool:
    """Directly below, as large, and under each other (flush left or centred)."""
    tall = max(_height(upper), _height(lower))
    gap = lower.box.y0 - upper.box.y1
    if gap > 0.9 * tall or lower.box.y0 <= upper.box.y0 + 0.4 * tall:
        return False
    goes_on = lower.text[:1].islower() and not _END.search(upper.text)
    if min(_height(upper), _height(lower)) < (0.3 if goes_on else 0.65) * tall:
        return False
    flush = abs(upper.box.x0 - lower.box.x0) <= 1.5 * tall
    centred = abs((upper.box.x0 + upper.box.x1) - (lower.box.x0 + lower.box.x1)) <= 2 * tall
    return flush or centred


def _continues(line: Line, following: Line, right: int, width: int) -> bool:
    """Whether the text of a line plainly goes on in the one below it."""
    if is_labelled((line,)) and following.text[:1].isupper():
        return False
    if _END.search(line.text):
        return _is_prose(line.text) and _is_prose(following.text) and right - line.box.x1 <= 0.35 * width
    if not any(c.isalpha() for c in following.text) and not _OPEN_END.search(line.text):
        return False
    if following.text[:1].islower() or _OPEN_END.search(line.text):
        return True
    opens = following.text.split()[0].lower() in _OPENERS or ":" in following.text or ":" in line.text
    if line.text.isupper() and following.text.isupper() and _GOES_ON.match(following.text):
        return True
    full = right - line.box.x1 <= 0.2 * width
    return full and _is_prose(line.text) and not opens


def _is_prose(text: str) -> bool:
    return len(text.split()) >= 4 and sum(c.islower() for c in text) > len(text) / 2
