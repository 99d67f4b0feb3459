"""The workers of a batch: each loads its models once, then turns items into certificates."""

from __future__ import annotations

import faulthandler
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factdesk.batch.output_folder import write
from factdesk.batch.types import Item, Orders, Outcome, place
from factdesk.check.context import CheckRequest
from factdesk.kernel import CertificateError, FactdeskError, InputError
from factdesk.parallel.worker_pool import Workers
from store.runs import Runs

if TYPE_CHECKING:
    from report.types import Certificate

WAITS, PAUSE = 50, 0.2
"""How often, and how many seconds, a worker waits for an item that another process holds."""


class Worker:
    """Checks items with models loaded once."""

    def __init__(self, orders: Orders) -> None:
        from factdesk.checker import FactChecker, open_ledger

        self._orders = orders
        self._checker = FactChecker(orders.settings)
        self._ledger = open_ledger(orders.settings)

    def load(self) -> None:
        """Load the models, so that errors show before any claim."""
        from language.nlp.pipeline import load_nlp

        _ = self._checker.verifier.fingerprint
        _ = self._checker.corpora.embedder.fingerprint
        load_nlp()

    def check(self, item: Item) -> Outcome:
        """Check an item, or find its certificate of an earlier process. The history is written before the folder; an
        item is finished with both.
        """
        start = time.perf_counter()
        found: dict[str, Any] = {}
        with _patience(self._orders.patience):
            try:
                self._give_up(item.certificate_id)
                certificate = self._certified(item)
                found["status"] = "completed" if certificate is None else "resumed"
                certificate = certificate or self._make(item)
                self._put(item, certificate)
                found |= {"certificate_id": certificate.envelope.certificate_id, "verdict": certificate.body.verdict}
            except FactdeskError as error:
                found = {"status": "failed", "reason": f"{type(error).__name__}: {error}"}
        seconds = round(time.perf_counter() - start, 4)
        return Outcome(key=item.key, seconds=seconds, pid=os.getpid(), rss_peak_mb=rss_peak_mb(), **found)

    def _certified(self, item: Item) -> Certificate | None:
        """A certificate that is in the history but not in the folder."""
        try:
            return self._ledger.get(item.certificate_id)
        except InputError:
            return None  # not there; where the history cannot be read at all, the check will say so

    def _make(self, item: Item) -> Certificate:
        request = CheckRequest(
            text=item.text,
            images=(Path(item.image),) if item.image else (),
            date=item.date,
            as_of=self._orders.as_of,
            corpus=self._orders.corpus,
            certificate_id=item.certificate_id,
            asked=item.asked,
        )
        try:
            return self._checker.run(request).certificate
        except FactdeskError as error:
            self._give_up(item.certificate_id)
            # another process was quicker, and the history took one only
            there = self._certified(item) if isinstance(error, CertificateError) else None
            if there is None:
                raise
            return there

    def _give_up(self, run_id: str) -> None:
        """Drop the unfinished run of a killed process, also one that was killed between history and its end; wait for
        one that is just ending.
        """
        runs = Runs(self._orders.settings.paths.checkpoints)
        for _ in range(WAITS):
            if not runs.has(run_id):
                return
            try:
                runs.forget(run_id)
            except InputError:
                time.sleep(PAUSE)

    def _put(self, item: Item, certificate: Certificate) -> None:
        from report.certificate import sealing as codec

        write(self._orders.out / place(item.key), [codec.to_text(certificate), "\n"])


def start_workers(engine: str, orders: Orders, count: int) -> Workers[Item, Outcome]:
    """``count`` workers of an engine, ``"local"`` or ``"ray"``, with their models loaded. Raises ``BackendUnavailable``
    where they cannot be started or Ray cannot be had, ``ConfigError`` and ``InputError`` where one cannot load.
    """
    make = partial(_loaded, orders)
    if engine == "ray":
        from factdesk.parallel.ray_workers import RayActors

        return RayActors(make, count)
    from factdesk.parallel.worker_pool import Processes

    return Processes(make, count)


def _loaded(orders: Orders) -> Callable[[Item], Outcome]:
    worker = Worker(orders)
    worker.load()
    return worker.check


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """End this process when the block takes longer, even inside a library."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def rss_peak_mb() -> float:
    """Peak resident memory of this process in MB (10^6 bytes); 0.0 where unknown."""
    if sys.platform == "win32":
        return 0.0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6, 1)
