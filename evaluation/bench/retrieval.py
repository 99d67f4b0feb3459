"""``retrieval``: one hybrid query on an index on disk, beside the same rankings by brute force.

Brute force reads what there is to read: BM25 over every tokenised span in plain Python, the cosine with
every vector one by one, and reciprocal rank fusion of the two. Both sides embed the query; neither side's
time holds the making of the index.
"""

from __future__ import annotations

import math
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evaluation.bench import bm25s_peer, generate
from evaluation.bench.types import BenchRecord, Effort, alone, less_is_better, take_turns
from factdesk.kernel import BackendUnavailable
from language.tokens import stems

if TYPE_CHECKING:
    from evidence.index.corpus_index import CorpusIndex
    from evidence.types import Embedder

K1, B, RRF_K, TOP = 1.2, 0.75, 60, 12
SENTENCES = 10


def run(effort: Effort) -> list[BenchRecord]:
    """Size of the index, then milliseconds a query of both sides."""
    from evidence.index.sync import IndexRoot
    from evidence.retrieval.embedder import OnnxEmbedder
    from evidence.retriever_factory import make_retriever
    from evidence.types import Query
    from store.documents import SqlDocumentStore
    from store.engine import open_engine

    rng = random.Random(7)
    queries = [generate.sentence(rng) for _ in range(effort.of(10, 30))]
    embedder = OnnxEmbedder()
    with tempfile.TemporaryDirectory(prefix="factdesk-bench-") as temporary:
        store = SqlDocumentStore(open_engine(Path(temporary) / "bench.sqlite"))
        store.put_documents("bench", generate.articles(effort.of(30, 300), SENTENCES))
        root = IndexRoot(Path(temporary) / "index", embedder)
        root.sync(store, "bench")
        index = root.open("bench")
        try:
            brute = BruteForce(index, embedder)

            def search() -> None:
                """With a retriever of its own: one keeps the rankings of its last queries."""
                retriever = make_retriever("hybrid", index, embedder)
                for query in queries:
                    retriever.retrieve(Query(text=query, limit=TOP))

            ours, theirs = take_turns([search, lambda: [brute.search(query) for query in queries]], effort.of(3, 5))
            spans = len(index)
            lexical = _beside_bm25s(index, queries, effort.of(3, 5))
        finally:
            index.close()
    peer = "plain BM25 and cosine over every span, fused"
    scale = 1000 / len(queries)
    return [
        alone("retrieval.spans", spans, "spans"),
        less_is_better("retrieval.hybrid.vs_brute_force", ours * scale, "ms/query", peer, theirs * scale),
        *lexical,
    ]


def _beside_bm25s(index: CorpusIndex, queries: list[str], rounds: int) -> list[BenchRecord]:
    """BM25 scores of all spans beside the library bm25s; nothing where it is absent."""
    wanted = [stems(query) for query in queries]
    try:
        peer = bm25s_peer.scorer([stems(span.text) for span in index.spans(range(len(index)))])
    except BackendUnavailable:
        return []
    ours, theirs = take_turns(
        [
            lambda: [index.bm25_scores(tokens) for tokens in wanted],
            lambda: [peer(tokens) for tokens in wanted],
        ],
        rounds,
    )
    scale = 1000 / len(queries)
    return [less_is_better("retrieval.bm25.vs_bm25s", ours * scale, "ms/query", bm25s_peer.PEER, theirs * scale)]


class BruteForce:
    """Ranks all spans for a query without any index; texts are tokenised beforehand."""

    def __init__(self, index: CorpusIndex, embedder: Embedder) -> None:
        self._embedder = embedder
        self._spans = index.spans(range(len(index)))
        self._counts = [self._words(span.text, span.title) for span in self._spans]
        self._vectors = index.vectors(range(len(index)))

    def search(self, query: str) -> list[str]:
        """Ids of the best spans."""
        lexical = self._bm25(stems(query))
        vector = self._embedder.embed([query])[0]
        dense = [float(np.dot(row, vector)) for row in self._vectors]
        fused: dict[int, float] = {}
        for scores in (lexical, dense):
            best = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)[:100]
            for rank, row in enumerate(best, 1):
                fused[row] = fused.get(row, 0.0) + 1 / (RRF_K + rank)
        return [self._spans[row].span_id for row in sorted(fused, key=fused.__getitem__, reverse=True)[:TOP]]

    def _words(self, text: str, title: str) -> Counter[str]:
        """Words of a span, and those of its title that it lacks, as the index has them."""
        own = Counter(stems(text))
        own.update(set(stems(title)) - own.keys())
        return own

    def _bm25(self, tokens: list[str]) -> list[float]:
        lengths = [sum(counts.values()) for counts in self._counts]
        mean = sum(lengths) / max(1, len(lengths))
        scores = [0.0] * len(lengths)
        for token in set(tokens):
            frequency = sum(token in counts for counts in self._counts)
            idf = math.log(1 + (len(lengths) - frequency + 0.5) / (frequency + 0.5))
            for row, counts in enumerate(self._counts):
                if found := counts.get(token, 0):
                    scores[row] += idf * found / (found + K1 * (1 - B + B * lengths[row] / mean))
        return scores
