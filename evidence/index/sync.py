"""The indexes of all corpora below one folder: opened, brought in step with the store, dropped."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from evidence.index.corpus_index import CorpusIndex
from evidence.index.database import (
    FILE,
    LOCK,
    IndexDamaged,
    Manifest,
    connected,
    created,
    read_manifest,
    verify,
)
from evidence.index.writer import Progress, Writer
from evidence.types import DocumentStore, Embedder
from factdesk.kernel import BackendUnavailable, private_folder

CHECKED_UP_TO = 20_000
"""Spans of an index that is compared with its hashes before it is changed; in a larger one that would take
longer than the change, and ``factdesk doctor`` does it."""
_REFUSED = (
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN),
)
"""What SQLite says where the disk and not the index is at fault."""


@dataclass(frozen=True)
class SyncResult:
    """What ``sync`` did. ``embedded`` and ``reused`` count spans, ``documents`` and ``spans`` are totals."""

    corpus: str
    changed: bool
    rebuilt: bool
    """The old index was damaged, or made by other versions or another embedder."""
    documents: int
    spans: int
    embedded: int = 0
    reused: int = 0


class IndexRoot:
    """The indexes of all corpora below one folder (made when first needed), all made with one embedder.
    ``lock_seconds``: how long to wait for another process that writes the same index.
    """

    def __init__(self, root: Path, embedder: Embedder, *, lock_seconds: float = 600.0) -> None:
        self._root = root
        self._embedder = embedder
        self._lock_seconds = lock_seconds

    def folder(self, corpus: str) -> Path:
        """Where a corpus's index lies."""
        return self._root / corpus

    def open(self, corpus: str) -> CorpusIndex:
        """The index in use. Raises ``IndexDamaged`` (it cannot be read, or other versions or another embedder made it;
        ``sync`` mends), ``BackendUnavailable`` (there is none yet).
        """
        index = CorpusIndex(self.folder(corpus))
        if not index.manifest.made_by(self._embedder.fingerprint):
            index.close()
            raise IndexDamaged(f"the index of corpus {corpus!r} was made by other versions; sync the corpus")
        return index

    def sync(self, store: DocumentStore, corpus: str, progress: Progress | None = None) -> SyncResult:
        """Bring the index in step with the store: embed what is new or changed, drop what is gone. A damaged index is
        made anew; a writer that is killed leaves the old one in use, and the next goes on from what it had embedded.
        Raises ``BackendUnavailable``: another process holds the index for too long, or the disk refuses.
        """
        folder = self.folder(corpus)
        found = self._unchanged(corpus, store.state(corpus))
        if found is not None:
            return found
        from filelock import FileLock, Timeout

        try:
            private_folder(folder)
            with FileLock(folder / LOCK, timeout=self._lock_seconds):
                state = store.state(corpus)  # before the hashes: what comes in between is seen the next time
                found = self._unchanged(corpus, state)  # another process has written meanwhile
                return found or self._write(store, corpus, state, progress)
        except Timeout as error:
            raise BackendUnavailable(
                f"another process has been writing the index of {corpus!r} for over {self._lock_seconds} s"
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise BackendUnavailable(
                f"the index in {str(folder)!r} cannot be written ({error}); free space, or move it"
            ) from error

    def drop(self, corpus: str) -> None:
        """Remove a corpus's index, if there is one."""
        shutil.rmtree(self.folder(corpus), ignore_errors=True)

    def _unchanged(self, corpus: str, state: str) -> SyncResult | None:
        """The result where the index was made of this state of the store."""
        try:
            with closing(self.open(corpus)) as index:
                made = index.manifest
        except BackendUnavailable:
            return None
        if not state or made.store_state != state:
            return None
        return SyncResult(corpus, False, False, made.documents, made.spans)

    def _write(self, store: DocumentStore, corpus: str, state: str, progress: Progress | None) -> SyncResult:
        folder = self.folder(corpus)

        def written(connection: sqlite3.Connection, *, rebuilt: bool) -> SyncResult:
            with closing(connection):
                writer = Writer(connection, self._embedder, progress)
                changed = writer.write(store, corpus, state)
                made = read_manifest(connection)
            reused = made.spans - writer.embedded if changed else 0
            return SyncResult(corpus, changed, rebuilt, made.documents, made.spans, writer.embedded, reused)

        there = (folder / FILE).exists()
        if there:
            try:
                return written(self._sound(folder), rebuilt=False)
            except (IndexDamaged, sqlite3.Error, ValueError) as error:
                _raise_refusal(error)
        empty = Manifest(embedder=self._embedder.fingerprint, dimension=self._embedder.dimension)
        return written(created(folder, empty), rebuilt=there)

    def _sound(self, folder: Path) -> sqlite3.Connection:
        """The index, which may be changed. Raises ``IndexDamaged`` where it has to be made anew."""
        connection = connected(folder / FILE, "rw")
        try:
            if not read_manifest(connection).made_by(self._embedder.fingerprint):
                raise IndexDamaged(f"the index in {str(folder)!r} was made by other versions")
            [size] = connection.execute("SELECT coalesce(max(row), -1) + 1 FROM spans").fetchone()
            if size <= CHECKED_UP_TO:
                verify(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _raise_refusal(error: Exception) -> None:
    """Raise what the disk or another process is the cause of: a new index would not help."""
    cause = error if isinstance(error, sqlite3.Error) else error.__cause__
    if isinstance(cause, sqlite3.Error) and getattr(cause, "sqlite_errorcode", 0) & 0xFF in _REFUSED:
        raise cause
