"""Where the tables lie, a SQLite file or a PostgreSQL database by its URL; connections to a file and its log."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from factdesk.kernel import ConfigError

SCHEMES = ("postgresql", "postgres")


@dataclass(frozen=True)
class Postgres:
    """A PostgreSQL database. Its URL may hold a password, so it shows itself by :attr:`name` alone."""

    url: str = field(repr=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            whole = parts.scheme in SCHEMES and len(parts.path) > 1 and (parts.port or 1) > 0
        except ValueError:
            whole = False
        if not whole:
            raise ConfigError(
                "the address of the database is not one of PostgreSQL (not shown: it may hold a password); "
                "write it as postgresql://user@host/name, or leave it out for SQLite"
            )

    @property
    def name(self) -> str:
        """The address without password and options."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        user = f"{parts.username}@" if parts.username else ""
        return f"postgresql://{user}{parts.hostname or ''}{port}{parts.path}"

    def __str__(self) -> str:
        return self.name


Place: TypeAlias = Path | Postgres


def exists(place: Place) -> bool:
    """Whether there is something to read; a server is taken to be there until it is asked."""
    return isinstance(place, Postgres) or place.is_file()


def connect(path: Path, busy_timeout: float) -> sqlite3.Connection:
    """A connection that begins no transactions of its own, and waits so many seconds for other writers."""
    connection = sqlite3.connect(path, timeout=busy_timeout, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {int(busy_timeout * 1000)}")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def to_wal(connection: sqlite3.Connection, busy_timeout: float) -> None:
    """Switch the file to WAL where it is not. SQLite does not wait for the lock this needs, so we do."""
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
            if mode != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(0.05)
