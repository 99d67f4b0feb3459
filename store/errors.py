"""One clear sentence for each way in which SQLite or PostgreSQL can fail, with the place and the mend."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from factdesk.kernel import BackendUnavailable, FactdeskError, InputError

_SENTENCES: dict[int, str] = {
    sqlite3.SQLITE_READONLY: "the database {path!r} is read-only; make the file and its folder writable",
    sqlite3.SQLITE_BUSY: "the database {path!r} is locked by another process; wait until it is done",
    sqlite3.SQLITE_LOCKED: "the database {path!r} is locked by another task; wait until that is done",
    sqlite3.SQLITE_FULL: "the disk is full, nothing was written to the database {path!r}; free some space",
    sqlite3.SQLITE_NOTADB: "the file {path!r} is no SQLite database; give another path or move it away",
    sqlite3.SQLITE_CORRUPT: "the database {path!r} is damaged; restore it from a backup, or move it away",
    sqlite3.SQLITE_CANTOPEN: "the database {path!r} cannot be opened; check that its folder is writable",
    sqlite3.SQLITE_PERM: "the database {path!r} may not be opened; change the rights of the file",
    sqlite3.SQLITE_IOERR: "the disk refused to read or write {path!r}; check the disk and its free space",
    sqlite3.SQLITE_TOOBIG: "a text is too long for the database {path!r}; split it",
}

_STATES: dict[str, str] = {
    "55P03": "the database {name!r} is locked by another process; wait until it is done",
    "40001": "two writers of the database {name!r} met; try again",
    "40P01": "two writers of the database {name!r} met; try again",
    "25006": "the database {name!r} is read-only; make it writable, or give the address of the main server",
    "42501": "the user of {name!r} lacks a right on its tables; ask who made them to grant it",
    "53100": "the disk is full, nothing was written to the database {name!r}; free some space",
    "54000": "a text is too long for the database {name!r}; shorten the name or address of the document",
}
"""By SQLSTATE; what begins with 08, 53 or 57 is a server that is away or out of means."""


def from_driver(error: BaseException | None, url: URL) -> FactdeskError | None:
    """The error to raise instead of a driver's; ``None`` for what is no trouble of the database."""
    if isinstance(error, sqlite3.Error):
        return from_sqlite(error, url.database or "")
    if error is not None and type(error).__module__.startswith("psycopg"):
        place = url.set(drivername="postgresql", password=None, query={})
        return from_postgres(error, place.render_as_string())
    return None


def from_postgres(error: BaseException, name: str) -> FactdeskError:
    """The same for an error of psycopg; ``name`` is the address without its password."""
    state = getattr(error, "sqlstate", None) or ""
    if sentence := _STATES.get(state):
        return InputError(sentence.format(name=name))
    text = (str(error).strip() or type(error).__name__).splitlines()[0]
    if state[:2] in {"08", "53", "57"} or (not state and type(error).__name__ == "OperationalError"):
        return BackendUnavailable(
            f"the database {name!r} cannot be reached ({text}); start it or mend the setting 'database'"
        )
    return BackendUnavailable(f"the database {name!r} does not work ({text}); run factdesk doctor")


def from_sqlite(error: sqlite3.Error, path: str) -> FactdeskError:
    """The error to raise instead: ``InputError`` where the user can mend it, else ``BackendUnavailable``."""
    # The low byte is the primary code; the rest tells apart cases that are mended alike.
    sentence = _SENTENCES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if sentence is not None:
        return InputError(sentence.format(path=path))
    return BackendUnavailable(f"the database {path!r} does not work ({error}); run factdesk doctor")


@contextmanager
def clear_errors(url: URL) -> Iterator[None]:
    """Turn errors of the database at ``url`` inside the block into ours."""
    try:
        yield
    except (sqlite3.Error, DBAPIError) as error:
        ours = from_driver(error.orig if isinstance(error, DBAPIError) else error, url)
        if ours is None:
            raise
        raise ours from error
    except PoolTimeout as error:
        raise BackendUnavailable("all connections to the database are in use; try again later") from error
