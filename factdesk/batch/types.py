"""Records of a batch: lines and items, outcomes, orders of its workers, the summary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Date
from pathlib import Path
from typing import Literal

from factdesk.kernel import Record
from factdesk.settings import Settings

Status = Literal["completed", "resumed", "failed", "lost"]
LineState = Literal["completed", "resumed", "failed", "duplicate", "waiting", "lost"]


class Item(Record):
    """One valid line of the input."""

    line: int
    """From 1."""
    id: str
    text: str
    asked: bool = False
    """``text`` is a question."""
    date: Date | None = None
    image: str | None = None
    """Absolute path."""
    key: str
    """Hex SHA-256 over content and settings."""
    certificate_id: str
    """Fixed beforehand, so that the history refuses a second certificate of the item."""


class Bad(Record):
    """An invalid line, and why."""

    line: int
    id: str
    key: str
    reason: str


class Line(Record):
    """A line of the input, as the latest run read it."""

    run: str
    """The run that read it; lines of earlier runs do not count."""
    line: int
    id: str
    key: str
    same_as: int | None = None
    """The first line of the same content."""


class Outcome(Record):
    """The result of an item; its certificate is on the disk."""

    key: str
    status: Status
    certificate_id: str | None = None
    verdict: str | None = None
    reason: str = ""
    seconds: float = 0.0
    pid: int = 0
    rss_peak_mb: float = 0.0
    """Peak memory of the process that checked it."""


@dataclass(frozen=True)
class Orders:
    """Everything that a worker needs besides items; can be pickled."""

    settings: Settings
    out: Path
    corpus: tuple[str, ...]
    """Names for ``Corpora.open``; folders are already in the cache."""
    as_of: Date | None = None
    patience: float = 1800.0
    """Seconds after which a worker without an answer ends itself."""


class Summary(Record):
    """A batch in numbers; each of ``submitted`` lines has one state. States: completed, resumed, failed, duplicate,
    waiting, lost.
    """

    submitted: int
    completed: int
    """Certified in this run."""
    resumed: int
    """Certified by an earlier run."""
    failed: int
    """Not checked, see ``results.jsonl``; tried again at the next start."""
    duplicates: int
    """The same content as an earlier line."""
    waiting: int
    """Read, but not begun before a stop."""
    lost: int
    """Without a result, or with a certificate missing in history or folder."""
    chain_ok: bool
    """The whole history is one unbroken chain up to its signed head."""
    stopped: bool
    seconds: float
    claims_per_minute: float
    """Completed ones over the time of this run."""
    p50: float
    p95: float
    """95th percentile of seconds per completed claim."""
    rss_peak_mb: float
    """Sum of the peak memory of this process and of each worker."""
    workers: int
    engine: str
    verdicts: dict[str, int]
    failures: dict[str, int]
    """The twenty most frequent reasons, without digits and quoted parts."""
    folder: str


def place(key: str) -> str:
    """Path of an item's certificate in the folder of the batch."""
    return f"certificates/{key[:2]}/{key}.json"
