"""The claim's own words for the details on which the evidence agrees with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.guard.quantities import quantity_findings
from verifier.premise.builder import aligned, model_premise
from verifier.types import PairText


@pytest.mark.parametrize(
    ("claim", "premise", "read"),
    [
        ("It was closed in June 2025.", "On 2 June 2025 it was closed.", "On June 2025 it was closed."),
        ("About 3,000 people came.", "The count was 3,104 people.", "The count was 3,000 people."),
        ("A third of them left.", "33.4 percent of them left.", "a third of them left."),
        ("It cost £6.2 million.", "The bill was 6,200,000 pounds.", "The bill was £6.2 million."),
    ],
)
def test_an_agreeing_detail_is_read_as_the_claim_writes_it(claim: str, premise: str, read: str) -> None:
    assert aligned(claim, premise).lower() == read.lower()


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("It was closed in June 2025.", "On 2 July 2025 it was closed."),
        ("It was closed on 2 June 2025.", "In June 2025 it was closed."),
        ("More than 3,000 people came.", "The count was 3,104 people."),
        ("Fewer than 40 were hurt.", "31 were hurt."),
        ("In 2024 it grew.", "It grew in May 2024 and shrank in July 2024."),
        ("It grew.", "It grew in May 2024."),
    ],
)
def test_what_differs_bounds_or_may_be_either_stays(claim: str, premise: str) -> None:
    assert aligned(claim, premise) == premise


def test_a_quarter_without_a_year_has_that_of_its_publication() -> None:
    claim = "There were 174 cases between January and March 2025."
    told = "The number for the first quarter is 174."
    assert aligned(claim, told, "2025-04-17") == "The number for the January and March 2025 is 174."
    assert aligned(claim, told, "2024-04-17") == told
    assert aligned(claim, told) == told


def test_the_model_reads_it_so() -> None:
    pair = PairText(claim="It opened in May 2025.", premise="It opened on 4 May 2025.")
    assert model_premise(pair) == "It opened on May 2025."


@given(st.integers(1, 9999), st.integers(1, 9999))
def test_it_neither_makes_nor_hides_a_difference(mine: int, theirs: int) -> None:
    claim, premise = f"The harbour has {mine} berths.", f"There are {theirs} berths in the harbour."
    before = quantity_findings(claim, premise)
    assert [f.kind for f, _, _ in before] == [f.kind for f, _, _ in quantity_findings(claim, aligned(claim, premise))]
