"""Actors on a Ray cluster (extra ``ray``): each loads its models once, and one that dies is replaced. ``RAY_ADDRESS``
names the cluster; without it, one is started here. All nodes must see the same home folder.
"""

from __future__ import annotations

import logging
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Generic

from factdesk.kernel import BackendUnavailable, FactdeskError, install_line
from factdesk.parallel.stages import In, Models, Out, Stage, batches
from factdesk.parallel.worker_pool import Ended, MakeWork, Result, Task
from factdesk.settings import Settings

LOSSES = 20
"""Actors that may end while they load their models, before all is given up."""
READY_SECONDS = 600.0
"""So long the first actor may take to load the models."""
TICK = 1.0
"""Seconds between looks at whether another actor is free."""
TRIES = 3
"""Actors that may die over one batch of a stage."""
AHEAD = 4
"""Batches for each actor that are held at once: being worked at, or waiting for their turn to come out."""


class _Actor:
    """What runs in an actor's process."""

    def __init__(self, make: MakeWork[Any, Any]) -> None:
        self._work = cache(make)

    def load(self) -> None:
        """Load the models."""
        self._work()

    def do(self, task: Any) -> Any:
        """Do a task."""
        return self._work()(task)


class RayActors(Generic[Task, Result]):
    """Implements ``factdesk.parallel.worker_pool.Workers``. Raises ``BackendUnavailable`` where Ray is not installed or
    no actor could be started, ``ConfigError`` and ``InputError`` where one cannot load what it needs.
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
                self._ray.get(ref)
            except self._ray.exceptions.RayError as error:
                cause = getattr(error, "cause", None)
                if isinstance(cause, FactdeskError):
                    raise cause from error
                self._losses += 1
                if refuse or self._losses > LOSSES:
                    raise BackendUnavailable(f"a Ray actor ended while it loaded the models: {error}") from error
                self._start()
            else:
                self._idle.append(actor)

    def _end(self, ref: Any) -> Ended[Task, Result]:
        actor, task = self._busy.pop(ref)
        try:
            ended = Ended(task, self._ray.get(ref))
        except self._ray.exceptions.RayTaskError as error:
            ended = Ended(task, error=error.cause)
        except self._ray.exceptions.RayError:  # the actor is gone, with its process or its node
            self._start()
            return Ended(task, died=True)
        self._idle.append(actor)
        return ended


@dataclass(frozen=True)
class StageTask:
    """A batch of items for a stage; ``run`` tells apart the runs of one executor."""

    run: int
    number: int
    stage: Stage[Any, Any]
    items: list[Any]


class RayExecutor:
    """Stages on Ray actors (implements ``factdesk.parallel.stages.Executor``): batches go to whichever actor is free.
    Raises ``BackendUnavailable`` where Ray is not installed, no cluster can be had, or actors keep dying.
    """

    def __init__(self, settings: Settings, workers: int) -> None:
        self._actors: RayActors[StageTask, list[Any]] = RayActors(partial(stage_work, settings), workers)
        self._ahead = AHEAD * workers
        self._runs = 0
        self._ended: dict[int, list[Ended[StageTask, list[Any]]]] = {}

    def run(self, stage: Stage[In, Out], items: Iterable[In]) -> Iterator[Out]:
        """What the stage makes of each item, in order."""
        self._runs += 1
        run = self._runs
        self._ended[run] = []
        tasks = (StageTask(run, number, stage, part) for number, part in enumerate(batches(items, stage.batch)))
        try:
            yield from self._run(run, tasks)
        finally:
            del self._ended[run]

    def _run(self, run: int, tasks: Iterator[StageTask]) -> Iterator[Any]:
        made: dict[int, list[Any]] = {}
        again: list[StageTask] = []
        tries: Counter[int] = Counter()
        due, read, more = 0, 0, True
        while more or due < read:
            while (again or (more and read - due < self._ahead)) and self._actors.free():
                task = again.pop() if again else next(tasks, None)
                if task is None:
                    more = False
                    break
                read = max(read, task.number + 1)
                self._actors.submit(task)
            for ended in self._wait(run) if more or due < read else ():
                number = ended.task.number
                if not ended.died:
                    made[number] = _result(ended)
                    continue
                tries[number] += 1
                if tries[number] >= TRIES:
                    raise BackendUnavailable(f"{TRIES} Ray actors ended over the same items; try again")
                again.append(ended.task)
            while due in made:
                yield from made.pop(due)
                due += 1

    def _wait(self, run: int) -> list[Ended[StageTask, list[Any]]]:
        """What was finished of a run; what belongs to another waits there, or nobody asks for it any more."""
        if not self._ended[run]:
            for ended in self._actors.wait(TICK):
                self._ended.get(ended.task.run, []).append(ended)
        found, self._ended[run] = self._ended[run], []
        return found

    def close(self) -> None:
        """End the actors and leave the cluster."""
        self._actors.close()


def stage_work(settings: Settings) -> Callable[[StageTask], list[Any]]:
    """In an actor: the work on batches, with models that all stages share."""
    models = Models.of(settings)
    return lambda task: list(task.stage.work(models, task.items))


def _result(ended: Ended[StageTask, list[Any]]) -> list[Any]:
    if ended.error is not None:
        raise ended.error
    if ended.result is None or len(ended.result) != len(ended.task.items):
        raise BackendUnavailable("a Ray actor gave back another number of items than it got; try again")
    return ended.result


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
