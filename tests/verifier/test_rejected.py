"""Values that a sentence names only to reject them."""

from __future__ import annotations

import pytest

from verifier.guard import check
from verifier.guard.contrastive_negation import without_rejected
from verifier.guard.value_repair import repairs


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
