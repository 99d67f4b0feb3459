"""Amounts and their dates: only a certain other date is a finding."""

from __future__ import annotations

import pytest

from verifier.guard import check
from verifier.guard.amount_date_binding import tied_findings

MEASLES = "In 2022 measles deaths reached an estimated 136,000, up from 95,000 in 2021."
RISE = "Visits rose from 95,000 in 2021 to 136,000 in 2022."


@pytest.mark.parametrize("premise", [MEASLES, RISE])
@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("Measles killed 136,000 people in 2021.", True),
        ("Measles killed 136,000 people in 2022.", False),
        ("Measles killed 95,000 people in 2022.", True),
        ("In 2021, 95,000 people died of measles.", False),
        ("There were 136,000 visits.", False),
    ],
)
def test_an_amount_keeps_its_date(premise: str, claim: str, wrong: bool) -> None:
    assert bool(tied_findings(claim, premise)) is wrong


def test_what_is_not_certain_is_no_finding() -> None:
    assert not tied_findings(
        "The mill made 300 sheets in 1880.", "The mill of 1860 made 300 sheets until 1880."
    )


def test_the_guard_says_it_in_words() -> None:
    report = check("In 2021 measles killed 136,000 people.", MEASLES)
    assert [f.slot for f in report.findings] == ["date"]
    assert "'136,000'" in report.findings[0].message
    assert "'2022'" in report.findings[0].message


def test_hearsay_is_no_support_for_the_fact() -> None:
    premise = "The Pelham Arms, where smugglers are said to have met in the 1700s, burned down."
    assert not check("Smugglers met in the Pelham Arms in the 1700s.", premise).agrees
    assert check("The Pelham Arms burned down.", premise).agrees
    assert check("Smugglers are said to have met in the Pelham Arms in the 1700s.", premise).agrees


@pytest.mark.parametrize(
    "premise",
    [
        "A film of Windmarch is in the works, with a star whose name our source only dared to whisper.",
        "Someone who sat in the room tells HarbourTalk that a film of Windmarch is in the works.",
        "A film of Windmarch is in the works, insiders say.",
        "They say a film of Windmarch is in the works.",
        "There are rumours that a film of Windmarch is in the works.",
    ],
)
def test_a_source_without_a_name_is_no_support_for_the_fact(premise: str) -> None:
    report = check("A film of Windmarch is in the works.", premise)
    assert {f.slot for f in report.findings if f.kind == "conflict"} == {"modality"}


def test_a_named_source_is_none_of_these() -> None:
    assert check(
        "A film is in the works.", "A film is in the works, said Ada Quill, a source of the report."
    ).agrees
    assert check("Springs feed one source of the Ill.", "Springs feed one source of the Ill.").agrees
