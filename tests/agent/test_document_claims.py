"""Claims of whole documents, and their relative dates."""

from __future__ import annotations

from datetime import date

import pytest

from agent.intake.document_claims import claims_of_document
from language.dates.resolve import written_out

THURSDAY = date(2017, 5, 11)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He resigned on Tuesday.", "He resigned on 9 May 2017."),
        ("He resigned on Thursday.", "He resigned on 11 May 2017."),
        ("The court will rule on Tuesday.", "The court will rule on 16 May 2017."),
        ("The court ruled last Thursday.", "The court ruled on 4 May 2017."),
        ("The vote, scheduled for Friday, was put off.", "The vote, scheduled for Friday, was put off."),
        ("They met yesterday.", "They met on 10 May 2017."),
        ("Prices rose last month.", "Prices rose in April 2017."),
        ("The law passed last year.", "The law passed in 2016."),
        ("Elections are next year.", "Elections are in 2018."),
        ("It closed on Tuesday, 2 May.", "It closed on Tuesday, 2 May 2017."),
        ("Tuesday's vote failed.", "Tuesday's vote failed."),
        ("No day here.", "No day here."),
    ],
)
def test_relative_dates_are_set_by_the_documents_own_date(text: str, expected: str) -> None:
    assert written_out(text, THURSDAY) == expected
    assert written_out(text, None) == text


TEXT = (
    "Anna Weber opened the Elbe bridge on Tuesday. She thanked 300 workers. What comes next? "
    "I think the bridge is ugly. The bridge cost 12 million euros.\n\n"
    "Rain fell. Long before, Paul Klein had met Karl Braun. He was mayor of Hamburg."
)


def test_claims_are_self_contained_and_lie_exactly_in_the_text() -> None:
    found = claims_of_document(TEXT, published=THURSDAY)
    assert all(TEXT[c.start : c.end] == c.source for c in found.claims)
    texts = [c.text for c in found.claims]
    assert "Anna Weber opened the Elbe bridge on 9 May 2017." in texts
    assert any("Anna Weber thanked 300 workers" in t for t in texts)
    assert any("12 million euros" in t for t in texts)
    assert not any("?" in t or "ugly" in t or t.startswith("Rain") for t in texts)
    assert not any(t.startswith("He ") for t in texts), "two men stand before it: it is not clear who"
    assert found.dropped >= 3


def test_past_the_cap_claims_are_counted() -> None:
    whole = claims_of_document(TEXT, published=THURSDAY)
    cut = claims_of_document(TEXT, published=THURSDAY, max_claims=1)
    assert cut.claims == whole.claims[:1]
    assert cut.trimmed >= 2
    assert claims_of_document("").claims == ()
