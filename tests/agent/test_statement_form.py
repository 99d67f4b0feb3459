"""A question as the statement that answers it, and what the evidence offers for its gap."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.assessment.answer_type import fit
from agent.assessment.statement_form import statement_form
from agent.reasoners.answer_candidates import MOST, fills, in_other_voice
from language.nlp.pipeline import parse

FORMS = [
    ("How long was the library closed?", "The library was closed for X."),
    ("Where was the painting found?", "The painting was found X."),
    ("Where does the island's water come from?", "The island's water comes from X."),
    ("When did the lighthouse become automatic?", "The lighthouse became automatic X."),
    ("Who recognised the stolen painting?", "X recognised the stolen painting."),
    ("Who is the captain of the Skella Maid?", "The captain of the Skella Maid is X."),
    ("How far off the coast is the wind farm?", "The wind farm is X off the coast."),
    ("How tall is the tower?", "The tower is X."),
    ("How many turbines does the park consist of?", "The park consists of X."),
    ("By what percentage did revenue fall in 2024?", "Revenue fell by X in 2024."),
    ("Why did the line open late?", "The line opened late X."),
    ("How much did building the line cost?", "Building the line cost X."),
    ("Where will the dance take place?", "The dance will take place X."),
]
FILLS = [
    (
        "How long does the crossing take?",
        "The crossing takes two hours and ten minutes in fair weather.",
        ("two hours and ten minutes",),
    ),
    (
        "Where is Ostrel moving production?",
        "Production is to be moved to its works in Belcastra.",
        ("to its works in Belcastra",),
    ),
    ("Who makes the trams?", "Hana Veltri drove the first tram herself.", ()),
    ("Which firm rebuilt the library?", "The firm rebuilt it after an open tender.", ()),
    (
        "Who founded the firm?",
        "Elias and Matti Korven founded it in Selwick with Anna Berg's help.",
        ("Elias and Matti Korven",),
    ),
    ("Who won the race?", "Tomas Ilder's win in the race was his third.", ("Tomas Ilder",)),
    ("Who opened the library?", "The library opened on Monday, Samir Oakes said.", ()),
    ("Who painted it?", "Konrad Eylau says that it was painted in 1889.", ()),
    ("How long is the line?", "The line is 11.6 kilometres long, a ride 29 minutes.", ("11.6 kilometres long",)),
    ("How long is the line?", "A ride from end to end takes 29 minutes.", ()),
    ("Why did it close?", "It burns twice as much gas as newer ones.", ()),
    ("Why did it close?", "It closed because the roof leaked.", ("because the roof leaked",)),
    ("How much honey was taken?", "Honey taken: 86 kilograms from six hives.", ("86 kilograms of honey",)),
    ("How many sheets are in the herbarium?", "Her herbarium of 2,640 sheets was left to a museum.", ("2,640 sheets",)),
]


@pytest.mark.parametrize(("question", "statement"), FORMS)
def test_the_statement_has_its_gap_where_the_answer_stands(question: str, statement: str) -> None:
    form = statement_form(question)
    assert form is not None
    assert form.filled("X") == statement
    assert form.fill_of(statement) == "X"
    assert form.fill_of("Something else was found in X.") is None


def test_a_question_of_yes_or_no_has_two_statements() -> None:
    form = statement_form("Is the library open on Sundays?")
    assert form is not None
    assert form.statements() == ("The library is open on Sundays.", "The library is not open on Sundays.")
    assert [form.fill_of(s) for s in form.statements()] == ["yes", "no"]
    assert form.fill_of("The library is open.") is None
    said, denied = (fit("Is the library open on Sundays?", s) for s in form.statements())
    assert said.answers
    assert said.values != denied.values, "the two are rivals"


@pytest.mark.parametrize("question", ["", "Open?", "What did she do for a living?", "And why is it, and who is he?"])
def test_what_cannot_be_put_as_a_statement_has_no_form(question: str) -> None:
    assert statement_form(question) is None


VOICES = [
    (
        "Who founded Payvane?",
        "It was founded in 2015 by two brothers, Elias and Matti Korven, who still own a third of it.",
        "Payvane was founded by two brothers, Elias and Matti Korven.",
    ),
    (
        "Who coaches Lena Abrook?",
        "She is coached by her sister Johanna.",
        "Lena Abrook is coached by her sister Johanna.",
    ),
]


@pytest.mark.parametrize(("question", "sentence", "statement"), VOICES)
def test_who_did_it_is_told_in_the_voice_of_the_sentence(question: str, sentence: str, statement: str) -> None:
    form = statement_form(question)
    assert form is not None
    assert in_other_voice(form, parse(sentence)) == (statement,)
    assert fit(question, statement).answers
    assert not fit(question, statement.replace(" by ", " for ")).answers
    assert form.passive("will be", "founded", "X") == "", "another time"


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("The Salt Harvest was painted by Elsbeth Morrane.", True),
        ("Elsbeth Morrane, who painted The Salt Harvest, was born in Lorvain.", True),
        ("The catalogue of the Quillon Museum says that The Salt Harvest was painted in 1887.", False),
        ("The art historian Konrad Eylau says that The Salt Harvest was painted in 1889.", False),
    ],
)
def test_a_name_beside_the_verb_is_not_who_did_it(text: str, answers: bool) -> None:
    assert fit("Who painted The Salt Harvest?", text).answers is answers


@pytest.mark.parametrize(("question", "sentence", "expected"), FILLS)
def test_phrases_of_the_kind_that_the_gap_needs(question: str, sentence: str, expected: tuple[str, ...]) -> None:
    form = statement_form(question)
    assert form is not None
    found = fills(form, question, sentence)
    assert set(expected) <= set(found)
    assert bool(found) == bool(expected)
    assert len(found) <= MOST


def test_every_plain_question_is_read_without_an_error(repository: Path) -> None:
    folder = repository / "tests" / "data" / "plain-questions"
    lines = "".join((folder / f"{name}.jsonl").read_text("utf-8") for name in ("examples", "island")).splitlines()
    assert sum(statement_form(json.loads(line)["question"]) is not None for line in lines) >= 36
