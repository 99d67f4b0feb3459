"""The index of a corpus, open for reading: rows, vectors and BM25."""

from __future__ import annotations

import json
import sqlite3
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evidence.domains import within
from evidence.index import binary_vectors, bm25
from evidence.index.database import FILE, IndexDamaged, Manifest, connected, read_manifest
from evidence.segmentation.spans import lead_for
from evidence.types import Query, Span
from factdesk.kernel import BackendUnavailable

K = TypeVar("K")
T = TypeVar("T")
LONGEST_COSINE = 1.01
"""Of two unit vectors, rounding included."""
EXACT_UP_TO = 100_000
"""Spans of an index whose vectors are all compared exactly; in a larger one codes choose which."""
CANDIDATES = 4_000
"""Spans that the codes choose (more where they tie)."""
MASKS = 8
"""Filters whose rows are kept at hand."""
POSTINGS = 64
"""Words whose rows are kept at hand."""
STATES = 2
"""Indexes whose arrays are kept in memory for the next time that they are opened."""
_SPANS = """
SELECT s.row, d.doc_id || '#' || s.chunk || '.' || s.n AS span_id, d.doc_id || '#' || s.chunk AS chunk_id, s.start,
    s.end, s.text, s.section, s.context, s.frame, d.doc_id, d.sha256 AS doc_sha256, d.title, d.url, d.publisher,
    d.published, d.retrieved, d.lead
FROM spans s JOIN documents d ON d.number = s.document WHERE s.row IN (SELECT value FROM json_each(?))
"""
_PLACES = """
SELECT d.doc_id || '#' || s.chunk || '.' || s.n, s.row
FROM spans s JOIN documents d ON d.number = s.document WHERE d.live = 1
"""
_DOCUMENTS = "SELECT rows, published, host, publisher_key FROM documents WHERE live = 1 ORDER BY doc_id"
_ROWS = """
SELECT d.first, d.rows, p.lengths FROM documents d JOIN packed p ON p.document = d.number
WHERE d.live = 1 ORDER BY d.doc_id
"""
_CODES = """
SELECT p.codes FROM documents d JOIN packed p ON p.document = d.number WHERE d.live = 1 ORDER BY d.doc_id
"""


@dataclass
class _Arrays:
    """What one state of an index keeps in memory, read when first needed."""

    stored: NDArray[np.int64]
    """Number in the database of each row. *Shape:* (n_rows,)."""
    order: NDArray[np.int32]
    """Row of each number in the database; ``n_rows`` where none counts."""
    lengths: NDArray[np.int32]
    """Words of each row."""
    vectors: NDArray[np.float32] | None = None
    codes: binary_vectors.Codes | None = None
    masks: dict[object, NDArray[np.bool_]] = field(default_factory=dict)
    postings: dict[str, tuple[bm25.Rows, bm25.Rows]] = field(default_factory=dict)


_kept: dict[str, _Arrays] = {}
_keeping = threading.Lock()


def at_hand(kept: dict[K, T], key: K, read: Callable[[], T], limit: int) -> T:
    """What was read last under a key stays at hand; read by several threads at once, any of it serves."""
    found = kept.get(key)
    if found is None:
        found = read()
    with _keeping:
        kept.pop(key, None)
        kept[key] = found
        while len(kept) > limit:
            del kept[next(iter(kept))]
    return found


