"""Opening the history database, and sessions on it: a SQLite file, or PostgreSQL (``store.postgres``).

WAL is a property of the file and set once; busy timeout, foreign keys and ``synchronous`` are
set on every connection. No connection outlives its session, so nothing stays open or locked.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import URL, Connection, NullPool, event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session, SQLModel, create_engine

from factdesk.kernel import BackendUnavailable, InputError
from store.errors import clear_errors, from_driver
from store.location import Place, Postgres
from store.migrations import migrate

BUSY_TIMEOUT_SECONDS = 10.0
_MAGIC = b"SQLite format 3\0"


def open_engine(place: Place, *, busy_timeout: float = BUSY_TIMEOUT_SECONDS) -> Engine:
    """An engine on the database at ``place``; a file is made with its folder when missing. Schema up to date.

    ``busy_timeout`` is how many seconds a writer waits for another one. A new database appears whole
    or not at all. Raises ``InputError`` for a file that is read-only, locked, no database, another
    program's or newer than known, and for a full disk; ``BackendUnavailable`` for a server out of reach.
    """
    if isinstance(place, Postgres):
        from store.postgres import open_postgres

        return open_postgres(place, busy_timeout)
    path = Path(place).expanduser().resolve()
    _check_place(path)
    with clear_errors(path):
        if not path.exists():
            _create(path, busy_timeout)
        connection = _connect(path, busy_timeout)
        try:
            _to_wal(connection, busy_timeout)
            migrate(connection, str(path))
        finally:
            connection.close()
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        creator=lambda: _connect(path, busy_timeout),
        poolclass=NullPool,
    )
    event.listen(engine, "begin", _begin)
    return engine


def is_postgres(session: Session) -> bool:
    """Whether a session works on PostgreSQL; otherwise it is SQLite."""
    return session.get_bind().dialect.name == "postgresql"


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that sees one state of the database. Errors of the database come out as ours."""
    with _session(engine, "DEFERRED") as session:
        yield session


@contextmanager
def writing(engine: Engine, area: Literal["store", "ledger"] = "store") -> Iterator[Session]:
    """A session that holds the write lock from its first statement, and commits at the end or not at all.

    SQLite has one lock; PostgreSQL one for each ``area``, so that a large corpus that is being added does not
    hold up the history.
    """
    with _session(engine, "IMMEDIATE", area) as session:
        yield session
        session.commit()


@contextmanager
def _session(engine: Engine, begin: str, area: str = "store") -> Iterator[Session]:
    options = engine.execution_options(factdesk_begin=begin, factdesk_area=area)
    try:
        with Session(options, expire_on_commit=False) as session:
            yield session
    except DBAPIError as error:
        ours = from_driver(error.orig, engine.url)
        if ours is None:
            raise
        raise ours from error
    except PoolTimeout as error:
        raise BackendUnavailable("all connections to the database are in use; try again later") from error


def upsert(engine: Engine, table: type[SQLModel]) -> Any:
    """An INSERT with ``on_conflict_do_update`` and ``on_conflict_do_nothing``, which both databases have."""
    if engine.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as postgres_insert

        return postgres_insert(table)
    from sqlalchemy.dialects.sqlite import insert as sqlite_insert

    return sqlite_insert(table)


def _begin(connection: Connection) -> None:
    mode = connection.get_execution_options().get("factdesk_begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {mode}")


def _connect(path: Path, busy_timeout: float) -> sqlite3.Connection:
    # isolation_level=None: the sqlite3 module begins no transactions of its own, ``_begin`` does.
    connection = sqlite3.connect(path, timeout=busy_timeout, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {int(busy_timeout * 1000)}")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _check_place(path: Path) -> None:
    """Make the folder; refuse a path that is a folder, another file, or may not be written."""
    name, folder = repr(str(path)), repr(str(path.parent))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder {folder} for the database cannot be made ({error.strerror}); give another path"
        ) from error
    if path.is_dir():
        raise InputError(f"the database path {name} is a folder; give the path of a file")
    if path.exists():
        _check_file(path, name)
    if not _may(path.parent, os.W_OK | os.X_OK):
        raise InputError(f"the database folder {folder} is read-only; make it writable or give another path")


def _check_file(path: Path, name: str) -> None:
    if not path.is_file():
        raise InputError(f"the database path {name} is no regular file; give another path")
    if not _may(path, os.R_OK):
        raise InputError(f"the database {name} cannot be read; change the rights of the file")
    if not _may(path, os.W_OK):
        raise InputError(f"the database {name} is read-only; make the file and its folder writable")
    # SQLite takes a very short file for an empty database and would write over it.
    with path.open("rb") as file:
        head = file.read(len(_MAGIC))
    if head not in (b"", _MAGIC):
        raise InputError(f"the file {name} is no SQLite database; give another path or move it away")


def _may(path: Path, rights: int) -> bool:
    return os.access(path, rights, effective_ids=os.access in os.supports_effective_ids)


def _create(path: Path, busy_timeout: float) -> None:
    """Build the database aside and link it into place: whoever is first wins, nobody sees half of it."""
    try:
        workshop = Path(tempfile.mkdtemp(prefix=".factdesk-new-", dir=path.parent))
    except OSError as error:
        raise InputError(
            f"the database {str(path)!r} cannot be made ({error.strerror}); "
            "check the disk and the folder's rights"
        ) from error
    try:
        draft = workshop / "new.db"
        connection = _connect(draft, busy_timeout)
        try:
            _to_wal(connection, busy_timeout)
            migrate(connection, str(path))
        finally:
            connection.close()
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:
            # No hard links here: the caller creates it in place, each step a transaction.
            path.touch()
    finally:
        shutil.rmtree(workshop, ignore_errors=True)


def _to_wal(connection: sqlite3.Connection, busy_timeout: float) -> None:
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
