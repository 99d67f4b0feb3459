"""What passes between the parts of a batch: items, outcomes, the port of an engine, the summary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Date
from pathlib import Path
from typing import Literal, Protocol

from factdesk.kernel import Record
from factdesk.settings import Settings

Status = Literal["completed", "resumed", "failed", "lost"]


class Item(Record):
    """One line of the input that can be checked."""

    line: int
    """From 1."""
    id: str
    text: str
    asked: bool = False
    """``text`` is a question to be answered."""
    date: Date | None = None
    image: str | None = None
    """Absolute path."""
    key: str
    """Hex SHA-256 over content and settings: the same for the same work."""
    certificate_id: str
    """Given beforehand, so that the history itself refuses a second certificate of the same item."""


class Bad(Record):
    """One line that holds no claim, and why."""

    line: int
    id: str
    key: str
    reason: str


class Outcome(Record):
    """What became of an item. Small: the certificate itself is on the disk by now."""

    key: str
    status: Status
    certificate_id: str | None = None
    verdict: str | None = None
    reason: str = ""
    seconds: float = 0.0
    pid: int = 0
    rss_peak_mb: float = 0.0
    """Of the process that checked it, so far."""


@dataclass(frozen=True)
class Orders:
    """All that a worker needs besides its items; can be pickled."""

    settings: Settings
    out: Path
    corpus: tuple[str, ...]
    """Names that ``Corpora.open`` takes; paths were read into the cache beforehand."""
    as_of: Date | None = None
    patience: float = 1800.0
    """Seconds after which a worker that gives no answer ends itself."""


@dataclass(frozen=True)
class Done:
    """An item that an engine is through with: an outcome, or an error, or a worker that died over it."""

    item: Item
    outcome: Outcome | None = None
    error: str = ""
    died: bool = False


class Engine(Protocol):
    """Runs items somewhere. The batch itself is the same for all engines."""

    def free(self) -> bool:
        """Whether a worker stands ready for another item."""

    def submit(self, item: Item) -> None:
        """Hand an item to a free worker."""

    def wait(self, seconds: float) -> list[Done]:
        """What was finished; waits so long at most for the first."""

    def close(self) -> None:
        """End all workers. What they are at is not waited for."""


class Summary(Record):
    """A batch in numbers.

    ``submitted`` lines were read; each is one of completed, resumed, failed, duplicate, waiting, lost.
    """

    submitted: int
    completed: int
    """Checked and certified in this run."""
    resumed: int
    """Certified by an earlier run of the same batch."""
    failed: int
    """Could not be checked; ``results.jsonl`` says why. Tried again at the next start."""
    duplicates: int
    """The same content as an earlier line."""
    waiting: int
    """Read, but not begun because the batch was stopped."""
    lost: int
    """Without a result, or with a certificate that is not in the history or not in the folder."""
    chain_ok: bool
    """The whole history is one unbroken chain up to its signed head."""
    stopped: bool
    seconds: float
    claims_per_minute: float
    """Completed ones over the time of this run."""
    p50: float
    p95: float
    """Seconds a claim took in its worker, completed ones of this run."""
    rss_peak_mb: float
    """The largest resident memory of this process, and of each worker process, added up."""
    workers: int
    engine: str
    verdicts: dict[str, int]
    failures: dict[str, int]
    """Reasons of what failed, with digits and quoted parts left out, the most frequent twenty."""
    folder: str
