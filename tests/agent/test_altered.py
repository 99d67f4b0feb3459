"""A claim that is a sentence of the source but for one detail."""

from __future__ import annotations

import pytest

from agent.attribution.edited_sentence import altered_detail
from verifier.guard import check

SENTENCE = "Race director Maud Kessling counted 8,377 people at the finish in Corvane on 17 May 2024."


def told(claim: str, sentence: str = SENTENCE) -> str:
    return altered_detail(claim, sentence, check(claim, sentence))


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (SENTENCE.replace("8,377", "4,100"), "It has '8,377' where the claim has '4,100'."),
        (SENTENCE.replace("May", "July"), "It has 'May' where the claim has 'July'."),
        (SENTENCE.replace("2024", "2019"), "It has '2024' where the claim has '2019'."),
        (SENTENCE.replace("Corvane", "Milbeck"), "It has 'Corvane' where the claim has 'Milbeck'."),
        (SENTENCE.replace("counted", "did not count"), "The claim denies what it says."),
    ],
)
def test_one_detail_altered(claim: str, said: str) -> None:
    assert told(claim) == said


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (SENTENCE, SENTENCE),
        (SENTENCE.replace("8,377", "4,100").replace("May", "July"), SENTENCE),
        (SENTENCE.replace("8,377", "about 8,400"), SENTENCE),
        (SENTENCE.replace("people", "runners"), SENTENCE),
        ("Berlin has many museums, parks and lakes.", "Hamburg has many museums, parks and lakes."),
        ("The bus takes 50 minutes from end to end.", "The tram takes 50 minutes from end to end."),
        ("The count was not easy.", "Nobody doubted that the count was hard."),
    ],
)
def test_anything_else_is_none(claim: str, sentence: str) -> None:
    assert told(claim, sentence) == ""


def test_a_denial_in_the_source() -> None:
    sentence = "Race director Maud Kessling did not count the people at the finish."
    claim = "Race director Maud Kessling counted the people at the finish."
    assert told(claim, sentence) == "It denies what the claim says."
