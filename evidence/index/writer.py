"""Brings the database of an index in step with documents: embeds what is new, drops what is gone."""

from __future__ import annotations

import hashlib
import sqlite3
import uuid
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidence.domains import host_of
from evidence.index import bm25
from evidence.index.binary_vectors import packed
from evidence.index.database import digest, read_manifest, write_manifest
from evidence.segmentation.spans import lead_of, spans_of
from evidence.types import Document, DocumentStore, Embedder, Span
from language.tokens import stems

Progress = Callable[[int, int], None]
"""Called with the number of spans embedded so far and of all that need it (by estimate in a large corpus)."""
BATCH = 128
"""Spans that are handed to the embedder together."""
BATCH_SPANS = 50_000
"""After so many new spans what was made is committed, so that a killed ``sync`` loses no more."""
_HELD = "SELECT doc_id, stored_hash, number FROM documents"
_KNOWN = """
SELECT s.key, v.vector FROM documents d JOIN spans s ON s.row >= d.first AND s.row < d.first + d.rows
JOIN vectors v ON v.row = s.row WHERE d.live IN (0, 1) AND d.doc_id = ?
"""


class _Fresh(NamedTuple):
    """A document that the index lacks."""

    document: Document
    spans: tuple[Span, ...]
    keys: tuple[bytes, ...]
    """Hash of the text that each span's vector is made of."""


