"""The engine ``ray`` (extra ``ray``): one actor for each worker, on the nodes of a Ray cluster.

``RAY_ADDRESS`` names the cluster; without it, one is started on this machine. An actor loads the models once.
One that dies with its node is replaced, and takes nothing with it but the item it was at. All nodes must see
the same home folder and the same folder of the batch.
"""

from __future__ import annotations

import time
from typing import Any

from factdesk.batch.types import Done, Item, Orders, Outcome
from factdesk.batch.worker import Worker
from factdesk.kernel import BackendUnavailable, FactdeskError
from factdesk.parallel.ray_connection import connect

LOSSES = 20
"""Actors that may end while they load their models, before the batch is given up."""
READY_SECONDS = 600.0
"""So long the first actor may take to load the models."""


class _Actor:
    """What runs in an actor's process."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._worker: Worker | None = None

    def load(self) -> int | FactdeskError:
        """Load the models. An error of ours is handed back, since Ray would wrap it."""
        try:
            self._worker = Worker(self._orders)
            return self._worker.load()
        except FactdeskError as error:
            return error

    def check(self, item: Item) -> Outcome:
        """Check an item."""
        if self._worker is None:
            self._worker = Worker(self._orders)
        return self._worker.check(item)


class RayEngine:
    """Implements ``factdesk.batch.types.Engine``.

    Raises:
        BackendUnavailable: Ray is not installed, or no actor could be started.
        ConfigError, InputError: a worker cannot load what it needs.
    """

    def __init__(self, orders: Orders, workers: int) -> None:
        self._ray = connect()
        self._orders = self._ray.put(orders)
        self._losses = 0
        self._idle: list[Any] = []
        self._starting: dict[Any, Any] = {}
        self._busy: dict[Any, tuple[Any, Item]] = {}
        try:
            for _ in range(workers):
                self._start()
            deadline = time.monotonic() + READY_SECONDS
            while not self._idle and self._starting and time.monotonic() < deadline:
                self._look(1.0, refuse=True)
            if not self._idle:
                raise BackendUnavailable("no Ray actor could be started; see the logs of the cluster")
        except BaseException:
            self.close()
            raise

    def free(self) -> bool:
        """Whether an actor that has loaded its models has nothing to do."""
        self._look(0.0)
        return bool(self._idle)

    def submit(self, item: Item) -> None:
        """Hand an item to an actor that has nothing to do."""
        actor = self._idle.pop()
        self._busy[actor.check.remote(item)] = (actor, item)

    def wait(self, seconds: float) -> list[Done]:
        """What was finished meanwhile."""
        if not self._busy:
            return []
        finished, _ = self._ray.wait(list(self._busy), num_returns=1, timeout=seconds)
        return [self._done(ref) for ref in finished]

    def close(self) -> None:
        """End the actors and leave the cluster."""
        for actor in (*self._idle, *self._starting.values(), *(actor for actor, _ in self._busy.values())):
            self._ray.kill(actor)
        self._ray.shutdown()

    def _start(self) -> None:
        made = self._ray.remote(_Actor).options(num_cpus=1, scheduling_strategy="SPREAD")
        actor = made.remote(self._orders)
        self._starting[actor.load.remote()] = actor

    def _look(self, seconds: float, *, refuse: bool = False) -> None:
        """Take over actors that have loaded their models; replace those that died over it."""
        if not self._starting:
            return
        ready, _ = self._ray.wait(list(self._starting), num_returns=1, timeout=seconds)
        for ref in ready:
            actor = self._starting.pop(ref)
            try:
                found = self._ray.get(ref)
            except self._ray.exceptions.RayError as error:
                self._losses += 1
                if refuse or self._losses > LOSSES:
                    raise BackendUnavailable(
                        f"a Ray actor ended while it loaded the models: {error}"
                    ) from error
                self._start()
                continue
            if isinstance(found, FactdeskError):
                raise found
            self._idle.append(actor)

    def _done(self, ref: Any) -> Done:
        actor, item = self._busy.pop(ref)
        errors = self._ray.exceptions
        try:
            outcome: Outcome = self._ray.get(ref)
        except errors.RayTaskError as error:
            self._idle.append(actor)
            return Done(item, error=f"{type(error.cause).__name__}: {error.cause}")
        except errors.RayError:  # the actor is gone, with its process or its node
            self._start()
            return Done(item, died=True)
        self._idle.append(actor)
        return Done(item, outcome)
