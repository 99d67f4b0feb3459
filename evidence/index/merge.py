"""The next generation of an index: which segments stay, which are put together, which rows count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidence.index.build import Fresh, Kept, Progress, Source, documents_of, write_segment
from evidence.index.format import (
    DEAD,
    INDEX_VERSION,
    MANIFEST,
    ORDER,
    PLACES,
    Manifest,
    describe_all,
    new_folder,
    note_pending,
)
from evidence.index.segment import Segment, Vectors
from evidence.segmentation.spans import SEGMENT_VERSION
from evidence.types import Document, DocumentStore, Embedder
from language.tokens import TOKENS_VERSION

ONE_SEGMENT = 20_000
"""Up to so many spans an index is one segment, written anew at each change."""
BATCH_SPANS = 50_000
"""Of new documents so many spans become a segment at once, so that a killed ``sync`` loses no more."""
SPARSE = 0.25
"""A segment is written anew when more of its rows than this share no longer count."""


@dataclass
class Held:
    """A segment of the index so far."""

    segment: Segment
    dead: set[int] = field(default_factory=set)
    """Numbers of documents that do not count, or no longer."""
    verified: bool = False
    """Whether its files have been compared with their hashes."""
    live: int = 0
    """Spans that count; set by ``settle``."""


@dataclass(frozen=True)
class Generation:
    """What was written, and where."""

    folder: Path
    manifest: Manifest
    embedded: int


class Writer:
    """Writes one generation below a corpus's folder.

    Args:
        held: segments that may stay as they are, made by today's code and this embedder.
        known: vectors that may be used again for documents that are written anew.
    """

    def __init__(
        self, folder: Path, embedder: Embedder, held: Sequence[Held], known: Sequence[Vectors],
        progress: Progress | None,
    ) -> None:  # fmt: skip
        self._folder, self._embedder = folder, embedder
        self._held, self._known, self._progress = list(held), known, progress
        self._embedded = 0

    def write(self, store: DocumentStore, corpus: str, wanted: Mapping[str, str]) -> Generation:
        """Write what is lacking and the generation. Nothing is put into use.

        Raises:
            IndexDamaged: a segment that was to be put together with others is not what was written.
        """
        lacking = frozenset(wanted) - settle(self._held, wanted)
        found = documents_of(_documents(store, corpus, lacking, len(wanted)), wanted, lacking)
        fresh = self._fresh(found, len(lacking))
        sizes = [held.live for held in self._held]
        merged = chosen(sizes, [len(held.segment) for held in self._held], len(fresh))
        sources: list[Source] = [fresh] if fresh.rows else []
        for number in merged:
            held = self._held[number]
            if held.segment.manifest.documents == len(held.dead):
                continue  # nothing of it is left
            if not held.verified:
                held.segment.verify()
            sources.append(Kept(held.segment, frozenset(held.dead)))
        stay = [held for number, held in enumerate(self._held) if number not in merged]
        if sources or not stay:
            made = Segment(write_segment(self._folder, sources or [fresh], self._embedder))
            stay.append(Held(made, live=len(made)))
        return self._generation(stay)

    def _fresh(self, documents: Iterator[tuple[Document, str]], count: int) -> Fresh:
        """The documents that are lacking, embedded; full batches become segments on the way."""
        fresh, before = self._empty(), 0
        for seen, (document, stored_hash) in enumerate(documents):
            if len(fresh) >= BATCH_SPANS:
                before += len(fresh)
                self._embed(fresh, before * count // seen)
                made = Segment(write_segment(self._folder, [fresh], self._embedder))
                self._held.append(Held(made, verified=True, live=len(made)))
                note_pending(self._folder, [held.segment.folder for held in self._held])
                fresh = self._empty()
            fresh.add(document, stored_hash)
        self._embed(fresh, 0)
        return fresh

    def _empty(self) -> Fresh:
        return Fresh(self._embedder.dimension)

    def _embed(self, fresh: Fresh, estimate: int) -> None:
        done, progress = self._embedded, self._progress

        def tell(now: int) -> None:
            if progress is not None:
                progress(done + now, max(estimate, done + fresh.embedded))

        fresh.embed(self._embedder, self._known, tell)
        self._embedded += fresh.embedded

    def _generation(self, parts: Sequence[Held]) -> Generation:
        with new_folder(self._folder, "gen") as generation:
            documents = sum(part.segment.manifest.documents - len(part.dead) for part in parts)
            places, order = arranged(parts)
            words = sum(
                int(part.segment.postings.lengths[row < len(places)].sum(dtype=np.int64))
                for part, row in zip(parts, _split(parts, order), strict=True)
            )
            if len(parts) > 1 or any(part.dead for part in parts):
                dead = [(i, number) for i, part in enumerate(parts) for number in sorted(part.dead)]
                np.save(generation / PLACES, places, allow_pickle=False)
                np.save(generation / ORDER, order, allow_pickle=False)
                np.save(generation / DEAD, np.array(dead, dtype=np.int64).reshape(-1, 2), allow_pickle=False)
            manifest = Manifest(
                index_version=INDEX_VERSION,
                segment_version=SEGMENT_VERSION,
                tokens_version=TOKENS_VERSION,
                embedder=self._embedder.fingerprint,
                dimension=self._embedder.dimension,
                documents=documents,
                spans=len(places),
                tokens=words,
                segments=tuple(part.segment.name for part in parts),
                files=describe_all(generation),
            )
            (generation / MANIFEST).write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
        return Generation(generation, manifest, self._embedded)


def settle(held: Sequence[Held], wanted: Mapping[str, str]) -> frozenset[str]:
    """Mark documents that do not count any longer as dead; ids of those that do."""
    live: set[str] = set()
    for part in held:
        hashes = part.segment.read(part.segment.rows.hashes)
        for number, (doc_id, stored_hash) in enumerate(hashes):
            if number in part.dead:
                continue
            if wanted.get(doc_id) == stored_hash and doc_id not in live:
                live.add(doc_id)
            else:
                part.dead.add(number)
        runs = part.segment.read(part.segment.rows.runs)
        part.live = sum(rows for number, (_, _, rows) in enumerate(runs) if number not in part.dead)
    return frozenset(live)


def chosen(live: Sequence[int], rows: Sequence[int], fresh: int) -> list[int]:
    """Numbers of the segments that are written anew as one, together with ``fresh`` new spans.

    All in a small index; otherwise the longest run of small ones of which the largest is at most twice the
    others together (so that there are never more than about ``log3`` of all spans), and sparse ones.
    """
    if sum(live) + fresh <= ONE_SEGMENT:
        whole = len(live) == 1 and not fresh and live[0] == rows[0]
        return [] if whole else list(range(len(live)))
    sparse = {i for i, count in enumerate(live) if rows[i] - count > SPARSE * rows[i]}
    start = fresh + sum(live[i] for i in sparse)
    ladder = sorted((i for i in range(len(live)) if i not in sparse), key=lambda i: live[i])
    sums = np.cumsum([start, *(live[i] for i in ladder)])
    run = max((n for n in range(len(ladder)) if live[ladder[n]] <= 2 * sums[n]), default=-1)
    return sorted([*sparse, *ladder[: run + 1]])


def arranged(parts: Sequence[Held]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Where the rows that count stand, in the order of ids; and the place of each row among them.

    A row that does not count has as its place the number of those that do.
    """
    runs: list[tuple[str, int, int]] = []
    base = 0
    for part in parts:
        for number, (doc_id, first, rows) in enumerate(part.segment.read(part.segment.rows.runs)):
            if number not in part.dead:
                runs.append((doc_id, base + first, rows))
        base += len(part.segment)
    runs.sort()
    firsts = np.array([first for _, first, _ in runs], dtype=np.int64)
    counts = np.array([rows for _, _, rows in runs], dtype=np.int64)
    total = int(counts.sum())
    before = np.cumsum(counts) - counts
    places = (np.repeat(firsts - before, counts) + np.arange(total)).astype(np.int32)
    order = np.full(base, total, dtype=np.int32)
    order[places] = np.arange(total, dtype=np.int32)
    return places, order


def _split(parts: Sequence[Held], order: NDArray[np.int32]) -> list[NDArray[np.int32]]:
    """The places of each segment's rows."""
    ends = np.cumsum([len(part.segment) for part in parts])
    return np.split(order, ends[:-1])


def _documents(store: DocumentStore, corpus: str, lacking: frozenset[str], total: int) -> Iterator[Document]:
    """In the order of ids; all are read through where most are wanted."""
    if 2 * len(lacking) > total:
        yield from store.iter_documents(corpus)
        return
    for doc_id in sorted(lacking):
        document = store.get_document(corpus, doc_id)
        if document is not None:
            yield document
