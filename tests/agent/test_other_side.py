"""The question for the other side looks at several documents."""

from __future__ import annotations

from collections import Counter

import pytest

from agent.graphs.evidence_lookup import PER_DOCUMENT, other_side, spread
from agent.types import CHECK, Question
from evidence.types import Hit, RetrievalScores, Span


def hits(*doc_ids: str) -> list[Hit]:
    found = []
    for rank, doc_id in enumerate(doc_ids, 1):
        span = Span(
            span_id=f"{doc_id}#1.{rank}",
            chunk_id=f"{doc_id}#1",
            doc_id=doc_id,
            doc_sha256="0" * 64,
            start=0,
            end=1,
            text="A",
        )
        found.append(Hit(span=span, scores=RetrievalScores(), rank=rank))
    return found


def test_a_document_that_says_much_does_not_hide_the_one_that_corrects_it() -> None:
    found = spread(hits(*"aaaaaaaabbbbcccd"), 6)
    assert Counter(h.span.doc_id for h in found) == Counter(a=2, b=2, c=2)
    assert [h.rank for h in found] == [1, 2, 3, 4, 5, 6]
    assert {h.span.doc_id for h in spread(hits(*"aaaaaaaabbbbcccd"), 7)} == set("abcd")


def test_fewer_are_given_where_there_are_no_more() -> None:
    assert len(spread(hits(*"aaaa"), 6)) == PER_DOCUMENT
    assert spread([], 6) == ()


def by(hit: Hit, publisher: str) -> Hit:
    return hit.model_copy(update={"span": hit.span.model_copy(update={"publisher": publisher})})


def test_a_publisher_of_many_pages_leaves_places_to_others_and_to_the_other_side() -> None:
    flood = [by(hit, "Blog") for hit in hits(*(f"a{n}" for n in range(20)))]
    rest = [by(hit, f"Paper {n}") for n, hit in enumerate(hits(*(f"z{n}" for n in range(6))))]
    found = spread([*flood, *rest], 10)
    assert Counter(h.span.publisher for h in found)["Blog"] == 5
    found = spread([*flood, *rest], 10, lambda hit: hit.span.doc_id == "z5")
    assert "z5" in {h.span.doc_id for h in found}
    many = [by(hit, f"Blog {n}") for n, hit in enumerate(flood)]
    found = spread([*many, *rest], 10, lambda hit: hit.span.doc_id.startswith("z"))
    assert Counter(h.span.doc_id[0] for h in found) == Counter(a=6, z=4)
    assert len(spread(flood, 10)) == 10, "nobody else waits"


@pytest.mark.parametrize(("purpose", "asks"), [("dispute", True), (f"{CHECK}dispute", True), ("claim", False)])
def test_only_that_question_asks_for_it(purpose: str, asks: bool) -> None:
    question = Question(question_id="q", claim_id="c", text="Does any?", route="text", depth=1, purpose=purpose)
    assert other_side(question) is asks
