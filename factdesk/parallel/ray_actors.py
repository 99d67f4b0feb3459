"""Actors on a Ray cluster (extra ``ray``): each loads its models once, and one that dies is replaced.

``RAY_ADDRESS`` names the cluster; without it, one is started here. All nodes must see the same home folder.
"""

from __future__ import annotations

import logging
import os
import time
from typing import Any, Generic

from factdesk.kernel import BackendUnavailable, FactdeskError, install_line
from factdesk.parallel.workers import Ended, MakeWork, Result, Task, Work

LOSSES = 20
"""Actors that may end while they load their models, before all is given up."""
READY_SECONDS = 600.0
"""So long the first actor may take to load the models."""


class _Actor:
    """What runs in an actor's process. Errors of ours are handed back, since Ray would wrap them."""

    def __init__(self, make: MakeWork[Any, Any]) -> None:
        self._make = make
        self._work: Work[Any, Any] | None = None

    def load(self) -> FactdeskError | None:
        """Load the models."""
        try:
            self._work = self._make()
        except FactdeskError as error:
            return error
        return None

    def do(self, task: Any) -> Any:
        """Do a task."""
        try:
            if self._work is None:
                self._work = self._make()
            return self._work(task)
        except FactdeskError as error:
            return error


class RayActors(Generic[Task, Result]):
    """Implements ``factdesk.parallel.workers.Workers``.

    Raises:
        BackendUnavailable: Ray is not installed, or no actor could be started.
        ConfigError, InputError: an actor cannot load what it needs.
    """

    def __init__(self, make: MakeWork[Task, Result], workers: int) -> None:
        self._ray = connect()
        self._make = self._ray.put(make)
        self._losses = 0
        self._idle: list[Any] = []
        self._starting: dict[Any, Any] = {}
        self._busy: dict[Any, tuple[Any, Task]] = {}
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

    def submit(self, task: Task) -> None:
        """Hand a task to an actor that has nothing to do."""
        actor = self._idle.pop()
        self._busy[actor.do.remote(task)] = (actor, task)

    def wait(self, seconds: float) -> list[Ended[Task, Result]]:
        """What was finished meanwhile; with no task begun, waits for an actor that is starting."""
        if not self._busy:
            self._look(seconds)
            return []
        finished, _ = self._ray.wait(list(self._busy), num_returns=1, timeout=seconds)
        return [self._end(ref) for ref in finished]

    def close(self) -> None:
        """End the actors and leave the cluster."""
        for actor in (*self._idle, *self._starting.values(), *(actor for actor, _ in self._busy.values())):
            self._ray.kill(actor)
        self._ray.shutdown()

    def _start(self) -> None:
        made = self._ray.remote(_Actor).options(num_cpus=1, scheduling_strategy="SPREAD")
        actor = made.remote(self._make)
        self._starting[actor.load.remote()] = actor

    def _look(self, seconds: float, *, refuse: bool = False) -> None:
        """Take over actors that have loaded their models; replace those that died over it."""
        if not self._starting:
            return
        ready, _ = self._ray.wait(list(self._starting), num_returns=1, timeout=seconds)
        for ref in ready:
            actor = self._starting.pop(ref)
            try:
                refused = self._ray.get(ref)
            except self._ray.exceptions.RayError as error:
                self._losses += 1
                if refuse or self._losses > LOSSES:
                    raise BackendUnavailable(f"a Ray actor ended while it loaded the models: {error}") from error
                self._start()
                continue
            if refused is not None:
                raise refused
            self._idle.append(actor)

    def _end(self, ref: Any) -> Ended[Task, Result]:
        actor, task = self._busy.pop(ref)
        errors = self._ray.exceptions
        try:
            found = self._ray.get(ref)
        except errors.RayTaskError as error:
            self._idle.append(actor)
            return Ended(task, error=error.cause)
        except errors.RayError:  # the actor is gone, with its process or its node
            self._start()
            return Ended(task, died=True)
        self._idle.append(actor)
        return Ended(task, error=found) if isinstance(found, FactdeskError) else Ended(task, found)


def connect() -> Any:
    """Ray, joined to a cluster or to one that is started here. Raises ``BackendUnavailable``."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nothing about a user's work is sent anywhere
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")  # not 15: a busy machine would starve the actors
    try:
        import ray
    except ImportError as error:
        raise BackendUnavailable(
            f"the engine 'ray' needs the extra; {install_line('ray')} (or use --engine local)"
        ) from error
    if not ray.is_initialized():
        local: dict[str, Any] = {} if os.environ.get("RAY_ADDRESS") else {"_node_ip_address": "127.0.0.1"}
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False, **local)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise BackendUnavailable(f"no Ray cluster could be had: {error}") from error
    return ray
