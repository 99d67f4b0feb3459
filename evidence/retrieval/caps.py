"""The caps of a query on a ranking: so many sentences, from so many chunks, and so many of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evidence.types import Hit, Query, RetrievalScores, Span


def capped(ranked: Iterable[tuple[RetrievalScores, Span]], query: Query) -> tuple[Hit, ...]:
    """The first of a ranking (best first) within the query's caps, ranks from 1."""
    per_chunk: Counter[str] = Counter()
    hits: list[Hit] = []
    for scores, span in ranked:
        if len(hits) == query.limit:
            break
        full = span.chunk_id not in per_chunk and len(per_chunk) >= query.max_chunks
        if full or per_chunk[span.chunk_id] >= query.max_spans_per_chunk:
            continue
        per_chunk[span.chunk_id] += 1
        hits.append(Hit(span=span, scores=scores, rank=len(hits) + 1))
    return tuple(hits)
