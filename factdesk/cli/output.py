"""What commands print: JSON or lines on stdout, progress on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from pydantic import BaseModel

from factdesk.kernel import write_file

if TYPE_CHECKING:
    from jinja2 import Environment
    from rich.progress import Progress as Bar

    from agent.types import Progress
    from factdesk.checker import Report
    from factdesk.command_socket import CommandAnswer

AS_JSON = "as_json"
Command = TypeVar("Command", bound=Callable[..., Any])
EVERY = 30.0
"""Seconds between lines where stderr is no terminal."""


@dataclass(frozen=True)
class Outcome:
    """What a command gives: JSON values and records, the same as lines, and its exit code. Without lines ``data`` is a
    report, which is written in colour on a terminal.
    """

    data: Any
    lines: Iterable[str] | None = None
    code: int = 0

    def show(self) -> None:
        """Print it on stdout, as the command was asked to."""
        if self.lines is not None:
            emit(self.data, asked_for_json(), self.lines)
        elif asked_for_json():
            emit(self.data.json(), True)
        else:
            self.data.print(sys.stdout)


def keep_json(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    """Callback of ``--json``."""
    ctx.meta[AS_JSON] = value


def asked_for_json() -> bool:
    """Whether the command that runs was given ``--json``."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get(AS_JSON))


def json_option(says: str = "Print as JSON.") -> Callable[[Command], Command]:
    """``--json``, which a command gets as ``as_json`` and hands to :func:`emit`."""
    return click.option("--json", "as_json", is_flag=True, help=says)


def emit(data: object, as_json: bool, lines: Iterable[str] = ()) -> None:
    """A command's outcome on stdout: ``data`` as one JSON document, or ``lines``."""
    if as_json:
        click.echo(as_text(data))
        return
    for line in lines:
        click.echo(_harmless(line))


def as_text(data: object) -> str:
    """JSON values and records as one document."""
    return json.dumps(data, ensure_ascii=False, indent=2, default=_plain)


def said(macro: str, *values: object) -> Iterator[str]:
    """The lines that a macro of ``templates/`` (``"file.macro"``) makes of values; made when they are shown."""
    file, _, name = macro.partition(".")
    made: str = getattr(_environment().get_template(f"{file}.txt.j2").module, name)(*values)
    yield from made.splitlines()


@cache
def _environment() -> Environment:
    """Jinja for what commands say: every value printed is harmless, and ``tell`` writes beside it."""
    from report.render.templates import environment

    made = environment(_printed, package="factdesk.cli")
    made.add_extension("jinja2.ext.do")
    made.globals["tell"] = tell
    made.filters["foreign"] = foreign
    return made


def _printed(value: object) -> object:
    from markupsafe import Markup

    from report.sanitize import escaped

    return value if isinstance(value, Markup) else escaped(str(value))


def tell(text: str) -> None:
    """A line beside a command's outcome, on stderr; names and reasons in it may be foreign."""
    click.echo(_harmless(text), err=True)


def foreign(text: str, limit: int = 2000) -> str:
    """:func:`report.sanitize.foreign`, which no help text loads."""
    from report.sanitize import foreign as shown

    return shown(text, limit)


def _harmless(text: str) -> str:
    """Text for a terminal: whatever is in it, no control character but the ends of lines reaches it."""
    from report.sanitize import escaped

    return "\n".join(escaped(line) for line in text.split("\n"))


def _plain(data: Any) -> object:
    """What JSON does not know: a record, or a mapping of another kind."""
    return data.model_dump(mode="json") if isinstance(data, BaseModel) else dict(data)


def write_out(path: Path | None, data: str | bytes) -> None:
    """A command's outcome on stdout, or in a file, which is said on stderr. Raises ``InputError``."""
    if path is None:
        click.echo(data, nl=False)
        return
    write_file(path, [data if isinstance(data, bytes) else data.encode("utf-8")])
    click.echo(f"written: {path}", err=True)


def with_notes(report: Report | CommandAnswer) -> Outcome:
    """A report; what was not read, or given by the web, is told beside it."""
    for line in report.notes():
        tell(f"factdesk: {line}")
    return Outcome(report)


class ProgressLine:
    """One line on stderr that changes on a terminal. Elsewhere a line now and then, or none."""

    def __init__(self, *, quiet: bool, lines: bool) -> None:
        self._terminal = not quiet and sys.stderr.isatty()
        self._lines = lines and not quiet and not self._terminal
        self._live: Bar | None = None
        self._next = time.monotonic() + EVERY
        self._tenths: dict[str, int] = {}

    def say(self, text: str) -> None:
        """What goes on."""
        if self._terminal:
            self._show(text, None, None)
        elif self._lines and time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            click.echo(text, err=True)

    def step(self, event: Progress) -> None:
        """A step of a check, on a terminal."""
        self.told(event.stage, event.message)

    def told(self, stage: str, message: str) -> None:
        """The same by its parts."""
        if self._terminal:
            self.say(f"{stage}: {foreign(message)[:100]}")

    def count(self, what: str, done: int, total: int, note: str = "") -> None:
        """How many are done; elsewhere than on a terminal a line for every tenth part, with ``note``."""
        tenth = 10 * done // total if total else 0
        if self._terminal:
            self._show(what, done, total)
        elif self._lines and self._tenths.get(what) != tenth:
            click.echo(f"{what}: {done} of {total}{note}", err=True)
        self._tenths[what] = tenth

    def close(self) -> None:
        """Clear the line."""
        if self._live is not None:
            self._live.stop()

    def _show(self, text: str, done: int | None, total: int | None) -> None:
        from rich.markup import escape

        if self._live is None:
            self._live = _live(counted=total is not None)
            self._live.start()
            self._live.add_task("")
        self._live.update(self._live.task_ids[0], description=escape(text), completed=done, total=total)


def _live(*, counted: bool) -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    text = TextColumn("{task.description}")
    columns = (text, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) if counted else ()
    return Progress(*(columns or (SpinnerColumn(), text)), console=Console(stderr=True), transient=True)


@contextmanager
def progress(*, quiet: bool = False, lines: bool = False) -> Iterator[ProgressLine]:
    """The progress of a command, cleared at its end. ``lines``: say something on a file or pipe too."""
    line = ProgressLine(quiet=quiet or (asked_for_json() and not lines), lines=lines)
    try:
        yield line
    finally:
        line.close()
