"""A list of jobs in a SQLite file: what each was asked for, how far it is, and how it ended. Used for running checks
(``store.runs``), the queue of the service and the lines of a batch. Checkpoints of a job's graph lie in the same file
and go with it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, Literal, Self, TypeAlias, TypeVar

from pydantic import ValidationError

from factdesk.kernel import InputError, Record, private_file
from store.location import to_wal

Payload = TypeVar("Payload", bound=Record)
Result = TypeVar("Result", bound=Record)
JobState: TypeAlias = Literal["queued", "running", "done", "failed"]
NamedFile: TypeAlias = tuple[str, bytes]
BUSY_TIMEOUT_SECONDS = 10.0
_TABLES = """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY, job_id TEXT NOT NULL UNIQUE, created TEXT NOT NULL,
    state TEXT NOT NULL, payload TEXT NOT NULL, result TEXT);
CREATE TABLE IF NOT EXISTS job_files (
    job_id TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (job_id, number));
"""
_COLUMNS = "number, job_id, created, state, payload, result"
_CHECKPOINTS = ("checkpoints", "writes")
"""Tables that LangGraph makes in the file; their ``thread_id`` is the job's id."""


@dataclass(frozen=True)
class Job(Generic[Payload, Result]):
    """A job as it stands. Its records are validated when they are asked for."""

    _types: tuple[type[Payload], type[Result]]
    number: int
    """Counts up in the order in which jobs were put."""
    job_id: str
    created: str
    """ISO 8601 UTC."""
    state: JobState
    payload_json: str
    result_json: str | None

    @property
    def payload(self) -> Payload:
        """What was asked for. Raises ``InputError`` where another version of factdesk wrote it."""
        return _read(self._types[0], self.payload_json, self.job_id)

    @property
    def result(self) -> Result | None:
        """How it ended, or ended before. Raises like :attr:`payload`."""
        return None if self.result_json is None else _read(self._types[1], self.result_json, self.job_id)


