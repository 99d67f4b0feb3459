"""The index of a corpus on disk: rows, vectors and BM25, kept in step with the document store.

Readers open the generation that the pointer names and keep it; a writer makes a new one beside it and
moves the pointer. A writer that is killed leaves the old index in use.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evidence.index import binary_vectors as codes
from evidence.index import bm25
from evidence.index.format import DEAD, ORDER, PLACES, IndexDamaged, Manifest, read_manifest
from evidence.index.rows import DocumentRow
from evidence.index.segment import UNREADABLE, Segment, live_documents
from evidence.types import Span

T = TypeVar("T")
LONGEST_COSINE = 1.01
"""Of two unit vectors, rounding included."""
EXACT_UP_TO = 100_000
"""Spans of an index whose vectors are all compared exactly; in a larger one codes choose which."""
CANDIDATES = 4_000
"""Spans that the codes choose (more where they tie)."""
MASKS = 8
"""Filters whose rows are kept at hand."""


class CorpusIndex:
    """One generation of a corpus's index, open for reading. Methods may be called from several threads.

    Rows are numbered in the order of document ids, whatever the segments they lie in.

    Raises:
        IndexDamaged: a file is missing, cut short or unreadable.
    """

    def __init__(self, generation: Path) -> None:
        self.generation = generation
        self.manifest: Manifest = read_manifest(generation)
        self.segments = tuple(Segment(generation.parent / name) for name in self.manifest.segments)
        self._places, self._order, self.dead = self._opened()
        self._ends = np.cumsum([len(segment) for segment in self.segments])
        self._bm25 = bm25.Bm25(
            self.segments, self._order, rows=self.manifest.spans, words=self.manifest.tokens
        )
        self._masks: dict[object, NDArray[np.bool_]] = {}
        self._lock = threading.Lock()

    def _opened(
        self,
    ) -> tuple[NDArray[np.int32] | None, NDArray[np.int32] | None, tuple[frozenset[int], ...]]:
        """Files that say which rows count; ``None`` where all of a single segment do."""
        none_dead = tuple(frozenset[int]() for _ in self.segments)
        spans, rows = self.manifest.spans, sum(len(segment) for segment in self.segments)
        if PLACES not in self.manifest.files:
            if len(self.segments) != 1 or rows != spans:
                raise IndexDamaged(f"the index in {str(self.generation)!r} is damaged; sync the corpus")
            return None, None, none_dead
        try:
            places = bm25.mapped(self.generation / PLACES, spans)
            order = bm25.mapped(self.generation / ORDER, rows)
            pairs = np.load(self.generation / DEAD, allow_pickle=False).tolist()
            if places.shape != (spans,) or order.shape != (rows,):
                raise ValueError(f"{places.shape} and {order.shape} are not {spans} and {rows}")
        except UNREADABLE as error:
            raise IndexDamaged(
                f"the index in {str(self.generation)!r} is damaged; sync the corpus"
            ) from error
        dead: list[set[int]] = [set() for _ in self.segments]
        for segment, number in pairs:
            dead[segment].add(number)
        return places, order, tuple(frozenset(numbers) for numbers in dead)

    def __len__(self) -> int:
        """Number of spans."""
        return self.manifest.spans

    def close(self) -> None:
        """Close the span files; the index cannot be used afterwards."""
        for segment in self.segments:
            segment.close()

    @property
    def exact(self) -> bool:
        """Whether all vectors are compared, and not those alone that their codes choose."""
        return len(self) <= EXACT_UP_TO

    def documents(self) -> list[DocumentRow]:
        """Metadata of all documents, in the order of their rows."""
        found = [
            row
            for segment, dead in zip(self.segments, self.dead, strict=True)
            for row in live_documents(segment, dead)
        ]
        if len(self.segments) > 1:
            found.sort(key=lambda row: row.doc_id)
        first, placed = 0, []
        for row in found:
            placed.append(row if row.first_row == first else replace(row, first_row=first))
            first += row.rows
        return placed

    def hashes(self) -> dict[str, str]:
        """``doc_id -> hash`` as the store gave it when the document was indexed."""
        return {
            doc_id: stored_hash
            for segment, dead in zip(self.segments, self.dead, strict=True)
            for number, (doc_id, stored_hash) in enumerate(segment.read(segment.rows.hashes))
            if number not in dead
        }

    def spans(self, rows: Sequence[int]) -> list[Span]:
        """The spans of these rows, in the order asked for."""
        found: dict[int, Span] = {}
        wanted = np.array(rows, dtype=np.int64)
        for segment, which, local in self._located(wanted):
            found.update(zip(which.tolist(), segment.spans(local.tolist()), strict=True))
        return [found[i] for i in range(len(wanted))]

    def places(self) -> dict[str, int]:
        """``span_id -> row`` of all spans."""
        found, base = {}, 0
        for segment in self.segments:
            for span_id, row in segment.read(segment.rows.places):
                place = row if self._order is None else int(self._order[base + row])
                if place < len(self):
                    found[span_id] = place
            base += len(segment)
        return found

    def bm25_scores(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of every span. *Shape:* (n_spans,), 0 upwards."""
        return self._bm25.scores(tokens)

    def idf(self, token: str) -> float:
        """Inverse document frequency of a token among the spans, above 0."""
        return self._bm25.idf(token)

    def vectors(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        """Unit vectors of these rows. *Shape:* (n_rows, dimension)."""
        wanted = np.asarray(rows, dtype=np.int64)
        found = np.empty((len(wanted), self.manifest.dimension), dtype=np.float32)
        for segment, which, local in self._located(wanted):
            found[which] = segment.vectors[local]
        return found

    def cosines(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of a unit vector with every span, exactly. *Shape:* (n_spans,), -1 to 1."""
        found = np.concatenate([_cosines(segment.vectors, vector) for segment in self.segments])
        return self._checked(found if self._places is None else found[self._places])

    def candidates(
        self, vector: NDArray[np.float32], mask: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The spans likely to be nearest to a unit vector, with their cosines; rows ascending.

        In an index of more than ``EXACT_UP_TO`` spans these are the ``CANDIDATES`` whose codes differ least,
        otherwise all. ``mask`` says which may be found. *Shape* of both: (n_candidates,).
        """
        if self.exact:
            rows = np.arange(len(self)) if mask is None else np.flatnonzero(mask)
            return rows, self.cosines(vector)[rows]
        rows = self.chosen(vector, mask)
        return rows, self._checked(_cosines(self.vectors(rows), vector))

    def chosen(self, vector: NDArray[np.float32], mask: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Rows whose codes differ least from a vector's, ascending; ``CANDIDATES``, and those that tie."""
        live = None
        if self._order is not None:
            live = self._order < len(self)
        if mask is not None:
            live = mask if self._order is None else np.append(mask, False)[self._order]
        found = codes.nearest([segment.codes for segment in self.segments], vector, live, CANDIDATES)
        return np.sort(found if self._order is None else self._order[found].astype(np.int64))

    def mask(self, key: object, make: Callable[[], NDArray[np.bool_]]) -> NDArray[np.bool_]:
        """What ``make`` gives for a filter; kept for the filters used last. *Shape:* (n_spans,)."""
        with self._lock:
            found = self._masks.pop(key, None)
        if found is None:
            found = make()
        with self._lock:
            self._masks[key] = found
            while len(self._masks) > MASKS:
                del self._masks[next(iter(self._masks))]
        return found

    def _located(self, rows: NDArray[np.int64]) -> list[tuple[Segment, NDArray[np.int64], NDArray[np.int64]]]:
        """For each segment: which of the rows lie in it, and where."""
        there = rows if self._places is None else self._places[rows].astype(np.int64)
        owner = np.searchsorted(self._ends, there, side="right")
        found = []
        for number, segment in enumerate(self.segments):
            which = np.flatnonzero(owner == number)
            if len(which):
                found.append((segment, which, there[which] - (int(self._ends[number]) - len(segment))))
        return found

    def _checked(self, cosines: NDArray[np.float32]) -> NDArray[np.float32]:
        if not (np.abs(cosines) <= LONGEST_COSINE).all():
            raise IndexDamaged(
                f"the vectors in {str(self.generation)!r} are damaged; run factdesk doctor --fix"
            )
        return cosines


def _cosines(vectors: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    # einsum and not matmul: one thread, no waiting for busy cores, each row's sum on its own.
    with np.errstate(all="ignore"):
        return np.asarray(np.einsum("ij,j->i", np.asarray(vectors), vector), dtype=np.float32)
