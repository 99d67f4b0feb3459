"""The journal of a batch (SQLite): what was read, what is finished. Kept on disk, so memory stays bounded.

It is a help and not the proof: the history and the certificates in the folder are. A journal that is damaged
or missing is made anew, and what is finished is found again by the certificates' ids.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from factdesk.batch.types import Outcome
from factdesk.kernel import InputError

_TABLES = """
CREATE TABLE IF NOT EXISTS lines (
    line INTEGER PRIMARY KEY, id TEXT NOT NULL, key TEXT NOT NULL,
    status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', seconds REAL);
CREATE INDEX IF NOT EXISTS lines_key ON lines (key);
CREATE TABLE IF NOT EXISTS done (
    key TEXT PRIMARY KEY, certificate_id TEXT NOT NULL UNIQUE, verdict TEXT NOT NULL, seconds REAL NOT NULL,
    held INTEGER NOT NULL DEFAULT 0);
"""
_RESULTS = """
SELECT l.line, l.id, l.status, l.reason, d.certificate_id, d.verdict, d.key, f.line, f.reason
FROM lines l LEFT JOIN done d ON d.key = l.key
LEFT JOIN lines f ON f.key = l.key AND f.status NOT IN ('duplicate') AND l.status = 'duplicate'
ORDER BY l.line
"""
WAITING = "waiting"
DUPLICATE = "duplicate"


class Journal:
    """One batch's journal. Raises ``InputError`` when the disk refuses."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._db = _open(path)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and not _damaged(error):
                raise self._unusable(error) from error
            for name in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
                name.unlink(missing_ok=True)
            try:
                self._db = _open(path)
            except sqlite3.Error as again:
                raise self._unusable(again) from again

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def begin(self) -> None:
        """Forget which lines an earlier run read; what is finished stays."""
        self._do("DELETE FROM lines")
        self._do("UPDATE done SET held = 0")

    def first_line(self, key: str) -> int | None:
        """The line of this run that had the same content before, or ``None``."""
        row = self._one("SELECT line FROM lines WHERE key = ? ORDER BY line LIMIT 1", key)
        return int(row[0]) if row else None

    def add(self, line: int, name: str, key: str, status: str, reason: str = "") -> None:
        """A line that was read."""
        self._do(
            "INSERT INTO lines (line, id, key, status, reason) VALUES (?, ?, ?, ?, ?)",
            line, name, key, status, _plain(reason),
        )  # fmt: skip

    def finished(self, key: str) -> tuple[str, str, float] | None:
        """Certificate, verdict and seconds of what was finished, by this run or an earlier one."""
        row: tuple[str, str, float] | None = self._one(
            "SELECT certificate_id, verdict, seconds FROM done WHERE key = ?", key
        )
        return row

    def end(self, line: int, outcome: Outcome) -> None:
        """What became of a line."""
        if outcome.certificate_id is not None:
            self._do(
                "INSERT OR REPLACE INTO done (key, certificate_id, verdict, seconds) VALUES (?, ?, ?, ?)",
                outcome.key, outcome.certificate_id, outcome.verdict or "", outcome.seconds,
            )  # fmt: skip
        self._do(
            "UPDATE lines SET status = ?, reason = ?, seconds = ? WHERE line = ?",
            outcome.status, _plain(outcome.reason), outcome.seconds, line,
        )  # fmt: skip

    def forget(self, key: str) -> None:
        """A finished item is none: its certificate is gone."""
        self._do("DELETE FROM done WHERE key = ?", key)

    def hold(self, certificate_ids: Sequence[str]) -> None:
        """The history has these certificates."""
        try:
            with self._db:
                self._db.executemany(
                    "UPDATE done SET held = 1 WHERE certificate_id = ?", [(i,) for i in certificate_ids]
                )
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def certified(self) -> Iterator[tuple[int, str, bool]]:
        """Line, key and whether the history holds it, of all lines that were certified."""
        yield from self._all(
            "SELECT l.line, l.key, coalesce(d.held, 0) FROM lines l LEFT JOIN done d ON d.key = l.key "
            "WHERE l.status IN ('completed', 'resumed') ORDER BY l.line"
        )

    def lose(self, line: int, reason: str) -> None:
        """A line whose certificate is not where it must be."""
        self._do("UPDATE lines SET status = 'lost', reason = ? WHERE line = ?", _plain(reason), line)

    def counts(self, column: str = "status") -> dict[str, int]:
        """How many lines have each status; or with ``"verdict"`` each verdict."""
        query = {
            "status": "SELECT status, count(*) FROM lines GROUP BY 1",
            "verdict": "SELECT d.verdict, count(*) FROM lines l JOIN done d ON d.key = l.key "
            "WHERE l.status IN ('completed', 'resumed') GROUP BY 1",
        }[column]
        return dict(self._all(query))

    def reasons(self) -> Iterator[str]:
        """Why lines failed."""
        for (reason,) in self._all("SELECT reason FROM lines WHERE status = 'failed'"):
            yield reason

    def seconds(self) -> list[float]:
        """Seconds of all lines that this run completed, sorted."""
        query = "SELECT seconds FROM lines WHERE status = 'completed' ORDER BY seconds"
        return [float(s) for (s,) in self._all(query)]

    def results(self) -> Iterator[dict[str, Any]]:
        """One record for each line, in their order."""
        for line, name, status, reason, certificate, verdict, key, first, why in self._all(_RESULTS):
            found: dict[str, Any] = {"line": line, "id": name, "status": status}
            if first is not None:
                found["same_as_line"] = first
            if certificate is not None and status not in ("failed", "lost"):
                found |= {"verdict": verdict, "certificate_id": certificate, "certificate": place(key)}
            if reason or why:
                found["reason"] = reason or why
            yield found

    def _do(self, statement: str, *values: object) -> None:
        try:
            with self._db:
                self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _one(self, statement: str, *values: object) -> Any:
        try:
            return self._db.execute(statement, values).fetchone()
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _all(self, statement: str) -> Iterator[Any]:
        try:
            yield from self._db.cursor().execute(statement)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: sqlite3.Error) -> InputError:
        return InputError(
            f"the journal of the batch, {str(self._path)!r}, cannot be used ({error}); free space or mend "
            "the folder, then give the same command again: what was certified is not checked again"
        )


def place(key: str) -> str:
    """Where an item's certificate lies, relative to the folder of the batch."""
    return f"certificates/{key[:2]}/{key}.json"


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=10.0)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(_TABLES)
        [found] = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    if found != "ok":
        db.close()
        raise sqlite3.DatabaseError(f"it is damaged: {found}")
    return db


def _damaged(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()[:2000]