class Writer:
    """Writes into one index. Nothing new is seen by readers before ``write`` ends."""

    def __init__(self, connection: sqlite3.Connection, embedder: Embedder, progress: Progress | None) -> None:
        self._connection, self._embedder, self._progress = connection, embedder, progress
        self._hashes: Mapping[str, str] = {}
        self.embedded = 0

    def write(self, store: DocumentStore, corpus: str, state: str) -> bool:
        """Make the index hold the documents of a corpus, in this state of the store or a later one, and no others;
        whether it did not before. Raises what SQLite raises; the index is then as it was.
        """
        self._hashes = store.document_hashes(corpus)
        held = {(doc_id, hash_): number for doc_id, hash_, number in self._connection.execute(_HELD)}
        gone = sorted(held[document] for document in held.keys() - self._hashes.items())
        lacking = sorted(doc_id for doc_id, _ in self._hashes.items() - held.keys())
        before = read_manifest(self._connection)
        if before.state and not gone and not lacking and before.documents == len(held):
            write_manifest(self._connection, before.model_copy(update={"store_state": state}))
            return False
        batch: list[_Fresh] = []
        spans = past = 0
        for seen, document in enumerate(_documents(store, corpus, lacking)):
            if spans >= BATCH_SPANS:
                past += spans
                self._add(batch, past * len(lacking) // seen)
                self._connection.execute("COMMIT")
                batch, spans = [], 0
            batch.append(_fresh(document))
            spans += len(batch[-1].spans)
        self._add(batch, 0)
        for number in gone:
            self._remove(number)
        self._connection.execute("UPDATE documents SET live = 1 WHERE live = 0")
        query = "SELECT count(*), coalesce(sum(rows), 0), coalesce(sum(words), 0) FROM documents"
        counts = zip(("documents", "spans", "words"), self._connection.execute(query).fetchone(), strict=True)
        made = {"state": uuid.uuid4().hex, "store_state": state, **dict(counts)}
        write_manifest(self._connection, before.model_copy(update=made))
        self._connection.execute("COMMIT")
        return True

    def _add(self, batch: Sequence[_Fresh], estimate: int) -> None:
        """Embed and store documents that do not count yet; leaves the transaction open."""
        vectors = self._vectors(batch, estimate)
        do = self._connection.execute
        do("BEGIN IMMEDIATE")
        [row] = do("SELECT coalesce(max(row), -1) + 1 FROM spans").fetchone()
        [number] = do("SELECT coalesce(max(number), -1) + 1 FROM documents").fetchone()
        start = 0
        for offset, fresh in enumerate(batch):
            self._insert(fresh, number + offset, row + start, vectors[start : start + len(fresh.spans)])
            start += len(fresh.spans)

    def _vectors(self, batch: Sequence[_Fresh], estimate: int) -> NDArray[np.float32]:
        """Of all spans of a batch: those known from an earlier form of the document, the others embedded."""
        texts: list[str] = []
        lacking: list[int] = []
        found = np.zeros((sum(len(f.spans) for f in batch), self._embedder.dimension), dtype=np.float32)
        row = 0
        for fresh in batch:
            known = dict(self._connection.execute(_KNOWN, (fresh.document.doc_id,)))
            for span, key in zip(fresh.spans, fresh.keys, strict=True):
                if key in known:
                    found[row] = np.frombuffer(known[key], dtype="<f4")
                else:
                    lacking.append(row)
                    texts.append(vector_text(span.text, span.context))
                row += 1
        size: int = getattr(self._embedder, "batch", BATCH)  # one that works elsewhere wants more at once
        done, total = self.embedded, max(estimate, self.embedded + len(lacking))
        for start in range(0, len(lacking), size):
            found[lacking[start : start + size]] = self._embedder.embed(texts[start : start + size])
            self.embedded = min(done + start + size, done + len(lacking))
            if self._progress is not None:
                self._progress(self.embedded, total)
        return found

    def _insert(self, fresh: _Fresh, number: int, first: int, vectors: NDArray[np.float32]) -> None:
        """A document under a number, its spans from row ``first``. *Shape* of ``vectors``: (n_spans, dimension)."""
        document, spans = fresh.document, fresh.spans
        title = list(dict.fromkeys(stems(document.title)))
        words = [_with_title(stems(span.text), title) for span in spans]
        lengths = array("i", map(len, words))
        values = (
            document.doc_id,
            self._hashes[document.doc_id],
            document.sha256,
            document.title,
            document.url,
            document.publisher,
            document.published and document.published.isoformat(),
            document.retrieved and document.retrieved.isoformat(),
            lead_of(spans[0].text) if spans else "",
            host_of(document.url),
            (document.publisher or "").casefold(),
            len(spans),
            sum(lengths),
        )
        rows = enumerate(zip(spans, fresh.keys, strict=True), first)
        self._put("documents", [(number, 0, first, b"", *values)])
        self._put("packed", [(number, lengths.tobytes(), packed(vectors))])
        self._put("spans", [(row, number, *_columns(span, key)) for row, (span, key) in rows])
        self._put("vectors", list(enumerate((vector.tobytes() for vector in vectors.astype("<f4")), first)))
        self._put("terms(rowid, words)", list(enumerate(map(bm25.terms, words), first)))
        hashed = digest(self._connection, number)
        self._connection.execute("UPDATE documents SET digest = ? WHERE number = ?", (hashed, number))

    def _put(self, table: str, rows: Sequence[tuple[object, ...]]) -> None:
        if rows:
            self._connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)

    def _remove(self, number: int) -> None:
        do = self._connection.execute
        first, rows = do("SELECT first, rows FROM documents WHERE number = ?", (number,)).fetchone()
        for table, column in (("spans", "row"), ("vectors", "row"), ("terms", "rowid")):
            do(f"DELETE FROM {table} WHERE {column} >= ? AND {column} < ?", (first, first + rows))
        do("DELETE FROM packed WHERE document = ?", (number,))
        do("DELETE FROM documents WHERE number = ?", (number,))


def vector_text(text: str, context: str) -> str:
    """What the vector of a span is made of: the sentence after its context (title, sentence before)."""
    return f"{context}. {text}" if context else text


def _fresh(document: Document) -> _Fresh:
    spans = spans_of(document)
    texts = (vector_text(span.text, span.context) for span in spans)
    return _Fresh(document, spans, tuple(hashlib.sha256(text.encode()).digest()[:16] for text in texts))


def _with_title(own: list[str], title: Sequence[str]) -> list[str]:
    """The words of a span, and those of its title that it lacks."""
    present = set(own)
    return own + [stem for stem in title if stem not in present]


def _columns(span: Span, key: bytes) -> tuple[object, ...]:
    chunk, n = span.span_id.rpartition("#")[2].split(".")
    place = (int(chunk), int(n), span.start, span.end)
    return (*place, span.text, span.section, span.context, span.frame, key)


def _documents(store: DocumentStore, corpus: str, doc_ids: Sequence[str]) -> Iterator[Document]:
    for first in range(0, len(doc_ids), BATCH):
        page = doc_ids[first : first + BATCH]
        found = store.get_documents(corpus, page)
        yield from (found[doc_id] for doc_id in page if doc_id in found)
