"""The file of a corpus's index: an SQLite database with a full-text table (FTS5) and a column of vectors. Readers see
the last committed state (write-ahead log) and keep it as long as they like. Documents count once their ``live`` is 1: a
writer puts new ones in batch by batch, and makes them count in one last transaction.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from contextlib import closing
from importlib.resources import files
from pathlib import Path

from evidence.segmentation.spans import SEGMENT_VERSION
from factdesk.kernel import BackendUnavailable, Fingerprint, Record
from language.tokens import TOKENS_VERSION

INDEX_VERSION = "7"
"""Of the file. Raised when it changes, so that indexes are made anew."""
RANKING_VERSION = "3"
"""Of the numbers that an index gives; in the retriever's fingerprint. The file may change without it."""
VERSIONS = f"{INDEX_VERSION} {SEGMENT_VERSION} {TOKENS_VERSION}"
"""Of the file, of its spans and of their words."""
FILE = "index.sqlite"
LOCK = "write.lock"
BUSY_SECONDS = 30.0
_HASHED = (
    "SELECT first, doc_id, stored_hash, sha256, title, url, publisher, published, retrieved, lead, host, publisher_key,"
    " rows, words FROM documents WHERE number = ?",
    "SELECT lengths, codes FROM packed WHERE document = ?",
    "SELECT s.*, t.words, v.vector FROM documents d JOIN spans s ON s.row >= d.first AND s.row < d.first + d.rows"
    " LEFT JOIN terms t ON t.rowid = s.row LEFT JOIN vectors v ON v.row = s.row WHERE d.number = ? ORDER BY s.row",
)
"""All that is kept of a document."""


class IndexDamaged(BackendUnavailable):
    """The index is cut short, altered or unreadable. ``sync`` makes it anew."""


class Manifest(Record):
    """What an index holds, and with which parts it was made; the numbers are over documents that count."""

    state: str = ""
    """Another one after each change; empty until a first writer has finished."""
    store_state: str = ""
    """State of the store that it was last compared with (``DocumentStore.state``)."""
    versions: str = VERSIONS
    embedder: Fingerprint
    dimension: int
    documents: int = 0
    spans: int = 0
    words: int = 0
    """Of all spans, for the average length in BM25."""

    def made_by(self, embedder: Fingerprint) -> bool:
        """Whether today's code and this embedder would make the same."""
        return (self.versions, self.embedder) == (VERSIONS, embedder)


def connected(path: Path, mode: str) -> sqlite3.Connection:
    """The database; transactions are begun by hand. ``mode`` as SQLite has it: ``ro``, ``rw``, ``rwc``."""
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def created(folder: Path, manifest: Manifest) -> sqlite3.Connection:
    """An empty index in place of all that lies in a folder."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()
    connection = connected(folder / FILE, "rwc")
    connection.executescript(files("evidence.index").joinpath("schema.sql").read_text(encoding="utf-8"))
    write_manifest(connection, manifest)
    return connection


def read_manifest(connection: sqlite3.Connection) -> Manifest:
    """Raises what reading raises, and ``ValueError`` where it is no manifest."""
    found = connection.execute("SELECT json FROM manifest").fetchone()
    return Manifest.model_validate_json(found[0] if found else "")


def write_manifest(connection: sqlite3.Connection, manifest: Manifest) -> None:
    """Put it in the place of the one before."""
    values = (manifest.model_dump_json(),)
    connection.execute("INSERT OR REPLACE INTO manifest VALUES (1, ?)", values)


def digest(connection: sqlite3.Connection, number: int) -> bytes:
    """Hash of all that is kept of a document."""
    total = hashlib.sha256()
    for query in _HASHED:
        for row in connection.execute(query, (number,)):
            total.update(repr(row).encode())
    return total.digest()


def verify(connection: sqlite3.Connection) -> None:
    """Read everything and compare it with the hashes that were written beside it. Raises ``IndexDamaged``."""
    try:
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise IndexDamaged("the pages of the index are damaged; sync the corpus")
        [spans] = connection.execute("SELECT count(*) FROM spans").fetchone()
        for number, doc_id, expected, rows in connection.execute("SELECT number, doc_id, digest, rows FROM documents"):
            if digest(connection, number) != expected:
                raise IndexDamaged(f"{doc_id!r} in the index is not what was written; sync the corpus")
            spans -= rows
        if spans:
            raise IndexDamaged("the index has spans of no document; sync the corpus")
        connection.execute("INSERT INTO terms(terms) VALUES ('integrity-check')")
    except (sqlite3.Error, TypeError) as error:
        raise IndexDamaged(f"the index cannot be read ({error}); sync the corpus") from error


def verified(folder: Path) -> Manifest:
    """The manifest of an index in which everything is as it was written. Raises ``IndexDamaged``."""
    try:
        with closing(connected(folder / FILE, "rw")) as connection:
            verify(connection)
            manifest = read_manifest(connection)
    except (sqlite3.Error, ValueError) as error:
        raise IndexDamaged(f"the index in {str(folder)!r} cannot be read ({error})") from error
    return manifest
