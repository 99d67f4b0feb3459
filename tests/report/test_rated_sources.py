"""A badge says on how many independent sources it stands, and which of them the desk has rated."""

from __future__ import annotations

import pytest

from report.certificate.derived import independent_sources, is_rated
from report.policy.badge import badge
from report.policy.rules import decide
from report.types import ClaimRecord, SpanRecord
from tests.report.builders import REPORT, make_claim, make_record, make_span
from verifier.types import GuardReport, Thresholds

SENTENCE = "The Tollgate library reopened on 4 May 2024."
AGAINST = (0.01, 0.97)


def said(name: str, entailment: float = 0.97, contradiction: float = 0.01, **fields: object) -> SpanRecord:
    record = make_record(make_span(name, REPORT, SENTENCE, 0), entailment, contradiction)
    guard = GuardReport(matched=1, overlap=0.9)
    assessment = record.assessment.model_copy(update={"guard": guard})
    return record.model_copy(update={"assessment": assessment, **fields})


def record(*spans: SpanRecord) -> ClaimRecord:
    return ClaimRecord(claim=make_claim("c1", SENTENCE, 0), spans=spans)


def badge_of(*spans: SpanRecord) -> str:
    return str(badge(decide(record(*spans), Thresholds()), "abcd"))


def test_the_badge_tells_one_unrated_source_from_two() -> None:
    one, two = said("post-1"), said("post-2")
    assert badge_of(one) == "[VERIFIED by one source, not rated, abcd/c1]"
    assert badge_of(one, two) == "[VERIFIED by 2 independent sources, not rated, abcd/c1]"
    assert badge_of(said("post-1", rated=True)) == "[VERIFIED by one source, rated, abcd/c1]"
    assert badge_of(said("post-1", rated=True), two) == "[VERIFIED by 2 independent sources, 1 rated, abcd/c1]"
    assert badge_of(one, two.model_copy(update={"source": "post-1"})) == badge_of(one)


def test_a_desk_may_ask_for_a_rated_source_or_two_independent_ones() -> None:
    asked = Thresholds(min_unrated=2)
    assert decide(record(said("post-1")), asked).state == "UNVERIFIED"
    assert decide(record(said("post-1"), said("post-2", source="post-1")), asked).state == "UNVERIFIED"
    assert decide(record(said("post-1"), said("post-2")), asked).state == "VERIFIED"
    assert decide(record(said("post-1", rated=True)), asked).state == "VERIFIED"


def test_one_planted_contradiction_does_not_outweigh_two_rated_sources() -> None:
    rated = (said("post-1", rated=True), said("post-2", rated=True))
    planted = said("blog-1", *AGAINST)
    assert decide(record(*rated, planted), Thresholds()).state == "VERIFIED"
    assert decide(record(*rated, planted, said("blog-2", *AGAINST)), Thresholds()).state == "UNVERIFIED"
    assert decide(record(*rated, said("post-3", *AGAINST, rated=True)), Thresholds()).state == "UNVERIFIED"
    assert decide(record(rated[0], planted), Thresholds()).state == "UNVERIFIED"
    assert decide(record(said("post-1"), said("post-2"), planted), Thresholds()).state == "UNVERIFIED"
    one = tuple(s.model_copy(update={"source": "post-1"}) for s in rated)
    assert decide(record(*one, planted), Thresholds()).state == "UNVERIFIED"


def placed(name: str, publisher: str | None, url: str | None) -> SpanRecord:
    span = make_span(name, REPORT, SENTENCE, 0, publisher=publisher, url=url)
    return make_record(span, 0.97, 0.01).model_copy(update={"cluster": name})


def test_what_one_publisher_or_site_says_is_one_source() -> None:
    spans = [
        placed("a", "Courier", "https://a.example/1"),
        placed("b", "courier", "https://b.example/2"),
        placed("c", None, "https://b.example/3"),
        placed("d", "Post", "https://d.example"),
        placed("e", None, None),
    ]
    found = independent_sources(spans)
    assert [found[s.span.span_id] for s in spans] == ["a", "a", "a", "d", "e"]


@pytest.mark.parametrize(
    ("url", "sites", "rated"),
    [
        ("https://news.example/1", ("news.example",), True),
        ("https://www.news.example/1", ("news.example",), True),
        ("https://fakenews.example/1", ("news.example",), False),
        (None, ("news.example",), False),
        ("https://news.example/1", (), False),
    ],
)
def test_a_source_is_rated_by_its_site_or_as_a_seed(url: str | None, sites: tuple[str, ...], rated: bool) -> None:
    span = make_span("a", REPORT, SENTENCE, 0, url=url, publisher="news.example")
    assert is_rated(span, sites, seed=False) is rated
    assert is_rated(span, sites, seed=True)
