"""Workers as processes of this machine; each loads on its share of the cores and then runs on any of them."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any, Generic

from factdesk.kernel import BackendUnavailable
from factdesk.parallel.workers import Ended, MakeWork, Result, Task, Work

_make: list[MakeWork[Any, Any]] = []
"""In a worker process: what makes its work."""
_all_cores: list[int] = []
"""In a worker process: the cores shared by all workers."""


class _Slot(Generic[Task, Result]):
    """One worker process and its task."""

    def __init__(self, make: MakeWork[Task, Result], cores: tuple[int, ...]) -> None:
        self._make, self._cores = make, cores
        self.busy: tuple[Task, Future[Result]] | None = None
        self.pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, get_context("spawn"), _begin, (self._make, self._cores))

    def renew(self) -> None:
        """Start another process in place of a dead one."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool = self._new()

    def submit(self, task: Task) -> None:
        """Give the process a task."""
        try:
            future = self.pool.submit(_do, task)
        except BrokenProcessPool:  # it died while it had nothing to do
            self.renew()
            future = self.pool.submit(_do, task)
        self.busy = task, future


class Processes(Generic[Task, Result]):
    """Implements ``factdesk.parallel.workers.Workers``.

    Raises what a worker raises that cannot load, or ``BackendUnavailable`` where one dies over it.
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
        return [_ended(slot, *slot.busy) for slot in self._slots if slot.busy and slot.busy[1].done()]

    def close(self) -> None:
        """End the processes, with their current tasks."""
        for slot in self._slots:
            processes = list((getattr(slot.pool, "_processes", None) or {}).values())
            slot.pool.shutdown(wait=False, cancel_futures=True)
            if slot.busy is not None:
                for process in processes:
                    process.terminate()


def _ended(slot: _Slot[Task, Result], task: Task, future: Future[Result]) -> Ended[Task, Result]:
    slot.busy = None
    error = future.exception()
    if isinstance(error, BrokenProcessPool):
        slot.renew()
        return Ended(task, died=True)
    return Ended(task, error=error) if error is not None else Ended(task, future.result())


def available_cores() -> list[int]:
    """Cores this process may use; empty where unknown."""
    return sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []


def _begin(make: MakeWork[Any, Any], cores: tuple[int, ...]) -> None:
    """Set up a worker process: its cores, no Ctrl-C of its own, end with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _all_cores[:] = available_cores()
    _keep_to(cores)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _make[:] = [make]


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
    work = _make[0]()
    _keep_to(_all_cores)
    return work


def _load() -> None:
    _work()


def _do(task: Any) -> Any:
    return _work()(task)
