"""Reading the input: limits, control characters, paragraphs; every character keeps its original place."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
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
    paragraphs: list[list[int]] = []
    at, ended = 0, True
    for line in text.splitlines(keepends=True):
        content = line.strip()
        bullet = EXPRESSIONS["bullet"].match(content)
        if content and (bullet or ended):
            paragraphs.append([])
        if content:
            start = line.index(content) + (bullet.end() if bullet else 0)
            paragraphs[-1] += range(at + start, at + len(line))
        at, ended = at + len(line), not content
    blocks = (_cleaned(text, places) for places in paragraphs)
    return tuple(block for block in blocks if any(c.isalnum() for c in block.text))


def _cleaned(text: str, places: Iterable[int]) -> Block:
    kept: list[tuple[str, int]] = []
    for place in places:
        char = text[place]
        if char.isspace():
            if kept and kept[-1][0] != " ":
                kept.append((" ", place))
        elif unicodedata.category(char) not in {"Cc", "Cf"} or char in _KEEP_FORMAT:
            kept.append((char, place))
    if kept and kept[-1][0] == " ":
        kept.pop()
    return Block("".join(char for char, _ in kept), tuple(place for _, place in kept))
