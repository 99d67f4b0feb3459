"""The last stage of retrieval, with no model of its own: a fixed formula over a few features, each 0 to 1; and
ClaimTrust's search mode ``score``, which ranks by similarity and the trust of a document together. Copies of a sentence
all keep their scores: whether they are independent is for ``trust`` to say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evidence.types import Hit, Query, RetrievalScores, Retriever, Span
from factdesk.kernel import Fingerprint, sha256_text
from language.tokens import stems, terms

Vectors = NDArray[np.float32]
RERANK_VERSION = "1"
W_COSINE = 0.60
W_COVERAGE = 0.25
W_DETAILS = 0.15
"""Weights of the three features; they sum to 1."""
CONTEXT_CREDIT = 0.5
"""What a word counts that stands in the title or context only."""
KEPT = 4096
"""Texts whose stems are kept, since the same spans come up again."""


class Reranker:
    """Scores spans for one query: ``0.60 * max(cosine, 0) + 0.25 * words + 0.15 * details``, where ``words`` is the
    share of the query's stems (by inverse document frequency) found in the span, ``details`` that of its names and
    numbers; found in the title or context alone they count half. A query without details gives their weight to words.
    """

    def __init__(self, idf: Callable[[str], float]) -> None:
        self._idf = idf

    def reranked(
        self, query: str, ranked: Sequence[tuple[RetrievalScores, Span]], vectors: Vectors, asked: Vectors
    ) -> list[tuple[RetrievalScores, Span]]:
        """Best first. *Shapes:* ``vectors`` (n_spans, dimension), ``asked`` (dimension,)."""
        asked_for = terms(query)
        words = {term.stem: self._idf(term.stem) for term in asked_for}
        details = {term.stem: 1.0 for term in asked_for if term.is_name or term.is_number}
        found = []
        for (scores, span), vector in zip(ranked, vectors.astype(np.float64), strict=True):
            cosine = round(float(np.dot(vector, asked)), 6)
            own, around = _stems_of(span.text), _stems_of(f"{span.title}\n{span.context}")
            score = W_COSINE * max(cosine, 0.0)
            if details:
                score = score + W_COVERAGE * _share(words, own, around) + W_DETAILS * _share(details, own, around)
            else:
                score = score + (W_COVERAGE + W_DETAILS) * _share(words, own, around)
            update = {"dense": cosine, "rerank": round(min(score, 1.0), 6)}
            found.append((scores.model_copy(update=update), span))
        return sorted(found, key=lambda item: (-(item[0].rerank or 0.0), item[1].span_id))


@lru_cache(maxsize=KEPT)
def _stems_of(text: str) -> frozenset[str]:
    return frozenset(stems(text))


def _share(weights: dict[str, float], own: frozenset[str], around: frozenset[str]) -> float:
    """The share of words that a text has; one that only its surroundings have counts half."""
    total = sum(weights.values())
    found = sum(w * (1.0 if s in own else CONTEXT_CREDIT if s in around else 0.0) for s, w in weights.items())
    return found / total if total else 0.0


WIDER = 3
"""So many times the wanted hits are the candidates."""
UNKNOWN = 0.5
"""Trust of a document that has none: the start value of ClaimRank."""


class TrustedOrder:
    """A retriever over another one: ``(1 - w) norm(similarity) + w norm(trust)``, both norms over the candidates of the
    query (least to most, 0 to 1). Only the order changes: trust neither adds evidence nor decides on it here.

    ``trust``: score by document id, 0 to 1; ``weight``: ``w``, 0 to 1; 0 leaves the order of ``inner``.
    """

    def __init__(self, inner: Retriever, trust: Mapping[str, float], weight: float) -> None:
        self._inner, self._trust, self._weight = inner, dict(trust), weight

    @property
    def fingerprint(self) -> Fingerprint:
        """Of the inner retriever, the weight and all scores."""
        inner = self._inner.fingerprint
        scores = json.dumps(sorted((k, round(v, 6)) for k, v in self._trust.items()))
        text = f"{inner.name} {inner.version} {inner.sha256} {self._weight} {WIDER} {scores}"
        return Fingerprint(name=inner.name, version=f"{inner.version}, by trust", sha256=sha256_text(text))

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """At most ``query.limit`` hits, best first by both."""
        wide = query.model_copy(update={"limit": query.limit * WIDER, "max_chunks": query.max_chunks * WIDER})
        found = self._inner.retrieve(wide)
        scores = [hit.scores.last for hit in found]
        similarity = _normed([-hit.rank if s is None else s for hit, s in zip(found, scores, strict=True)])
        trust = _normed([self._trust.get(hit.span.doc_id, UNKNOWN) for hit in found])
        both = [(1 - self._weight) * s + self._weight * t for s, t in zip(similarity, trust, strict=True)]
        order = sorted(range(len(found)), key=lambda n: (-both[n], found[n].rank, found[n].span.span_id))
        kept = order[: query.limit]
        return tuple(found[n].model_copy(update={"rank": rank}) for rank, n in enumerate(kept, 1))


def _normed(values: Sequence[float]) -> list[float]:
    """From 0 (the least) to 1 (the most); all 0 where they are the same."""
    if not values:
        return []
    low, high = min(values), max(values)
    return [(v - low) / (high - low) if high > low else 0.0 for v in values]
