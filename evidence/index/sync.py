"""The indexes of all corpora below one folder: opened, brought in step with the store, dropped."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evidence.index.build import Progress
from evidence.index.format import (
    LOCK,
    IndexDamaged,
    current_generation,
    pending_segments,
    point_to,
    sweep,
    verify_hashes,
)
from evidence.index.merge import ONE_SEGMENT, Generation, Held, Writer
from evidence.index.segment import Segment, Vectors, old_vectors
from evidence.types import DocumentStore, Embedder
from factdesk.kernel import BackendUnavailable

if TYPE_CHECKING:
    from evidence.index.corpus_index import CorpusIndex

TRIES = 5
"""So often the pointer is read again when a writer moved it while an index was being opened."""


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


@dataclass
class _Before:
    """What there is when a writer begins."""

    held: list[Held]
    known: list[Vectors]
    rebuilt: bool


class IndexRoot:
    """The indexes of all corpora below one folder, all made with one embedder.

    Args:
        root: folder for the indexes; made when first needed.
        embedder: makes the vectors.
        lock_seconds: how long to wait for another process that writes the same index.
    """

    def __init__(self, root: Path, embedder: Embedder, *, lock_seconds: float = 600.0) -> None:
        self._root = root
        self._embedder = embedder
        self._lock_seconds = lock_seconds

    def folder(self, corpus: str) -> Path:
        """Where a corpus's index lies."""
        return self._root / corpus

    def open(self, corpus: str) -> CorpusIndex:
        """The index in use.

        Raises:
            IndexDamaged: it cannot be read, or other versions or another embedder made it; ``sync`` mends.
            BackendUnavailable: there is none yet.
        """
        from evidence.index.corpus_index import CorpusIndex

        folder = self.folder(corpus)
        for left in reversed(range(TRIES)):
            generation = current_generation(folder)
            if generation is None:
                raise BackendUnavailable(f"corpus {corpus!r} has no index yet; sync it first")
            try:
                index = CorpusIndex(generation)
            except IndexDamaged:
                # A writer may have moved the pointer between the two looks; look once more.
                if not left or current_generation(folder) == generation:
                    raise
                continue
            if not index.manifest.made_by(self._embedder.fingerprint):
                index.close()
                raise IndexDamaged(
                    f"the index of corpus {corpus!r} was made by other versions; sync the corpus"
                )
            return index
        raise IndexDamaged(f"the index of corpus {corpus!r} changes too fast to be opened; try again")

    def sync(self, store: DocumentStore, corpus: str, progress: Progress | None = None) -> SyncResult:
        """Bring the index in step with the store: embed what is new or changed, drop what is gone.

        Nothing is written when nothing changed. A damaged index is made anew from the store.

        Raises:
            BackendUnavailable: another process holds the index for too long, or the disk refuses.
        """
        folder = self.folder(corpus)
        seen = _pointer(folder)
        wanted = store.document_hashes(corpus)
        found = self._fresh(corpus, wanted)
        if found is not None:
            return found
        from filelock import FileLock, Timeout

        try:
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / LOCK, timeout=self._lock_seconds):
                if _pointer(folder) != seen:  # another process has written meanwhile
                    wanted = store.document_hashes(corpus)
                    found = self._fresh(corpus, wanted)
                return found or self._write(store, corpus, wanted, progress)
        except Timeout as error:
            raise BackendUnavailable(
                f"another process has been writing the index of {corpus!r} for over {self._lock_seconds} s"
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise BackendUnavailable(
                f"the index in {str(folder)!r} cannot be written ({error}); free space, or move it"
            ) from error

    def drop(self, corpus: str) -> bool:
        """Remove a corpus's index; whether there was one."""
        folder = self.folder(corpus)
        existed = folder.is_dir()
        shutil.rmtree(folder, ignore_errors=True)
        return existed

    def _fresh(self, corpus: str, wanted: Mapping[str, str]) -> SyncResult | None:
        try:
            index = self.open(corpus)
        except BackendUnavailable:
            return None
        try:
            if index.hashes() != wanted:
                return None
            return SyncResult(corpus, False, False, index.manifest.documents, index.manifest.spans)
        except IndexDamaged:
            return None
        finally:
            index.close()

    def _write(
        self, store: DocumentStore, corpus: str, wanted: Mapping[str, str], progress: Progress | None
    ) -> SyncResult:
        folder = self.folder(corpus)

        def write(before: _Before) -> Generation:
            writer = Writer(folder, self._embedder, before.held, before.known, progress)
            return writer.write(store, corpus, wanted)

        before = self._before(folder)
        try:
            made = write(before)
        except (IndexDamaged, sqlite3.Error):
            # The old rows turned out unreadable on the way: do without them.
            before.rebuilt = True
            made = write(_Before([], [], True))
        point_to(folder, made.folder)
        sweep(folder, keep=(made.folder.name, *made.manifest.segments))
        spans = made.manifest.spans
        return SyncResult(
            corpus, True, before.rebuilt, made.manifest.documents, spans, made.embedded, spans - made.embedded
        )

    def _before(self, folder: Path) -> _Before:
        """What can be taken over: segments as they are, or their vectors alone."""
        held: list[Held] = []
        known: list[Vectors] = []
        rebuilt = False
        try:
            generation = current_generation(folder)
            if generation is not None:
                held, known, rebuilt = self._taken_over(generation)
        except (IndexDamaged, OSError):
            held, known, rebuilt = [], [], True
        names = {part.segment.name for part in held}
        for path in pending_segments(folder):
            if path.name in names:
                continue
            try:
                segment = Segment(path)
                segment.verify()
            except IndexDamaged:
                continue
            if segment.manifest.made_by(self._embedder.fingerprint):
                held.append(Held(segment, verified=True))
        return _Before(held, known, rebuilt)

    def _taken_over(self, generation: Path) -> tuple[list[Held], list[Vectors], bool]:
        """Of the generation in use. In a small index all files are compared with their hashes, and vectors
        of documents that changed are used again; in a large one this would take longer than it saves.
        """
        from evidence.index.corpus_index import CorpusIndex

        try:
            index = CorpusIndex(generation)
        except IndexDamaged:
            vectors = old_vectors(generation, self._embedder.fingerprint)
            return [], [] if vectors is None else [vectors], True
        verify_hashes(generation, index.manifest)
        same_embedder = index.manifest.embedder == self._embedder.fingerprint
        same = index.manifest.made_by(self._embedder.fingerprint)
        check = not same or sum(len(segment) for segment in index.segments) <= ONE_SEGMENT
        if check:
            for segment in index.segments:
                segment.verify()
        known = [Vectors(s.rows, s.vectors) for s in index.segments] if check and same_embedder else []
        if not same:
            return [], known, True
        pairs = zip(index.segments, index.dead, strict=True)
        return [Held(segment, set(dead), verified=check) for segment, dead in pairs], known, False


def _pointer(folder: Path) -> str:
    """The generation in use, or what stands in its place."""
    try:
        return str(current_generation(folder))
    except IndexDamaged as error:
        return str(error)
