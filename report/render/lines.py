"""Lines of a terminal report: text with a role; colours are put on elsewhere."""

from __future__ import annotations

import textwrap
from typing import Literal

from factdesk.kernel import Record
from report.sanitize import escaped, visible

WIDTH = 100

Role = Literal["heading", "good", "warn", "bad", "plain", "dim"]


class Line(Record):
    """One printed line, free of control characters."""

    role: Role
    text: str


def line(role: Role, text: str) -> Line:
    """One line, however long. Every line of a report passes here, so none holds a control character."""
    return Line(role=role, text=escaped(text).rstrip())


def wrapped(role: Role, text: str, *, first: str = "", rest: str = "") -> list[Line]:
    """Lines of at most :data:`WIDTH` characters; ``first`` and ``rest`` are what they begin with."""
    pieces = textwrap.wrap(
        visible(text), width=WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
    return [line(role, piece) for piece in pieces or [first.rstrip()]]
