"""What can be made again from what is stored: search indexes, caches, the file of running checks. Certificates,
documents, pictures and keys cannot: a damaged database wants its backup.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from factdesk.kernel import BackendUnavailable, FactdeskError
from factdesk.settings import Settings

FIX = "Run factdesk doctor --fix."


@dataclass(frozen=True)
class Fault:
    """Something that is not as it should be and can be made again; ``corpus`` is empty for a whole file."""

    path: Path
    what: str
    corpus: str = ""


def index_places(settings: Settings) -> tuple[tuple[Path, Path], ...]:
    """Each database with corpora, and the folder of their indexes: stored ones, and those read on the fly."""
    paths = settings.paths
    return (paths.database, paths.index), (paths.cache / "corpora.sqlite", paths.cache / "index")


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing and waits a second at most."""
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1.0)


def index_faults(database: Path, index: Path) -> list[Fault]:
    """Corpora of a database whose index is missing, behind, or not what was written; reads all files of the indexes.
    Raises ``sqlite3.Error`` where the database cannot be read.
    """
    found = []
    for corpus, documents in _corpora(database):
        folder = index / corpus
        if why := _index_fault(folder, documents):
            found.append(Fault(folder, f"index of corpus {corpus!r}: {why}", corpus))
    return found


def file_faults(settings: Settings) -> list[Fault]:
    """Caches and the file of running checks, where SQLite cannot read them."""
    paths = settings.paths
    files = {
        paths.cache / "corpora.sqlite": "cache of folders that were read",
        paths.cache / "scores.sqlite": "cache of scores",
        paths.checkpoints: "file of running checks",
    }
    return [Fault(path, f"{what}: {why}") for path, what in files.items() if (why := _sqlite_fault(path))]


def fix(settings: Settings) -> tuple[str, ...]:
    """Make again what can be; one sentence for each thing that was done or could not be done."""
    done = [_put_aside(fault, settings) for fault in file_faults(settings)]
    for database, index in index_places(settings):
        try:
            faults = index_faults(database, index)
        except sqlite3.Error as error:
            done.append(f"not fixed: {str(database)!r} cannot be read ({error}); restore it from a backup")
            continue
        done += [_index_anew(settings, database, index, fault) for fault in faults]
    return tuple(done)


def _put_aside(fault: Fault, settings: Settings) -> str:
    """Caches go; the file of running checks is kept under another name."""
    path = fault.path
    try:
        if path == settings.paths.checkpoints:
            path.replace(path.with_name(f"{path.name}.damaged"))
            said = "put aside; checks that were stopped have to be made anew"
        else:
            path.unlink()
            said = "removed; it is made again when it is needed"
            if path.name == "corpora.sqlite":
                shutil.rmtree(path.parent / "index", ignore_errors=True)
        for end in ("-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    except OSError as error:
        return f"not fixed: {fault.what}; {error.strerror or error}"
    return f"{fault.what}: {said}"


def _index_anew(settings: Settings, database: Path, index: Path, fault: Fault) -> str:
    from evidence.index.sync import IndexRoot
    from factdesk.corpora.stored import Corpora
    from store.documents import SqlDocumentStore
    from store.engine import open_engine

    try:
        store = SqlDocumentStore(open_engine(database))
        root = IndexRoot(index, Corpora(settings).embedder)
        root.drop(fault.corpus)
        synced = root.sync(store, fault.corpus)
        store.set_span_count(fault.corpus, synced.spans)
    except FactdeskError as error:
        return f"not fixed: {fault.what}; {error}"
    return f"{fault.what}: made anew, {synced.spans} sentences of {synced.documents} documents"


def _corpora(database: Path) -> Iterator[tuple[str, int]]:
    if not database.is_file():
        return
    with closing(read_only(database)) as connection:
        yield from connection.execute(
            "SELECT c.name, count(d.doc_id) FROM corpus c LEFT JOIN document d ON d.corpus = c.name "
            "GROUP BY c.name ORDER BY c.name"
        ).fetchall()


def _index_fault(folder: Path, documents: int) -> str:
    from evidence.index.database import FILE, verified

    if not (folder / FILE).is_file():
        return "missing"
    try:
        manifest = verified(folder)
    except BackendUnavailable:
        return "damaged, not what was written"
    return "" if manifest.documents == documents else f"{manifest.documents} documents, not {documents}"


def _sqlite_fault(path: Path) -> str:
    if not path.is_file():
        return ""
    try:
        with closing(read_only(path)) as connection:
            [found] = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            return ""  # in use, so not damaged
        return str(error)
    return "" if found == "ok" else f"damaged: {found}"
