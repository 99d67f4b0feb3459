"""Mended claims: one conflicting slot set to what the evidence says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifier.paraphrases import PARAPHRASES
from verifier.guard import check
from verifier.guard.text import rejects, without_rejected
from verifier.guard.value_repair import DENIED, MAX_REPAIRS, repairs

MENDED = (
    ("The town has 12 schools.", "The town has 14 schools.", "The town has 14 schools."),
    ("It cost $5 million.", "It cost $6 million in the end.", "It cost $6 million."),
    ("It opened in 2016.", "It opened in 2017.", "It opened in 2017."),
    ("It was on 2 May that it opened.", "It opened on Monday 7 May, a week late.", "It was on 7 May that it opened."),
    ("It opened on 2 May.", "The hall opened on 7 May.", "It opened on 7 May."),
    ("Rents rose by 3 percent.", "Rents rose by 5 percent.", "Rents rose by 5 percent."),
    ("Waits rose from 11 to 18 days.", "Waits fell from 18 to 11 days.", "Waits fell from 18 days to 11."),
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


@settings(max_examples=50)
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
    assert repairs("The bridge opened in 2018.", "The bridge opened in 2019.") == ("The bridge opened in 2019.",)


def test_an_ordinal_is_no_amount_at_another_time() -> None:
    claim = "Surveyors first reported the leak in 1996."
    assert repairs(claim, "Surveyors first reported the leak in 1986.") == (claim.replace("1996", "1986"),)
    counted = "Surveyors reported 40 leaks in 1996."
    assert repairs(counted, "Surveyors reported 40 leaks in 1986.") == ()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The closure will cost 312 jobs, not 340.", "The closure will cost 312 jobs."),
        (
            "In the end 8,214 runners finished, and not 8,412 as was announced on the day.",
            "In the end 8,214 runners finished.",
        ),
        (
            "The library holds 42,000 books, not 48,000 as first reported, its head said.",
            "The library holds 42,000 books, its head said.",
        ),
        (
            "The agency revised the number of cases from 186 to 174.",
            "The agency revised the number of cases to 174.",
        ),
        ("The toll was not 40 but 14.", "The toll was  14."),
        ("It is worth 20 million euros rather than 30 million euros.", "It is worth 20 million euros."),
    ],
)
def test_a_rejected_value_is_left_out(text: str, left: str) -> None:
    assert without_rejected(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "There were not 40 people there in 2019.",
        "The price rose from 20 to 40 euros.",
        "Of 20 schools 4 are not open in 2020.",
        "The count of 12 May was right and not 5 days late.",
        "The bridge was not opened in 2019.",
        "",
    ],
)
def test_other_negations_stay(text: str) -> None:
    assert without_rejected(text) == text


EVIDENCE = "The closure of the Dunmarrow plant will cost 312 jobs, not 340."


def test_a_rejected_value_is_no_support_and_is_mended_with_the_right_one() -> None:
    claim = "The closure of the Dunmarrow plant will cost 340 jobs."
    findings = [(f.slot, f.kind, f.evidence_value) for f in check(claim, EVIDENCE).findings]
    assert findings == [("number", "conflict", "312")]
    assert repairs(claim, EVIDENCE) == ("The closure of the Dunmarrow plant will cost 312 jobs.",)


def test_the_right_value_agrees_though_the_sentence_says_not() -> None:
    assert check("The closure of the Dunmarrow plant will cost 312 jobs.", EVIDENCE).agrees


def test_a_claim_that_rejects_the_same_value_agrees() -> None:
    assert check("The closure of the Dunmarrow plant costs 312 jobs, not 340.", EVIDENCE).agrees


SPOKEN = "The court counted 27,500 passengers a day, while the authority had spoken of 32,000 in July."


def test_what_somebody_had_spoken_of_before_is_rejected() -> None:
    assert without_rejected(SPOKEN) == "The court counted 27,500 passengers a day."
    assert rejects("About 32,000 passengers a day were counted.", SPOKEN)
    assert not rejects("About 27,500 passengers a day were counted.", SPOKEN)
    kept = "The court counted 27,500 passengers, while 32,000 had tickets."
    assert without_rejected(kept) == kept


OPENED = "The first Kornblatt bakery was opened in 1961 by Wilma Ambrecht, and not by Walter Ambrecht."


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The Kornblatt chain goes back to Walter Ambrecht, who set it up in 1961.", True),
        ("Walter Ambrecht, not Wilma Ambrecht, opened the first Kornblatt bakery.", True),
        ("Wilma Ambrecht opened the first Kornblatt bakery.", False),
        ("Wilma Ambrecht, not Walter Ambrecht, opened the first Kornblatt bakery.", False),
    ],
)
def test_a_name_in_contrast_to_another_is_rejected(claim: str, expected: bool) -> None:
    assert rejects(claim, OPENED) is expected
    assert check(claim, OPENED).value_rejected is expected


def test_a_name_that_the_sentence_speaks_of_besides_is_not_rejected() -> None:
    claim = "The painting hangs in Turin."
    assert rejects(claim, "The painting hangs in Milan, not in Turin.")
    assert not rejects(claim, "The painting hangs in Turin, not in Milan.")
    assert not rejects(claim, "The painting hung in Milan, not in Turin, but Turin bought it.")
    assert not rejects(claim, "The painting does not hang in Turin."), "a denial is for the model to read"


def test_mended_claims_are_sentences() -> None:
    came = "Some 700 people came to watch the comet."
    assert repairs("Nobody came to watch the comet.", came) == ("Somebody came to watch the comet.",)
    paid = repairs("The council never gave them any money.", "The council gave them 3 million euros.")
    assert paid == ("The council gave them some money.",)


def test_what_never_happened_has_no_number() -> None:
    claim = "Port Selwick's trams derailed twice in June 2025."
    nothing = "No tram derailed in Port Selwick in June 2025."
    assert repairs(claim, nothing) == (f"{DENIED}Port Selwick's trams derailed twice in June 2025.",)
    assert repairs("Two runners died in the heat in 2024.", "Nobody died in the heat in 2023.") == ()


def test_of_several_numbers_the_one_that_counts_the_same_mends() -> None:
    found = repairs("Dellow operates in six countries.", "Dellow has 390 stores in four countries.")
    assert found == ("Dellow operates in four countries.",)


def test_the_parts_of_a_share_mend_nothing() -> None:
    assert repairs("1,204 shops were surveyed.", "1 in 10 shops had to close for good") == ()
