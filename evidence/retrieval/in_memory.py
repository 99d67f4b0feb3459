"""Finds spans in documents that are in no index, such as fetched pages. BM25 over the sentences at hand picks a pool,
and the same last stage as in a corpus scores it, so that the hits of both can be put in one order.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence

from evidence.domains import allowed
from evidence.index.bm25 import K1, B, idf
from evidence.index.writer import vector_text
from evidence.retrieval.rerank import Reranker
from evidence.retrieval.selection import capped, without_copies
from evidence.segmentation.spans import spans_of
from evidence.types import Document, Embedder, Hit, Query, RetrievalScores, Span
from language.tokens import stems

IN_MEMORY_VERSION = "1"
POOL = 60
"""Spans that are scored by meaning; what shares no word with the query is not found."""


class InMemoryRetriever:
    """Ranks the sentences of given documents. Deterministic: the order of documents plays no part."""

    def __init__(self, embedder: Embedder | None) -> None:
        """Without an embedder BM25 alone ranks."""
        self._embedder = embedder
        self._spans: dict[tuple[str, str], tuple[tuple[Span, list[str]], ...]] = {}
        self._lock = threading.Lock()

    def retrieve(self, query: Query, documents: Sequence[Document]) -> tuple[Hit, ...]:
        """Hits from these documents within the query's bounds, best first."""
        distinct = {d.doc_id: d for d in documents if allowed(d, query)}
        with self._lock:
            rows = [row for key in sorted(distinct) for row in self._rows(distinct[key])]
            ranked = without_copies(_bm25(stems(query.text), rows), max(POOL, query.limit), query.text)
            if ranked and self._embedder is not None:
                texts = (vector_text(span.text, span.context) for _, span in ranked)
                vectors = self._embedder.embed([query.text, *texts])
                seen = Counter(stem for _, own in rows for stem in set(own))
                reranker = Reranker(lambda stem: idf(len(rows), seen[stem]))
                ranked = reranker.reranked(query.text, ranked, vectors[1:], vectors[0])
        return capped(ranked, query)

    def _rows(self, document: Document) -> tuple[tuple[Span, list[str]], ...]:
        key = (document.doc_id, document.sha256)
        if key not in self._spans:
            title = set(stems(document.title))
            found = []
            for span in spans_of(document):
                own = stems(span.text)
                found.append((span, own + sorted(title - set(own))))
            self._spans[key] = tuple(found)
        return self._spans[key]


def _bm25(query: Sequence[str], rows: Sequence[tuple[Span, list[str]]]) -> list[tuple[RetrievalScores, Span]]:
    """Rows with a score above 0, best first (Lucene's variant, as in ``evidence.index.bm25``)."""
    wanted = set(query)
    seen = Counter(stem for _, own in rows for stem in set(own) & wanted)
    mean = sum(len(own) for _, own in rows) / len(rows) if rows else 0.0
    found = []
    for span, own in rows:
        counts = Counter(stem for stem in own if stem in wanted)
        norm = K1 * (1 - B + B * len(own) / mean) if mean else K1
        parts = sorted(idf(len(rows), seen[s]) * n / (n + norm) for s, n in counts.items())
        if parts:
            found.append((RetrievalScores(bm25=round(sum(parts), 5)), span))
    return sorted(found, key=lambda item: (-(item[0].bm25 or 0.0), item[1].span_id))
