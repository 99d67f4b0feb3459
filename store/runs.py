"""Running checks on disk: what each was asked for, beside its checkpoints, until its certificate is made. A run that
was killed stays with its text, settings, images and corpora: all that ``factdesk resume`` needs. A lock per run tells
one that was stopped from one that goes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import Field

from factdesk.kernel import Fingerprint, InputError, Record, Stopped, private_folder
from store.jobs import Job, JobList, NamedFile


class CorpusPin(Record):
    """A corpus as it was when the run began; ``updated`` is the ISO time of its last change."""

    name: str
    updated: str


class Order(Record):
    """All that a check was asked for, besides its images."""

    run_id: str
    """Becomes the certificate's id."""
    text: str
    claim_date: date | None = None
    as_of: date | None = None
    corpus: tuple[str, ...] = ()
    record: bool = True
    settings: dict[str, Any] = Field(default_factory=dict)
    """As JSON values, without secrets and the home folder."""
    pins: tuple[CorpusPin, ...] = ()
    fingerprints: tuple[Fingerprint, ...] = ()
    """Models and rules it began with; a run is not finished with others."""
    image_sha256: tuple[str, ...] = ()
    image_urls: tuple[str, ...] = ()
    """Where the images stand in public, in their order; for reverse image search."""
    supersedes: str | None = None
    """Id of the certificate that the new one replaces."""
    asked: bool = False
    """``text`` is a question to be answered, not a claim to be checked."""


class RunInfo(Record):
    """A run that has not come to its end."""

    run_id: str
    created: str
    """ISO 8601 UTC."""
    text: str
    method: str
    images: int
    running: bool
    """A process holds it now; only the others can be resumed."""


class Run:
    """One run that this process holds."""

    def __init__(self, run_id: str, jobs: JobList[Order, Record], order: Order | None) -> None:
        self.run_id = run_id
        self.stored = order
        """What an earlier process was asked for; ``None`` for a new run."""
        self.begun = order is not None
        self.jobs = jobs
        """The file of the running checks, where the checkpoints of the graph go too."""

    def begin(self, order: Order, images: Sequence[NamedFile]) -> None:
        """Write down what is asked for, or compare it with what an earlier process wrote. Raises ``InputError``:
        corpora or models are not those the run began with.
        """
        if self.stored is not None:
            _same(self.stored, order)
            return
        self.jobs.put(self.run_id, order, state="running", files=images)
        self.begun = True

    def images(self) -> tuple[NamedFile, ...]:
        """Names and bytes of the images, in their order."""
        return self.jobs.files(self.run_id)

    def end(self) -> None:
        """Forget the run: its certificate was made."""
        self.jobs.remove(self.run_id)


class Runs:
    """All runs below one home folder; ``path`` is the file of the checkpoints."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def hold(self, run_id: str, *, known: bool = False) -> Iterator[Run]:
        """Hold a new run, or with ``known`` one that an earlier process began. Ctrl-C becomes ``Stopped``, which says
        how to go on. Raises ``InputError``: the run is unknown or held by another process, or the file cannot be used.
        """
        lock = FileLock(self._lock(run_id))
        try:
            private_folder(self._lock(run_id).parent)
        except OSError as error:
            raise self._jobs().unusable(error) from error
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise InputError(f"run {run_id!r} is still going on in another process") from error
        try:
            with self._jobs() as jobs:
                run = Run(run_id, jobs, _order(jobs, run_id) if known else None)
                try:
                    yield run
                except KeyboardInterrupt as error:
                    if not run.begun:
                        raise
                    raise Stopped(f"stopped; go on with: factdesk resume {run_id}") from error
        finally:
            lock.release()
            Path(lock.lock_file).unlink(missing_ok=True)

    def list(self) -> tuple[RunInfo, ...]:
        """Runs without an end, oldest first."""
        if not self._path.is_file():
            return ()
        with self._jobs() as jobs:
            return tuple(self._info(job, jobs.count_files(job.job_id)) for job in jobs.list())

    def has(self, run_id: str) -> bool:
        """Whether a run with this id has no end yet."""
        return self._path.is_file() and self._jobs().get(run_id) is not None

    def find(self, beginning: str) -> str:
        """The id of the one run whose id begins so. Raises ``InputError`` where there is none or several."""
        found = [r.run_id for r in self.list() if beginning and r.run_id.startswith(beginning)]
        if len(found) != 1:
            why = "is not known" if not found else f"fits {len(found)} runs"
            raise InputError(f"run {beginning!r} {why}; factdesk resume lists those that were stopped")
        return found[0]

    def forget(self, run_id: str) -> None:
        """Give a stopped run up. Raises ``InputError`` like :meth:`hold`."""
        with self.hold(run_id, known=True) as run:
            run.end()

    def _jobs(self) -> JobList[Order, Record]:
        return JobList(self._path, Order, Record, "file for running checks")

    def _info(self, job: Job[Order, Record], images: int) -> RunInfo:
        order = json.loads(job.payload_json)  # not validated: another version's run is listed too
        return RunInfo(
            run_id=job.job_id,
            created=job.created,
            text=order["text"],
            images=images,
            method=str(order["settings"].get("method", "")),
            running=self._held(job.job_id),
        )

    def _held(self, run_id: str) -> bool:
        if not self._lock(run_id).exists():
            return False
        try:
            with FileLock(self._lock(run_id), timeout=0):
                return False
        except Timeout:
            return True

    def _lock(self, run_id: str) -> Path:
        return self._path.parent / "running" / f"{run_id}.lock"


def _order(jobs: JobList[Order, Record], run_id: str) -> Order:
    job = jobs.get(run_id)
    if job is None:
        raise InputError(f"run {run_id!r} is not known; factdesk resume lists those that were stopped")
    return job.payload


def _same(stored: Order, now: Order) -> None:
    if stored.pins != now.pins:
        changed = sorted({p.name for p in stored.pins} ^ {p.name for p in now.pins}) or sorted(
            p.name for p, q in zip(stored.pins, now.pins, strict=True) if p != q
        )
        raise InputError(f"corpus {changed[0]!r} was changed since run {stored.run_id!r} began; check its claim anew")
    if stored.image_sha256 != now.image_sha256:
        raise InputError(f"the images of run {stored.run_id!r} are damaged; check its claim anew")
    before = {(f.name, f.version, f.sha256) for f in stored.fingerprints}
    after = {(f.name, f.version, f.sha256) for f in now.fingerprints}
    if before != after:
        name = sorted(before ^ after, key=str)[0][0]
        raise InputError(f"run {stored.run_id!r} began with another {name!r} than is here now; check its claim anew")
