"""``--engine`` and ``--workers`` of commands that work through a whole corpus."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from factdesk.parallel.stages import EngineName, Executor


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
    from factdesk.parallel.executor import make_executor
    from factdesk.settings import load_settings

    with contextlib.redirect_stdout(sys.stderr):  # Ray prints its advice; stdout is for the outcome alone
        executor = make_executor(load_settings(), cast("EngineName", engine), workers)
        try:
            yield executor
        finally:
            executor.close()
