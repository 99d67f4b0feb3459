"""Accepted checks on disk, so that none is lost: not when the service stops, not when it is killed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from factdesk.kernel import Failure, InputError
from factdesk.service.types import CheckRequest, CheckState, Upload

KEPT = 10_000
"""Ended checks that are remembered; their certificates stay in the history anyway."""
_TABLES = """
CREATE TABLE IF NOT EXISTS checks (
    number INTEGER PRIMARY KEY AUTOINCREMENT, check_id TEXT NOT NULL UNIQUE, created TEXT NOT NULL,
    request TEXT NOT NULL, state TEXT NOT NULL, verdict TEXT, failure TEXT);
CREATE INDEX IF NOT EXISTS checks_state ON checks (state);
CREATE TABLE IF NOT EXISTS check_images (
    check_id TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (check_id, number));
"""


class Journal:
    """One SQLite file. Every method is a transaction; ``InputError`` when the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unusable(path, error) from error
        with self._open() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_TABLES)

    def put(self, check_id: str, created: str, request: CheckRequest, images: Sequence[Upload]) -> None:
        """Write down a check that was accepted."""
        with self._open() as connection, connection:
            connection.execute(
                "INSERT INTO checks (check_id, created, request, state) VALUES (?, ?, ?, 'queued')",
                (check_id, created, request.model_dump_json()),
            )
            connection.executemany(
                "INSERT INTO check_images VALUES (?, ?, ?, ?)",
                [(check_id, number, image.name, image.data) for number, image in enumerate(images)],
            )

    def run(self, check_id: str) -> None:
        """Mark a check as begun."""
        with self._open() as connection, connection:
            connection.execute("UPDATE checks SET state = 'running' WHERE check_id = ?", (check_id,))

    def end(self, check_id: str, *, verdict: str | None = None, failure: Failure | None = None) -> None:
        """Write down how a check ended, and let its pictures and the oldest ended checks go."""
        state = "failed" if failure is not None else "done"
        with self._open() as connection, connection:
            connection.execute(
                "UPDATE checks SET state = ?, verdict = ?, failure = ? WHERE check_id = ?",
                (state, verdict, failure.model_dump_json() if failure else None, check_id),
            )
            connection.execute("DELETE FROM check_images WHERE check_id = ?", (check_id,))
            connection.execute(
                "DELETE FROM checks WHERE state IN ('done', 'failed') AND number <= "
                "(SELECT MAX(number) FROM checks) - ?",
                (KEPT,),
            )

    def get(self, check_id: str) -> CheckState | None:
        """A check as it stands, ``None`` for one that is not known (any more)."""
        with self._open() as connection:
            row = connection.execute(
                "SELECT created, request, state, verdict, failure FROM checks WHERE check_id = ?", (check_id,)
            ).fetchone()
        if row is None:
            return None
        created, request, state, verdict, failure = row
        return CheckState(
            id=check_id, state=state, created=created, verdict=verdict,
            text=CheckRequest.model_validate_json(request).text,
            failure=Failure.model_validate_json(failure) if failure else None,
        )  # fmt: skip

    def open_checks(self) -> tuple[str, ...]:
        """Ids of the checks without an end, in the order in which they were accepted."""
        with self._open() as connection:
            rows = connection.execute(
                "SELECT check_id FROM checks WHERE state IN ('queued', 'running') ORDER BY number"
            )
            return tuple(str(row[0]) for row in rows)

    def request(self, check_id: str) -> tuple[CheckRequest, tuple[Upload, ...]]:
        """What a check was asked for. Raises ``InputError`` for an unknown one."""
        with self._open() as connection:
            row = connection.execute("SELECT request FROM checks WHERE check_id = ?", (check_id,)).fetchone()
            images = connection.execute(
                "SELECT name, data FROM check_images WHERE check_id = ? ORDER BY number", (check_id,)
            ).fetchall()
        if row is None:
            raise InputError(f"check {check_id!r} is not known")
        uploads = tuple(Upload(name=str(name), data=bytes(data)) for name, data in images)
        return CheckRequest.model_validate_json(row[0]), uploads

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(self._path, timeout=10.0)
            try:
                yield connection
            finally:
                connection.close()
        except (OSError, sqlite3.Error) as error:
            raise _unusable(self._path, error) from error


def _unusable(path: Path, error: Exception) -> InputError:
    return InputError(
        f"the file of the service, {str(path)!r}, cannot be used ({error}); "
        "mend it, move it away or free space"
    )
