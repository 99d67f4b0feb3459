"""One clear sentence for each way in which SQLite can fail, with the path and the mend."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


def from_sqlite(error: sqlite3.Error, path: str) -> FactdeskError:
    """The error to raise instead: ``InputError`` where the user can mend it, else ``BackendUnavailable``."""
    # The low byte is the primary code; the rest tells apart cases that are mended alike.
    sentence = _SENTENCES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if sentence is not None:
        return InputError(sentence.format(path=path))
    return BackendUnavailable(f"the database {path!r} does not work ({error}); run factdesk doctor")


@contextmanager
def clear_errors(path: Path | str) -> Iterator[None]:
    """Turn errors of ``sqlite3`` inside the block into ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise from_sqlite(error, str(path)) from error
