"""Mended claims: one conflicting slot set to what the evidence says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.paraphrases import PARAPHRASES
from verifier.guard.value_repair import MAX_REPAIRS, repairs

MENDED = (
    ("The town has 12 schools.", "The town has 14 schools.", "The town has 14 schools."),
    ("It cost $5 million.", "It cost $6 million in the end.", "It cost $6 million."),
    ("It opened in 2016.", "It opened in 2017.", "It opened in 2017."),
    ("Rents rose by 3 percent.", "Rents rose by 5 percent.", "Rents rose by 5 percent."),
    ("Rents rose last year.", "Rents fell last year.", "Rents fell last year."),
    (
        "Swimming was still forbidden in 2025.",
        "In 2025 swimming in the lake is allowed.",
        "Swimming was allowed in 2025.",
    ),
    (
        "Fishing was still banned in 2031.",
        "The board lifted the fishing ban in May 2031.",
        "Fishing was allowed in 2031.",
    ),
    ("The bridge is open.", "The bridge is not open.", "The bridge is not open."),
    ("The bridge is not open.", "The bridge is open.", "The bridge is open."),
    ("Salt has no effect on moss.", "Salt had a clear effect on moss.", "Salt has some effect on moss."),
    ("It counted 37 owls.", "It counted 31 birds, six fewer than in May.", "It counted 31 owls."),
    ("A lift runs up here.", "No lift runs up here.", "It is not true that a lift runs up here."),
    ("The games were held in Oslo.", "The games were held in Bergen.", "The games were held in Bergen."),
)


@pytest.mark.parametrize(("claim", "premise", "expected"), MENDED)
def test_the_one_conflict_is_mended(claim: str, premise: str, expected: str) -> None:
    assert expected in repairs(claim, premise)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The town has 12 schools.", "The town has 12 schools."),
        ("The town has 12 schools and 3 parks.", "The town has 14 schools and 5 parks, not 9 lakes."),
        ("It opened in 2016 and cost $5 million.", "It opened in 2017 and cost $6 million."),
        ("The town has 12 schools.", "The town is old."),
        ("Salt has no effect on moss.", "Moss and salt are what the hill is made of."),
        ("", ""),
    ],
)
def test_nothing_is_mended_where_not_exactly_one_slot_conflicts(claim: str, premise: str) -> None:
    mended = repairs(claim, premise)
    assert all("14" not in text or "5 parks" not in text for text in mended)
    assert claim not in mended
    if "$" in claim or claim == premise:
        assert mended == ()


TEXTS = st.one_of(st.text(), st.sampled_from([t for pair in PARAPHRASES for t in pair]))


@given(TEXTS, TEXTS)
def test_any_two_texts(claim: str, premise: str) -> None:
    mended = repairs(claim, premise)
    assert len(mended) <= MAX_REPAIRS
    assert len(set(mended)) == len(mended)
    assert mended == repairs(claim, premise)


def test_the_hour_of_the_day_counts_nothing() -> None:
    claim = "A field of 8,412 people finished in Corvane."
    swept = "In Corvane they handed out 52,000 cups and swept the town until ten at night."
    assert not any("ten people" in mended for mended in repairs(claim, swept))
    assert any("ten people" in mended for mended in repairs(claim, swept.replace("at night", "people tired")))


def test_an_amount_at_another_time_is_not_mended() -> None:
    claim = "At the start of 2025, 18,740 people lived in Harrow."
    assert repairs(claim, "Harrow had 18,740 inhabitants in 2019.") == ()
    assert repairs("The bridge opened in 2018.", "The bridge opened in 2019.") == (
        "The bridge opened in 2019.",
    )


def test_an_ordinal_is_no_amount_at_another_time() -> None:
    claim = "Surveyors first reported the leak in 1996."
    assert repairs(claim, "Surveyors first reported the leak in 1986.") == (claim.replace("1996", "1986"),)
    counted = "Surveyors reported 40 leaks in 1996."
    assert repairs(counted, "Surveyors reported 40 leaks in 1986.") == ()
