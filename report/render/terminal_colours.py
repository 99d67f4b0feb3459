"""Colours for a terminal report. Text is appended, never parsed, so no text can inject markup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from report.render.text import Line, Role

if TYPE_CHECKING:
    from rich.text import Text

_STYLES: dict[Role, str] = {
    "heading": "bold",
    "good": "bold green",
    "warn": "yellow",
    "bad": "bold red",
    "plain": "",
    "dim": "dim",
}


def to_rich(lines: Iterable[Line]) -> Text:
    """A ``rich.text.Text`` of the lines, styled by role. Print it with ``soft_wrap=True``."""
    from rich.text import Text

    text = Text()
    for number, item in enumerate(lines):
        text.append(("\n" if number else "") + item.text, style=_STYLES[item.role])
    return text
