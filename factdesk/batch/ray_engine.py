"""The engine ``ray``: one actor for each worker; all nodes must see the batch's folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from factdesk.batch.types import Done, Item, Orders, Outcome
from factdesk.batch.worker import Worker
from factdesk.parallel.ray_actors import Ended, RayActors


class RayEngine:
    """Implements ``factdesk.batch.types.Engine``. Raises what :class:`RayActors` raises."""

    def __init__(self, orders: Orders, workers: int) -> None:
        self._actors: RayActors[Item, Outcome] = RayActors(partial(_check, orders), workers)

    def free(self) -> bool:
        """Whether a loaded actor is idle."""
        return self._actors.free()

    def submit(self, item: Item) -> None:
        """Give an item to an idle actor."""
        self._actors.submit(item)

    def wait(self, seconds: float) -> list[Done]:
        """Items finished since the last call."""
        return [_done(ended) for ended in self._actors.wait(seconds)]

    def close(self) -> None:
        """End the actors and leave the cluster."""
        self._actors.close()


def _check(orders: Orders) -> Callable[[Item], Outcome]:
    worker = Worker(orders)
    worker.load()
    return worker.check


def _done(ended: Ended[Item, Outcome]) -> Done:
    error = f"{type(ended.error).__name__}: {ended.error}" if ended.error is not None else ""
    return Done(ended.task, ended.result, error, ended.died)
