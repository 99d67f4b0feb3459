"""Running checks on disk: what each was asked for, beside its checkpoints, until its certificate is made.

One SQLite file holds both. A run that was killed stays there with its text, settings, images and corpora, so
that ``factdesk resume`` needs nothing else. A lock per run tells one that was stopped from one that goes on.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import Field, ValidationError

from factdesk.kernel import Fingerprint, InputError, Record, Stopped

_TABLES = """
CREATE TABLE IF NOT EXISTS runs (run_id TEXT PRIMARY KEY, created TEXT NOT NULL, orders TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS run_images (
    run_id TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (run_id, number));
"""


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

    def __init__(self, run_id: str, connection: sqlite3.Connection, path: Path, order: Order | None) -> None:
        self.run_id = run_id
        self.connection = connection
        self.path = path
        self.stored = order
        """What an earlier process was asked for; ``None`` for a new run."""
        self.begun = order is not None

    def begin(self, order: Order, images: Sequence[tuple[str, bytes]]) -> None:
        """Write down what is asked for, or compare it with what an earlier process wrote.

        Raises:
            InputError: corpora or models are not those the run began with.
        """
        if self.stored is not None:
            _same(self.stored, order)
            return
        created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        try:
            with self.connection:
                self.connection.execute(
                    "INSERT INTO runs VALUES (?, ?, ?)", (self.run_id, created, order.model_dump_json())
                )
                self.connection.executemany(
                    "INSERT INTO run_images VALUES (?, ?, ?, ?)",
                    [(self.run_id, number, name, data) for number, (name, data) in enumerate(images)],
                )
        except sqlite3.Error as error:
            raise unusable(self.path, error) from error
        self.begun = True

    def images(self) -> list[tuple[str, bytes]]:
        """Names and bytes of the images, in their order."""
        rows = self.connection.execute(
            "SELECT name, data FROM run_images WHERE run_id = ? ORDER BY number", (self.run_id,)
        )
        return [(str(name), bytes(data)) for name, data in rows]

    def end(self) -> None:
        """Forget the run: its certificate was made."""
        try:
            _forget(self.connection, self.run_id)
        except sqlite3.Error as error:
            raise unusable(self.path, error) from error


class Runs:
    """All runs below one home folder; ``path`` is the file of the checkpoints."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def hold(self, run_id: str, *, known: bool = False) -> Iterator[Run]:
        """Hold a new run, or with ``known`` one that an earlier process began.

        Ctrl-C becomes ``Stopped``, which says how to go on.

        Raises:
            InputError: the run is unknown or held by another process, or the file cannot be used.
        """
        lock = FileLock(self._lock(run_id))
        self._make_folder()
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise InputError(f"run {run_id!r} is still going on in another process") from error
        try:
            connection = open_file(self._path)
            try:
                run = Run(run_id, connection, self._path, self._order(connection, run_id) if known else None)
                try:
                    yield run
                except KeyboardInterrupt as error:
                    if not run.begun:
                        raise
                    raise Stopped(f"stopped; go on with: factdesk resume {run_id}") from error
            finally:
                connection.close()
        finally:
            lock.release()
            Path(lock.lock_file).unlink(missing_ok=True)

    def list(self) -> tuple[RunInfo, ...]:
        """Runs without an end, oldest first."""
        if not self._path.is_file():
            return ()
        connection = open_file(self._path)
        try:
            rows = connection.execute(
                "SELECT run_id, created, orders, (SELECT count(*) FROM run_images i "
                "WHERE i.run_id = r.run_id) FROM runs r ORDER BY created, run_id"
            ).fetchall()
        except sqlite3.Error as error:
            raise unusable(self._path, error) from error
        finally:
            connection.close()
        return tuple(self._info(*row) for row in rows)

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

    def _info(self, run_id: str, created: str, orders: str, images: int) -> RunInfo:
        order = json.loads(orders)
        return RunInfo(
            run_id=run_id, created=created, text=order["text"], images=images,
            method=str(order["settings"].get("method", "")), running=self._held(run_id),
        )  # fmt: skip

    def _held(self, run_id: str) -> bool:
        if not self._lock(run_id).exists():
            return False
        lock = FileLock(self._lock(run_id))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        lock.release()
        return False

    def _lock(self, run_id: str) -> Path:
        return self._path.parent / "running" / f"{run_id}.lock"

    def _make_folder(self) -> None:
        try:
            self._lock("x").parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unusable(self._path, error) from error

    def _order(self, connection: sqlite3.Connection, run_id: str) -> Order:
        row = connection.execute("SELECT orders FROM runs WHERE run_id = ?", (run_id,)).fetchone()
        if row is None:
            raise InputError(f"run {run_id!r} is not known; factdesk resume lists those that were stopped")
        try:
            return Order.model_validate_json(row[0])
        except ValidationError as error:
            raise InputError(
                f"run {run_id!r} was begun by another version of factdesk; check its claim anew"
            ) from error


def open_file(path: Path) -> sqlite3.Connection:
    """The file of the running checks; made when it is missing. Raises ``InputError``."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False, timeout=10.0)
        connection.execute("PRAGMA busy_timeout = 10000")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_TABLES)
    except (OSError, sqlite3.Error) as error:
        raise unusable(path, error) from error
    return connection


def unusable(path: Path, error: Exception) -> InputError:
    """What to say of a file that cannot be used."""
    return InputError(
        f"the file for running checks, {str(path)!r}, cannot be used ({error}); "
        "mend it, move it away or free space"
    )


def _forget(connection: sqlite3.Connection, run_id: str) -> None:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    with connection:
        for table, column in (
            ("runs", "run_id"), ("run_images", "run_id"),
            ("checkpoints", "thread_id"), ("writes", "thread_id"),
        ):  # fmt: skip
            if table in tables:
                connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (run_id,))


def _same(stored: Order, now: Order) -> None:
    if stored.pins != now.pins:
        changed = sorted({p.name for p in stored.pins} ^ {p.name for p in now.pins}) or sorted(
            p.name for p, q in zip(stored.pins, now.pins, strict=True) if p != q
        )
        raise InputError(
            f"corpus {changed[0]!r} was changed since run {stored.run_id!r} began; check its claim anew"
        )
    if stored.image_sha256 != now.image_sha256:
        raise InputError(f"the images of run {stored.run_id!r} are damaged; check its claim anew")
    before = {(f.name, f.version, f.sha256) for f in stored.fingerprints}
    after = {(f.name, f.version, f.sha256) for f in now.fingerprints}
    if before != after:
        name = sorted(before ^ after, key=str)[0][0]
        raise InputError(
            f"run {stored.run_id!r} began with another {name!r} than is here now; check its claim anew"
        )
