"""Who did what, where the evidence names several; choices it leaves open; superlatives that come second."""

from __future__ import annotations

import pytest

from verifier.guard import check
from verifier.guard.agent_role import maker_findings


def findings(claim: str, premise: str) -> list[tuple[str, str]]:
    return [(f.slot, f.kind) for f in check(claim, premise).findings]


SERIES = (
    "Salt Gate is a series that was written by Paul Dini, with art by Guy March, and published by Lund Press."
)


@pytest.mark.parametrize(
    ("claim", "agrees"),
    [
        ("Salt Gate was written by Paul Dini.", True),
        ("Salt Gate was written by Guy March.", False),
        ("Salt Gate was published by Lund Press.", True),
        ("Salt Gate was published by Paul Dini.", False),
        ("Paul Dini wrote Salt Gate.", True),
    ],
)
def test_a_deed_belongs_to_the_one_who_is_named_with_it(claim: str, agrees: bool) -> None:
    assert check(claim, SERIES).agrees is agrees


def test_several_who_did_it_each_did() -> None:
    premise = "The bridge was designed by Ane Tolvar and Birk Hesselin and opened by King Olaf."
    assert findings("The bridge was designed by Birk Hesselin.", premise) == []
    assert findings("The bridge was opened by King Olaf.", premise) == []
    assert set(findings("The bridge was opened by Ane Tolvar.", premise)) == {("entity", "conflict")}


def test_when_and_where_name_no_doer() -> None:
    premise = "The bridge was followed by Lund Tower and painted by hand in Malmo."
    assert maker_findings("The bridge was painted by Lund Tower.", premise) == []
    assert maker_findings("Lund Tower followed the bridge.", premise) == []


HOUSES = "The main building was designed by Ane Tolvar; the observatory is the work of Birk Hesselin."


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("The main building was designed by Ane Tolvar.", HOUSES, True),
        ("The observatory was designed by Ane Tolvar.", HOUSES, False),
        ("The observatory is the work of Birk Hesselin.", HOUSES, True),
        ("Ane Tolvar was born in 1901.", "Ane Tolvar (born Ane Berg; 3 May 1901) was a painter.", True),
        (
            "Ane Tolvar's firm employs masons.",
            "Ane Tolvar has a firm; it employs masons, Per Berg said.",
            True,
        ),
        (
            "Port Lund's line 4 carries 300 people.",
            "The Court of Auditors counted 300 people on line 4, while the Lund Office had spoken of 400.",
            True,
        ),
        ("Corvane is a rock album.", "Corvane. Label: Lund Records; Genre: rock; Type: album by Berg", True),
    ],
)
def test_what_another_clause_tells_of_another(claim: str, premise: str, agrees: bool) -> None:
    assert check(claim, premise).agrees is agrees


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("A cable caused the fire.", "The fire was caused by either a cable or a switch.", False),
        ("A switch caused the fire.", "The fire was caused by either a cable or a switch.", False),
        ("A cable or a switch caused the fire.", "The fire was caused by either a cable or a switch.", True),
        ("Lund can be reached by bus.", "Lund can be reached either by bus or by ferry.", True),
        ("Nobody came by bus.", "Nobody came either by bus or by ferry.", True),
        ("The cable burned.", "The cable burned, and either the cable or a switch had been old.", True),
    ],
)
def test_what_is_left_open_is_not_settled(claim: str, premise: str, agrees: bool) -> None:
    assert check(claim, premise).agrees is agrees


@pytest.mark.parametrize(
    ("premise", "agrees"),
    [
        ("Lund is the largest town of Skane.", True),
        ("Lund is the second largest town of Skane.", False),
        ("Lund is the 3rd-largest town of Skane.", False),
        ("Lund is one of the largest towns of Skane.", False),
        ("Lund is among the largest towns of Skane.", False),
        ("Lund is the largest town of Skane and one of the oldest.", True),
    ],
)
def test_what_is_not_the_first(premise: str, agrees: bool) -> None:
    assert check("Lund is the largest town of Skane.", premise).agrees is agrees
    assert check(premise, premise).agrees


def test_what_was_formed_was_not_disbanded() -> None:
    assert findings("The band formed in 2004.", "The band disbanded in 2004.") == [("direction", "conflict")]
