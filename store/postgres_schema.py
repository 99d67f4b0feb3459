"""The steps of ``migrations.py`` for PostgreSQL, numbered alike; ``factdesk_schema`` holds the last one.

Texts are compared byte by byte (``COLLATE "C"``) as SQLite does, whatever the database's language. The
triggers fire always, also in sessions that set ``session_replication_role``; they name tables with their
schema, so that no temporary table can stand in for one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.engine import CursorResult

from factdesk.kernel import InputError
from store.migrations import APPLICATION_ID

Step = Callable[[Connection], None]
TEXT = 'TEXT COLLATE "C"'
HISTORY = "the history is append-only"
_SCHEMA_AREA = 0


def _run(connection: Connection, statement: str) -> CursorResult[Any]:
    return connection.exec_driver_sql(statement.replace("%", "%%"))  # psycopg looks for placeholders


def _refuse(connection: Connection, table: str, action: str, message: str) -> None:
    """A trigger that lets an action on a table never happen."""
    name = f"{table}_no_{action.lower()}"
    each = "STATEMENT" if action == "TRUNCATE" else "ROW"
    _run(
        connection,
        f"CREATE TRIGGER {name} BEFORE {action} ON {table} FOR EACH {each} "
        f"EXECUTE FUNCTION factdesk_refuse('{message}')",
    )
    _run(connection, f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


def _guard(connection: Connection, table: str, action: str, name: str, body: str) -> None:
    """A trigger before each row, with the body of its function."""
    _run(
        connection,
        f"CREATE FUNCTION factdesk_{name}() RETURNS trigger LANGUAGE plpgsql AS $body$\n{body}\n$body$",
    )
    _run(
        connection,
        f"CREATE TRIGGER {name} BEFORE {action} ON {table} FOR EACH ROW EXECUTE FUNCTION factdesk_{name}()",
    )
    _run(connection, f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


def m0001_documents(connection: Connection) -> None:
    """Corpora and their documents."""
    _run(
        connection,
        f"""CREATE TABLE corpus (
            name {TEXT} NOT NULL PRIMARY KEY,
            span_count INTEGER NOT NULL DEFAULT 0,
            updated {TEXT} NOT NULL
        )""",
    )
    _run(
        connection,
        f"""CREATE TABLE document (
            corpus {TEXT} NOT NULL REFERENCES corpus (name) ON DELETE CASCADE,
            doc_id {TEXT} NOT NULL,
            row_sha256 {TEXT} NOT NULL,
            sha256 {TEXT} NOT NULL,
            title {TEXT} NOT NULL,
            url {TEXT},
            publisher {TEXT},
            published {TEXT},
            retrieved {TEXT},
            source {TEXT},
            media_type {TEXT} NOT NULL,
            text {TEXT} NOT NULL,
            PRIMARY KEY (corpus, doc_id)
        )""",
    )


def m0002_ledger(connection: Connection) -> None:
    """The append-only history of certificates, and its word index."""
    _run(
        connection,
        """CREATE FUNCTION factdesk_refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END
        $body$""",
    )
    _run(
        connection,
        f"""CREATE TABLE ledger (
            sequence INTEGER NOT NULL PRIMARY KEY,
            certificate_id {TEXT} NOT NULL UNIQUE,
            created {TEXT} NOT NULL,
            claim_text {TEXT} NOT NULL,
            verdict {TEXT} NOT NULL,
            verified INTEGER NOT NULL,
            unverified INTEGER NOT NULL,
            blocked INTEGER NOT NULL,
            body_sha256 {TEXT} NOT NULL,
            previous_sha256 {TEXT},
            envelope_sha256 {TEXT} NOT NULL,
            certificate_json {TEXT} NOT NULL
        )""",
    )
    _run(connection, "CREATE INDEX ledger_created ON ledger (created)")
    for action in ("UPDATE", "DELETE", "TRUNCATE"):
        _refuse(connection, "ledger", action, HISTORY)
    _guard(
        connection, "ledger", "INSERT", "ledger_next_only",
        f"""DECLARE last RECORD; taken BOOLEAN; BEGIN
            EXECUTE format('SELECT sequence, envelope_sha256 FROM %I.%I ORDER BY sequence DESC LIMIT 1',
                TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO last;
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.%I WHERE certificate_id = $1)',
                TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO taken USING NEW.certificate_id;
            IF taken OR NEW.sequence IS DISTINCT FROM COALESCE(last.sequence, 0) + 1
                OR NEW.previous_sha256 IS DISTINCT FROM last.envelope_sha256 THEN
                RAISE EXCEPTION '{HISTORY}: not the next certificate'
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END""",
    )  # fmt: skip
    _run(
        connection,
        """CREATE TABLE ledger_words (
            sequence INTEGER NOT NULL PRIMARY KEY REFERENCES ledger (sequence),
            words TSVECTOR NOT NULL
        )""",
    )
    _run(connection, "CREATE INDEX ledger_words_gin ON ledger_words USING gin (words)")


def m0003_snapshots(connection: Connection) -> None:
    """Web pages that certificates cite."""
    _run(
        connection,
        f"""CREATE TABLE snapshot (
            sha256 {TEXT} NOT NULL,
            doc_id {TEXT} NOT NULL,
            url {TEXT} NOT NULL,
            retrieved {TEXT},
            body_sha256 {TEXT} NOT NULL,
            charset {TEXT},
            document_json {TEXT} NOT NULL,
            body_zlib BYTEA NOT NULL,
            PRIMARY KEY (sha256, doc_id)
        )""",
    )
    _run(connection, "CREATE INDEX snapshot_body ON snapshot (body_sha256)")
    _refuse(connection, "snapshot", "UPDATE", "snapshots are never changed")


def m0004_signatures(connection: Connection) -> None:
    """Who signed, what a certificate replaces, and the signed head, which only moves forward."""
    _run(
        connection,
        f"""CREATE TABLE ledger_link (
            sequence INTEGER NOT NULL PRIMARY KEY REFERENCES ledger (sequence),
            key_id {TEXT},
            supersedes {TEXT}
        )""",
    )
    _run(connection, "CREATE INDEX ledger_link_supersedes ON ledger_link (supersedes)")
    _run(
        connection,
        f"""CREATE TABLE ledger_head (
            one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
            sequence INTEGER NOT NULL,
            head_json {TEXT} NOT NULL
        )""",
    )
    for table, actions in (
        ("ledger_link", ("UPDATE", "DELETE", "TRUNCATE")), ("ledger_head", ("DELETE", "TRUNCATE")),
    ):  # fmt: skip
        for action in actions:
            _refuse(connection, table, action, HISTORY)
    _guard(
        connection, "ledger_head", "INSERT OR UPDATE", "ledger_head_forward",
        f"""DECLARE last INTEGER; others BIGINT; BEGIN
            EXECUTE format('SELECT MAX(sequence) FROM %I.ledger', TG_TABLE_SCHEMA) INTO last;
            EXECUTE format('SELECT COUNT(*) FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO others;
            IF TG_OP = 'INSERT' AND (others > 0 OR NEW.sequence IS DISTINCT FROM last) THEN
                RAISE EXCEPTION '{HISTORY}: there is a head'
                    USING ERRCODE = 'integrity_constraint_violation';
            ELSIF TG_OP = 'UPDATE'
                AND (NEW.sequence <= OLD.sequence OR NEW.sequence IS DISTINCT FROM last) THEN
                RAISE EXCEPTION '{HISTORY}: the head only moves forward'
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END""",
    )  # fmt: skip


def m0005_known_images(connection: Connection) -> None:
    """The index of known images; ``revision`` tells when hashes held in memory are out of date."""
    _run(
        connection,
        f"""CREATE TABLE known_image (
            image_id {TEXT} NOT NULL PRIMARY KEY,
            name {TEXT} NOT NULL,
            caption {TEXT} NOT NULL,
            published {TEXT},
            source {TEXT},
            url {TEXT},
            taken {TEXT},
            place {TEXT},
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            text {TEXT} NOT NULL,
            hashes BYTEA NOT NULL,
            thumbnail BYTEA NOT NULL,
            vector BYTEA NOT NULL
        )""",
    )
    _run(
        connection,
        """CREATE TABLE known_image_change (
            one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
            revision INTEGER NOT NULL
        )""",
    )
    _run(connection, "INSERT INTO known_image_change VALUES (1, 0)")
    _run(
        connection,
        """CREATE FUNCTION factdesk_image_changed() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            EXECUTE format('UPDATE %I.known_image_change SET revision = revision + 1', TG_TABLE_SCHEMA);
            RETURN NULL;
        END $body$""",
    )
    _run(
        connection,
        "CREATE TRIGGER known_image_after AFTER INSERT OR DELETE OR UPDATE OF hashes ON known_image "
        "FOR EACH ROW EXECUTE FUNCTION factdesk_image_changed()",
    )


def m0006_trust(connection: Connection) -> None:
    """Claims of documents, how they bear on each other, and what users said about whom to trust."""
    _run(
        connection,
        f"""CREATE TABLE trust_document (
            corpus {TEXT} NOT NULL,
            doc_id {TEXT} NOT NULL,
            row_sha256 {TEXT} NOT NULL,
            extraction {TEXT} NOT NULL,
            dropped INTEGER NOT NULL,
            paired INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (corpus, doc_id),
            FOREIGN KEY (corpus, doc_id) REFERENCES document (corpus, doc_id) ON DELETE CASCADE
        )""",
    )
    _run(
        connection,
        f"""CREATE TABLE trust_claim (
            corpus {TEXT} NOT NULL,
            claim_id {TEXT} NOT NULL,
            doc_id {TEXT} NOT NULL,
            start_at INTEGER NOT NULL,
            end_at INTEGER NOT NULL,
            source {TEXT} NOT NULL,
            text {TEXT} NOT NULL,
            vector BYTEA NOT NULL,
            PRIMARY KEY (corpus, claim_id),
            FOREIGN KEY (corpus, doc_id) REFERENCES trust_document (corpus, doc_id) ON DELETE CASCADE
        )""",
    )
    _run(connection, "CREATE INDEX trust_claim_document ON trust_claim (corpus, doc_id)")
    _run(
        connection,
        f"""CREATE TABLE trust_relation (
            corpus {TEXT} NOT NULL,
            source {TEXT} NOT NULL,
            target {TEXT} NOT NULL,
            similarity DOUBLE PRECISION NOT NULL,
            weight DOUBLE PRECISION NOT NULL,
            model {TEXT} NOT NULL,
            PRIMARY KEY (corpus, source, target),
            FOREIGN KEY (corpus, source) REFERENCES trust_claim (corpus, claim_id) ON DELETE CASCADE,
            FOREIGN KEY (corpus, target) REFERENCES trust_claim (corpus, claim_id) ON DELETE CASCADE
        )""",
    )
    _run(connection, "CREATE INDEX trust_relation_target ON trust_relation (corpus, target)")
    _run(
        connection,
        f"""CREATE TABLE trust_seed (
            corpus {TEXT} NOT NULL REFERENCES corpus (name) ON DELETE CASCADE,
            kind {TEXT} NOT NULL CHECK (kind IN ('document', 'publisher')),
            name {TEXT} NOT NULL,
            PRIMARY KEY (corpus, kind, name)
        )""",
    )


def m0007_graph(connection: Connection) -> None:
    """Knowledge graphs of corpora: triples by document, and the entities they were merged into."""
    _run(
        connection,
        f"""CREATE TABLE graph_document (
            corpus {TEXT} NOT NULL REFERENCES corpus (name) ON DELETE CASCADE,
            doc_id {TEXT} NOT NULL,
            row_sha256 {TEXT} NOT NULL,
            extractor {TEXT} NOT NULL,
            PRIMARY KEY (corpus, doc_id)
        )""",
    )
    _run(
        connection,
        f"""CREATE TABLE graph_triple (
            corpus {TEXT} NOT NULL,
            doc_id {TEXT} NOT NULL,
            number INTEGER NOT NULL,
            triple_json {TEXT} NOT NULL,
            PRIMARY KEY (corpus, doc_id, number),
            FOREIGN KEY (corpus, doc_id) REFERENCES graph_document (corpus, doc_id) ON DELETE CASCADE
        )""",
    )
    _run(
        connection,
        f"""CREATE TABLE graph_entity (
            corpus {TEXT} NOT NULL REFERENCES corpus (name) ON DELETE CASCADE,
            entity_id {TEXT} NOT NULL,
            entity_json {TEXT} NOT NULL,
            PRIMARY KEY (corpus, entity_id)
        )""",
    )


MIGRATIONS: tuple[Step, ...] = (
    m0001_documents, m0002_ledger, m0003_snapshots, m0004_signatures, m0005_known_images, m0006_trust,
    m0007_graph,
)  # fmt: skip
"""In order; each has the number and name of its like in ``migrations.py``."""


def migrate(connection: Connection, name: str, steps: tuple[Step, ...] = MIGRATIONS) -> int:
    """Bring a database to the newest schema; returns how many steps ran here.

    Each step is a transaction of its own that waits for other processes that migrate. A current database
    is only read, so its user needs no right to make tables. Raises ``InputError`` for a database that is not
    UTF-8, holds tables of another program, or has a newer schema than known.
    """
    ran = 0
    if _version(connection, name, len(steps)) == len(steps):
        return ran
    for number, step in enumerate(steps, start=1):
        with connection.begin():
            _run(connection, f"SELECT pg_advisory_xact_lock({APPLICATION_ID}, {_SCHEMA_AREA})")
            if _number(connection, name) < number:
                step(connection)
                if number == 1:
                    _run(connection, "CREATE TABLE factdesk_schema (version INTEGER NOT NULL)")
                    _run(connection, "INSERT INTO factdesk_schema VALUES (1)")
                else:
                    _run(connection, f"UPDATE factdesk_schema SET version = {number}")
                ran += 1
    return ran


def _version(connection: Connection, name: str, newest: int) -> int:
    with connection.begin():
        encoding = _run(connection, "SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise InputError(f"the database {name!r} holds {encoding!r} text; make one with ENCODING 'UTF8'")
        # Whose tables they are is asked under the lock alone: others may be making ours just now.
        version = _number(connection, name) if _has(connection, "factdesk_schema") else 0
    if version > newest:
        raise InputError(
            f"the database {name!r} has schema {version}, this factdesk knows up to {newest}; update factdesk"
        )
    return version


def _number(connection: Connection, name: str) -> int:
    if not _has(connection, "factdesk_schema"):
        if _has(connection, "document") or _has(connection, "ledger"):
            raise InputError(
                f"the database {name!r} holds tables of another program; give a database of its own"
            )
        return 0
    return int(str(_run(connection, "SELECT version FROM factdesk_schema").scalar_one()))


def _has(connection: Connection, table: str) -> bool:
    # Not to_regclass: what it did not find it goes on not finding, also when the lock was waited for.
    return bool(
        _run(
            connection,
            "SELECT count(*) FROM pg_catalog.pg_class c "
            "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
            f"WHERE c.relname = '{table}' AND n.nspname = ANY (current_schemas(false))",
        ).scalar_one()
    )
