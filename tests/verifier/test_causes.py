"""That two things go together is no evidence that one brought about the other."""

from __future__ import annotations

import pytest

from verifier.guard import check

CLAIM = "The mentoring scheme lowered the share of students who gave up."


def causes(claim: str, evidence: str) -> list[str]:
    return [f.message for f in check(claim, evidence).findings if "brought about" in f.message]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        (CLAIM, "Students in the mentoring scheme gave up less often than others (8 against 13 per cent)."),
        (CLAIM, "Those in the mentoring scheme gave up at a rate of 8 percent, compared with 13 percent."),
        ("Red meat causes gout.", "Gout is associated with red meat."),
        (
            "Coffee prevents headaches.",
            "People who drink coffee have fewer headaches than people who drink none.",
        ),
        (
            "Crime fell because of the new lamps.",
            "Streets with the new lamps had less crime than the others.",
        ),
        ("Cycling shortens sick leave.", "Cyclists tend to have short sick leave."),
        (
            "Night work is to blame for bad sleep.",
            "Bad sleep is twice as common as usual among night workers.",
        ),
    ],
)
def test_what_only_goes_together_blocks(claim: str, evidence: str) -> None:
    assert causes(claim, evidence), evidence


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        (CLAIM, "The mentoring scheme lowered the share of students who gave up from 13 to 8 percent."),
        (CLAIM, "Thanks to the mentoring scheme fewer students gave up than before."),
        (CLAIM, "In a randomised trial, mentored students gave up less often than a control group."),
        (
            "Students in the scheme gave up less often than others.",
            "Mentored students stay more often than others.",
        ),
        ("Red meat is linked to gout.", "Gout is associated with red meat."),
        ("Rents increased by 4 percent in 2024.", "Rents were 4 percent higher in 2024 than in 2023."),
        ("The fee was raised in May.", "The fee has been higher since May than before."),
        ("Accidents increased to 41.", "There were 41 accidents, more than in any year before."),
        (
            "The council raised the fee to 4 euros.",
            "The council raised the fee to 4 euros, more than ever before.",
        ),
    ],
)
def test_a_stated_cause_or_no_claim_of_one_does_not(claim: str, evidence: str) -> None:
    assert causes(claim, evidence) == []
