"""Rows of a segment: documents, spans and words in an SQLite file, written once and then only read."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from evidence.segmentation.spans import lead_for, lead_of
from evidence.types import Document, Frame, Span

_SCHEMA = """
CREATE TABLE documents (
    number INTEGER PRIMARY KEY, doc_id TEXT NOT NULL UNIQUE, stored_hash TEXT NOT NULL, sha256 TEXT NOT NULL,
    title TEXT NOT NULL, url TEXT, publisher TEXT, published TEXT, retrieved TEXT,
    first_row INTEGER NOT NULL, rows INTEGER NOT NULL, lead TEXT NOT NULL
) STRICT;
CREATE TABLE spans (
    row INTEGER PRIMARY KEY, document INTEGER NOT NULL, chunk INTEGER NOT NULL, n INTEGER NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL, section TEXT NOT NULL,
    context TEXT NOT NULL, key BLOB NOT NULL, frame TEXT NOT NULL
) STRICT;
CREATE TABLE words (word TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
"""
_INSERT_DOCUMENT = "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_SPAN = "INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True)
class SpanRow:
    """A span without what its document has; ``key`` is the hash of the text its vector was made of."""

    chunk: int
    n: int
    start: int
    end: int
    text: str
    section: str
    context: str
    key: bytes
    frame: Frame = ""


@dataclass(frozen=True)
class DocumentRow:
    """A document's metadata, with the run of rows that its spans have."""

    doc_id: str
    stored_hash: str
    sha256: str
    title: str
    url: str | None
    publisher: str | None
    published: date | None
    retrieved: date | None
    first_row: int
    rows: int
    lead: str = ""
    """``evidence.segmentation.spans.lead_of`` its first sentence."""


def document_row(
    document: Document, stored_hash: str, first_row: int, spans: Sequence[SpanRow]
) -> DocumentRow:
    """The row of a stored document."""
    return DocumentRow(
        doc_id=document.doc_id,
        stored_hash=stored_hash,
        sha256=document.sha256,
        title=document.title,
        url=document.url,
        publisher=document.publisher,
        published=document.published,
        retrieved=document.retrieved,
        first_row=first_row,
        rows=len(spans),
        lead=lead_of(spans[0].text) if spans else "",
    )


def write_rows(
    path: Path, documents: Iterable[tuple[DocumentRow, Sequence[SpanRow]]], words: Sequence[str]
) -> None:
    """Write a new file; documents in order, spans and words numbered from 0. Raises ``sqlite3.Error``."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
        connection.execute("BEGIN")
        for number, (document, spans) in enumerate(documents):
            connection.execute(_INSERT_DOCUMENT, (number, *_columns(document)))
            connection.executemany(
                _INSERT_SPAN,
                (
                    (
                        document.first_row + i,
                        number,
                        s.chunk,
                        s.n,
                        s.start,
                        s.end,
                        s.text,
                        s.section,
                        s.context,
                        s.key,
                        s.frame,
                    )
                    for i, s in enumerate(spans)
                ),
            )
        numbered = ((word, number) for number, word in enumerate(words))
        connection.executemany("INSERT INTO words VALUES (?, ?)", numbered)
        connection.execute("COMMIT")
    finally:
        connection.close()


def _columns(document: DocumentRow) -> tuple[object, ...]:
    return (
        document.doc_id,
        document.stored_hash,
        document.sha256,
        document.title,
        document.url,
        document.publisher,
        document.published and document.published.isoformat(),
        document.retrieved and document.retrieved.isoformat(),
        document.first_row,
        document.rows,
        document.lead,
    )


class Rows:
    """The rows of one generation, read-only; usable by several threads. Methods raise ``sqlite3.Error``."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def count(self) -> int:
        """Number of spans."""
        return int(self._all("SELECT coalesce(max(row) + 1, 0) FROM spans", ())[0][0])

    def word(self, word: str) -> int | None:
        """Number of a word, or ``None``."""
        found = self._all("SELECT number FROM words WHERE word = ?", (word,))
        return int(found[0][0]) if found else None

    def words(self) -> list[str]:
        """All words in the order of their numbers."""
        return [str(word) for (word,) in self._all("SELECT word FROM words ORDER BY number", ())]

    def hashes(self) -> list[tuple[str, str]]:
        """Id and stored hash (at the time of indexing) of all documents, by number."""
        return self._all("SELECT doc_id, stored_hash FROM documents ORDER BY number", ())

    def runs(self) -> list[tuple[str, int, int]]:
        """Id, first row and number of rows of all documents, by number."""
        return self._all("SELECT doc_id, first_row, rows FROM documents ORDER BY number", ())

    def documents(self) -> list[DocumentRow]:
        """All documents in the order of their rows."""
        return [_document(values) for values in self._all("SELECT * FROM documents ORDER BY number", ())]

    def of_document(self, document: DocumentRow) -> list[SpanRow]:
        """The spans of a document in order."""
        query = (
            "SELECT chunk, n, start, end, text, section, context, key, frame FROM spans "
            "WHERE row >= ? AND row < ? ORDER BY row"
        )
        found = self._all(query, (document.first_row, document.first_row + document.rows))
        return [SpanRow(*values) for values in found]

    def spans(self, numbers: Sequence[int]) -> list[Span]:
        """Spans of these rows, in the order asked for."""
        places = ",".join("?" * len(numbers))
        query = (
            "SELECT s.row, s.chunk, s.n, s.start, s.end, s.text, s.section, s.context, s.frame, d.* "
            f"FROM spans s JOIN documents d ON d.number = s.document WHERE s.row IN ({places})"
        )
        found = {values[0]: values for values in self._all(query, tuple(int(number) for number in numbers))}
        return [_span(found[int(number)][1:9], _document(found[int(number)][9:])) for number in numbers]

    def places(self) -> list[tuple[str, int]]:
        """Span id and row of all spans."""
        query = (
            "SELECT d.doc_id || '#' || s.chunk || '.' || s.n, s.row FROM spans s "
            "JOIN documents d ON d.number = s.document"
        )
        return self._all(query, ())

    def _all(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(query, values).fetchall()


def _document(values: tuple[Any, ...]) -> DocumentRow:
    (_, doc_id, stored_hash, sha256, title, url, publisher, published, retrieved, first_row, rows) = values[
        :11
    ]
    lead = values[11] if len(values) > 11 else ""  # indexes before version 3 have none
    return DocumentRow(
        doc_id=doc_id,
        stored_hash=stored_hash,
        sha256=sha256,
        title=title,
        url=url,
        publisher=publisher,
        published=date.fromisoformat(published) if published else None,
        retrieved=date.fromisoformat(retrieved) if retrieved else None,
        first_row=first_row,
        rows=rows,
        lead=lead,
    )


def _span(values: tuple[Any, ...], document: DocumentRow) -> Span:
    chunk, n, start, end, text, section, context, frame = values
    return Span(
        span_id=f"{document.doc_id}#{chunk}.{n}",
        chunk_id=f"{document.doc_id}#{chunk}",
        doc_id=document.doc_id,
        doc_sha256=document.sha256,
        start=start,
        end=end,
        text=text,
        section=section,
        context=context,
        frame=frame,
        lead=lead_for(document.lead, text, context),
        title=document.title,
        url=document.url,
        publisher=document.publisher,
        published=document.published,
        retrieved=document.retrieved,
    )
