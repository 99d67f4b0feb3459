"""Opening the history database, and sessions on it: a SQLite file, or PostgreSQL (``store.postgres``).

WAL is a property of the file and set once; busy timeout, foreign keys and ``synchronous`` are
set on every connection. No connection outlives its session, so nothing stays open or locked. What is kept of a
file is its engine: it remembers the statements that were compiled, and nothing of the file.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeVar, TypeVarTuple, overload

from sqlalchemy import URL, Connection, NullPool, event, inspect
from sqlalchemy.engine import Engine
from sqlmodel import Session, SQLModel, create_engine, select
from sqlmodel.sql.expression import Select, SelectOfScalar

from factdesk.kernel import InputError, private_file, private_folder
from store.errors import clear_errors
from store.location import Place, Postgres, connect, to_wal
from store.schema import ensure_schema

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
BUSY_TIMEOUT_SECONDS = 10.0
_MAGIC = b"SQLite format 3\0"


def open_engine(place: Place, *, busy_timeout: float = BUSY_TIMEOUT_SECONDS) -> Engine:
    """An engine on the database at ``place``; a file is made with its folder when missing. ``busy_timeout`` is how many
    seconds a writer waits for another one. A new database appears whole or not at all. Raises ``InputError`` for a file
    that is read-only, locked, no database, another program's or another version's, and for a full disk;
    ``BackendUnavailable`` for a server out of reach.
    """
    if isinstance(place, Postgres):
        from store.postgres import open_postgres

        return open_postgres(place, busy_timeout)
    path = Path(place).expanduser().resolve()
    _check_place(path)
    engine = _file_engine(path, busy_timeout)
    with clear_errors(engine.url):
        if not path.exists():
            _create(path, busy_timeout)
        _make(engine, path, str(path), busy_timeout)
    return engine


def open_unchanged(place: Place) -> Engine | None:
    """An engine that reads a whole database file and writes nothing, for a disk that is full or read-only. ``None``
    where that cannot be: a server, no file, or changes that lie beside it and are not yet in it.
    """
    if isinstance(place, Postgres):
        return None
    path = Path(place).expanduser().resolve()
    beside = path.with_name(f"{path.name}-wal")
    if not path.is_file() or (beside.exists() and beside.stat().st_size):
        return None
    address = f"{path.as_uri()}?mode=ro&immutable=1"
    engine = _engine(path, lambda: sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False))
    with clear_errors(engine.url):
        ensure_schema(engine, str(path))
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
    """A session that holds the write lock from its first statement, and commits at the end or not at all. SQLite has
    one lock; PostgreSQL one for each ``area``, so that a large corpus that is being added does not hold up the history.
    """
    with _session(engine, "IMMEDIATE", area) as session:
        yield session
        session.commit()


@contextmanager
def _session(engine: Engine, begin: str, area: str = "store") -> Iterator[Session]:
    options = engine.execution_options(factdesk_begin=begin, factdesk_area=area)
    with clear_errors(engine.url), Session(options, expire_on_commit=False) as session:
        yield session


@overload
def fetched(engine: Engine, statement: SelectOfScalar[T]) -> Sequence[T]: ...
@overload
def fetched(engine: Engine, statement: Select[*Ts]) -> Sequence[tuple[*Ts]]: ...
def fetched(engine: Engine, statement: Any) -> Any:
    """All rows of a statement, in a transaction of their own."""
    with reading(engine) as session:
        return session.exec(statement).all()


def paged(engine: Engine, table: type[T], key: Any, size: int, *conditions: Any) -> Iterator[Sequence[T]]:
    """Rows in the order of a unique column, page by page; no lock is held between the pages."""
    statement = select(table).where(*conditions).order_by(key).limit(size)
    page = fetched(engine, statement)
    yield page
    while len(page) == size:
        page = fetched(engine, statement.where(key > getattr(page[-1], key.key)))
        yield page


def store_rows(engine: Engine, table: type[SQLModel], rows: Sequence[Mapping[str, Any]], *, replace: bool) -> None:
    """:func:`put_rows` in a transaction of their own; none where there are no rows."""
    if rows:
        with writing(engine) as session:
            put_rows(session, table, rows, replace=replace)


def put_rows(session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]], *, replace: bool) -> None:
    """Insert rows; those whose key is there are replaced, or left as they are."""
    if not rows:
        return
    dialect = import_module(f"sqlalchemy.dialects.{session.get_bind().dialect.name}")
    statement: Any = dialect.insert(table)
    if replace:
        keys = [column.name for column in inspect(table).primary_key]
        others = {name: statement.excluded[name] for name in rows[0] if name not in keys}
        statement = statement.on_conflict_do_update(index_elements=keys, set_=others)
    else:
        statement = statement.on_conflict_do_nothing()
    session.exec(statement, params=rows)


@lru_cache(maxsize=16)
def _file_engine(path: Path, busy_timeout: float) -> Engine:
    return _engine(path, lambda: connect(path, busy_timeout))


def _engine(path: Path, creator: Callable[[], sqlite3.Connection]) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)), creator=creator, poolclass=NullPool)
    event.listen(engine, "begin", _begin)
    return engine


def _make(engine: Engine, path: Path, name: str, busy_timeout: float) -> None:
    ensure_schema(engine, name)
    with closing(connect(path, busy_timeout)) as connection:
        to_wal(connection, busy_timeout)


def _begin(connection: Connection) -> None:
    mode = connection.get_execution_options().get("factdesk_begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {mode}")


def _check_place(path: Path) -> None:
    """Make the folder; refuse a path that is a folder, another file, or may not be written."""
    name, folder = repr(str(path)), repr(str(path.parent))
    try:
        private_folder(path.parent)
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
    with suppress(OSError):  # one of somebody else stays as it is
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
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
            f"the database {str(path)!r} cannot be made ({error.strerror}); check the disk and the folder's rights"
        ) from error
    try:
        draft = workshop / "new.db"
        private_file(draft)
        _make(_file_engine(draft, busy_timeout), draft, str(path), busy_timeout)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:
            # No hard links here: the caller makes the schema in place, in one transaction.
            private_file(path)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
