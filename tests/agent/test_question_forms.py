"""Questions of the extractive reasoner, built from a claim's fields, and explanations made of them."""

from __future__ import annotations

from datetime import date

import pytest

from agent.intake.decompose import compile_claims
from agent.reasoners.extractive import ExtractiveReasoner
from agent.reasoners.plans import asked_for, check_plan, claim_question, open_slots, other_values, sub_plan, whether
from agent.types import Answer, AtomicClaim, Proposal, QAPair, Question


def claim(text: str) -> AtomicClaim:
    return compile_claims(text).claims[0]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The roof of the Iris Mill cost £6.2 million.", "Did the roof of the Iris Mill cost £6.2 million?"),
        ("Samir Oakes leads the Iris Mill.", "Does Samir Oakes lead the Iris Mill?"),
        ("The trams carry 3,000 passengers a day.", "Do the trams carry 3,000 passengers a day?"),
        ("In 2015, the council closed the pool.", "Did the council close the pool in 2015?"),
        ("The tram will open in June 2026.", "Will the tram open in June 2026?"),
        ("Corrie Bridge is 210 metres long.", "Is Corrie Bridge 210 metres long?"),
        ("The council has never sold the land.", "Has the council ever sold the land?"),
        ("The vaccine does not cause fever.", "Does the vaccine cause fever?"),
        ("Nobody was hurt.", "Was anybody hurt?"),
        ("Anna Berg said the pool was closed.", None),
        ("There were 40 people in the hall.", None),
    ],
)
def test_a_claim_is_asked_as_a_person_would(text: str, question: str | None) -> None:
    assert whether(claim(text)) == question


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        (
            "Ralph Idle counted 212 cranes at Brennick Marsh in April 2025.",
            {
                "How many cranes did Ralph Idle count at Brennick Marsh in April 2025?",
                "When did Ralph Idle count 212 cranes at Brennick Marsh?",
                "Where did Ralph Idle count 212 cranes in April 2025?",
                "Who counted 212 cranes at Brennick Marsh in April 2025?",
            },
        ),
        (
            "At the end of 2024, 900 people lived in Tarn.",
            {"When did 900 people live in Tarn?"},
        ),
        (
            "The Iris Lock was rebuilt by Corrin Build in 1974.",
            {
                "When was the Iris Lock rebuilt by Corrin Build?",
                "By which organisation was the Iris Lock rebuilt in 1974?",
            },
        ),
        (
            "Unemployment in Tarn fell by 3% in May.",
            {
                "By how much did unemployment in Tarn fall in May?",
                "When did unemployment in Tarn fall by 3%?",
            },
        ),
        ("Corrie Bridge is 210 metres long.", {"How many metres long is Corrie Bridge?"}),
        ("Oslo is the capital of Norway.", {"Which organisation is the capital of Norway?"}),
    ],
)
def test_each_slot_has_its_own_question(text: str, questions: set[str]) -> None:
    found = claim(text)
    assert {q for f in open_slots(found, 6) if (q := asked_for(found, f))} == questions


def test_no_question_asks_a_thing_of_itself() -> None:
    found = claim("The Iris Lock was rebuilt by Corrin Build in 1974.")
    draft = Proposal(label="supported", explanation="", method="standard")
    asked = [text for _, text in (*sub_plan(found, None), *check_plan(found, [], draft))]
    assert not any(q.count("Corrin Build") > 1 or q.count("1974") > 1 for q in asked)
    assert "By which organisation was the Iris Lock rebuilt in 1974?" in asked


def test_somebodys_word_is_asked_of_them_and_of_others() -> None:
    found = claim("Anna Berg said the pool was closed.")
    assert claim_question(found).startswith("Did Anna Berg say so, and do others")


def test_the_day_of_the_claim_stands_in_its_question() -> None:
    found = claim("Samir Oakes leads the Iris Mill.")
    [dated] = ExtractiveReasoner(claim_date=date(2025, 4, 1)).questions("chain", found, (), None, 1)
    assert dated.text == "Does Samir Oakes lead the Iris Mill? (claimed on 2025-04-01)"
    [undated] = ExtractiveReasoner().questions("chain", found, (), None, 1)
    assert undated.text == "Does Samir Oakes lead the Iris Mill?"


@pytest.mark.parametrize(
    ("answer", "values"),
    [
        ("The Iris Mill closed on 31 December 2024.", []),
        ("The Iris Mill closed in 2023.", [("2024", "2023")]),
        ("The Iris Mill closed on 31 December 2025.", [("2024", "31 December 2025")]),
    ],
)
def test_a_day_of_the_claims_own_year_is_no_other_value(answer: str, values: list[tuple[str, str]]) -> None:
    asked = Question(claim_id="c1", text="When did the Iris Mill close?", route="text")
    assert (
        other_values(claim("The Iris Mill closed in 2024."), [QAPair(question=asked, answer=Answer(text=answer))])
        == values
    )


@pytest.mark.parametrize(
    ("answer", "values"),
    [
        ("The register of Harrowmere counted 19,265 inhabitants.", [("18,740", "19,265")]),
        ("Harrowmere has 12 to 15 thousand inhabitants.", [("18,740", "12 to 15 thousand")]),
        ("Harrowmere has two schools.", []),
        ("Harrowmere was visited by 400,000 people.", []),
        ("Harrowmere came first in the county.", []),
        ("The market of Harrowmere opens at 6 p.m. and was extended twice.", []),
    ],
)
def test_only_a_value_that_could_be_meant_is_asked_about(answer: str, values: list[tuple[str, str]]) -> None:
    asked = Question(claim_id="c1", text="How many people live in Harrowmere?", route="text")
    told = QAPair(question=asked, answer=Answer(text=answer))
    assert other_values(claim("18,740 people lived in Harrowmere."), [told]) == values
