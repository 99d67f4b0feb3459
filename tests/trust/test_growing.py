"""Counts that go on: what an earlier sentence says against a later one."""

from __future__ import annotations

from datetime import date

import pytest

from trust.matters import outgrown

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
