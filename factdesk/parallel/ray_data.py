"""Stages on Ray Data (extra ``ray``): a pool of actors for each, results in the order of the items.

An actor loads its models once. One that dies is replaced by Ray, and what it was at is done again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import BackendUnavailable, FactdeskError
from factdesk.parallel.ray_connection import connect
from factdesk.parallel.stages import In, Models, Out, Stage, batches
from factdesk.settings import Settings

WINDOW = 50_000
"""Items that lie in Ray's object store at once; each such window has a pool of actors of its own."""
Column = dict[str, NDArray[np.object_]]


class _Mapped:
    """A stage in an actor's process."""

    def __init__(self, stage: type[Stage[Any, Any]], settings: Settings) -> None:
        self._stage = stage(Models.of(settings))

    def __call__(self, given: Column) -> Column:
        """From the column ``item`` to the column ``made``; a stage's own error is handed back as its text."""
        try:
            found = self._stage(list(given["item"]))
        except FactdeskError as error:
            return {"made": _objects([error] * len(given["item"]))}
        return {"made": _objects(found)}


def _objects(values: Iterable[Any]) -> NDArray[np.object_]:
    held = list(values)
    column = np.empty(len(held), dtype=object)
    for i, value in enumerate(held):
        column[i] = value
    return column


class RayExecutor:
    """Implements ``factdesk.parallel.stages.Executor``.

    Raises:
        BackendUnavailable: Ray with Ray Data is not installed, or no cluster can be had.
    """

    def __init__(self, settings: Settings, workers: int) -> None:
        self._ray = connect()
        try:
            import ray.data
        except ImportError as error:
            self._ray.shutdown()
            raise BackendUnavailable(
                "Ray Data needs more than Ray: pip install 'factdesk[ray]' (or use --engine local)"
            ) from error
        self._data: Any = ray.data
        self._settings, self._workers = settings, workers
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        context = self._data.DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False

    def run(self, stage: type[Stage[In, Out]], items: Iterable[In]) -> Iterator[Out]:
        """What the stage makes of each item, in order."""
        for window in batches(items, WINDOW):
            yield from self._window(stage, window)

    def _window(self, stage: type[Stage[In, Out]], items: list[In]) -> Iterator[Out]:
        blocks = min(len(items), max(4 * self._workers, -(-len(items) // (8 * stage.batch))))
        made = self._data.from_items([{"item": item} for item in items], override_num_blocks=blocks)
        mapped = made.map_batches(
            _Mapped, fn_constructor_args=(stage, self._settings), batch_size=stage.batch,
            batch_format="numpy", num_cpus=1,
            compute=self._data.ActorPoolStrategy(size=min(self._workers, blocks)),
        )  # fmt: skip
        count = 0
        try:
            for row in mapped.iter_rows():
                if isinstance(row["made"], FactdeskError):
                    raise row["made"]
                count += 1
                yield row["made"]
        except self._ray.exceptions.RayError as error:
            raise BackendUnavailable(f"Ray Data stopped: {' '.join(str(error).split())[:300]}") from error
        if count != len(items):
            raise BackendUnavailable(f"Ray Data gave back {count} of {len(items)} items; try again")

    def close(self) -> None:
        """Leave the cluster."""
        self._ray.shutdown()
