"""Running a batch: lines in, outcomes into the list of jobs, and a final account."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import BinaryIO

from factdesk.batch.output_folder import RESULTS, SUMMARY, Folder, write
from factdesk.batch.read import Reader
from factdesk.batch.types import Bad, Item, LineState, Orders, Outcome, Summary
from factdesk.batch.worker import rss_peak_mb
from factdesk.parallel.worker_pool import Ended, Workers
from factdesk.settings import Settings

TRIES = 2
"""Workers that may die over one item before it fails."""
DIED = "the worker process ended over it, {} times: killed, or out of memory"
LATE = "no answer within {:g} s; its worker was ended"
PAGE = 1000
TICK = 0.5
"""Seconds between checks for a stop."""


@dataclass
class Standing:
    """Progress of a batch."""

    read: int = 0
    total: int | None = None
    """Lines of the input; ``None``: unknown."""
    ended: Counter[LineState] = field(default_factory=Counter)
    """Lines that are through, by their state."""
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds since the beginning of this run."""
        return time.monotonic() - self.started

    @property
    def per_minute(self) -> float:
        """Claims completed per minute."""
        return self.ended["completed"] * 60 / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """Estimated seconds left at the present pace."""
        tried = self.ended["completed"] + self.ended["failed"]
        if self.total is None or not tried:
            return None
        return max(0, self.total - self.ended.total()) * self.seconds / tried


@dataclass
class Batch:
    """One run of a batch. ``stop`` is asked between items; ``True`` ends the run after those being checked."""

    folder: Folder
    engine: Workers[Item, Outcome]
    orders: Orders
    stop: Callable[[], bool]
    told: Callable[[Standing], None]
    standing: Standing
    tries: Counter[str] = field(default_factory=Counter)
    begun: dict[str, float] = field(default_factory=dict)
    again: list[Item] = field(default_factory=list)
    peaks: dict[int, float] = field(default_factory=dict)
    stopped: bool = False

    def run(self, stream: BinaryIO, reader: Reader) -> None:
        """Read and check until the input or ``stop`` ends it."""
        items = self._new(reader.read(stream))
        more = True
        while more or self.begun or self.again:
            self.stopped = self.stopped or self.stop()
            while not self.stopped and self.engine.free() and (self.again or more):
                item = self.again.pop() if self.again else next(items, None)
                if item is None:
                    more = False
                    break
                self.begun[item.key] = time.monotonic()
                self.engine.submit(item)
            if self.stopped:
                more, self.again = False, []
            if self.begun:
                for done in self.engine.wait(TICK):
                    self._finish(done)
            elif more or self.again:
                time.sleep(TICK)  # no worker stands ready yet
            self.told(self.standing)

    def _new(self, rows: Iterator[Item | Bad]) -> Iterator[Item]:
        """The items still to be checked; other lines are recorded."""
        standing = self.standing
        for row in rows:
            standing.read += 1
            state = self.folder.enter(row)
            if isinstance(row, Item) and state == "waiting":
                yield row
            else:
                standing.ended[state] += 1
            if standing.read % 200 == 0:
                self.told(standing)

    def _finish(self, done: Ended[Item, Outcome]) -> None:
        item, outcome = done.task, done.result
        began = self.begun.pop(item.key)
        why = f"{type(done.error).__name__}: {done.error}"
        if done.died:
            self.tries[item.key] += 1
            late = time.monotonic() - began >= self.orders.patience
            if not late and self.stopped:
                return  # it waits for the next start
            if not late and self.tries[item.key] < TRIES:
                self.again.append(item)
                return
            why = LATE.format(self.orders.patience) if late else DIED.format(TRIES)
        if outcome is None:
            outcome = Outcome(key=item.key, status="failed", reason=why)
        if outcome.pid:
            self.peaks[outcome.pid] = max(outcome.rss_peak_mb, self.peaks.get(outcome.pid, 0.0))
        self.folder.end(outcome)
        self.standing.ended[outcome.status] += 1


def account(batch: Batch, settings: Settings, engine: str, workers: int) -> Summary:
    """Compare the lines with history and folder, and write results and summary."""
    standing = batch.standing
    seconds, pace = standing.seconds, standing.per_minute
    chain_ok = _mark_lost(batch, settings)
    counts: Counter[LineState] = Counter()
    verdicts: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    spent: list[float] = []
    for _, state, outcome in batch.folder.lines():
        counts[state] += 1
        if outcome is not None and state in ("completed", "resumed"):
            verdicts[outcome.verdict or ""] += 1
        if outcome is not None and state == "completed":
            spent.append(outcome.seconds)
        if outcome is not None and state == "failed":
            failures[re.sub(r"'[^']*'|\d+", "…", outcome.reason)[:200]] += 1  # without its variable parts
    spent.sort()
    waiting = counts["waiting"] if batch.stopped else 0
    summary = Summary(
        submitted=standing.read,
        **{state: counts[state] for state in ("completed", "resumed", "failed")},
        duplicates=counts["duplicate"],
        waiting=waiting,
        lost=counts["lost"] + counts["waiting"] - waiting,
        chain_ok=chain_ok,
        stopped=batch.stopped,
        seconds=round(seconds, 1),
        claims_per_minute=round(pace, 2),
        p50=_quantile(spent, 0.5),
        p95=_quantile(spent, 0.95),
        rss_peak_mb=round(rss_peak_mb() + sum(sorted(batch.peaks.values())[-workers:]), 1),
        workers=workers,
        engine=engine,
        verdicts=dict(verdicts),
        failures=dict(failures.most_common(20)),
        folder=str(batch.folder.path),
    )
    results = batch.folder.results()
    write(batch.folder.path / RESULTS, (json.dumps(row, ensure_ascii=False) + "\n" for row in results))
    write(batch.folder.path / SUMMARY, [summary.model_dump_json(indent=1) + "\n"])
    return summary


def _mark_lost(batch: Batch, settings: Settings) -> bool:
    """Mark what history or folder lack as lost; returns whether the chain is intact."""
    from factdesk.checker import open_ledger
    from report.certificate.keys import Keyring
    from report.verification.integrity import verify_chain

    ledger, folder = open_ledger(settings), batch.folder
    ended = (o for _, state, o in folder.lines() if o is not None and state in ("completed", "resumed"))
    while page := list(islice(ended, PAGE)):
        held = ledger.known([outcome.certificate_id or "" for outcome in page])
        for outcome in page:
            there = outcome.certificate_id in held
            if not there or not folder.has(outcome.key):
                reason = f"its certificate is not in the {'folder' if there else 'history'}"
                folder.end(Outcome(key=outcome.key, status="lost", reason=reason))
    if ledger.count() == 0:
        return True
    head, kept = ledger.head(), ledger.kept_head()
    texts = ledger.texts() if head is None else islice(ledger.texts(), head.sequence)
    found = verify_chain(
        texts,
        head=head,
        known=(kept,) if kept else (),
        keys=Keyring(settings.paths.keys).known(),
        scope="local history",
    )
    return found.ok is True


def _quantile(values: list[float], share: float) -> float:
    return round(values[min(len(values) - 1, int(share * len(values)))], 3) if values else 0.0
