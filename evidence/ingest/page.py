"""What every reader returns: the text of one document with what it says about itself, written in one way. Headings are
``## Heading`` lines, list items ``- item`` lines, table rows ``Year: 2024; Homes: 450,000`` lines, paragraphs one line
each, all groups set apart by an empty line; ``evidence.segmentation.spans`` reads them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import repeat
from typing import Literal

from evidence.ingest.text import clean_line, normalise, parse_date
from evidence.types import Locator


@dataclass(frozen=True)
class Page:
    """A document as read, before it has an id. ``notes`` say what was not understood."""

    text: str
    title: str | None = None
    url: str | None = None
    publisher: str | None = None
    published: date | None = None
    retrieved: date | None = None
    media_type: str = "text/plain"
    notes: tuple[str, ...] = ()
    locators: tuple[Locator, ...] = ()
    """Of ``text`` in its stored form (``evidence.ingest.text.normalise``)."""


def page_of(text: str, locators: tuple[Locator, ...], said: Mapping[str, object], notes: Iterable[str] = ()) -> Page:
    """A page with what it says of itself, made plain: ``title``, ``publisher`` or ``author``, ``published`` or
    ``date``, ``retrieved`` and ``url``. A day that cannot be told is noted and left out.
    """
    told = list(notes)

    def day(field: str, value: object) -> date | None:
        found = parse_date(value)
        if found is None and value not in (None, ""):
            written = clean_line(str(value))
            told.append(f"kept without a date: {field} {written!r} is not understood; write YYYY-MM-DD")
        return found

    return Page(
        text=text,
        title=clean_line(said.get("title")),
        url=web_address(said.get("url")),
        publisher=clean_line(said.get("publisher")) or clean_line(said.get("author")),
        published=day("published", said.get("published", said.get("date"))),
        retrieved=day("retrieved", said.get("retrieved")),
        notes=tuple(told),
        locators=locators,
    )


def web_address(value: object) -> str | None:
    """An ``http`` or ``https`` address, or ``None``."""
    line = clean_line(value)
    return line if line and line.lower().startswith(("http://", "https://")) else None


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


def located(blocks: Iterable[Block]) -> tuple[str, tuple[Locator, ...]]:
    """All blocks as plain text (see the module's docstring), and where each place of the file starts in it."""
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
