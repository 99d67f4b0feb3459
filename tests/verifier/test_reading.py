"""What the model reads: headings, datelines and corrected values, each only where the claim asks for it."""

from __future__ import annotations

import pytest

from language.calendar import in_words
from language.dates.resolve import dates_given
from verifier.guard import check
from verifier.premise.builder import (
    IMAGE_SUBJECT,
    as_sentences,
    bare_premise,
    heading_of,
    model_premise,
    spelled,
    with_lead,
)
from verifier.types import PairText


def dates(premise: str, published: str = "2025-05-21") -> list[str]:
    """Values that a premise gets from its day of publication (a Wednesday)."""
    return list(dates_given(premise, published))


@pytest.mark.parametrize(
    ("premise", "expected"),
    [
        ("Medical teams treated 43 runners.", ["2025-05"]),
        ("On Sunday 43 runners fell ill.", ["2025-05-18"]),
        ("The match will be played on Saturday.", ["2025-05-24"]),
        ("The fair opened on 3 April.", ["2025-04-03"]),
        ("The fair opens on 3 June.", []),
        ("Last year 43 runners fell ill.", ["2024"]),
        ("Next month the bridge closes.", ["2025-06"]),
        ("This year's harvest was poor.", ["2025"]),
        ("Two years ago 43 runners fell ill.", []),
        ("At that time 43 runners fell ill.", []),
        ("In 2019 there were 43 of them.", []),
    ],
)
def test_a_sentence_gets_its_day_from_the_publication(premise: str, expected: list[str]) -> None:
    assert dates(premise) == expected


@pytest.mark.parametrize("published", ["", "2025", "May 2025", "2025-13-40"])
def test_no_full_day_of_publication_dates_nothing(published: str) -> None:
    assert dates("Medical teams treated 43 runners.", published) == []


@pytest.mark.parametrize(("published", "expected"), [("2025-06-03", ["2025"]), ("2025-01-04", [])])
def test_early_in_a_month_the_days_before_may_be_meant(published: str, expected: list[str]) -> None:
    assert dates("Medical teams treated 43 runners.", published) == expected


def test_another_year_in_the_context_dates_nothing() -> None:
    premise = "The fair drew 52,000 guests."
    assert not check("In 2025 the fair drew 52,000 guests.", premise, "The fair of 2023", "2025-05-21").agrees
    assert check("In 2025 the fair drew 52,000 guests.", premise, "The fair of 2025", "2025-05-21").agrees
    assert not check("On 21 May 2025 the fair drew 52,000 guests.", premise, "", "2025-05-21").agrees


def test_last_month_in_january_is_december() -> None:
    assert dates("Last month the bridge closed.", "2025-01-10") == ["2024-12"]


def test_dates_are_written_in_words() -> None:
    assert [in_words(v) for v in ("2025-05-09", "2025-03", "2024")] == ["9 May 2025", "March 2025", "2024"]


def test_the_dateline_stands_only_where_the_claim_names_the_day() -> None:
    premise = "Medical teams treated 43 runners at the Vale Marathon."
    asks = PairText(claim="In 2025, 43 runners were treated.", premise=premise, published="2025-05-22")
    other = PairText(claim="In 2024, 43 runners were treated.", premise=premise, published="2025-05-22")
    silent = PairText(claim="43 runners were treated.", premise=premise, published="2025-05-22")
    assert model_premise(asks) == f"May 2025. {premise}"
    assert model_premise(other) == model_premise(silent) == premise


def test_the_heading_stands_where_it_holds_a_name_or_a_rare_word_of_the_claim() -> None:
    title, premise = "Whooping cough spreads in Arlen", "Six clinics offer the shot."
    rare = PairText(claim="Six clinics give shots against whooping cough.", premise=premise, context=title)
    plain = PairText(claim="Six clinics give shots.", premise=premise, context=title)
    assert heading_of(rare) == title
    assert model_premise(rare) == f"{title}. {premise}"
    assert heading_of(plain) == ""
    assert model_premise(plain) == premise


def test_each_part_of_the_heading_is_read_as_one_sentence() -> None:
    lead = "Whooping cough spreads in Arlen | Doctors ask for calm. | Who should go? |"
    assert as_sentences(lead) == "Whooping cough spreads in Arlen. Doctors ask for calm. Who should go?"
    pair = PairText(
        claim="Six clinics give shots against whooping cough.",
        premise="Six clinics offer it.",
        context=lead,
    )
    assert model_premise(pair) == f"{as_sentences(lead)} Six clinics offer it."


