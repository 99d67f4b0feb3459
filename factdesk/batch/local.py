"""Engines of a batch: processes on this machine, or actors of a Ray cluster whose nodes all see the batch's folder."""

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
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess

from factdesk.batch.types import Done, Item, Orders, Outcome
from factdesk.batch.worker import Worker
from factdesk.kernel import BackendUnavailable
from factdesk.parallel.ray_actors import Ended, RayActors

_mine: list[Worker | Orders] = []
"""In a worker process: its orders, then the loaded worker."""
_all_cores: list[int] = []
"""In a worker process: the cores shared by all workers."""


class _Slot:
    """One worker process and its item."""

    def __init__(self, orders: Orders, cores: tuple[int, ...]) -> None:
        self._orders, self._cores = orders, cores
        self.item: Item | None = None
        self.future: Future[Outcome] | None = None
        self.pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, get_context("spawn"), _begin, (self._orders, self._cores))

    def renew(self) -> None:
        """Start another process in place of a dead one."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool = self._new()


class LocalEngine:
    """Implements ``factdesk.batch.types.Engine``.

    Raises ``ConfigError``, ``InputError`` or ``BackendUnavailable`` where a worker cannot load.
    """

    def __init__(self, orders: Orders, workers: int) -> None:
        cores = available_cores()
        shares = [tuple(cores[i % len(cores) :: max(workers, 1)]) if cores else () for i in range(workers)]
        self._slots = [_Slot(orders, share) for share in shares]
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
        return any(slot.item is None for slot in self._slots)

    def submit(self, item: Item) -> None:
        """Give an item to an idle worker."""
        slot = next(slot for slot in self._slots if slot.item is None)
        slot.item = item
        try:
            slot.future = slot.pool.submit(_check, item)
        except BrokenProcessPool:  # it died while it had nothing to do
            slot.renew()
            slot.future = slot.pool.submit(_check, item)

    def wait(self, seconds: float) -> list[Done]:
        """Items finished since the last call."""
        busy = {slot.future: slot for slot in self._slots if slot.future is not None}
        finished, _ = wait_for(busy, timeout=seconds, return_when=FIRST_COMPLETED)
        return [self._done(busy[future], future) for future in finished]

    def close(self) -> None:
        """End the processes, with their current items."""
        for slot in self._slots:
            processes = list((getattr(slot.pool, "_processes", None) or {}).values())
            slot.pool.shutdown(wait=False, cancel_futures=True)
            if slot.item is not None:
                for process in processes:
                    process.terminate()

    def _done(self, slot: _Slot, future: Future[Outcome]) -> Done:
        item, slot.item, slot.future = slot.item, None, None
        if item is None:
            raise RuntimeError("a worker finished an item that it never had")
        error = future.exception()
        if isinstance(error, BrokenProcessPool):
            slot.renew()
            return Done(item, died=True)
        if error is not None:
            return Done(item, error=f"{type(error).__name__}: {error}")
        return Done(item, future.result())


def available_cores() -> list[int]:
    """Cores this process may use; empty where unknown."""
    return sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []


def _begin(orders: Orders, cores: tuple[int, ...]) -> None:
    """Set up a worker process: its cores, no Ctrl-C of its own, end with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _all_cores[:] = available_cores()
    _keep_to(cores)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _mine[:] = [orders]


def _end_with(parent: BaseProcess) -> None:
    """End this process when its parent has ended."""
    parent.join()
    os._exit(1)


def _keep_to(cores: Sequence[int]) -> None:
    """Restrict this thread to some cores, where the system can."""
    if cores and sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, cores)


def _worker() -> Worker:
    """The worker of this process, loaded on its share of the cores.

    Afterwards it may run on any core.
    """
    held = _mine[0]
    if not isinstance(held, Orders):
        return held
    worker = Worker(held)
    worker.load()
    _keep_to(_all_cores)
    _mine[0] = worker
    return worker


def _load() -> int:
    return _worker().load()


def _check(item: Item) -> Outcome:
    return _worker().check(item)


class RayEngine:
    """Implements ``factdesk.batch.types.Engine``. Raises what :class:`RayActors` raises."""

    def __init__(self, orders: Orders, workers: int) -> None:
        self._actors: RayActors[Item, Outcome] = RayActors(partial(_checking, orders), workers)

    def free(self) -> bool:
        """Whether a loaded actor is idle."""
        return self._actors.free()

    def submit(self, item: Item) -> None:
        """Give an item to an idle actor."""
        self._actors.submit(item)

    def wait(self, seconds: float) -> list[Done]:
        """Items finished since the last call."""
        return [_ended(ended) for ended in self._actors.wait(seconds)]

    def close(self) -> None:
        """End the actors and leave the cluster."""
        self._actors.close()


def _checking(orders: Orders) -> Callable[[Item], Outcome]:
    worker = Worker(orders)
    worker.load()
    return worker.check


def _ended(ended: Ended[Item, Outcome]) -> Done:
    error = f"{type(ended.error).__name__}: {ended.error}" if ended.error is not None else ""
    return Done(ended.task, ended.result, error, ended.died)
