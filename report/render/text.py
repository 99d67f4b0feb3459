"""A certificate as a report for the terminal: lines of harmless text, coloured by role without parsing any of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, cast

from markupsafe import Markup

from factdesk.kernel import Record
from report.policy.badge import Tone
from report.render.templates import environment
from report.render.view import report_view
from report.sanitize import escaped, foreign, visible
from report.types import Certificate, Mode

if TYPE_CHECKING:
    from rich.text import Text


WIDTH = 100

Role = Literal["heading", "good", "warn", "bad", "plain", "dim"]
_ROLES: dict[Tone, Role] = {"good": "good", "bad": "bad", "warn": "warn", "open": "warn"}
_SEPARATOR = "¦"


class Line(Record):
    """One printed line, free of control characters."""

    role: Role
    text: str


def render_text(certificate: Certificate, mode: Mode, doubt: str = "") -> str:
    """The report as plain text with a final line end. Raises ``CertificateError`` when a claim has no decision."""
    return "".join(item.text + "\n" for item in report_lines(certificate, mode, doubt))


def report_lines(certificate: Certificate, mode: Mode, doubt: str = "") -> tuple[Line, ...]:
    """The report line by line with roles, for colouring (:func:`report.render.text.to_rich`)."""
    template = environment(_printed).get_template("report.txt.j2")
    written = template.render(view=report_view(certificate, mode, doubt), roles=_ROLES)
    return tuple(line for text in written.split("\n") if text for line in _lines(text))


def _printed(value: object) -> object:
    """One line of harmless text: a foreign text ends no line of the template and begins none."""
    return value if isinstance(value, Markup) else foreign(str(value))


def _lines(text: str) -> list[Line]:
    """The line that one of the template gives, or several where it is to be wrapped."""
    if not text.startswith("~"):
        role, _, words = text.partition(_SEPARATOR)
        return [_line(role, words)]
    role, first, columns, words = text[1:].split(_SEPARATOR, 3)
    pieces = textwrap.wrap(
        visible(words),
        width=WIDTH,
        initial_indent=first,
        subsequent_indent=" " * int(columns),
        break_on_hyphens=False,
    )
    return [_line(role, piece) for piece in pieces or [first.rstrip()]]


def _line(role: str, text: str) -> Line:
    """Every line of a report passes here, so none holds a control character."""
    return Line(role=cast(Role, role), text=escaped(text).rstrip())


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
