"""Stages on Ray actors: batches go to whichever actor is free, results come in the order of the items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from factdesk.kernel import BackendUnavailable
from factdesk.parallel.ray_actors import RayActors
from factdesk.parallel.stages import In, LocalExecutor, Models, Out, Stage, batches
from factdesk.parallel.workers import Ended
from factdesk.settings import Settings

TICK = 1.0
"""Seconds between looks at whether another actor is free."""
TRIES = 3
"""Actors that may die over one batch."""
AHEAD = 4
"""Batches for each actor that are held at once: being worked at, or waiting for their turn to come out."""


@dataclass(frozen=True)
class _Batch:
    """Some items for a stage; ``run`` tells apart the runs of one executor."""

    run: int
    number: int
    stage: type[Stage[Any, Any]]
    items: list[Any]


class RayExecutor:
    """Implements ``factdesk.parallel.stages.Executor``.

    Raises:
        BackendUnavailable: Ray is not installed, no cluster can be had, or actors keep dying.
    """

    def __init__(self, settings: Settings, workers: int) -> None:
        self._actors: RayActors[_Batch, list[Any]] = RayActors(partial(_worker, settings), workers)
        self._ahead = AHEAD * workers
        self._runs = 0
        self._ended: dict[int, list[Ended[_Batch, list[Any]]]] = {}

    def run(self, stage: type[Stage[In, Out]], items: Iterable[In]) -> Iterator[Out]:
        """What the stage makes of each item, in order."""
        self._runs += 1
        run = self._runs
        self._ended[run] = []
        try:
            yield from self._run(run, stage, batches(items, stage.batch))
        finally:
            del self._ended[run]

    def _run(self, run: int, stage: type[Stage[Any, Any]], source: Iterator[list[Any]]) -> Iterator[Any]:
        made: dict[int, list[Any]] = {}
        again: list[_Batch] = []
        tries: Counter[int] = Counter()
        due, read, more = 0, 0, True
        while more or due < read:
            while (again or (more and read - due < self._ahead)) and self._actors.free():
                if not again:
                    items = next(source, None)
                    if items is None:
                        more = False
                        break
                    again.append(_Batch(run, read, stage, items))
                    read += 1
                self._actors.submit(again.pop())
            for ended in self._wait(run) if more or due < read else ():
                number = ended.task.number
                if ended.died:
                    tries[number] += 1
                    if tries[number] >= TRIES:
                        raise BackendUnavailable(f"{TRIES} Ray actors ended over the same items; try again")
                    again.append(ended.task)
                else:
                    made[number] = _result(ended)
            while due in made:
                yield from made.pop(due)
                due += 1

    def _wait(self, run: int) -> list[Ended[_Batch, list[Any]]]:
        """What was finished of a run; what belongs to another waits there, or nobody asks for it any more."""
        if not self._ended[run]:
            for ended in self._actors.wait(TICK):
                self._ended.get(ended.task.run, []).append(ended)
        found, self._ended[run] = self._ended[run], []
        return found

    def close(self) -> None:
        """End the actors and leave the cluster."""
        self._actors.close()


def _worker(settings: Settings) -> Callable[[_Batch], list[Any]]:
    """In an actor: stages are made when they are first asked for, with models that they share."""
    local = LocalExecutor(Models.of(settings))
    return lambda batch: list(local.run(batch.stage, batch.items))


def _result(ended: Ended[_Batch, list[Any]]) -> list[Any]:
    if ended.error is not None:
        raise ended.error
    if ended.result is None or len(ended.result) != len(ended.task.items):
        raise BackendUnavailable("a Ray actor gave back another number of items than it got; try again")
    return ended.result
