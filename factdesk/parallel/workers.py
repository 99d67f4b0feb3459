"""Workers that load their models once and do one task at a time: processes of this machine, or actors of Ray."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")
Work: TypeAlias = Callable[[Task], Result]
MakeWork: TypeAlias = Callable[[], Work[Task, Result]]
"""Called once in each worker; loads what its tasks need, and can be pickled."""


@dataclass(frozen=True)
class Ended(Generic[Task, Result]):
    """A task that a worker is through with: its result, or an error, or a worker that died over it."""

    task: Task
    result: Result | None = None
    error: BaseException | None = None
    died: bool = False


class Workers(Protocol[Task, Result]):
    """Some workers; one that dies is replaced."""

    def free(self) -> bool:
        """Whether a worker is idle."""

    def submit(self, task: Task) -> None:
        """Give a task to an idle worker."""

    def wait(self, seconds: float) -> list[Ended[Task, Result]]:
        """Tasks that ended; waits at most so long for the first."""

    def close(self) -> None:
        """End all workers without waiting for their tasks."""
