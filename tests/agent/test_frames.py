"""What a claim about a picture says the picture states."""

from __future__ import annotations

import pytest

from agent.assessment.nli_pairs import pair_of
from agent.intake.image_claims import framed_statement
from agent.types import AtomicClaim
from evidence.types import Span


@pytest.mark.parametrize(
    ("claim", "statement"),
    [
        ("In the table, Yara Coldwell is listed fourth.", "Yara Coldwell is listed fourth."),
        ("According to the graphic, 1,204 shops were surveyed.", "1,204 shops were surveyed."),
        ("The sign says that the bridge is closed.", "The bridge is closed."),
        ("1,204 shops were surveyed, according to the graphic.", "1,204 shops were surveyed."),
        ("The press release in the photo says that the ward has 36 beds.", "The ward has 36 beds."),
        ("The text on this sign says that camping is not allowed.", "Camping is not allowed."),
        ("The chat says that there are no lessons.", "There are no lessons."),
        ("The post by the mayor says that 14 people were hurt.", None),
        ("In the Harrow chart, exports fell to 40 tonnes.", None),
        ("The photo was taken in August 2019.", None),
        ("The sign says so.", None),
    ],
)
def test_plain_frames_are_taken_off_and_others_stay(claim: str, statement: str | None) -> None:
    assert framed_statement(claim) == statement


def _span(kind: str) -> Span:
    return Span.model_validate(
        {
            "span_id": "s",
            "doc_id": "d",
            "chunk_id": "c",
            "text": "4 Yara Coldwell",
            "start": 0,
            "end": 15,
            "doc_sha256": "0" * 64,
            "kind": kind,
        }
    )


def test_only_readings_are_compared_with_the_statement() -> None:
    text = "In the table, Yara Coldwell is listed fourth."
    claim = AtomicClaim(
        claim_id="c1",
        text=text,
        start=0,
        end=len(text),
        source=text,
        about_image=True,
        statement=framed_statement(text),
    )
    assert pair_of(claim, _span("ocr")).claim == "Yara Coldwell is listed fourth."
    assert pair_of(claim, _span("text")).claim == text
