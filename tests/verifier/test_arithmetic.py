"""Amounts that a sentence does not state but gives: each kind both ways, right and wrong by a little."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.quantities.mentions import find_slots
from verifier.backends.factory import DUET, make_verifier
from verifier.guard import check
from verifier.guard.arithmetic import worked_out
from verifier.pair_decision import supports
from verifier.premise.builder import bare_premise
from verifier.types import PairText

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


def read(claim: str, premise: str) -> str:
    return bare_premise(PairText(claim=claim, premise=premise))


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
    assert read("One in four ponds held newts.", PONDS).endswith("15 (One in four) contained newts.")
    told = read("The estimate rose by more than a fifth.", COST)
    assert told.endswith("a first estimate of £6.1 million (by more than a fifth).")
    assert read("One in three ponds held newts.", PONDS) == PONDS


def test_what_is_stated_is_not_worked_out_besides() -> None:
    premise = "Of the 100 pupils 20 came, 20 per cent."
    assert read("20 per cent of the pupils came.", premise) == premise
    assert check("20 per cent of the pupils came.", premise).worked_out == ()


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
    read(" ".join(claim), " ".join(premise))
    check(" ".join(claim), " ".join(premise))


TURNED = [
    (
        "Turnout was 2.7 percentage points lower than in 2020.",
        "Turnout is confirmed as 38.2 per cent, against 35.5 per cent in 2020.",
    ),
    ("The share of tenants fell by three points.", "The share of tenants rose from 14 to 17 per cent."),
    ("The share of tenants went down by three points.", "The share of tenants rose from 14 to 17 per cent."),
    ("The price of a ticket went down by 40 crowns.", "The price of a ticket rose from 220 to 260 crowns in March."),
    (
        "The price of a ticket dropped by 40 crowns in March.",
        "The price of a ticket rose from 220 to 260 crowns in March.",
    ),
    (
        "The estimate went down by more than a fifth.",
        "Loss adjusters now put the estimate at £7.4 million, against a first estimate of £6.1 million.",
    ),
    ("Sweden sold twice as many boats as Norway.", "Norway sold 400 boats and Sweden sold 200."),
    ("Sweden has 200 more ferries than Norway.", "Norway has 400 ferries and Sweden has 200."),
    ("Owners outnumber tenants by 17 percentage points.", "Tenants made up 38 per cent and owners 21 per cent."),
    ("One in four of the ponds held no newts.", "Of the 60 ponds sampled in the reserve, 15 contained newts."),
    ("Two thirds of the members voted against the plan.", "Of the 60 members, 40 voted for the plan."),
    ("A third of the members voted for the plan.", "Of the 60 members, 20 voted against the plan."),
    ("The state ran the railway for sixty-seven years.", "A company ran the railway from 1881 to 1948."),
    ("The strike began two weeks later than planned.", "The strike began on 3 March and ended on 17 March."),
    ("The losing side won by 21 votes.", "The motion was carried by 211 votes to 190."),
    ("Half of those who died were vaccinated.", "Of 20 patients who were vaccinated, 10 recovered."),
    (
        "13,000 tonnes were sold as blocks.",
        "We sold 61,000 tonnes of salt, of which 48,000 tonnes as blocks, the rest loose.",
    ),
    ("Anna is nine years older than her brother.", "Her brother was born in 1981 and Anna in 1990."),
    ("More than half of the ships were lost.", "Of the 40 ships, 25 came home."),
    (
        "The estimate went down by £1.3 million.",
        "Loss adjusters now put the estimate at £7.4 million, against a first estimate of £6.1 million.",
    ),
    ("The estimate went down by £1.3 million.", "The estimate now stands at £7.4 million, up from £6.1 million."),
    ("Exports went up by three points.", "Exports made up 14 per cent, down from 17 per cent a year ago."),
    (
        "The fund gained 1.3 percentage points on the benchmark.",
        "The fund had returned 9.1 per cent over the year, the benchmark 10.4 per cent.",
    ),
]
"""The amount is right, and what is said of it is not, or is open."""


def test_a_right_sum_certifies_nothing_else() -> None:
    verifier = make_verifier(DUET)
    found = verifier.assess([PairText(claim=claim, premise=premise) for claim, premise in TURNED])
    assert [pair for pair, a in zip(TURNED, found, strict=True) if supports(a, verifier.thresholds)] == []
