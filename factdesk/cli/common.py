"""What several commands share: days as arguments, the set-up of a single check, engines for a whole corpus."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from factdesk.settings import load_settings

if TYPE_CHECKING:
    from agent.intake.worker_process import ParsingProcess
    from factdesk.parallel.stages import Executor


class Day(click.ParamType[date]):
    """An ISO date (``2024-05-31``)."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Parse, or say what a date looks like."""
        if isinstance(value, date):
            return value
        try:
            return datetime.strptime(value, "%Y-%m-%d").date()
        except ValueError:
            self.fail(f"{value!r} is no date; write it as 2024-05-31", param, ctx)


DAY = Day()
FILE = click.Path(path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
FOUR_VERDICTS = ("supported", "refuted", "conflicting", "not_enough_evidence")


def stop_on_terminate() -> None:
    """Being asked to end (SIGTERM) stops a check as Ctrl-C does: with its checkpoint, and exit code 6."""
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)


@contextmanager
def single_check() -> Iterator[ParsingProcess]:
    """For a command that ends after one check: claims are read beside, and less is imported.

    LangGraph's client imports httpx, which takes in its own command line, with rich and pygments, where it
    can.
    """
    from agent.intake.worker_process import ParsingProcess
    from language.nlp.delegation import answered_by
    from language.nlp.pipeline import look_absent

    with look_absent({"httpx._main"}), ParsingProcess() as beside, answered_by(beside.ask):
        yield beside


Command = TypeVar("Command", bound=Callable[..., Any])


def engine_options(command: Command) -> Command:
    """The two options."""
    command = click.option(
        "--workers", type=click.IntRange(1, 256), help="Ray actors, each with models of its own (default: 1)."
    )(command)
    return click.option(
        "--engine",
        type=click.Choice(["local", "ray"]),
        default="local",
        show_default=True,
        help="Where models run: in this process, or on a Ray cluster.",
    )(command)


@contextmanager
def executor_of(engine: str, workers: int | None) -> Iterator[Executor | None]:
    """The executor of an engine, let go of at the end; ``None`` for this process itself.

    Raises ``BackendUnavailable`` when Ray is asked for and cannot be had.
    """
    if engine == "local":
        yield None
        return
    from factdesk.parallel.ray_executor import RayExecutor

    with contextlib.redirect_stdout(sys.stderr):  # Ray prints its advice; stdout is for the outcome alone
        executor = RayExecutor(load_settings(), workers or 1)
        try:
            yield executor
        finally:
            executor.close()
