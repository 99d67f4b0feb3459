"""One segment of an index, open for reading; and what of an older index can still be used."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evidence.index import bm25
from evidence.index.binary_vectors import Codes, words_of
from evidence.index.format import (
    BM25,
    CODES,
    SPANS,
    VECTORS,
    IndexDamaged,
    SegmentManifest,
    read_old_manifest,
    read_segment_manifest,
    verify_hashes,
)
from evidence.index.rows import DocumentRow, Rows, SpanRow
from evidence.types import Span
from factdesk.kernel import Fingerprint

T = TypeVar("T")
UNREADABLE = (OSError, ValueError, KeyError, TypeError, IndexError, sqlite3.Error)


class Segment:
    """Rows, vectors and words of some documents, memory-mapped. Methods may be called from several threads.

    Raises:
        IndexDamaged: a file is missing, cut short or unreadable.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: SegmentManifest = read_segment_manifest(folder)
        spans, dimension = self.manifest.spans, self.manifest.dimension
        try:
            self.rows = Rows(folder / SPANS)
            weakref.finalize(self, self.rows.close)
            count = self.rows.count()
            self.vectors: NDArray[np.float32] = bm25.mapped(folder / VECTORS, spans)
            self.codes: Codes = bm25.mapped(folder / CODES, spans)
            self.postings = bm25.load(folder / BM25, self.manifest.postings, spans)
        except UNREADABLE as error:
            raise IndexDamaged(f"the index in {str(folder)!r} is damaged; sync the corpus") from error
        shapes = (self.vectors.shape, self.codes.shape, count)
        if shapes != ((spans, dimension), (words_of(dimension), spans), spans):
            raise IndexDamaged(f"the files of the index in {str(folder)!r} disagree; sync the corpus")

    def __len__(self) -> int:
        """Number of rows, those of removed documents too."""
        return self.manifest.spans

    @property
    def name(self) -> str:
        """Of its folder."""
        return self.folder.name

    def word(self, token: str) -> int | None:
        """Number of a word, or ``None``. Raises ``IndexDamaged``."""
        return self.read(lambda: self.rows.word(token))

    def read(self, work: Callable[[], T]) -> T:
        """What ``work`` reads from the rows. Raises ``IndexDamaged``."""
        try:
            return work()
        except UNREADABLE as error:
            raise IndexDamaged(
                f"the spans in {str(self.folder)!r} cannot be read; sync the corpus"
            ) from error

    def spans(self, numbers: Sequence[int]) -> list[Span]:
        """The spans of these rows, in the order asked for. Raises ``IndexDamaged``."""
        return self.read(lambda: self.rows.spans(numbers))

    def verify(self) -> None:
        """Compare all files with their hashes. Raises ``IndexDamaged``."""
        try:
            verify_hashes(self.folder, self.manifest)
        except OSError as error:
            raise IndexDamaged(f"the index in {str(self.folder)!r} cannot be read: {error}") from error

    def counted(self) -> bm25.Counted:
        """Its postings with their words."""
        return bm25.Counted(self.read(self.rows.words), self.postings)

    def close(self) -> None:
        """Close the span file; the segment cannot be used afterwards."""
        self.rows.close()


class Vectors:
    """Vectors of spans that were embedded earlier, by document and by the text they were made of."""

    def __init__(self, rows: Rows, vectors: NDArray[np.float32]) -> None:
        self._rows, self._vectors = rows, vectors
        self._documents = {row.doc_id: row for row in rows.documents()}

    def of(self, doc_id: str) -> dict[bytes, NDArray[np.float32]]:
        """Vectors of a document's spans by ``SpanRow.key``."""
        document = self._documents.get(doc_id)
        if document is None:
            return {}
        spans: Sequence[SpanRow] = self._rows.of_document(document)
        return {span.key: self._vectors[document.first_row + i] for i, span in enumerate(spans)}


def old_vectors(generation: Path, embedder: Fingerprint) -> Vectors | None:
    """What a generation before version 4 can give, when the same embedder made it.

    Raises:
        IndexDamaged: it cannot be read, or is not what was written.
    """
    manifest = read_old_manifest(generation)
    if manifest.embedder != embedder:
        return None
    try:
        vectors: NDArray[np.float32] = bm25.mapped(generation / VECTORS, manifest.spans)
        rows = Rows(generation / SPANS)
        found = Vectors(rows, vectors)
        weakref.finalize(found, rows.close)
        return found
    except UNREADABLE as error:
        raise IndexDamaged(f"the index in {str(generation)!r} is damaged; sync the corpus") from error


def live_documents(segment: Segment, dead: frozenset[int]) -> list[DocumentRow]:
    """Documents of a segment but those removed, in order."""
    rows = segment.read(segment.rows.documents)
    return [row for number, row in enumerate(rows) if number not in dead]
