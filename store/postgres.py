"""The same tables on PostgreSQL, shared by several processes and machines; needs the extra ``postgres``. What a file
gives SQLite is given here by the server: writers of one area take an advisory lock for their transaction (one at a
time, as with ``BEGIN IMMEDIATE``), readers see one snapshot and cannot write.
"""

from __future__ import annotations

import os
from functools import lru_cache
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import create_engine

from factdesk.kernel import BackendUnavailable, InputError, install_line
from store.errors import from_postgres
from store.location import Postgres
from store.schema import APPLICATION_ID, ensure_schema

POOL_SIZE = 5
CONNECT_SECONDS = 10
_AREAS = {"schema": 0, "store": 1, "ledger": 2}
_ESCAPE = "\ufdd0"
"""A noncharacter. PostgreSQL's text takes no NUL, documents of PDF files have some."""
_pools: dict[tuple[int, Postgres, float], Engine] = {}
_making = Lock()
_STORED = str.maketrans({"\0": f"{_ESCAPE}0", _ESCAPE: f"{_ESCAPE}1"})


def open_postgres(place: Postgres, busy_timeout: float) -> Engine:
    """An engine on a database whose schema is up to date; one pool of connections per process and address.
    ``busy_timeout``: seconds a writer waits for another one. Raises ``BackendUnavailable`` when the server cannot be
    reached or the extra is not installed, ``InputError`` for a database that cannot be used.
    """
    key = (os.getpid(), place, busy_timeout)  # a forked child must not use its parent's connections
    with _making:
        if key not in _pools:
            _pools[key] = _engine(place, busy_timeout)
        return _pools[key]


def to_stored(text: str) -> str:
    """A text as PostgreSQL can hold it; :func:`from_stored` gives it back exactly."""
    return text.translate(_STORED) if "\0" in text or _ESCAPE in text else text


def from_stored(text: str) -> str:
    """What :func:`to_stored` was given."""
    return text.replace(f"{_ESCAPE}0", "\0").replace(f"{_ESCAPE}1", _ESCAPE) if _ESCAPE in text else text


def close_pools() -> None:
    """Close the connections that no session uses; the next ``open_postgres`` begins anew."""
    while _pools:
        _, engine = _pools.popitem()
        engine.dispose()


def _engine(place: Postgres, busy_timeout: float) -> Engine:
    engine = create_engine(
        _driver_url(place),
        pool_size=POOL_SIZE,
        max_overflow=2 * POOL_SIZE,
        pool_pre_ping=True,
        connect_args={"connect_timeout": CONNECT_SECONDS, "client_encoding": "utf8"},
        hide_parameters=True,
    )
    event.listen(engine, "connect", _adapt)
    event.listen(engine, "begin", _beginner(int(busy_timeout * 1000)))
    try:
        ensure_schema(engine, place.name)
    except DBAPIError as error:
        engine.dispose()
        if error.orig is None:
            raise
        raise from_postgres(error.orig, place.name) from None
    except InputError:
        engine.dispose()
        raise
    return engine


def _driver_url(place: Postgres) -> str:
    try:
        import psycopg
    except ImportError as error:
        raise BackendUnavailable(f"{place.name!r} needs psycopg; {install_line('postgres')}") from error
    del psycopg
    return "postgresql+psycopg" + place.url[len(urlsplit(place.url).scheme) :]


def _beginner(milliseconds: int) -> Any:
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("factdesk_begin") == "IMMEDIATE":
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {milliseconds}")
            area = _AREAS[options["factdesk_area"]]
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({APPLICATION_ID}, {area})")
        elif options.get("factdesk_begin") == "DEFERRED":
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    return begin


def _adapt(connection: Any, _record: object) -> None:
    """Texts go in and come out through :func:`to_stored` and :func:`from_stored`."""
    for name in ("text", "varchar"):
        connection.adapters.register_loader(name, _loader())
    connection.adapters.register_dumper(str, _dumper())


@lru_cache(maxsize=1)
def _dumper() -> Any:
    from psycopg.types.string import StrDumperUnknown

    class Dumper(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(to_stored(obj))

    return Dumper


@lru_cache(maxsize=1)
def _loader() -> Any:
    from psycopg.types.string import TextLoader

    class Loader(TextLoader):
        def load(self, data: Any) -> Any:
            text = super().load(data)
            return from_stored(text) if isinstance(text, str) else text

    return Loader
