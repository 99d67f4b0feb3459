"""The search mode ``score``: similarity and trust together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.retrieval.rerank import WIDER, TrustedOrder
from evidence.types import Hit, Query, RetrievalScores, Span
from factdesk.kernel import Fingerprint


def hit(number: int, score: float | None) -> Hit:
    text = f"Sentence {number}."
    span = Span(
        span_id=f"d{number}#0.0",
        chunk_id=f"d{number}#0",
        doc_id=f"d{number}",
        doc_sha256="0" * 64,
        start=0,
        end=len(text),
        text=text,
        kind="text",
        title="",
    )
    return Hit(span=span, scores=RetrievalScores(rerank=score), rank=number + 1)


class Fixed:
    """Gives the hits it was made with, as many as are asked for."""

    fingerprint = Fingerprint(name="retriever:fixed", version="1")

    def __init__(self, scores: list[float | None]) -> None:
        self.hits = tuple(hit(n, s) for n, s in enumerate(scores))
        self.asked: list[int] = []

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        self.asked.append(query.limit)
        return self.hits[: query.limit]


def order(inner: Fixed, trust: dict[str, float], weight: float, limit: int = 4) -> list[str]:
    found = TrustedOrder(inner, trust, weight).retrieve(Query(text="x", limit=limit))
    assert [h.rank for h in found] == list(range(1, len(found) + 1))
    return [h.span.doc_id for h in found]


def test_the_equation_by_hand() -> None:
    inner = Fixed([0.9, 0.5, 0.1])
    trust = {"d0": 0.2, "d1": 1.0, "d2": 0.6}
    # similarity normed 1, .5, 0; trust normed 0, 1, .5; at w = .5: .5, .75, .25
    assert order(inner, trust, 0.5) == ["d1", "d0", "d2"]
    assert order(inner, trust, 0.0) == ["d0", "d1", "d2"]
    assert order(inner, trust, 1.0) == ["d1", "d2", "d0"]


def test_candidates_are_more_than_what_is_wanted_and_a_trusted_one_can_rise() -> None:
    inner = Fixed([0.9, 0.89, 0.88, 0.87, 0.86, 0.85])
    assert order(inner, {"d5": 1.0, "d0": 0.1}, 0.8, limit=2)[0] == "d5"
    assert inner.asked == [2 * WIDER]


def test_without_scores_the_rank_is_the_similarity() -> None:
    assert order(Fixed([None, None, None]), {}, 0.5) == ["d0", "d1", "d2"]


def test_the_fingerprint_changes_with_scores_and_weight() -> None:
    inner = Fixed([0.5])
    prints = {
        TrustedOrder(inner, trust, weight).fingerprint.sha256
        for trust, weight in (({}, 0.5), ({"d0": 0.7}, 0.5), ({"d0": 0.7}, 0.6))
    }
    assert len(prints) == 3


@given(
    st.lists(st.floats(0, 1), max_size=12),
    st.dictionaries(st.sampled_from([f"d{n}" for n in range(12)]), st.floats(0, 1)),
    st.floats(0, 1),
    st.integers(1, 12),
)
def test_nothing_is_added_and_nothing_comes_twice(
    scores: list[float], trust: dict[str, float], weight: float, limit: int
) -> None:
    inner = Fixed([*scores])
    found = order(inner, trust, weight, limit)
    assert len(found) == len(set(found)) == min(limit, len(scores))
    assert set(found) <= {h.span.doc_id for h in inner.hits}


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_equal_trust_leaves_the_order(weight: float) -> None:
    inner = Fixed([0.9, 0.7, 0.2])
    assert order(inner, dict.fromkeys(("d0", "d1", "d2"), 0.5), weight) == ["d0", "d1", "d2"]
