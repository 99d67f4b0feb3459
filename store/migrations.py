"""The schema of the history as numbered steps; ``PRAGMA user_version`` holds the number of the last one.

A step is never changed once released: a new one is added. Each runs in a transaction of its
own that takes the write lock first and reads the version again, so two processes that start
at once do not disturb each other, and a step that fails leaves nothing behind.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from factdesk.kernel import InputError

APPLICATION_ID = 0x46444B31
"""``FDK1``: tells our files from other SQLite databases."""

Step = Callable[[sqlite3.Connection], None]


def m0001_documents(connection: sqlite3.Connection) -> None:
    """Corpora and their documents."""
    connection.execute(
        """CREATE TABLE corpus (
            name VARCHAR NOT NULL PRIMARY KEY,
            span_count INTEGER NOT NULL DEFAULT 0,
            updated VARCHAR NOT NULL
        )"""
    )
    connection.execute(
        """CREATE TABLE document (
            corpus VARCHAR NOT NULL REFERENCES corpus (name) ON DELETE CASCADE,
            doc_id VARCHAR NOT NULL,
            row_sha256 VARCHAR NOT NULL,
            sha256 VARCHAR NOT NULL,
            title VARCHAR NOT NULL,
            url VARCHAR,
            publisher VARCHAR,
            published VARCHAR,
            retrieved VARCHAR,
            source VARCHAR,
            media_type VARCHAR NOT NULL,
            text VARCHAR NOT NULL,
            PRIMARY KEY (corpus, doc_id)
        )"""
    )


def m0002_ledger(connection: sqlite3.Connection) -> None:
    """The append-only history of certificates, and its word index."""
    connection.execute(
        """CREATE TABLE ledger (
            sequence INTEGER NOT NULL PRIMARY KEY,
            certificate_id VARCHAR NOT NULL UNIQUE,
            created VARCHAR NOT NULL,
            claim_text VARCHAR NOT NULL,
            verdict VARCHAR NOT NULL,
            verified INTEGER NOT NULL,
            unverified INTEGER NOT NULL,
            blocked INTEGER NOT NULL,
            body_sha256 VARCHAR NOT NULL,
            previous_sha256 VARCHAR,
            envelope_sha256 VARCHAR NOT NULL,
            certificate_json VARCHAR NOT NULL
        )"""
    )
    connection.execute("CREATE INDEX ledger_created ON ledger (created)")
    for action in ("UPDATE", "DELETE"):
        connection.execute(
            f"""CREATE TRIGGER ledger_no_{action.lower()} BEFORE {action} ON ledger
            BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END"""
        )
    # INSERT OR REPLACE deletes without firing delete triggers: whatever is not the next link is refused.
    connection.execute(
        """CREATE TRIGGER ledger_next_only BEFORE INSERT ON ledger
        WHEN NEW.sequence IS NOT (SELECT COALESCE(MAX(sequence), 0) + 1 FROM ledger)
          OR NEW.previous_sha256 IS NOT (SELECT envelope_sha256 FROM ledger ORDER BY sequence DESC LIMIT 1)
          OR EXISTS (SELECT 1 FROM ledger WHERE certificate_id = NEW.certificate_id)
        BEGIN SELECT RAISE(ABORT, 'the history is append-only: not the next certificate'); END"""
    )
    connection.execute(
        """CREATE VIRTUAL TABLE ledger_words USING fts5(
            claim, evidence, content='', tokenize="unicode61 remove_diacritics 2")"""
    )


def m0003_snapshots(connection: sqlite3.Connection) -> None:
    """Web pages that certificates cite."""
    connection.execute(
        """CREATE TABLE snapshot (
            sha256 VARCHAR NOT NULL,
            doc_id VARCHAR NOT NULL,
            url VARCHAR NOT NULL,
            retrieved VARCHAR,
            body_sha256 VARCHAR NOT NULL,
            charset VARCHAR,
            document_json VARCHAR NOT NULL,
            body_zlib BLOB NOT NULL,
            PRIMARY KEY (sha256, doc_id)
        )"""
    )
    connection.execute("CREATE INDEX snapshot_body ON snapshot (body_sha256)")
    connection.execute(
        """CREATE TRIGGER snapshot_no_update BEFORE UPDATE ON snapshot
        BEGIN SELECT RAISE(ABORT, 'snapshots are never changed'); END"""
    )


def m0004_signatures(connection: sqlite3.Connection) -> None:
    """Who signed, what a certificate replaces, and the signed head, which only moves forward."""
    connection.execute(
        """CREATE TABLE ledger_link (
            sequence INTEGER NOT NULL PRIMARY KEY REFERENCES ledger (sequence),
            key_id VARCHAR,
            supersedes VARCHAR
        )"""
    )
    connection.execute("CREATE INDEX ledger_link_supersedes ON ledger_link (supersedes)")
    connection.execute(
        """CREATE TABLE ledger_head (
            one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
            sequence INTEGER NOT NULL,
            head_json VARCHAR NOT NULL
        )"""
    )
    for table, action in (("ledger_link", "UPDATE"), ("ledger_link", "DELETE"), ("ledger_head", "DELETE")):
        connection.execute(
            f"""CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table}
            BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END"""
        )
    connection.execute(
        """CREATE TRIGGER ledger_link_once BEFORE INSERT ON ledger_link
        WHEN EXISTS (SELECT 1 FROM ledger_link WHERE sequence = NEW.sequence)
        BEGIN SELECT RAISE(ABORT, 'the history is append-only: the link is there already'); END"""
    )
    connection.execute(
        """CREATE TRIGGER ledger_head_once BEFORE INSERT ON ledger_head
        WHEN EXISTS (SELECT 1 FROM ledger_head)
          OR NEW.sequence IS NOT (SELECT MAX(sequence) FROM ledger)
        BEGIN SELECT RAISE(ABORT, 'the history is append-only: there is a head'); END"""
    )
    connection.execute(
        """CREATE TRIGGER ledger_head_forward BEFORE UPDATE ON ledger_head
        WHEN NEW.sequence <= OLD.sequence OR NEW.sequence IS NOT (SELECT MAX(sequence) FROM ledger)
        BEGIN SELECT RAISE(ABORT, 'the history is append-only: the head only moves forward'); END"""
    )


def m0005_known_images(connection: sqlite3.Connection) -> None:
    """The index of known images; ``revision`` tells when hashes held in memory are out of date."""
    connection.execute(
        """CREATE TABLE known_image (
            image_id VARCHAR NOT NULL PRIMARY KEY,
            name VARCHAR NOT NULL,
            caption VARCHAR NOT NULL,
            published VARCHAR,
            source VARCHAR,
            url VARCHAR,
            taken VARCHAR,
            place VARCHAR,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            text VARCHAR NOT NULL,
            hashes BLOB NOT NULL,
            thumbnail BLOB NOT NULL,
            vector BLOB NOT NULL
        )"""
    )
    connection.execute(
        """CREATE TABLE known_image_change (
            one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
            revision INTEGER NOT NULL
        )"""
    )
    connection.execute("INSERT INTO known_image_change VALUES (1, 0)")
    for action in ("INSERT", "DELETE", "UPDATE OF hashes"):
        connection.execute(
            f"""CREATE TRIGGER known_image_after_{action.split()[0].lower()} AFTER {action} ON known_image
            BEGIN UPDATE known_image_change SET revision = revision + 1; END"""
        )


def m0007_graph(connection: sqlite3.Connection) -> None:
    """Knowledge graphs of corpora: triples by document, and the entities they were merged into."""
    connection.execute(
        """CREATE TABLE graph_document (
            corpus VARCHAR NOT NULL REFERENCES corpus (name) ON DELETE CASCADE,
            doc_id VARCHAR NOT NULL,
            row_sha256 VARCHAR NOT NULL,
            extractor VARCHAR NOT NULL,
            PRIMARY KEY (corpus, doc_id)
        )"""
    )
    connection.execute(
        """CREATE TABLE graph_triple (
            corpus VARCHAR NOT NULL,
            doc_id VARCHAR NOT NULL,
            number INTEGER NOT NULL,
            triple_json VARCHAR NOT NULL,
            PRIMARY KEY (corpus, doc_id, number),
            FOREIGN KEY (corpus, doc_id) REFERENCES graph_document (corpus, doc_id) ON DELETE CASCADE
        )"""
    )
    connection.execute(
        """CREATE TABLE graph_entity (
            corpus VARCHAR NOT NULL REFERENCES corpus (name) ON DELETE CASCADE,
            entity_id VARCHAR NOT NULL,
            entity_json VARCHAR NOT NULL,
            PRIMARY KEY (corpus, entity_id)
        )"""
    )


def m0006_trust(connection: sqlite3.Connection) -> None:
    """Claims of documents, how they bear on each other, and what users said about whom to trust."""
    connection.execute(
        """CREATE TABLE trust_document (
            corpus VARCHAR NOT NULL,
            doc_id VARCHAR NOT NULL,
            row_sha256 VARCHAR NOT NULL,
            extraction VARCHAR NOT NULL,
            dropped INTEGER NOT NULL,
            paired INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (corpus, doc_id),
            FOREIGN KEY (corpus, doc_id) REFERENCES document (corpus, doc_id) ON DELETE CASCADE
        )"""
    )
    connection.execute(
        """CREATE TABLE trust_claim (
            corpus VARCHAR NOT NULL,
            claim_id VARCHAR NOT NULL,
            doc_id VARCHAR NOT NULL,
            start_at INTEGER NOT NULL,
            end_at INTEGER NOT NULL,
            source VARCHAR NOT NULL,
            text VARCHAR NOT NULL,
            vector BLOB NOT NULL,
            PRIMARY KEY (corpus, claim_id),
            FOREIGN KEY (corpus, doc_id) REFERENCES trust_document (corpus, doc_id) ON DELETE CASCADE
        )"""
    )
    connection.execute("CREATE INDEX trust_claim_document ON trust_claim (corpus, doc_id)")
    connection.execute(
        """CREATE TABLE trust_relation (
            corpus VARCHAR NOT NULL,
            source VARCHAR NOT NULL,
            target VARCHAR NOT NULL,
            similarity REAL NOT NULL,
            weight REAL NOT NULL,
            model VARCHAR NOT NULL,
            PRIMARY KEY (corpus, source, target),
            FOREIGN KEY (corpus, source) REFERENCES trust_claim (corpus, claim_id) ON DELETE CASCADE,
            FOREIGN KEY (corpus, target) REFERENCES trust_claim (corpus, claim_id) ON DELETE CASCADE
        )"""
    )
    connection.execute("CREATE INDEX trust_relation_target ON trust_relation (corpus, target)")
    connection.execute(
        """CREATE TABLE trust_seed (
            corpus VARCHAR NOT NULL REFERENCES corpus (name) ON DELETE CASCADE,
            kind VARCHAR NOT NULL CHECK (kind IN ('document', 'publisher')),
            name VARCHAR NOT NULL,
            PRIMARY KEY (corpus, kind, name)
        )"""
    )


MIGRATIONS: tuple[Step, ...] = (
    m0001_documents, m0002_ledger, m0003_snapshots, m0004_signatures, m0005_known_images, m0006_trust,
    m0007_graph,
)  # fmt: skip
"""In order; ``user_version`` counts them."""


def migrate(connection: sqlite3.Connection, path: str, steps: tuple[Step, ...] = MIGRATIONS) -> int:
    """Bring a database to the newest schema; returns how many steps ran here.

    ``connection`` must be in autocommit mode (``isolation_level=None``). A current database is only
    read. Raises ``InputError`` for a database that is not ours or has a newer schema than known.
    """
    check_ours(connection, path, len(steps))
    ran = 0
    for number, step in enumerate(steps, start=1):
        if _number(connection, "user_version") >= number:
            continue
        connection.execute("BEGIN IMMEDIATE")
        try:
            if _number(connection, "user_version") < number:
                step(connection)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {number}")
                ran += 1
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    return ran


def check_ours(connection: sqlite3.Connection, path: str, newest: int = len(MIGRATIONS)) -> None:
    """Refuse a foreign database and a schema newer than ``newest``. An empty database is welcome."""
    # One transaction: another process may be creating the schema just now.
    connection.execute("BEGIN")
    try:
        application = _number(connection, "application_id")
        version = _number(connection, "user_version")
        (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    if application != APPLICATION_ID and (tables or application or version):
        raise InputError(f"the database {path!r} belongs to another program; give another path")
    if version > newest:
        raise InputError(
            f"the database {path!r} has schema {version}, this factdesk knows up to {newest}; update factdesk"
        )


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    (value,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)