class JobList(Generic[Payload, Result]):
    """The jobs of one file. Every method is a transaction; ``InputError`` when the file cannot be used. A connection is
    opened for each of them, or held from ``with`` to its end.
    """

    def __init__(self, path: Path, payload: type[Payload], result: type[Result], title: str) -> None:
        """``title``: how messages name the file, e.g. "file of the service"."""
        self.path = path
        self._title = title
        self._types = (payload, result)
        self._held: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        self._held = self._open()
        return self

    def __exit__(self, *error: object) -> None:
        connection, self._held = self.connection, None
        connection.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection that is held."""
        if self._held is None:
            raise RuntimeError("the list of jobs is not open")
        return self._held

    def put(
        self,
        job_id: str,
        payload: Payload,
        *,
        state: JobState = "queued",
        result: Result | None = None,
        files: Sequence[NamedFile] = (),
    ) -> None:
        """Put a job at the end of the list; one with the same id is replaced."""
        text = result.model_dump_json() if result is not None else None
        row = (job_id, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), state, payload.model_dump_json(), text)
        query = "INSERT OR REPLACE INTO jobs (job_id, created, state, payload, result) VALUES (?, ?, ?, ?, ?)"
        with self._transaction() as connection:
            connection.execute(query, row)
            connection.execute("DELETE FROM job_files WHERE job_id = ?", (job_id,))
            rows = [(job_id, number, name, data) for number, (name, data) in enumerate(files)]
            connection.executemany("INSERT INTO job_files VALUES (?, ?, ?, ?)", rows)

    def get(self, job_id: str) -> Job[Payload, Result] | None:
        """A job; ``None`` for one that is not known (any more)."""
        rows = self._rows(f"SELECT {_COLUMNS} FROM jobs WHERE job_id = ?", job_id)
        return Job(self._types, *rows[0]) if rows else None

    def list(self, *states: JobState) -> tuple[Job[Payload, Result], ...]:
        """All jobs that are in one of the states, in their order; without states: all."""
        return tuple(self.iterate(*states))

    def iterate(self, *states: JobState) -> Iterator[Job[Payload, Result]]:
        """The same one by one; what is changed meanwhile may be seen or not."""
        marks = ", ".join("?" * len(states))
        where = f"WHERE state IN ({marks}) " if states else ""
        with self._transaction() as connection:
            for row in connection.execute(f"SELECT {_COLUMNS} FROM jobs {where}ORDER BY number", states):
                yield Job(self._types, *row)

    def files(self, job_id: str) -> tuple[NamedFile, ...]:
        """Names and bytes of a job's files, in their order."""
        return tuple(self._rows("SELECT name, data FROM job_files WHERE job_id = ? ORDER BY number", job_id))

    def count_files(self, job_id: str) -> int:
        """How many files a job has."""
        return int(self._rows("SELECT count(*) FROM job_files WHERE job_id = ?", job_id)[0][0])

    def start(self, job_id: str) -> None:
        """Mark a job as begun."""
        self._rows("UPDATE jobs SET state = 'running' WHERE job_id = ?", job_id)

    def end(self, job_id: str, state: JobState, result: Result) -> None:
        """Write down how a job ended, and let its files go."""
        text = result.model_dump_json()
        with self._transaction() as connection:
            connection.execute("UPDATE jobs SET state = ?, result = ? WHERE job_id = ?", (state, text, job_id))
            connection.execute("DELETE FROM job_files WHERE job_id = ?", (job_id,))

    def remove(self, job_id: str) -> None:
        """Forget a job, its files and its checkpoints."""
        with self._transaction() as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            for table in ("jobs", "job_files"):
                connection.execute(f"DELETE FROM {table} WHERE job_id = ?", (job_id,))
            for table in tables.intersection(_CHECKPOINTS):
                connection.execute(f"DELETE FROM {table} WHERE thread_id = ?", (job_id,))

    def remove_ended(self, kept: int) -> None:
        """Forget all ended jobs but the latest."""
        self._rows(
            "DELETE FROM jobs WHERE state IN ('done', 'failed') AND number <= (SELECT max(number) FROM jobs) - ?", kept
        )

    def remove_damaged(self) -> None:
        """Remove the file where SQLite cannot read it. For a list that can be made again."""
        try:
            with self as held:
                [found] = held.connection.execute("PRAGMA quick_check(1)").fetchone()
        except (InputError, sqlite3.Error) as error:
            cause = error.__cause__ if isinstance(error, InputError) else error
            if getattr(cause, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise
            found = str(error)
        if found != "ok":
            for end in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + end).unlink(missing_ok=True)

    def unusable(self, error: Exception) -> InputError:
        """What to say of a file that cannot be used."""
        return InputError(
            f"the {self._title}, {str(self.path)!r}, cannot be used ({error}); mend it, move it away or free space"
        )

    def _rows(self, query: str, *values: object) -> Sequence[Any]:
        """The rows of one statement, in a transaction of its own."""
        with self._transaction() as connection:
            return connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        connection = self._held or self._open()
        try:
            with connection:
                yield connection
        except sqlite3.Error as error:
            raise self.unusable(error) from error
        finally:
            if connection is not self._held:
                connection.close()

    def _open(self) -> sqlite3.Connection:
        try:
            private_file(self.path)
            connection = sqlite3.connect(self.path, check_same_thread=False, timeout=BUSY_TIMEOUT_SECONDS)
            try:
                to_wal(connection, BUSY_TIMEOUT_SECONDS)
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.executescript(_TABLES)
            except sqlite3.Error:
                connection.close()
                raise
        except (OSError, sqlite3.Error) as error:
            raise self.unusable(error) from error
        return connection


_AnyRecord = TypeVar("_AnyRecord", bound=Record)


def _read(kind: type[_AnyRecord], text: str, job_id: str) -> _AnyRecord:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise InputError(f"{job_id!r} was begun by another version of factdesk; check its claim anew") from error
