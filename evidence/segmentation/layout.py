"""The lines of a stored text by kind: headings, list items, table rows and running text. Every unit is a range of the
text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from language.calendar import MONTH_NAMES
from language.wordlists import read_expressions

UnitKind = Literal["heading", "prose", "item", "row"]

EXPRESSIONS = read_expressions("evidence.segmentation", months="|".join(MONTH_NAMES))
TEASER = EXPRESSIONS["teaser"]
_ITEM, _ROW, _FIELD = (EXPRESSIONS[name] for name in ("item", "row", "field"))
_OFFICE = "application/vnd.openxmlformats-officedocument"
_MARKED_TYPES = (
    *("text/markdown", "text/html", "application/xhtml+xml", "text/csv", "application/epub+zip"),
    *(f"{_OFFICE}.wordprocessingml.document", f"{_OFFICE}.spreadsheetml.sheet"),
    "application/vnd.oasis.opendocument.text",
)
"""Types whose headings are marked (``evidence.ingest.page``); in others a short line may be one."""


@dataclass(frozen=True)
class Unit:
    """A range of the text that is segmented on its own."""

    kind: UnitKind
    start: int
    end: int


def units_of(text: str, media_type: str) -> Iterator[Unit]:
    """All units in order, without empty lines. Headings carry ``#``, are underlined, or are short lines that stand
    alone, start with a capital or digit, end without a full stop and precede running text.
    """
    blocks = [range_ for range_ in _blocks(text) if text[range_.start : range_.stop].strip()]
    marked = media_type in _MARKED_TYPES
    for number, block in enumerate(blocks):
        lines = _lines(text, block)
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        if not marked and len(lines) == 1 and _bare_heading(text, lines[0], following):
            yield Unit("heading", lines[0].start, lines[0].stop)
        else:
            yield from _block_units(text, lines, marked)


def _blocks(text: str) -> Iterator[range]:
    start = 0
    for gap in EXPRESSIONS["blank_lines"].finditer(text):
        yield range(start, gap.start())
        start = gap.end()
    yield range(start, len(text))


def _lines(text: str, block: range) -> list[range]:
    lines, start = [], block.start
    for piece in text[block.start : block.stop].split("\n"):
        if piece.strip():
            lines.append(range(start, start + len(piece)))
        start += len(piece) + 1
    return lines


def _looks_like_heading(line: str) -> bool:
    return (
        len(line) <= 80
        and len(line.split()) <= 12
        and EXPRESSIONS["capital"].match(line) is not None
        and line[-1] not in ".!?:;,…\"”'\u2019)"
        and not _ITEM.match(line)
        and not _ROW.search(line)
        and not _FIELD.match(line)
    )


def _bare_heading(text: str, line: range, following: range | None) -> bool:
    if following is None or not _looks_like_heading(text[line.start : line.stop].strip()):
        return False
    below = text[following.start : following.stop].strip()
    return not _looks_like_heading(below.split("\n")[0].strip()) or "\n" in below


def _block_units(text: str, lines: list[range], marked: bool) -> list[Unit]:
    width = max((len(line) for line in lines), default=0)
    units: list[Unit] = []
    goes_on = False
    for index, line in enumerate(lines):
        body = text[line.start : line.stop]
        if goes_on and not marked and EXPRESSIONS["underline"].match(body.strip()):
            units[-1], goes_on = replace(units[-1], kind="heading"), False
            continue
        heading = EXPRESSIONS["marked_heading"].match(body) if marked else None
        mark = heading or _ITEM.match(body)
        own: UnitKind | None = "heading" if heading else "item" if mark else "row" if _ROW.search(body) else None
        if goes_on and not own and not _parted(text, lines[index - 1], line, width):
            units[-1] = replace(units[-1], end=line.stop)
        else:
            units.append(Unit(own or "prose", line.start + (mark.end() if mark else 0), line.stop))
        goes_on = units[-1].kind not in ("heading", "row")
    return units


def _parted(text: str, before: range, line: range, width: int) -> bool:
    """Whether a line break is intended: the next word would have fitted and starts anew."""
    upper, lower = text[before.start : before.stop].rstrip(), text[line.start : line.stop].lstrip()
    word = lower.split(maxsplit=1)[0]
    if len(upper) + 1 + len(word) > width:
        return bool(_FIELD.match(upper) and _FIELD.match(lower))
    return bool(EXPRESSIONS["capital"].match(lower)) or bool(EXPRESSIONS["ended"].search(upper))
