"""Rules that once stopped a right verdict: each mend, beside what it must not let through."""

from __future__ import annotations

import pytest

from agent.assessment.nli_pairs import may_bear, relation_weight
from language.dates.resolve import dates_given
from language.quantities.mentions import find_slots
from verifier.premise.builder import with_lead
from verifier.types import Assessment, Counterfactual, GuardReport, NLIScores, PairText


@pytest.mark.parametrize(
    ("published", "premise", "expected"),
    [
        ("2025-04-20", "Mining is to begin again on 5 May.", ["2025-05-05"]),
        ("2025-11-20", "It will open on 3 February.", ["2026-02-03"]),
        ("2025-01-03", "He died on 19 December.", ["2024-12-19"]),
        ("2025-05-10", "It closed in March.", ["2025-03"]),
        ("2025-06-20", "He died on 19 December.", []),
        ("2025-05-10", "It closed on 20 May.", []),
        ("2025-01-20", "It will open on 29 February.", []),
        ("2025-04-17", "In the first quarter 174 fell ill.", ["2025-Q1"]),
        ("2025-02-17", "In the fourth quarter 174 fell ill.", ["2024-Q4"]),
    ],
)
def test_a_day_without_a_year_is_the_next_or_the_latest(published: str, premise: str, expected: list[str]) -> None:
    assert list(dates_given(premise, published)) == expected


LEAD = "Councillors voted to repair the Larkin footbridge."


def test_a_name_behind_the_verb_and_the_matter_leaves_the_lead() -> None:
    claim = "Two thirds of the price of the Larkin footbridge was paid by the government."
    told = "Two thirds of the price was paid by the government; the rest is a loan of the operator, Northline."
    assert with_lead(claim, told, "", LEAD) == LEAD


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The Larkin footbridge is 164 metres long.", "The bridge in Tarnham is 164 metres long."),
        (
            "The Larkin footbridge is 164 metres long.",
            "The record is held by Tarnham, whose bridge is 164 metres long.",
        ),
        ("The Larkin footbridge was opened in 1931.", "Older is only Tarnham, opened in 1931."),
    ],
)
def test_what_may_be_said_of_another_gets_no_lead(claim: str, premise: str) -> None:
    assert with_lead(claim, premise, "", LEAD) == ""


def test_a_body_that_found_it_out_leaves_the_lead() -> None:
    claim = "The Larkin footbridge is 164 metres long."
    assert with_lead(claim, "The State Office of Surveys measured 161 metres.", "", LEAD) == LEAD
    other = "while the State Office of Surveys had spoken of 164"
    assert with_lead(claim, f"The Court of Auditors found 161 metres, {other}.", "", LEAD) == LEAD
    for local in (
        "The Tarnham Survey measured 161 metres.",
        "The State Office of Surveys is 161 metres long.",
    ):
        assert with_lead(claim, local, "", LEAD) == ""


@pytest.mark.parametrize(
    ("premise", "claim", "bears"),
    [
        ("The bill came to 9 million euros.", "The bridge cost 9 million euros.", True),
        ("The bridge cost 8 million euros.", "The bridge cost 9 million euros.", True),
        ("The bridge is a great success.", "The bridge cost 9 million euros.", False),
        ("Fares went up to 2 euros.", "The Lund bridge cost 9 million euros.", False),
    ],
)
def test_only_what_the_guard_lets_through_is_put_to_the_model(premise: str, claim: str, bears: bool) -> None:
    assert may_bear(PairText(claim=claim, premise=premise)) is bears


@pytest.mark.parametrize(("refutation", "weight"), [(0.8, 0.0), (0.9, -0.7), (None, -0.7)])
def test_a_leaning_costs_no_trust(refutation: float | None, weight: float) -> None:
    scores = NLIScores(entailment=0.1, neutral=0.2, contradiction=0.7)
    mended = Counterfactual(claim="mended", entailment=0.75, refutation=refutation)
    found = Assessment(raw=scores, calibrated=scores, guard=GuardReport(), counterfactual=mended)
    assert relation_weight(found) == weight


def test_one_has_no_hectares() -> None:
    assert not [s for s in find_slots("Two wear caps and one has gloves.") if s.kind == "unit"]
    assert [s.unit for s in find_slots("The farm has 12 ha of land.")] == ["hectare"]
