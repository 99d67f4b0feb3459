"""Driving a batch: lines in, outcomes into the journal, and an account of all of it at the end."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import BinaryIO, Literal

from factdesk.batch.journal import DUPLICATE, WAITING
from factdesk.batch.output_folder import SUMMARY, Folder, write
from factdesk.batch.read import Reader
from factdesk.batch.types import Bad, Done, Engine, Item, Orders, Outcome, Summary
from factdesk.batch.worker import rss_peak_mb
from factdesk.settings import Settings

TRIES = 2
"""Workers that may die over one item before it counts as failed."""
DIED = "the worker process ended over it, {} times: killed, or out of memory"
LATE = "no answer within {:g} s; its worker was ended"
PAGE = 1000
TICK = 0.5
"""Seconds between looks at whether the batch is to stop."""


@dataclass
class Standing:
    """How far a batch is: what a progress line needs."""

    read: int = 0
    total: int | None = None
    """Lines of the input; ``None``: not known."""
    completed: int = 0
    resumed: int = 0
    failed: int = 0
    duplicates: int = 0
    started: float = field(default_factory=time.monotonic)

    def count(self, status: Literal["completed", "resumed", "failed"]) -> None:
        """One more line has ended so."""
        if status == "completed":
            self.completed += 1
        elif status == "resumed":
            self.resumed += 1
        else:
            self.failed += 1

    @property
    def seconds(self) -> float:
        """Since the beginning of this run."""
        return time.monotonic() - self.started

    @property
    def per_minute(self) -> float:
        """Claims completed per minute."""
        return self.completed * 60 / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """Seconds to go, as far as can be told: what is left at the pace so far."""
        tried = self.completed + self.failed
        if self.total is None or not tried:
            return None
        return max(0, self.total - tried - self.resumed - self.duplicates) * self.seconds / tried


@dataclass
class Batch:
    """One run of a batch.

    ``stop`` is asked between items: ``True`` ends the run when what is being checked is finished.
    """

    folder: Folder
    engine: Engine
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
        """Read and check until the input or the patience of ``stop`` ends."""
        self.folder.journal.begin()
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
        """The items that are still to be checked; all other lines are entered as they pass."""
        journal, standing = self.folder.journal, self.standing
        for row in rows:
            standing.read += 1
            first = journal.first_line(row.key)
            if first is not None:
                standing.duplicates += 1
                journal.add(row.line, row.id, row.key, DUPLICATE, "")
            elif isinstance(row, Bad):
                standing.failed += 1
                journal.add(row.line, row.id, row.key, "failed", row.reason)
            elif journal.finished(row.key) and self.folder.has(row.key):
                standing.resumed += 1
                journal.add(row.line, row.id, row.key, "resumed", "")
            else:
                journal.add(row.line, row.id, row.key, WAITING, "")
                yield row
            if standing.read % 200 == 0:
                self.told(standing)

    def _finish(self, done: Done) -> None:
        item = done.item
        began = self.begun.pop(item.key)
        outcome = done.outcome
        if done.died:
            self.tries[item.key] += 1
            late = time.monotonic() - began >= self.orders.patience
            if not late and self.stopped:
                return  # it waits for the next start
            if not late and self.tries[item.key] < TRIES:
                self.again.append(item)
                return
            done = replace(done, error=LATE.format(self.orders.patience) if late else DIED.format(TRIES))
        if outcome is None:
            outcome = Outcome(key=item.key, status="failed", reason=done.error)
        if outcome.pid:
            self.peaks[outcome.pid] = max(outcome.rss_peak_mb, self.peaks.get(outcome.pid, 0.0))
        self.folder.journal.end(item.line, outcome)
        self.standing.count(outcome.status)


def account(batch: Batch, settings: Settings, engine: str, workers: int) -> Summary:
    """Compare what was entered with the history and the folder, and write results and summary."""
    journal, standing = batch.folder.journal, batch.standing
    seconds = standing.seconds
    chain_ok = _hold_against_history(batch, settings)
    missing = [row for row in journal.certified() if not row[2] or not batch.folder.has(row[1])]
    for line, key, held in missing:
        journal.lose(line, "its certificate is not in the " + ("folder" if held else "history"))
        journal.forget(key)
    counts, spent = journal.counts(), journal.seconds()
    peak = rss_peak_mb() + sum(sorted(batch.peaks.values())[-workers:])
    waiting = counts.get(WAITING, 0) if batch.stopped else 0
    summary = Summary(
        submitted=standing.read, completed=counts.get("completed", 0), resumed=counts.get("resumed", 0),
        failed=counts.get("failed", 0), duplicates=counts.get(DUPLICATE, 0), waiting=waiting,
        lost=counts.get("lost", 0) + counts.get(WAITING, 0) - waiting, chain_ok=chain_ok,
        stopped=batch.stopped, seconds=round(seconds, 1),
        claims_per_minute=round(standing.completed * 60 / seconds, 2) if seconds else 0.0,
        p50=_quantile(spent, 0.5), p95=_quantile(spent, 0.95),
        rss_peak_mb=round(peak, 1), workers=workers, engine=engine, verdicts=journal.counts("verdict"),
        failures=_kinds(journal.reasons()), folder=str(batch.folder.path),
    )  # fmt: skip
    batch.folder.write_results()
    write(batch.folder.path / SUMMARY, [summary.model_dump_json(indent=1) + "\n"])
    return summary


def _hold_against_history(batch: Batch, settings: Settings) -> bool:
    """Mark what the history holds, in one pass through it; whether it is one unbroken chain."""
    from factdesk.checker import open_ledger
    from report.certificate.keys import Keyring
    from report.verification.integrity import verify_chain

    ledger, journal = open_ledger(settings), batch.folder.journal
    offset = 0
    while entries := ledger.list(limit=PAGE, offset=offset):
        offset += len(entries)
        journal.hold([entry.certificate_id for entry in entries])
    if offset == 0:
        return True
    head, kept = ledger.head(), ledger.kept_head()
    texts = ledger.texts() if head is None else islice(ledger.texts(), head.sequence)
    found = verify_chain(
        texts, head=head, known=(kept,) if kept else (), keys=Keyring(settings.paths.keys).known(),
        scope="local history",
    )  # fmt: skip
    return found.ok is True


def _quantile(values: list[float], share: float) -> float:
    return round(values[min(len(values) - 1, int(share * len(values)))], 3) if values else 0.0


def _kinds(reasons: Iterator[str]) -> dict[str, int]:
    """Reasons without what differs from line to line."""
    kinds = Counter(re.sub(r"'[^']*'|\d+", "…", reason)[:200] for reason in reasons)
    return dict(kinds.most_common(20))
