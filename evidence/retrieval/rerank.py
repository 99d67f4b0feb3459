"""The last stage of retrieval: a fixed formula over a few features, each 0 to 1, with no model of its own. Copies of a
sentence all keep their scores: whether they are independent is for ``trust`` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from evidence.types import Span
from language.tokens import Analyzer, Term

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

    def scores(self, query: str, spans: Sequence[Span], cosines: NDArray[np.float64]) -> list[float]:
        """One score a span, 0 to 1, in order. *Shape* of ``cosines``: (n_spans,)."""
        view = self._view(self._analyzer.terms(query))
        return [self._score(view, span, float(cosine)) for span, cosine in zip(spans, cosines, strict=True)]

    def _view(self, terms: Sequence[Term]) -> _QueryView:
        details = frozenset(term.stem for term in terms if term.is_name or term.is_number)
        return _QueryView({term.stem: self._idf(term.stem) for term in terms}, details)

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
