"""The index of a corpus on disk: rows, vectors and BM25, kept in step with the document store.

Readers open the generation that the pointer names and keep it; a writer makes a new one beside it and
moves the pointer. A writer that is killed leaves the old index in use.
"""

from __future__ import annotations

import shutil
import sqlite3
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from evidence import bm25
from evidence.index_build import Previous, Progress, write_generation
from evidence.index_format import (
    BM25,
    LOCK,
    SPANS,
    VECTORS,
    IndexDamaged,
    Manifest,
    current_generation,
    point_to,
    read_manifest,
    sweep,
    verify_hashes,
)
from evidence.index_rows import DocumentRow, Rows
from evidence.types import DocumentStore, Embedder, Span
from factdesk.kernel import BackendUnavailable

__all__ = ["CorpusIndex", "IndexDamaged", "IndexRoot", "SyncResult"]

T = TypeVar("T")
LONGEST_COSINE = 1.01
"""Of two unit vectors, rounding included."""
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, sqlite3.Error)


class CorpusIndex:
    """One generation of a corpus's index, open for reading. Methods may be called from several threads.

    Raises:
        IndexDamaged: a file is missing, cut short or unreadable.
    """

    def __init__(self, generation: Path) -> None:
        self.generation = generation
        self.manifest: Manifest = read_manifest(generation)
        try:
            self._rows = Rows(generation / SPANS)
            weakref.finalize(self, self._rows.close)
            count = self._rows.count()
            mode: Literal["r"] | None = "r" if self.manifest.spans else None
            self._vectors = np.load(generation / VECTORS, mmap_mode=mode, allow_pickle=False)
            folder = generation / BM25 if self.manifest.has_bm25 else None
            self._bm25 = bm25.Bm25(folder, self.manifest.spans)
        except _UNREADABLE as error:
            raise IndexDamaged(f"the index in {str(generation)!r} is damaged; sync the corpus") from error
        if (
            self._vectors.shape != (self.manifest.spans, self.manifest.dimension)
            or count != self.manifest.spans
        ):
            raise IndexDamaged(f"the files of the index in {str(generation)!r} disagree; sync the corpus")

    def __len__(self) -> int:
        """Number of spans."""
        return self.manifest.spans

    def close(self) -> None:
        """Close the span file; the index cannot be used afterwards."""
        self._rows.close()

    @property
    def rows(self) -> Rows:
        """The rows themselves, for whoever writes the next generation."""
        return self._rows

    @property
    def vectors(self) -> NDArray[np.float32]:
        """Unit vectors of all spans, memory-mapped. *Shape:* (n_spans, dimension)."""
        return cast(NDArray[np.float32], self._vectors)

    def documents(self) -> list[DocumentRow]:
        """Metadata of all documents, in the order of their rows."""
        return self._read(self._rows.documents)

    def hashes(self) -> dict[str, str]:
        """``doc_id -> hash`` as the store gave it when the document was indexed."""
        return self._read(self._rows.hashes)

    def spans(self, rows: Sequence[int]) -> list[Span]:
        """The spans of these rows, in the order asked for."""
        return self._read(lambda: self._rows.spans(rows)) if rows else []

    def places(self) -> dict[str, int]:
        """``span_id -> row`` of all spans."""
        return self._read(self._rows.places)

    def bm25_scores(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of every span. *Shape:* (n_spans,), 0 upwards."""
        return self._bm25.scores(tokens)

    def idf(self, token: str) -> float:
        """Inverse document frequency of a token among the spans, above 0."""
        return self._bm25.idf(token)

    def cosines(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of a unit vector with every span. *Shape:* (n_spans,), -1 to 1."""
        # einsum and not matmul: one thread, no waiting for busy cores, each row's sum on its own.
        with np.errstate(all="ignore"):
            found = np.einsum("ij,j->i", np.asarray(self._vectors), vector)
        if not (np.abs(found) <= LONGEST_COSINE).all():
            raise IndexDamaged(
                f"the vectors in {str(self.generation)!r} are damaged; run factdesk doctor --fix"
            )
        return cast(NDArray[np.float32], found)

    def _read(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except _UNREADABLE as error:
            raise IndexDamaged(
                f"the spans in {str(self.generation)!r} cannot be read; sync the corpus"
            ) from error


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
        folder = self.folder(corpus)
        for last in (False, True):
            generation = current_generation(folder)
            if generation is None:
                raise BackendUnavailable(f"corpus {corpus!r} has no index yet; sync it first")
            try:
                index = CorpusIndex(generation)
            except IndexDamaged:
                # A writer may have moved the pointer between the two looks; look once more.
                if last or current_generation(folder) == generation:
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
        wanted = store.document_hashes(corpus)
        found = self._fresh(corpus, wanted)
        if found is not None:
            return found
        from filelock import FileLock, Timeout

        folder = self.folder(corpus)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / LOCK, timeout=self._lock_seconds):
                wanted = store.document_hashes(corpus)
                return self._fresh(corpus, wanted) or self._write(store, corpus, wanted, progress)
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
        old, damaged = self._previous(folder)
        try:
            previous = None if old is None else self._usable(old)
            rebuilt = damaged or (previous is not None and not previous.same_rows)
            generation, plan = write_generation(
                folder, store, corpus, wanted, previous, self._embedder, progress
            )
        except (IndexDamaged, sqlite3.Error):
            # The old rows turned out unreadable on the way: do without them.
            rebuilt = True
            generation, plan = write_generation(folder, store, corpus, wanted, None, self._embedder, progress)
        finally:
            if old is not None:
                old.close()
        point_to(folder, generation)
        sweep(folder, keep=generation)
        return SyncResult(
            corpus, True, rebuilt, len(plan.documents), len(plan.texts), len(plan.fresh), len(plan.reused)
        )

    def _previous(self, folder: Path) -> tuple[CorpusIndex | None, bool]:
        """The old index, once its files hold what was written; and whether there is one that does not."""
        try:
            generation = current_generation(folder)
            if generation is None:
                return None, False
            index = CorpusIndex(generation)
            verify_hashes(generation, index.manifest)
        except (IndexDamaged, OSError):
            return None, True
        return index, False

    def _usable(self, index: CorpusIndex) -> Previous:
        same_embedder = index.manifest.embedder == self._embedder.fingerprint
        return Previous(
            rows=index.rows,
            vectors=index.vectors if same_embedder else None,
            same_rows=index.manifest.made_by(self._embedder.fingerprint),
        )