def test_rejected_values_are_not_read_save_by_a_claim_that_rejects_too() -> None:
    premise = "The fair had 47,000 visitors, not 52,000 as first reported."
    assert bare_premise(PairText(claim="The fair had 52,000 visitors.", premise=premise)) == (
        "The fair had 47,000 visitors."
    )
    rejecting = PairText(claim="The fair had 47,000 visitors, not 52,000.", premise=premise)
    assert bare_premise(rejecting) == premise


def test_the_guard_dates_weekdays_and_last_year_by_the_same_rule() -> None:
    claim = "In May 2025, 43 runners fell ill."
    assert check(claim, "On Sunday 43 runners fell ill.", "", "2025-05-21").agrees
    assert not check(claim, "Two years ago 43 runners fell ill.", "", "2025-05-21").agrees
    assert not check("In 2025, 43 runners fell ill.", "Last year 43 runners fell ill.", "", "2025-05-21").agrees
    assert check("In 2024, 43 runners fell ill.", "Last year 43 runners fell ill.", "", "2025-05-21").agrees


def test_machine_dates_are_spelled_out() -> None:
    assert spelled("Taken on 2019-08-17 15:42:10.") == "Taken on 17 August 2019."
    assert spelled("Q3 2024 341 GWh") == "third quarter of 2024 341 GWh"
    assert spelled("Order 2019-08-170 and Q5 2024") == "Order 2019-08-170 and Q5 2024"


def test_a_row_of_a_ranking_states_the_place_by_its_number() -> None:
    claim = "Mila Senn came fourth."
    assert check(claim, "4 Mila Senn Hollin 38:12").agrees
    assert check(claim, "4. Mila Senn").agrees
    assert not check(claim, "5 Mila Senn Hollin 38:12").agrees
    assert not check(claim, "Mila Senn ran 4 laps.").agrees


def test_a_no_in_a_compound_denies_nothing() -> None:
    assert check("The no-parking sign stands in Vale Road.", "The sign stands in Vale Road.").agrees
    assert not check("No sign stands in Vale Road.", "The sign stands in Vale Road.").agrees


def test_a_sentence_that_shares_only_names_gets_no_dateline() -> None:
    premise = "Mayor Lind cut a ribbon in Tarn."
    apart = PairText(claim="In 2025 Lind fell ill.", premise=premise, published="2025-05-22")
    near = PairText(claim="In 2025 Lind cut a cake.", premise=premise, published="2025-05-22")
    assert model_premise(apart) == premise
    assert model_premise(near) == f"May 2025. {premise}"


def test_an_amount_in_common_is_more_than_a_name() -> None:
    premise = "In the end 8,214 runners completed the Tarn Marathon."
    claim = "A field of 8,214 made it to the finish in Tarn in May 2025."
    same = PairText(claim=claim, premise=premise, published="2025-05-24")
    other = same.model_copy(update={"claim": claim.replace("8,214", "8,377")})
    assert model_premise(same) == f"May 2025. {premise}"
    assert model_premise(other) == premise


LEAD = "Wexcombe has a new bridge across the Orrin."
CLAIM_OF_BRIDGE = "The new footbridge in Wexcombe is 164 metres long."


def test_the_pages_first_sentence_is_context_where_only_it_has_the_name() -> None:
    sentence = "The structure is 164 metres long."
    assert with_lead(CLAIM_OF_BRIDGE, sentence, "A title | It opened.", LEAD) == f"A title | {LEAD} | It opened."
    assert with_lead(CLAIM_OF_BRIDGE, sentence, "", LEAD) == LEAD
    for named in ("In Wexcombe, it is 164 metres long.", sentence):
        context = "Wexcombe opens its bridge" if named == sentence else ""
        assert with_lead(CLAIM_OF_BRIDGE, named, context, LEAD) == context
    assert with_lead("The bridge is 164 metres long.", sentence, "", LEAD) == ""


def test_a_sentence_about_somebody_else_gets_no_lead() -> None:
    other = "The bridge in Tarnham is 164 metres long."
    assert with_lead(CLAIM_OF_BRIDGE, other, "A title", LEAD) == "A title"


def test_context_is_read_where_it_has_a_telling_word_that_the_sentence_lacks() -> None:
    pair = PairText(
        claim="The Gullbank wind farm is 31 kilometres off the coast.",
        premise="Gullbank lies 31 kilometres off the coast.",
        context="First electricity from the Gullbank wind farm",
    )
    assert model_premise(pair).startswith("First electricity from the Gullbank wind farm. ")
    nothing = pair.model_copy(update={"context": "Gullbank at last"})
    assert model_premise(nothing) == pair.premise


def test_what_an_image_is_about_is_for_the_guard_alone() -> None:
    pair = PairText(claim="The chart shows 341 GWh.", premise="Q3 341 GWh", context=IMAGE_SUBJECT)
    assert heading_of(pair) == ""
