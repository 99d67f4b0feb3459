"""``growth``: how index and query grow with the corpus, from 1,000 to 100,000 documents.

Words are compared with the library bm25s, which is fast and has to be made anew for every change.

Vectors are drawn by a hash of the text, in place of the embedder's: making them would take an hour and says
nothing about the index. The query's own embedding is drawn too and not part of the time.
"""

from __future__ import annotations

import hashlib
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaluation.bench import bm25s_peer, generate
from evaluation.bench.types import BenchRecord, Effort, alone, less_is_better
from factdesk.kernel import BackendUnavailable, Fingerprint
from language.tokens import stems

if TYPE_CHECKING:
    from evidence.index.sync import IndexRoot
    from store.documents import SqlDocumentStore

SIZES = (1_000, 10_000, 100_000)
QUICK = 1
SENTENCES = 3
QUERIES = 20
ADDED = 100


class DrawnVectors:
    """An embedder (``evidence.types.Embedder``) whose vectors say nothing but are always the same."""

    dimension = 384
    fingerprint = Fingerprint(name="embedder:drawn", version="1")

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors drawn by a hash of each text. *Shape:* (n_texts, 384)."""
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
            row[:] = np.random.default_rng(seed).standard_normal(self.dimension, dtype=np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows


def run(effort: Effort) -> list[BenchRecord]:
    """For each size: seconds to build, to open, mebibytes on disk, milliseconds of a hybrid query."""
    records: list[BenchRecord] = []
    for size in SIZES[: effort.of(QUICK, len(SIZES))]:
        with tempfile.TemporaryDirectory(prefix="factdesk-bench-") as temporary:
            records += _measured(Path(temporary), size)
    return records


def _measured(home: Path, size: int) -> list[BenchRecord]:
    from evidence.index.sync import IndexRoot
    from evidence.retriever_factory import make_retriever
    from evidence.types import Query
    from store.documents import SqlDocumentStore
    from store.engine import open_engine

    embedder, rng = DrawnVectors(), random.Random(7)
    store = SqlDocumentStore(open_engine(home / "bench.sqlite"))
    store.put_documents("bench", generate.articles(size, SENTENCES))
    root = IndexRoot(home / "index", embedder)
    built = _seconds(lambda: root.sync(store, "bench"))
    unchanged = _seconds(lambda: root.sync(store, "bench"))
    opened = _seconds(lambda: root.open("bench").close())
    index = root.open("bench")
    retriever, taken = make_retriever("hybrid", index, embedder), []
    for text in [generate.sentence(rng) for _ in range(QUERIES + 1)]:
        query = Query(text=text, limit=12)
        taken.append(_seconds(partial(retriever.retrieve, query)))
    spans = len(index)
    index.close()
    disk = sum(p.stat().st_size for p in (home / "index").rglob("*") if p.is_file())
    name = f"growth.{size}_documents"
    return [
        alone(f"{name}.spans", spans, "spans"),
        alone(f"{name}.build", built, "s"),
        alone(f"{name}.open", opened, "s"),
        alone(f"{name}.nothing_new", unchanged, "s"),
        alone(f"{name}.disk", disk / 2**20, "MiB"),
        alone(f"{name}.query", 1000 * statistics.median(taken[1:]), "ms/query"),
        *_beside_bm25s(name, root, store, size),
    ]


def _beside_bm25s(name: str, root: IndexRoot, store: SqlDocumentStore, size: int) -> list[BenchRecord]:
    """Documents that come to an index, and scores of words in it that were not asked for before."""
    store.put_documents("bench", generate.articles(size + ADDED, SENTENCES)[size:])
    added = _seconds(lambda: root.sync(store, "bench"))
    index, rng = root.open("bench"), random.Random(8)
    rows = [stems(span.text) for span in index.spans(range(len(index)))]
    wanted = [stems(generate.sentence(rng)) for _ in range(QUERIES)]
    index.bm25_scores(["read"])  # reads the lengths of all rows
    try:
        made = _seconds(lambda: bm25s_peer.scorer(rows))
        peer = bm25s_peer.scorer(rows)
    except BackendUnavailable:
        return []
    ours = _seconds(lambda: [index.bm25_scores(words) for words in wanted])
    theirs = _seconds(lambda: [peer(words) for words in wanted])
    index.close()
    scale, peer_name = 1000 / QUERIES, bm25s_peer.PEER
    return [
        less_is_better(f"{name}.add_{ADDED}.vs_bm25s", added, "s", f"{peer_name}, made anew of words", made),
        less_is_better(f"{name}.words.vs_bm25s", ours * scale, "ms/query", peer_name, theirs * scale),
    ]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
