"""Connections to a SQLite file, and its write-ahead log."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path


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
