"""Choosing where stages run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from factdesk.parallel.stages import EngineName, Executor, LocalExecutor, Models

if TYPE_CHECKING:
    from factdesk.settings import Settings


def make_executor(settings: Settings, engine: EngineName, workers: int | None = None) -> Executor:
    """The executor of an engine; ``workers`` actors with ``ray``, one where it is left out.

    Raises:
        BackendUnavailable: Ray is asked for, and is not installed or cannot be reached.
    """
    if engine == "ray":
        from factdesk.parallel.ray_executor import RayExecutor

        return RayExecutor(settings, workers or 1)
    return LocalExecutor(Models.of(settings))
