"""Making the schema in an empty database, and refusing a database of another program or version.

Tables come from ``store.tables``; ``sqlite.sql`` and ``postgres.sql`` hold the triggers that keep the history
append-only and the word index. All is made in one transaction.
"""

from __future__ import annotations

from importlib.resources import files

from sqlalchemy import Connection, text
from sqlalchemy.engine import Engine

from factdesk.kernel import InputError
from store.tables import Table

SCHEMA_VERSION = 2
"""Counts up with every change of the schema."""
APPLICATION_ID = 0x46444B31
"""``FDK1``: tells our files from other SQLite databases, and our advisory locks from others in PostgreSQL."""
_VERSION = {
    "sqlite": (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {SCHEMA_VERSION}"),
    "postgres": (
        "CREATE TABLE factdesk_schema (version INTEGER NOT NULL)",
        f"INSERT INTO factdesk_schema VALUES ({SCHEMA_VERSION})",
    ),
}


_SCRIPTS = {name: files("store").joinpath(f"{name}.sql").read_text(encoding="utf-8") for name in _VERSION}
"""Read with the module: a process that gives up its rights later may no longer read the files of the package."""


def ensure_schema(engine: Engine, name: str) -> None:
    """Make the schema where the database is empty. One that is there is only read, which needs no right to make
    tables; of several processes that come at once, one makes it. Raises ``InputError``: the database holds something
    else, another version, or text that is not UTF-8.
    """
    with engine.connect().execution_options(factdesk_begin="DEFERRED") as connection:
        if _has_schema(connection, name):
            return
    options = {"factdesk_begin": "IMMEDIATE", "factdesk_area": "schema"}
    with engine.connect().execution_options(**options) as connection, connection.begin():
        if not _has_schema(connection, name):
            Table.metadata.create_all(connection, checkfirst=False)
            sqlite = connection.dialect.name == "sqlite"
            for statement in _statements("sqlite" if sqlite else "postgres"):
                connection.execute(text(statement))


def _statements(database: str) -> list[str]:
    """What a database needs besides the tables."""
    return ["INSERT INTO known_image_change VALUES (1, 0)", *_SCRIPTS[database].split("\n\n"), *_VERSION[database]]


def _has_schema(connection: Connection, name: str) -> bool:
    """Whether the schema is there, in this version; not where the database is empty."""
    sqlite = connection.dialect.name == "sqlite"
    version = _sqlite_version(connection) if sqlite else _postgres_version(connection, name)
    if version is None:
        raise InputError(f"the database {name!r} belongs to another program; give a database of its own")
    if version not in (0, SCHEMA_VERSION):
        raise InputError(
            f"the database {name!r} has schema {version}, this factdesk knows schema {SCHEMA_VERSION}; "
            "use the version that made it, or give another database and import an export of its history"
        )
    return version == SCHEMA_VERSION


def _sqlite_version(connection: Connection) -> int | None:
    """0 for an empty file, ``None`` for another program's."""

    def ask(statement: str) -> int:
        return int(connection.exec_driver_sql(statement).scalar_one())

    application, version = ask("PRAGMA application_id"), ask("PRAGMA user_version")
    if application == APPLICATION_ID:
        return version
    return None if application or version or ask("SELECT COUNT(*) FROM sqlite_master") else 0


def _postgres_version(connection: Connection, name: str) -> int | None:
    """0 where none of our tables is there, ``None`` where one of that name is another program's."""
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding != "UTF8":
        raise InputError(f"the database {name!r} holds {encoding!r} text; make one with ENCODING 'UTF8'")
    # Not to_regclass: what it did not find it goes on not finding, also when the lock was waited for.
    found = connection.exec_driver_sql(
        "SELECT c.relname FROM pg_catalog.pg_class c "
        "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = ANY (current_schemas(false))"
    )
    tables = {str(row[0]) for row in found}
    if "factdesk_schema" in tables:
        return int(connection.exec_driver_sql("SELECT version FROM factdesk_schema").scalar_one())
    return None if tables & Table.metadata.tables.keys() else 0
