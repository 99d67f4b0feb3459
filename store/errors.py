"""One clear sentence for each way in which SQLite or PostgreSQL can fail, with the place and the mend."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from factdesk.kernel import BackendUnavailable, FactdeskError, InputError

_SENTENCES: dict[int | str, str] = {
    getattr(sqlite3, name, name): sentence
    for name, sentence in tomllib.loads(files("store").joinpath("errors.toml").read_text(encoding="utf-8")).items()
}
"""By SQLite's primary code, and by SQLSTATE: what the user can mend. Read with the module, as the schema is."""


def from_driver(error: BaseException | None, url: URL) -> FactdeskError | None:
    """The error to raise instead of a driver's; ``None`` for what is no trouble of the database."""
    if isinstance(error, sqlite3.Error):
        code, name = getattr(error, "sqlite_errorcode", 0) & 0xFF, url.database or ""
        return _told(code, name) or _broken(name, str(error))
    if error is not None and type(error).__module__.startswith("psycopg"):
        return from_postgres(error, url.set(drivername="postgresql", password=None, query={}).render_as_string())
    return None


def from_postgres(error: BaseException, name: str) -> FactdeskError:
    """The same for an error of psycopg; ``name`` is the address without its password. A state that begins with 08, 53
    or 57 is a server that is away or out of means.
    """
    state = getattr(error, "sqlstate", None) or ""
    text = (str(error).strip() or type(error).__name__).splitlines()[0]
    if found := _told(state, name):
        return found
    if state[:2] in {"08", "53", "57"} or (not state and type(error).__name__ == "OperationalError"):
        return BackendUnavailable(
            f"the database {name!r} cannot be reached ({text}); start it or mend the setting 'database'"
        )
    return _broken(name, text)


def _told(code: int | str, name: str) -> InputError | None:
    return InputError(_SENTENCES[code].format(name=name)) if code in _SENTENCES else None


def _broken(name: str, text: str) -> BackendUnavailable:
    return BackendUnavailable(f"the database {name!r} does not work ({text}); run factdesk doctor")


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
