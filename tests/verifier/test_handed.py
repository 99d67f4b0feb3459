"""Who handed something to whom, in whatever words."""

from __future__ import annotations

import pytest

from verifier.guard import check

RECTOR = "Rector Ane Tolvar handed over the office to Birk Hesselin on 1 August 2022."


def swapped(claim: str, evidence: str) -> list[str]:
    return [f.message for f in check(claim, evidence).findings if "the other way" in f.message]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("In August 2022 Birk Hesselin passed the office of rector at Merrowby on to Ane Tolvar.", RECTOR),
        ("Ane Tolvar took over the office from Birk Hesselin.", RECTOR),
        ("Ane Tolvar succeeded Birk Hesselin.", RECTOR),
        ("Birk Hesselin was succeeded as rector by Ane Tolvar.", RECTOR),
        (
            "Corvane Dairy bought the mill from Halder Foods.",
            "Corvane Dairy sold the mill to Halder Foods in May.",
        ),
        ("Harle lost the final to Port Anwick.", "Port Anwick lost the final in Lomm to Harle."),
    ],
)
def test_giver_and_receiver_swapped_block(claim: str, evidence: str) -> None:
    assert swapped(claim, evidence), claim


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Birk Hesselin took over the office from Ane Tolvar.", RECTOR),
        ("Birk Hesselin succeeded Ane Tolvar as rector.", RECTOR),
        ("Ane Tolvar was succeeded by Birk Hesselin.", RECTOR),
        (
            "Halder Foods bought the mill from Corvane Dairy.",
            "Corvane Dairy sold the mill to Halder Foods in May.",
        ),
        ("The road from Harle to Lomm was closed.", "The road from Lomm to Harle was closed."),
        ("Ane Tolvar gave a speech to students.", RECTOR),
    ],
)
def test_the_same_way_round_does_not(claim: str, evidence: str) -> None:
    assert swapped(claim, evidence) == []


@pytest.mark.parametrize("how", ["later than planned", "as planned", "than expected"])
def test_what_was_planned_beside_what_was_done_is_no_hedge(how: str) -> None:
    found = check(
        "The satellite was launched on 17 August.", f"The satellite was launched on 17 August, {how}."
    )
    assert not found.findings


@pytest.mark.parametrize(
    "evidence",
    [
        "Correction: in our release of 14 March the diameter of the mirror was given as 1.3 metres.",
        "In an earlier press statement the diameter of the mirror had been given as 1.3 metres.",
        "The diameter of the mirror was wrongly given as 1.3 metres.",
    ],
)
def test_what_was_given_before_is_not_said_again(evidence: str) -> None:
    found = check("The mirror is 1.3 metres in diameter.", evidence).findings
    assert any("reported before" in f.message for f in found)
