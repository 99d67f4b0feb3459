"""Plain text out of structured pages: readers give blocks, this module writes them in one way.

What is written, and read again by ``evidence.segmentation.spans``: headings as ``## Heading`` lines, list
items as
``- item`` lines, table rows as ``Year: 2024; Homes: 450,000`` lines, paragraphs on one line each, all
groups set apart by an empty line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Literal

from evidence.ingest.text import normalise
from evidence.types import Locator

BlockKind = Literal["heading", "paragraph", "item", "row"]


@dataclass(frozen=True)
class Block:
    """One piece of a page. ``level`` is 1 to 6 for headings, the depth from 0 for list items."""

    kind: BlockKind
    text: str
    level: int = 0
    locator: str = ""
    """Place in the file; ``""``: that of the block before."""


def one_line(text: str) -> str:
    """The text with every run of white space made one blank."""
    return " ".join(text.split())


def table_rows(
    header: Sequence[str], rows: Iterable[Sequence[str]], locators: Iterable[str] = repeat("")
) -> list[Block]:
    """Rows as sentences of their own: cells named by the header, or joined by ``" | "`` without one."""
    blocks = []
    for row, locator in zip(rows, locators, strict=False):
        cells = [one_line(cell) for cell in row]
        names = [one_line(name) for name in header]
        if len(names) == len(cells) and any(names):
            parts = [f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=True) if cell]
            text = "; ".join(parts)
        else:
            text = " | ".join(cell for cell in cells if cell)
        if text:
            blocks.append(Block("row", text, locator=locator))
    return blocks


def render(blocks: Iterable[Block]) -> str:
    """All blocks as plain text (see the module's docstring for the form)."""
    return located(blocks)[0]


def located(blocks: Iterable[Block]) -> tuple[str, tuple[Locator, ...]]:
    """All blocks as plain text, and where each place of the file starts in it."""
    pieces: list[str] = []
    locators: list[Locator] = []
    before: BlockKind | None = None
    length = 0
    for block in blocks:
        text = one_line(normalise(block.text))
        if not text:
            continue
        together = block.kind == before and block.kind in ("item", "row")
        gap = ("\n" if together else "\n\n") if pieces else ""
        if block.locator and (not locators or locators[-1].place != block.locator):
            locators.append(Locator(start=length + len(gap), place=block.locator))
        pieces.append(gap + _line(block, text))
        length += len(pieces[-1])
        before = block.kind
    return "".join(pieces), tuple(locators)


def _line(block: Block, text: str) -> str:
    if block.kind == "heading":
        return f"{'#' * min(max(block.level, 1), 6)} {text}"
    if block.kind == "item":
        return f"{'  ' * block.level}- {text}"
    return text
