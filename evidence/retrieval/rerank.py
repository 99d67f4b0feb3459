"""The last stage of retrieval, with no model of its own: a fixed formula over a few features, each 0 to 1; and
ClaimTrust's search mode ``score``, which ranks by similarity and the trust of a document together. Copies of a sentence
all keep their scores: whether they are independent is for ``trust`` to say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from evidence.types import Hit, Query, RetrievalScores, Retriever, Span
from factdesk.kernel import Fingerprint, sha256_text
from language.tokens import Analyzer

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


@dataclass(frozen=True)
class _QueryView:
    words: dict[str, float]
    """Stem to inverse document frequency."""
    details: frozenset[str]
    """Stems of names and numbers."""


class Reranker:
    """Scores spans for one query: meaning, words, and names and numbers.

    ``score = 0.60 * max(cosine, 0) + 0.25 * words + 0.15 * details``, where ``words`` is the share of the
    query's content words (stems, weighted by inverse document frequency) found in the span, and ``details``
    the share of its names and numbers; a word found only in the title or context counts half. Without
    names and numbers in the query the weight of ``details`` goes to ``words``.
    """

    def __init__(self, idf: Callable[[str], float]) -> None:
        self._idf = idf
        self._analyzer = Analyzer()
        self._stems = lru_cache(maxsize=KEPT)(partial(_stems, self._analyzer))

    def reranked(
        self, query: str, ranked: Sequence[tuple[RetrievalScores, Span]], vectors: Vectors, asked: Vectors
    ) -> list[tuple[RetrievalScores, Span]]:
        """Best first. *Shapes:* ``vectors`` (n_spans, dimension), ``asked`` (dimension,)."""
        terms = self._analyzer.terms(query)
        details = frozenset(term.stem for term in terms if term.is_name or term.is_number)
        view = _QueryView({term.stem: self._idf(term.stem) for term in terms}, details)
        found = []
        for (scores, span), vector in zip(ranked, vectors.astype(np.float64), strict=True):
            cosine = round(float(np.dot(vector, asked)), 6)
            score = self._score(view, span, cosine)
            found.append((scores.model_copy(update={"dense": cosine, "rerank": score}), span))
        return sorted(found, key=lambda item: (-(item[0].rerank or 0.0), item[1].span_id))

    def _score(self, view: _QueryView, span: Span, cosine: float) -> float:
        own = self._stems(span.text)
        around = self._stems(f"{span.title}\n{span.context}") - own
        words = _share(view.words, own, around)
        if view.details:
            details = _share(dict.fromkeys(view.details, 1.0), own, around)
            score = W_COSINE * max(cosine, 0.0) + W_COVERAGE * words + W_DETAILS * details
        else:
            score = W_COSINE * max(cosine, 0.0) + (W_COVERAGE + W_DETAILS) * words
        return round(min(max(score, 0.0), 1.0), 6)


def _stems(analyzer: Analyzer, text: str) -> frozenset[str]:
    return frozenset(analyzer.stems(text))


def _share(weights: dict[str, float], own: frozenset[str], around: frozenset[str]) -> float:
    total = sum(weights.values())
    if not total:
        return 0.0
    found = sum(
        weight * (1.0 if stem in own else CONTEXT_CREDIT if stem in around else 0.0) for stem, weight in weights.items()
    )
    return found / total


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