class CorpusIndex:
    """One state of a corpus's index, for several threads at once; what others write later is not seen. Rows are
    numbered in the order of document ids. Raises ``IndexDamaged`` (the file is cut short or unreadable),
    ``BackendUnavailable`` (there is no index, or none that a writer has finished).
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / FILE).is_file():
            raise BackendUnavailable(f"corpus {folder.name!r} has no index yet; sync it first")
        self._lock = threading.Lock()
        try:
            self._connection = connected(folder / FILE, "ro")
            weakref.finalize(self, self._connection.close)
            self._connection.row_factory = sqlite3.Row
            self._connection.execute("BEGIN")
            found = read_manifest(self._connection)
        except (sqlite3.Error, ValueError) as error:
            raise IndexDamaged(f"the index in {str(folder)!r} is damaged; sync the corpus") from error
        if not found.state:
            raise BackendUnavailable(f"the index of corpus {folder.name!r} is not finished; sync it first")
        self.manifest: Manifest = found

    def __len__(self) -> int:
        """Number of spans."""
        return self.manifest.spans

    def close(self) -> None:
        """Close the file; the index cannot be used afterwards."""
        self._connection.close()

    @property
    def exact(self) -> bool:
        """Whether all vectors are compared, and not those alone that their codes choose."""
        return len(self) <= EXACT_UP_TO

    def hashes(self) -> dict[str, str]:
        """``doc_id -> hash`` as the store gave it when the document was indexed."""
        return dict(self._all("SELECT doc_id, stored_hash FROM documents WHERE live = 1"))

    def spans(self, rows: Sequence[int]) -> list[Span]:
        """The spans of these rows, in the order asked for."""
        numbers = self._arrays().stored[np.asarray(rows, dtype=np.int64)].tolist()
        found = {row["row"]: row for row in self._all(_SPANS, json.dumps(numbers))}
        return self._sound(lambda: [_span(found[number]) for number in numbers])

    def places(self) -> dict[str, int]:
        """``span_id -> row`` of all spans."""
        order = self._arrays().order
        return {span_id: int(order[number]) for span_id, number in self._all(_PLACES)}

    def bm25_scores(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of every span. *Shape:* (n_spans,), 0 upwards. Repeated tokens count once."""
        postings = [self._postings(token) for token in dict.fromkeys(tokens)]
        return bm25.scores(postings, self._arrays().lengths, self.manifest.words)

    def idf(self, token: str) -> float:
        """Inverse document frequency of a token among the spans, above 0."""
        return bm25.idf(len(self), len(self._postings(token)[0]))

    def vectors(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        """Unit vectors of these rows. *Shape:* (n_rows, dimension)."""
        wanted = np.asarray(rows, dtype=np.int64)
        if self.exact:
            return self._matrix()[wanted]
        numbers = self._arrays().stored[wanted].tolist()
        query = "SELECT row, vector FROM vectors WHERE row IN (SELECT value FROM json_each(?))"
        found = dict(self._all(query, json.dumps(numbers)))
        return self._sound(lambda: self._joined([found[number] for number in numbers]))

    def cosines(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of a unit vector with every span, exactly. *Shape:* (n_spans,), -1 to 1."""
        return self._cosines(self._matrix(), vector)

    def candidates(
        self, vector: NDArray[np.float32], mask: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The spans likely to be nearest to a unit vector, with their cosines; rows ascending. In an index of more than
        ``EXACT_UP_TO`` spans these are the ``CANDIDATES`` whose codes differ least, otherwise all. ``mask`` says which
        may be found. *Shape* of both: (n_candidates,).
        """
        if self.exact:
            rows = np.arange(len(self)) if mask is None else np.flatnonzero(mask)
            return rows, self.cosines(vector)[rows]
        rows = self.chosen(vector, mask)
        return rows, self._cosines(self.vectors(rows), vector)

    def chosen(self, vector: NDArray[np.float32], mask: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Rows whose codes differ least from a vector's, ascending; ``CANDIDATES``, and those that tie."""
        arrays = self._arrays()
        if arrays.codes is None:
            data = b"".join(codes for (codes,) in self._all(_CODES))
            arrays.codes = self._sound(lambda: binary_vectors.unpacked(data, self.manifest.dimension))
        return binary_vectors.nearest(arrays.codes, vector, mask, CANDIDATES)

    def mask(self, query: Query) -> NDArray[np.bool_] | None:
        """Which spans a query may find. *Shape:* (n_spans,); ``None``: it sets no bounds."""
        bounds = (query.published_from, query.published_to, query.only_domains, query.block_domains)
        if not any(bounds):
            return None

        def read() -> NDArray[np.bool_]:
            holds = cache(within(query))
            found = self._all(
                "SELECT rows, published, host, publisher_key FROM documents WHERE live = 1 ORDER BY doc_id"
            )
            counts, allowed = np.array([(0, 0), *((rows, holds(*of)) for rows, *of in found)], dtype=np.int64).T
            return np.repeat(allowed == 1, counts)

        return at_hand(self._arrays().masks, bounds, read, MASKS)

    def _arrays(self) -> _Arrays:
        """Read once for each state, also where an index is opened again."""
        return at_hand(_kept, self.manifest.state, self._read_arrays, STATES)

    def _read_arrays(self) -> _Arrays:
        rows = self._all(_ROWS)
        lengths = self._sound(lambda: np.frombuffer(b"".join(row[2] for row in rows), dtype=np.int32))
        firsts, counts = np.array([(0, 0), *(row[:2] for row in rows)], dtype=np.int64).T
        stored = np.repeat(firsts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        if not len(stored) == len(lengths) == len(self) or lengths.sum() != self.manifest.words:
            raise self._damaged()
        [(size,)] = self._all("SELECT coalesce(max(row), -1) + 1 FROM spans")
        order = np.full(max(size, int(stored.max(initial=-1)) + 1), len(stored), dtype=np.int32)
        order[stored] = np.arange(len(stored), dtype=np.int32)
        return _Arrays(stored, order, lengths)

    def _postings(self, token: str) -> tuple[bm25.Rows, bm25.Rows]:
        """Rows that have a word, and how often; those asked for last are at hand."""
        return at_hand(self._arrays().postings, token, lambda: self._read_postings(token), POSTINGS)

    def _read_postings(self, token: str) -> tuple[bm25.Rows, bm25.Rows]:
        numbers = self._with_term(bm25.term(token))
        counts = np.ones(len(numbers), dtype=np.int64)
        times = 2
        while len(numbers) and len(again := self._with_term(bm25.term(token, times))):
            counts[np.searchsorted(numbers, again)] += 1
            times += 1
        return self._arrays().order[numbers].astype(np.int64), counts

    def _with_term(self, term: str) -> NDArray[np.int64]:
        """Numbers in the database of the rows that count and have a term, ascending."""
        query = "SELECT group_concat(rowid) FROM terms WHERE terms MATCH ?"
        [(joined,)] = self._all(query, f'"{term}"')
        order = self._arrays().order
        numbers = np.sort(np.fromstring(joined or "", dtype=np.int64, sep=","))
        if len(numbers) and numbers[-1] >= len(order):
            raise self._damaged()
        return numbers[order[numbers] < len(self)]

    def _matrix(self) -> NDArray[np.float32]:
        """All vectors."""
        arrays = self._arrays()
        if arrays.vectors is None:
            found = self._all("SELECT vector, row FROM vectors")
            rows = arrays.order[[row for _, row in found]] if found else np.zeros(0, dtype=np.int32)
            matrix = np.full((len(self) + 1, self.manifest.dimension), np.nan, dtype=np.float32)
            matrix[rows] = self._sound(lambda: self._joined([vector for vector, _ in found]))
            arrays.vectors = matrix[:-1]
        return arrays.vectors

    def _joined(self, vectors: Sequence[bytes]) -> NDArray[np.float32]:
        return np.frombuffer(b"".join(vectors), dtype="<f4").reshape(-1, self.manifest.dimension)

    def _cosines(self, vectors: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        # einsum and not matmul: one thread, no waiting for busy cores, each row's sum on its own.
        with np.errstate(all="ignore"):
            found = np.asarray(np.einsum("ij,j->i", vectors, vector), dtype=np.float32)
        if not (np.abs(found) <= LONGEST_COSINE).all():
            raise self._damaged()
        return found

    def _all(self, query: str, *values: object) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged() from error

    def _sound(self, work: Callable[[], T]) -> T:
        """What ``work`` makes of what was read."""
        try:
            return work()
        except (ValueError, TypeError, KeyError) as error:
            raise self._damaged() from error

    def _damaged(self) -> IndexDamaged:
        return IndexDamaged(f"the index in {str(self.folder)!r} is damaged; run factdesk doctor --fix")


def _span(row: sqlite3.Row) -> Span:
    lead = lead_for(row["lead"], row["text"], row["context"])
    return Span.model_validate({**{name: row[name] for name in row.keys()[1:]}, "lead": lead})
