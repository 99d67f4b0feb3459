"""Finds spans for a query: BM25 and vectors, fused by rank, reranked, then capped; or one of the two as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evidence.index.corpus_index import CANDIDATES, EXACT_UP_TO, CorpusIndex, at_hand
from evidence.index.database import RANKING_VERSION
from evidence.retrieval.rerank import CONTEXT_CREDIT, RERANK_VERSION, W_COSINE, W_COVERAGE, W_DETAILS, Reranker
from evidence.retrieval.selection import KEPT_COPIES, capped, without_copies
from evidence.segmentation.spans import SEGMENT_VERSION
from evidence.types import Embedder, Hit, Query, RetrievalScores, Span
from factdesk.kernel import Fingerprint
from language.tokens import TOKENS_VERSION, stems

RetrieverSpec = Literal["hybrid", "fused", "bm25", "dense"]
"""Both rankings fused and reranked; the same without reranking (for ablations); one ranking as it is."""
Ranked = tuple[RetrievalScores, Span]
Candidate = tuple[int, RetrievalScores]
"""Row in the index, and its scores so far."""
RETRIEVE_VERSION = "4"
TOP = 100
"""Spans taken from each ranking; more where copies fill them."""
MOST = 6_400
"""Spans taken from each ranking at most."""
POOL = 40
"""Spans of the fused ranking that are reranked (more when the query's limit is higher)."""
RRF_K = 60
ROUNDING = np.float32(1e-4)
"""More than scores change when they are rounded."""
MIN_COSINE = 0.10
"""Spans further from the query are not taken from the vectors' ranking."""
KEPT = 64
"""Queries of one retriever whose rankings are kept: a check asks about the same sentence more than once."""
_NO_CAPS = {"max_chunks": 0, "max_spans_per_chunk": 0}
"""These only cut what was ranked."""


class IndexRetriever:
    """Retrieval from one open index (implements ``evidence.types.Retriever``). Deterministic and thread-safe. Same
    documents, same hits: neither the order in which documents were added nor what was indexed in between plays a part.
    Filters act before any ranking is cut.
    """

    def __init__(self, spec: RetrieverSpec, index: CorpusIndex, embedder: Embedder | None) -> None:
        self._spec = spec
        self._index = index
        self._embedder = embedder
        self._reranker = Reranker(index.idf)
        self._kept: dict[Query, list[Ranked]] = {}

    @property
    def fingerprint(self) -> Fingerprint:
        """Version, and the hash of all parameters with the embedder's weights."""
        embedder = None if self._embedder is None or self._spec == "bm25" else self._embedder.fingerprint.sha256
        definition = repr(
            (
                ("spec", self._spec),
                ("versions", RETRIEVE_VERSION, RANKING_VERSION, SEGMENT_VERSION, TOKENS_VERSION, RERANK_VERSION),
                ("cuts", TOP, MOST, POOL, RRF_K, MIN_COSINE, KEPT_COPIES),
                ("weights", W_COSINE, W_COVERAGE, W_DETAILS, CONTEXT_CREDIT),
                ("embedder", embedder),
                *(() if self._index.exact else (("codes", EXACT_UP_TO, CANDIDATES),)),
            )
        )
        digest = hashlib.sha256(definition.encode()).hexdigest()
        return Fingerprint(name=f"retriever:{self._spec}", version=RETRIEVE_VERSION, sha256=digest)

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """Hits, best first; empty when nothing matches, or the query has no words. Raises ``BackendUnavailable``: the
        index cannot be read, or the embedder fails.
        """
        if not query.text.strip() or query.limit < 1 or not len(self._index):
            return ()
        wide = query.model_copy(update={"limit": max(POOL, query.limit), **_NO_CAPS})
        ranked = at_hand(self._kept, wide, lambda: self._search(wide), KEPT)
        return capped(ranked, query)

    def _search(self, query: Query) -> list[Ranked]:
        """All that is found before the caps of a query, best first. The index is open and does not change."""
        mask = self._index.mask(query)
        vector = None
        if self._spec != "bm25" and self._embedder is not None:
            vector = self._embedder.embed([query.text])[0]
        tokens = stems(query.text)
        near = self._index.candidates(vector, mask) if vector is not None else None
        both = self._spec in ("hybrid", "fused")
        least, top = (query.limit if both else TOP), TOP
        while True:
            lexical = self._lexical(tokens, mask, top) if self._spec != "dense" else []
            semantic = _ranked(*near, MIN_COSINE, top) if near is not None else []
            found = _fused(lexical, semantic) if both else _plain(lexical, semantic)
            pairs = self._distinct(found, least, query.text)
            if len(pairs) == least or max(len(lexical), len(semantic)) < top or top >= MOST:
                break
            top *= 4
        ranked = [(scores, span) for (_, scores), span in pairs]
        if self._spec == "hybrid" and vector is not None:
            vectors = self._index.vectors([row for (row, _), _ in pairs])
            return self._reranker.reranked(query.text, ranked, vectors, vector)
        return ranked

    def _distinct(self, found: Sequence[Candidate], limit: int, asked: str) -> list[tuple[Candidate, Span]]:
        """The first ``limit`` candidates that are no copies of better ones, with their spans."""

        def with_spans() -> Iterator[tuple[Candidate, Span]]:
            for start in range(0, len(found), limit):
                part = found[start : start + limit]
                yield from zip(part, self._index.spans([row for row, _ in part]), strict=True)

        return without_copies(with_spans(), limit, asked)

    def _lexical(self, tokens: Sequence[str], mask: NDArray[np.bool_] | None, top: int) -> list[tuple[int, float]]:
        scores = self._index.bm25_scores(tokens)
        rows = np.flatnonzero(scores) if mask is None else np.flatnonzero((scores != 0) & mask)
        return _ranked(rows, scores[rows], 0.0, top)


def _ranked(rows: NDArray[np.int64], scores: NDArray[np.float32], above: float, top: int) -> list[tuple[int, float]]:
    """The best ``top`` of some rows with scores; equal scores in the order of rows, which is that of ids.

    *Shape* of ``rows`` (ascending) and ``scores``: (n_candidates,).
    """
    if len(rows) > 4 * top:  # what rounding cannot bring among the best needs no closer look
        least = np.partition(scores, len(scores) - top)[len(scores) - top]
        near = scores >= least - ROUNDING
        rows, scores = rows[near], scores[near]
    rounded = np.round(scores.astype(np.float64), 5)
    order = np.lexsort((rows, -rounded))[:top]
    return [(int(rows[i]), float(rounded[i])) for i in order if rounded[i] > above]


def _plain(lexical: Sequence[tuple[int, float]], semantic: Sequence[tuple[int, float]]) -> list[Candidate]:
    found = [(row, RetrievalScores(bm25=score)) for row, score in lexical]
    return found or [(row, RetrievalScores(dense=score)) for row, score in semantic]


def _fused(lexical: Sequence[tuple[int, float]], semantic: Sequence[tuple[int, float]]) -> list[Candidate]:
    """Reciprocal rank fusion: ``sum of 1 / (60 + rank)``, ranks from 1 (Cormack et al., SIGIR 2009)."""
    bm25, dense = dict(lexical), dict(semantic)
    sums: dict[int, float] = {}
    for ranking in (lexical, semantic):
        for rank, (row, _) in enumerate(ranking, start=1):
            sums[row] = sums.get(row, 0.0) + 1.0 / (RRF_K + rank)
    fused = {row: round(value, 8) for row, value in sums.items()}
    order = sorted(fused, key=lambda row: (-fused[row], row))
    return [(row, RetrievalScores(bm25=bm25.get(row), dense=dense.get(row), fused=fused[row])) for row in order]
