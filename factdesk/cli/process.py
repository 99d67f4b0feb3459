"""The process of a command: signals, engines for a whole corpus."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal

from annotated_types import Ge, Le

from factdesk.settings import load_settings

if TYPE_CHECKING:
    from factdesk.parallel.stages import Executor

Engine = Annotated[Literal["local", "ray"], "Where models run: in this process, or on a Ray cluster."]
Workers = Annotated[int | None, Ge(1), Le(256), "Ray actors, each with models of its own (default: 1)."]


def stop_on_terminate() -> None:
    """Being asked to end (SIGTERM) stops a check as Ctrl-C does: with its checkpoint, and exit code 6."""
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)


@contextmanager
def executor_of(engine: Engine, workers: int | None) -> Iterator[Executor | None]:
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
