"""Workers that load their models once and do one task at a time; those that are processes of this machine load on
their share of the cores and then run on any of them. Actors of Ray: ``factdesk.parallel.ray_workers``.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from factdesk.kernel import BackendUnavailable

Task = TypeVar("Task")
Result = TypeVar("Result")
Work: TypeAlias = Callable[[Task], Result]
MakeWork: TypeAlias = Callable[[], Work[Task, Result]]
"""Called once in each worker; loads what its tasks need, and can be pickled."""
_in_worker: dict[str, Any] = {}
"""In a worker process: what makes its work, and the cores shared by all workers."""


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


class _Slot(Generic[Task, Result]):
    """One worker process and its task."""

    def __init__(self, make: MakeWork[Task, Result], cores: tuple[int, ...]) -> None:
        self._begin_with = make, cores
        self.busy: tuple[Task, Future[Result]] | None = None
        self.renew()

    def renew(self) -> None:
        """Start a process, in place of a dead one."""
        self.pool = ProcessPoolExecutor(1, get_context("spawn"), _begin, self._begin_with)

    def submit(self, task: Task) -> None:
        """Give the process a task."""
        try:
            future = self.pool.submit(_do, task)
        except BrokenProcessPool:  # it died while it had nothing to do
            self.renew()
            future = self.pool.submit(_do, task)
        self.busy = task, future

    def ended(self, task: Task, future: Future[Result]) -> Ended[Task, Result]:
        """What became of its task, which is done."""
        self.busy = None
        error = future.exception()
        if isinstance(error, BrokenProcessPool):
            self.renew()
            return Ended(task, died=True)
        return Ended(task, error=error) if error is not None else Ended(task, future.result())


class Processes(Generic[Task, Result]):
    """Implements ``Workers``. Raises what a worker raises that cannot load, or ``BackendUnavailable`` where one dies
    over it.
    """

    def __init__(self, make: MakeWork[Task, Result], workers: int) -> None:
        cores = available_cores()
        shares = [tuple(cores[i % len(cores) :: max(workers, 1)]) if cores else () for i in range(workers)]
        self._slots: list[_Slot[Task, Result]] = [_Slot(make, share) for share in shares]
        loading = [slot.pool.submit(_load) for slot in self._slots]
        try:
            for future in loading:
                future.result()
        except BrokenProcessPool as error:
            self.close()
            raise BackendUnavailable(
                "a worker process ended while it loaded the models; is there enough memory for "
                f"{workers} of them? Try --workers 1"
            ) from error
        except BaseException:
            self.close()
            raise

    def free(self) -> bool:
        """Whether a worker is idle."""
        return any(slot.busy is None for slot in self._slots)

    def submit(self, task: Task) -> None:
        """Give a task to an idle worker."""
        next(slot for slot in self._slots if slot.busy is None).submit(task)

    def wait(self, seconds: float) -> list[Ended[Task, Result]]:
        """Tasks that ended since the last call."""
        wait_for([slot.busy[1] for slot in self._slots if slot.busy], timeout=seconds, return_when=FIRST_COMPLETED)
        return [slot.ended(*slot.busy) for slot in self._slots if slot.busy and slot.busy[1].done()]

    def close(self) -> None:
        """End the processes, with their current tasks."""
        for slot in self._slots:
            processes = list((getattr(slot.pool, "_processes", None) or {}).values())
            slot.pool.shutdown(wait=False, cancel_futures=True)
            for process in processes if slot.busy is not None else ():
                process.terminate()


def available_cores() -> list[int]:
    """Cores this process may use; empty where unknown."""
    return sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []


def _begin(make: MakeWork[Any, Any], cores: tuple[int, ...]) -> None:
    """Set up a worker process: its cores, no Ctrl-C of its own, end with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _in_worker.update(make=make, cores=available_cores())
    _keep_to(cores)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    """End this process when its parent has ended."""
    parent.join()
    os._exit(1)


def _keep_to(cores: Sequence[int]) -> None:
    """Restrict this thread to some cores, where the system can."""
    if cores and sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, cores)


@cache
def _work() -> Work[Any, Any]:
    """The work of this process, loaded on its share of the cores."""
    work: Work[Any, Any] = _in_worker["make"]()
    _keep_to(_in_worker["cores"])
    return work


def _load() -> None:
    _work()


def _do(task: Any) -> Any:
    return _work()(task)
