"""Disputed matters: what a contradiction costs, and whom."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trust.document_trust import assess_trust
from trust.matters import outgrown
from trust.types import TrustEdge, TrustReport

GATE = 0.40


def edge(source: str, target: str, weight: float, *, corrects: bool = False) -> TrustEdge:
    """A relation of two sentences, ``doc/sentence`` each."""
    return TrustEdge(
        source=source.split("/")[0],
        target=target.split("/")[0],
        weight=weight,
        source_span=source,
        target_span=target,
        corrects=corrects,
    )


def both(a: str, b: str, weight: float) -> list[TrustEdge]:
    return [edge(a, b, weight), edge(b, a, weight)]


def ranked(edges: list[TrustEdge], sentences: dict[str, int], **options: object) -> TrustReport:
    return assess_trust(sorted(sentences), edges, sentences=sentences, **options)  # type: ignore[arg-type]


def score(report: TrustReport, doc_id: str) -> float:
    entry = report.of(doc_id)
    assert entry is not None
    return entry.score


@pytest.mark.parametrize("length", [1, 2, 30])
def test_two_sources_alone_against_each_other_stand_and_both_are_heard(length: int) -> None:
    report = ranked(both("a/fare", "b/fare", -0.95), {"a": length, "b": length})
    assert score(report, "a") == score(report, "b") == 0.5
    assert [(m.span_id, m.score, m.disputes[0].span_id) for m in report.matters] == [
        ("a/fare", 0.5, "b/fare"),
        ("b/fare", 0.5, "a/fare"),
    ]
    published = assess_trust(["a", "b"], both("a/fare", "b/fare", -0.95))
    assert score(published, "a") < GATE, "as published both fall below the gate"


def test_a_dispute_that_the_model_sees_one_way_only_is_the_same_dispute() -> None:
    report = ranked([edge("a/fare", "b/fare", -0.95)], {"a": 3, "b": 3})
    assert {m.span_id for m in report.matters} == {"a/fare", "b/fare"}
    assert score(report, "a") == score(report, "b") == 0.5


def test_who_is_overruled_loses_that_matter_and_only_a_share_of_all_else() -> None:
    edges = [
        *both("a/fare", "c/fare", -0.95),
        *both("b/fare", "c/fare", -0.95),
        *both("a/fare", "b/fare", 0.9),
    ]
    report = ranked(edges, {"a": 4, "b": 4, "c": 20})
    assert report.at("c", "c/fare") == pytest.approx(0.2, abs=0.1)
    assert (report.at("c", "c/fare") or 0.0) < GATE
    assert (report.at("c", "c/vote") or 0.0) > GATE
    assert score(report, "a") > 0.5
    short = ranked(edges, {"a": 4, "b": 4, "c": 1})
    assert score(short, "c") < GATE, "it says nothing else"


def test_copies_overrule_nobody() -> None:
    edges = [*both("a/fare", "c/fare", -0.95), *both("b/fare", "c/fare", -0.95)]
    report = ranked(edges, {"a": 2, "b": 2, "c": 2}, clusters={"a": "a", "b": "a", "c": "c"})
    assert report.at("c", "c/fare") == pytest.approx(0.5)


def test_a_trusted_seed_overrules_one_of_whom_nothing_is_known() -> None:
    report = ranked(both("a/fare", "b/fare", -0.95), {"a": 9, "b": 9}, seeds=["a"])
    assert (report.at("b", "b/fare") or 0.0) < GATE < score(report, "b")
    assert report.at("a", "a/fare") == score(report, "a") == 0.575


def test_what_a_seed_says_nobody_overrules() -> None:
    edges = [*both("a/fare", "c/fare", -0.95), *both("b/fare", "c/fare", -0.95), *both("a/fare", "b/fare", 0.9)]
    lengths = {"a": 4, "b": 4, "c": 1}
    for seeds in (["c"], ["a", "b", "c"]):
        report = ranked(edges, lengths, seeds=seeds)
        assert report.at("c", "c/fare") == score(report, "c") == 0.575
    report = ranked([edge("c/new", "c2/old", -0.95, corrects=True)], {"c": 2, "c2": 2}, seeds=["c", "c2"])
    assert (report.at("c2", "c2/old") or 1.0) < 0.575, "its own later word does"


def test_a_later_word_of_ones_own_takes_the_earlier_ones_place() -> None:
    report = ranked([edge("new/fare", "old/fare", -0.95, corrects=True)], {"new": 5, "old": 5})
    assert (report.at("old", "old/fare") or 0.0) < GATE
    assert report.at("new", "new/fare") == score(report, "new") == 0.5
    assert [m.span_id for m in report.matters] == ["old/fare"]


WEIGHTS = st.floats(-1, 1).map(lambda w: round(w, 3)).filter(bool)
ENDS = [(f"{a}/{m}", f"{b}/{n}") for a in "abc" for b in "abc" if a != b for m in "xy" for n in "xy"]


@given(st.dictionaries(st.sampled_from(ENDS), WEIGHTS, max_size=8), st.integers(1, 5))
def test_trust_stays_in_range_converges_and_no_sentence_is_above_its_document(
    relations: dict[tuple[str, str], float], length: int
) -> None:
    edges = [edge(a, b, w) for (a, b), w in relations.items()]
    report = ranked(edges, dict.fromkeys("abc", length))
    assert report.converged
    assert report == ranked(edges[::-1], dict.fromkeys("cba", length))
    for matter in report.matters:
        assert 0 <= matter.score <= score(report, matter.span_id.split("/")[0]) <= 1
        assert matter.disputes


FEBRUARY, APRIL = date(2031, 2, 3), date(2031, 4, 4)


@pytest.mark.parametrize(
    "text",
    [
        "Veterinarians have counted 412 dead geese since the beginning of the year.",
        "So far 412 dead geese were found.",
        "The number of dead geese has risen to 412.",
    ],
)
def test_an_earlier_count_says_nothing_against_one_that_goes_on(text: str) -> None:
    assert outgrown(FEBRUARY, APRIL, text)
    assert not outgrown(APRIL, FEBRUARY, text), "a later count may well correct an earlier one"
    assert not outgrown(FEBRUARY, FEBRUARY, text)
    assert not outgrown(None, APRIL, text)
    assert not outgrown(FEBRUARY, None, text)


@pytest.mark.parametrize("text", ["Veterinarians found 412 dead geese.", "Since then the pond is dry."])
def test_what_is_no_running_count_can_be_refuted(text: str) -> None:
    assert not outgrown(FEBRUARY, APRIL, text)
