"""Whether a sentence answers a question."""

from __future__ import annotations

import pytest

from agent.assessment.answer_type import fit, read_question

ANSWERS = [
    (
        "How much did the refurbishment of the Tollgate Library cost?",
        "The refurbishment of the Tollgate Library cost £6.2 million.",
        "£6.2 million",
    ),
    (
        "How many turbines does Skerrow Bank have?",
        "Skerrow Bank consists of 62 turbines with a combined capacity of 496 megawatts.",
        "62",
    ),
    ("When was The Salt Harvest stolen?", "The Salt Harvest was stolen from the Quillon Museum in 1994.", "1994"),
    (
        "Who won the women's race of the Corvane Half Marathon?",
        "Lena Abrook won the women's race of the Corvane Half Marathon on Sunday.",
        "Lena Abrook",
    ),
    (
        "How long did the outage of Payvane last?",
        "The outage of Payvane lasted 7 hours and 20 minutes.",
        "7 hours; 20 minutes",
    ),
    (
        "What percentage of the ten-year-olds in Tarrin County have received the booster?",
        "Only 58 percent of the ten-year-olds in Tarrin County have received the booster.",
        "58 percent",
    ),
    (
        "What temperature does the water in the Karsund Trench have?",
        "Water at the bottom of the Karsund Trench has a temperature of 1.6 degrees Celsius.",
        "1.6 degrees Celsius",
    ),
]
DOES_NOT = [
    ("names alone", "Who owns Corrin Build?", "Corrin Build was a contractor from the town of Estwick."),
    ("another thing counted", "How many turbines does Skerrow Bank have?", "Skerrow Bank employs 85 people."),
    (
        "which of the two",
        "How many turbines does Skerrow Bank have?",
        "In Skerrow Bank 14 of the 62 turbines have stood still.",
    ),
    ("no amount", "How many turbines does Skerrow Bank have?", "Skerrow Bank has turbines in deep water."),
    ("another name", "How many stops does line 4 in Selwick have?", "Line 4 in Corvane has 18 stops."),
    ("another year", "How many runners finished in Corvane in 2025?", "In Corvane 7,656 runners finished in 2024."),
    ("a weekday is no date", "When did the library in Estwick reopen?", "The library in Estwick reopened on Monday."),
    ("no money", "How much did the library in Estwick cost?", "The library in Estwick cost 14 jobs."),
    ("only what the question says", "In which year did the 2019 plan begin?", "The 2019 plan did begin in 2019."),
    ("no name", "Who opened the library?", "The library was opened by the mayor."),
]


@pytest.mark.parametrize(("question", "text", "fill"), ANSWERS)
def test_what_answers_fills_the_place_of_the_question_word(question: str, text: str, fill: str) -> None:
    found = fit(question, text, "c1")
    assert found.answers
    assert found.answer_text == fill
    assert found == fit(question, text, "c1")


@pytest.mark.parametrize(("why", "question", "text"), DOES_NOT)
def test_what_does_not_answer_is_no_answer(why: str, question: str, text: str) -> None:
    assert not fit(question, text).answers, why


def test_plans_are_marked() -> None:
    question = "How many turbines does Skerrow Bank have?"
    assert fit(question, "Skerrow Bank will have 70 turbines.").plan
    assert not fit(question, "Skerrow Bank has 62 turbines.").plan


def test_what_is_counted_is_read_from_the_question() -> None:
    assert read_question("How many new animal species that nobody knew were found?").counted == "speci"
    assert read_question("How much did it cost?").counted == ""


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many people were hurt when line 4 derailed?", "amount"),
        ("When did it become known how many people were hurt?", "date"),
        ("In what year did the man who built it die?", "date"),
        ("How much did the refurbishment cost when it was done?", "money"),
        ("Why did nobody say how many there were?", "cause"),
    ],
)
def test_the_first_question_word_says_what_is_asked_for(question: str, kind: str) -> None:
    assert read_question(question).kind == kind


@pytest.mark.parametrize(
    ("question", "sentence", "answers"),
    [
        ("How long was the library closed?", "The library was closed for fourteen months.", True),
        ("How long was the library closed?", "The closed library had 21,300 visits in a month.", False),
        (
            "How long was the library closed?",
            "The library must be closed for safety within two years.",
            False,
        ),
        ("How long did the outage last?", "The outage lasted more than five hours.", True),
        ("How deep is the Ondrell Trench?", "The Ondrell Trench is 7,400 metres deep.", True),
        ("How deep is the Ondrell Trench?", "A shark of 60 metres was seen in the Ondrell Trench.", False),
        ("How heavy is the Ondrell bell?", "The Ondrell bell weighs 40 tonnes.", True),
        ("How heavy is the Ondrell bell?", "The Ondrell bell is 40 years old.", False),
        ("How high was the fine against Payvane?", "The fine against Payvane was 2 million euros.", True),
        ("How high was the fine against Payvane?", "Payvane paid the fine after 30 days.", False),
    ],
)
def test_a_measure_is_answered_by_that_measure(question: str, sentence: str, answers: bool) -> None:
    assert fit(question, sentence).answers is answers
