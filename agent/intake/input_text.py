"""Reading the input: limits, control characters, paragraphs; every character keeps its original place."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from agent.intake.lexicon import EXPRESSIONS
from factdesk.kernel import InputError

MAX_CHARACTERS = 20_000
_KEEP_FORMAT = "\u200c\u200d"
"""Format characters that belong to words of some scripts and to emoji."""


@dataclass(frozen=True)
class Block:
    """A cleaned paragraph or list entry; ``origin[i]`` is the place of character i in the input."""

    text: str
    origin: tuple[int, ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the input of the non-empty range ``text[start:end]``."""
        return self.origin[start], self.origin[end - 1] + 1


def check_text(text: str) -> None:
    """Refuse a text that cannot be a claim. Raises ``InputError``."""
    if not any(c.isalnum() for c in text):
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise InputError(f"the claim {shown!r} has no words; give a sentence that can be checked")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the claim has {len(text)} characters; at most {MAX_CHARACTERS} are read, so give a shorter text"
        )
    bad = next((c for c in text if unicodedata.category(c) == "Cs"), None)
    if bad is not None:
        raise InputError(f"the claim has the broken character {bad!r}; give the text as valid UTF-8")


def read_blocks(text: str) -> tuple[Block, ...]:
    """Paragraphs and list entries, without control characters and with plain spaces."""
    blocks: list[Block] = []
    current: list[tuple[str, int]] = []
    for start, line in _lines(text):
        content = line.strip()
        bullet = EXPRESSIONS["bullet"].match(content)
        if not content or bullet:
            _flush(current, blocks)
        if not content:
            continue
        skip = len(line) - len(line.lstrip()) + (bullet.end() if bullet else 0)
        if current:
            current.append((" ", start - 1))
        current.extend((c, start + i) for i, c in enumerate(line) if i >= skip)
    _flush(current, blocks)
    return tuple(blocks)


def _lines(text: str) -> list[tuple[int, str]]:
    lines: list[tuple[int, str]] = []
    start = 0
    for line in text.splitlines(keepends=True):
        lines.append((start, line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")))
        start += len(line)
    return lines


def _flush(current: list[tuple[str, int]], blocks: list[Block]) -> None:
    kept: list[tuple[str, int]] = []
    for char, place in current:
        if char.isspace():
            if kept and kept[-1][0] != " ":
                kept.append((" ", place))
        elif unicodedata.category(char) not in {"Cc", "Cf"} or char in _KEEP_FORMAT:
            kept.append((char, place))
    while kept and kept[-1][0] == " ":
        kept.pop()
    current.clear()
    if any(c.isalnum() for c, _ in kept):
        blocks.append(Block("".join(c for c, _ in kept), tuple(p for _, p in kept)))
