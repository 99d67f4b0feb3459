"""Amounts that a sentence does not state but gives: each kind both ways, right and wrong by a little."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.quantities.mentions import find_slots
from verifier.guard import check
from verifier.guard.arithmetic import with_worked_out, worked_out

WHEAT = "Of the 3,900 tonnes that came in on the day, 2,600 tonnes were of milling quality."
TURNOUT = "Turnout is confirmed as 38.2 per cent, against 35.5 per cent in 2020."
COST = "Loss adjusters now put it at £7.4 million, against a first estimate of £6.1 million."
PONDS = "Of the 60 ponds sampled in the reserve, 15 contained newts."
STRIKE = "The strike at the foundry began on 3 March and ended on 17 March."
RAILWAY = "The railway was opened in 1881 by a company and taken over by the state in 1948."
GULLS = "The census counted 4,100 gulls on 12 boats."
PUPILS = "Vaccinated so far: 9,120 of 10,400 pupils."
SALT = "We sold 61,000 tonnes of salt, of which 48,000 tonnes as blocks, the rest loose."
VOTES = "She beat her deputy by 211 votes to 190."
TREES = "Twelve hundred trees died in the drought; in an ordinary year it is 500."
FIRE = "The fire started at 03:20 and was out by 05:05."

WORKED_OUT = [
    (WHEAT, "Two thirds of the wheat was of milling quality.", "Three quarters of the wheat was of milling quality."),
    (
        WHEAT,
        "More than half of the wheat was of milling quality.",
        "Less than half of the wheat was of milling quality.",
    ),
    (PONDS, "One in four of the ponds held newts.", "One in three of the ponds held newts."),
    (
        PUPILS,
        "More than four in five of the pupils are vaccinated.",
        "More than nine in ten of the pupils are vaccinated.",
    ),
    (
        TURNOUT,
        "Turnout was 2.7 percentage points higher than in 2020.",
        "Turnout was 3.7 percentage points higher than in 2020.",
    ),
    (COST, "The estimate rose by more than a fifth.", "The estimate rose by more than a third."),
    (COST, "The estimate went up by £1.3 million.", "The estimate went up by £1.9 million."),
    (STRIKE, "The strike lasted two weeks.", "The strike lasted three weeks."),
    (RAILWAY, "A company ran the railway for sixty-seven years.", "A company ran the railway for seventy-six years."),
    (
        GULLS,
        "On average more than three hundred gulls were counted per boat.",
        "More than four hundred gulls per boat.",
    ),
    (SALT, "13,000 tonnes of salt were sold in another form.", "18,000 tonnes of salt were sold in another form."),
    (VOTES, "In all, 401 votes were given to both together.", "In all, 391 votes were given to both together."),
    (TREES, "More than twice as many trees died.", "More than three times as many trees died."),
    (FIRE, "The fire was out after less than two hours.", "The fire was out after more than two hours."),
    ("The share rose from 14 to 17 per cent.", "The share rose by three points.", "The share rose by five points."),
]


def amounts(claim: str, premise: str) -> set[str]:
    return {f.claim_value for f in check(claim, premise).findings if f.slot != "entity"}


@pytest.mark.parametrize(("premise", "right", "wrong"), WORKED_OUT)
def test_what_the_amounts_give_agrees_and_what_they_do_not_give_does_not(premise: str, right: str, wrong: str) -> None:
    assert not amounts(right, premise)
    assert check(right, premise).worked_out
    assert amounts(wrong, premise)
    assert not check(wrong, premise).worked_out


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Seven of 48 hangers are affected.", "More than ten hangers were damaged."),
        ("She beat her deputy by 48 votes out of 5,100.", "She got more than 2,500 of the votes."),
        (
            "Of the 63 farms 8 are commercial and 55 are back yards.",
            "Fewer than four fifths of the farms are back yards.",
        ),
        ("The yield of Senta and Marn was 5.1 and 6.4 tonnes a hectare.", "Senta gave 1,300 kilograms a hectare."),
        ("The Aero 4 was quieter than the Tempa 2.", "The gap between the two was 2."),
        ("On 29 February the bank lent 40 crowns, on 3 March 12.", "The loan was 28 crowns."),
        ("In 5 wards, 12 schools, 31 shops, 8 halls and 2 inns the lights went out.", "Half of the wards were dark."),
    ],
)
def test_nothing_is_worked_out_where_nobody_asks_or_it_may_be_chance(premise: str, claim: str) -> None:
    assert not any(worked_out(slot, claim, premise) for slot in find_slots(claim))


def test_the_model_reads_what_was_worked_out_in_the_claims_words() -> None:
    assert with_worked_out("One in four ponds held newts.", PONDS).endswith("15 (One in four) contained newts.")
    told = with_worked_out("The estimate rose by more than a fifth.", COST)
    assert told.endswith("a first estimate of £6.1 million (by more than a fifth).")
    assert with_worked_out("One in three ponds held newts.", PONDS) == PONDS


@given(part=st.integers(1, 999), whole=st.integers(3000, 9999), share=st.integers(1, 99))
def test_a_share_is_worked_out_only_where_it_is_the_share(part: int, whole: int, share: int) -> None:
    claim, premise = f"{share} per cent of the pupils came.", f"Of the {whole} pupils {part} came."
    slot = next(s for s in find_slots(claim) if s.kind == "percentage")
    found, stated = worked_out(slot, claim, premise), 100 * part / whole
    assert (found is not None) == ((slot.low or 0) <= stated <= (slot.high or 0))
    assert found is None or abs(found.value - stated) < 1e-9


WORDS = st.sampled_from(
    "15 to 30 per cent from 4 a third half dozens of 3-1 5 pm £ million years 2019 on 31 February two in five of the "
    "rest 1e400 00 more than 29 twice ½ 12:99 , . tonnes points".split(" ")
)


@given(claim=st.lists(WORDS, max_size=12), premise=st.lists(WORDS, max_size=20))
def test_no_amounts_are_too_odd_to_be_looked_at(claim: list[str], premise: list[str]) -> None:
    told = " ".join(premise)
    assert len(with_worked_out(" ".join(claim), told)) >= len(told.rstrip(" ,")) - told.count(" ,") - 1
    check(" ".join(claim) or "x", told)
