"""Making the schema in an empty database, and refusing a database of another program or version. Tables come from
``store.tables``; here are the triggers that keep the history append-only, the word index and the version. All is made
in one transaction.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text
from sqlalchemy.engine import Engine

from factdesk.kernel import InputError
from store.tables import Table

SCHEMA_VERSION = 2
"""Counts up with every change of the schema."""
APPLICATION_ID = 0x46444B31
"""``FDK1``: tells our files from other SQLite databases, and our advisory locks from others in PostgreSQL."""
APPEND_ONLY = "the history is append-only"
_REFUSED = {
    "ledger": (("UPDATE", "DELETE", "TRUNCATE"), APPEND_ONLY),
    "ledger_link": (("UPDATE", "DELETE", "TRUNCATE"), APPEND_ONLY),
    "ledger_head": (("DELETE", "TRUNCATE"), APPEND_ONLY),
    "snapshot": (("UPDATE",), "snapshots are never changed"),
}
"""Actions that no row of a table allows, and what is said then."""


def ensure_schema(engine: Engine, name: str) -> None:
    """Make the schema where the database is empty. One that is there is only read, which needs no right to make tables;
    of several processes that come at once, one makes it. Raises ``InputError``: the database holds something else,
    another version, or text that is not UTF-8.
    """
    with engine.connect().execution_options(factdesk_begin="DEFERRED") as connection:
        if _has_schema(connection, name):
            return
    options = {"factdesk_begin": "IMMEDIATE", "factdesk_area": "schema"}
    with engine.connect().execution_options(**options) as connection, connection.begin():
        if not _has_schema(connection, name):
            _create(connection)


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


def _create(connection: Connection) -> None:
    Table.metadata.create_all(connection, checkfirst=False)
    connection.execute(text("INSERT INTO known_image_change VALUES (1, 0)"))
    sqlite = connection.dialect.name == "sqlite"
    for statement in _sqlite_statements() if sqlite else _postgres_statements():
        connection.execute(text(statement))


def _sqlite_statements() -> Iterator[str]:
    for table, (actions, message) in _REFUSED.items():
        for action in actions:
            if action != "TRUNCATE":
                yield _sqlite_trigger(f"{table}_no_{action.lower()}", f"{action} ON {table}", "TRUE", message)
    # INSERT OR REPLACE deletes without firing delete triggers: whatever is not the next link is refused.
    next_only = """NEW.sequence IS NOT (SELECT COALESCE(MAX(sequence), 0) + 1 FROM ledger)
        OR NEW.previous_sha256 IS NOT (SELECT envelope_sha256 FROM ledger ORDER BY sequence DESC LIMIT 1)
        OR EXISTS (SELECT 1 FROM ledger WHERE certificate_id = NEW.certificate_id)"""
    once = "EXISTS (SELECT 1 FROM ledger_link WHERE sequence = NEW.sequence)"
    last = "NEW.sequence IS NOT (SELECT MAX(sequence) FROM ledger)"
    first = f"EXISTS (SELECT 1 FROM ledger_head) OR {last}"
    forward = f"NEW.sequence <= OLD.sequence OR {last}"
    for name, event, when, why in (
        ("ledger_next_only", "INSERT ON ledger", next_only, "not the next certificate"),
        ("ledger_link_once", "INSERT ON ledger_link", once, "the link is there already"),
        ("ledger_head_once", "INSERT ON ledger_head", first, "there is a head"),
        ("ledger_head_forward", "UPDATE ON ledger_head", forward, "the head only moves forward"),
    ):
        yield _sqlite_trigger(name, event, when, f"{APPEND_ONLY}: {why}")
    for action in ("INSERT", "DELETE", "UPDATE OF hashes, features"):
        yield f"""CREATE TRIGGER known_image_after_{action.split()[0].lower()} AFTER {action} ON known_image
            BEGIN UPDATE known_image_change SET revision = revision + 1; END"""
    yield """CREATE VIRTUAL TABLE ledger_words USING fts5(
        claim, evidence, content='', tokenize="unicode61 remove_diacritics 2")"""
    yield f"PRAGMA application_id = {APPLICATION_ID}"
    yield f"PRAGMA user_version = {SCHEMA_VERSION}"


def _sqlite_trigger(name: str, event: str, when: str, message: str) -> str:
    return f"CREATE TRIGGER {name} BEFORE {event} WHEN {when} BEGIN SELECT RAISE(ABORT, '{message}'); END"


def _postgres_statements() -> Iterator[str]:
    yield _function("refuse", f"BEGIN {_RAISE.format('%', ', TG_ARGV[0]')} END")
    for table, (actions, message) in _REFUSED.items():
        for action in actions:
            each = "STATEMENT" if action == "TRUNCATE" else "ROW"
            yield from _postgres_trigger(f"{table}_no_{action.lower()}", action, table, f"refuse('{message}')", each)
    yield _function("ledger_next_only", _NEXT_ONLY)
    yield from _postgres_trigger("ledger_next_only", "INSERT", "ledger", "ledger_next_only()")
    yield _function("ledger_head_forward", _HEAD_FORWARD)
    yield from _postgres_trigger("ledger_head_forward", "INSERT OR UPDATE", "ledger_head", "ledger_head_forward()")
    yield _function("image_changed", _IMAGE_CHANGED)
    yield (
        "CREATE TRIGGER known_image_after AFTER INSERT OR DELETE OR UPDATE OF hashes, features "
        "ON known_image "
        "FOR EACH ROW EXECUTE FUNCTION factdesk_image_changed()"
    )
    yield """CREATE TABLE ledger_words (
        sequence INTEGER NOT NULL PRIMARY KEY REFERENCES ledger (sequence), words TSVECTOR NOT NULL)"""
    yield "CREATE INDEX ledger_words_gin ON ledger_words USING gin (words)"
    yield "CREATE TABLE factdesk_schema (version INTEGER NOT NULL)"
    yield f"INSERT INTO factdesk_schema VALUES ({SCHEMA_VERSION})"


def _function(name: str, body: str) -> str:
    return f"CREATE FUNCTION factdesk_{name}() RETURNS trigger LANGUAGE plpgsql AS $body$\n{body}\n$body$"


# ALWAYS: also in sessions that set session_replication_role. The functions name tables with their schema, so
# that no temporary table can stand in for one.
def _postgres_trigger(name: str, event: str, table: str, function: str, each: str = "ROW") -> tuple[str, str]:
    return (
        f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH {each} EXECUTE FUNCTION factdesk_{function}",
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}",
    )


_RAISE = "RAISE EXCEPTION '{0}'{1} USING ERRCODE = 'integrity_constraint_violation';"
_NEXT_ONLY = f"""DECLARE last RECORD; taken BOOLEAN; BEGIN
    EXECUTE format('SELECT sequence, envelope_sha256 FROM %I.%I ORDER BY sequence DESC LIMIT 1',
        TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO last;
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.%I WHERE certificate_id = $1)',
        TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO taken USING NEW.certificate_id;
    IF taken OR NEW.sequence IS DISTINCT FROM COALESCE(last.sequence, 0) + 1
        OR NEW.previous_sha256 IS DISTINCT FROM last.envelope_sha256 THEN
        {_RAISE.format(f"{APPEND_ONLY}: not the next certificate", "")}
    END IF;
    RETURN NEW;
END"""
_HEAD_FORWARD = f"""DECLARE last INTEGER; others BIGINT; BEGIN
    EXECUTE format('SELECT MAX(sequence) FROM %I.ledger', TG_TABLE_SCHEMA) INTO last;
    EXECUTE format('SELECT COUNT(*) FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO others;
    IF TG_OP = 'INSERT' AND (others > 0 OR NEW.sequence IS DISTINCT FROM last) THEN
        {_RAISE.format(f"{APPEND_ONLY}: there is a head", "")}
    ELSIF TG_OP = 'UPDATE' AND (NEW.sequence <= OLD.sequence OR NEW.sequence IS DISTINCT FROM last) THEN
        {_RAISE.format(f"{APPEND_ONLY}: the head only moves forward", "")}
    END IF;
    RETURN NEW;
END"""
_IMAGE_CHANGED = """BEGIN
    EXECUTE format('UPDATE %I.known_image_change SET revision = revision + 1', TG_TABLE_SCHEMA);
    RETURN NULL;
END"""
