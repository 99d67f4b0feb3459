"""A question as the statement that answers it, and what the evidence offers for its gap."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from agent.assessment.answer_type import fit
from agent.assessment.statement_form import statement_form
from agent.reasoners.answer_candidates import MOST, fills, in_other_voice
from language.lexicon import STOPWORDS
from language.names import stem, tokens
from language.nlp.pipeline import parse
from language.verbs import normal

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
    (
        "How many tonnes of salt did the Estmouth harbour company ship in 2023?",
        "The Estmouth harbour company shipped X in 2023.",
    ),
    (
        "Where did the two brothers from Selwick and their sister open a bakery?",
        "The two brothers from Selwick and their sister opened a bakery X.",
    ),
    (
        "When will the old bridge over the Tarn be closed to lorries?",
        "The old bridge over the Tarn will be closed to lorries X.",
    ),
    ("How much water does the new spring pump supply a day?", "The new spring pump supplies X a day."),
    ("How many square metres does the market hall measure?", "The market hall measures X."),
    (
        "Why was the head nurse of the Milbeck clinic dismissed?",
        "The head nurse of the Milbeck clinic was dismissed X.",
    ),
    ("By how much did ticket sales rise after the price cut?", "Ticket sales rose by X after the price cut."),
    ("What percentage of its income did the museum share spend on heating?", "The museum share spent X on heating."),
    ("How much paper do the print works on Mill Lane use each week?", "The print works on Mill Lane use X each week."),
    (
        "On what date did the town council close records of the inquiry?",
        "The town council closed records of the inquiry X.",
    ),
    ("How many record crowds did the open air stage draw last summer?", "The open air stage drew X last summer."),
    ("What share of the voters in Lower Tarn rejected the plan?", "X rejected the plan."),
]
DOUBTFUL = [
    "",
    "Open?",
    "What did she do for a living?",
    "And why is it, and who is he?",
    "How many hours does the night shift at Corbel Mill last?",
    "How many cases did clerks and ushers list at the Selwick court house in 2024?",
    "What share of its trips in May was the ferry on time?",
    "How long will the summer road works near the station last?",
    "For how many years was Tilda Marsh head of the library?",
    "How far is the light ship from the harbour mouth?",
    "Why did bus route 7 open late?",
    "How many times has the river Tarn flooded the lower town since 1990?",
    "How long had the road been closed when the bridge fell?",
    "Were any of the passengers on board hurt?",
    "What date was set for the hearing?",
]
YES_NO = [
    ("Is the library open on Sundays?", "The library is open on Sundays.", "The library is not open on Sundays."),
    (
        "Is the swimming pool at Harrowmere still open in winter?",
        "The swimming pool at Harrowmere is still open in winter.",
        "The swimming pool at Harrowmere is no longer open in winter.",
    ),
    (
        "Did the school board and the parents agree on the timetable?",
        "The school board and the parents agreed on the timetable.",
        "The school board and the parents did not agree on the timetable.",
    ),
    (
        "Can dogs travel on the night ferry?",
        "Dogs can travel on the night ferry.",
        "Dogs cannot travel on the night ferry.",
    ),
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
    ("How many hectares does the fen cover?", "The fen is 620 hectares of reeds and open water.", ("620 hectares",)),
    ("What colour did the council choose?", "The council chose a dark green colour.", ("a dark green colour",)),
    ("How much tax will the town lose?", "It will lose 2.7 million euros in tax.", ("2.7 million euros of tax",)),
    ("How much money will the town lose?", "It will lose 2.7 million euros in tax.", ("2.7 million euros",)),
    ("What colour did the council choose?", "The council chose Hana Veltri.", ()),
]


@pytest.mark.parametrize(("question", "statement"), FORMS)
def test_the_statement_has_its_gap_where_the_answer_stands(question: str, statement: str) -> None:
    form = statement_form(question)
    assert form is not None
    assert form.filled("X") == statement
    fill = f"X {form.counted}".strip() if form.gap == "counted" else "X"
    assert form.fill_of(form.filled(fill)) == fill
    assert form.fill_of("Something else was found in X.") is None


@pytest.mark.parametrize(("question", "said", "denied"), YES_NO)
def test_a_question_of_yes_or_no_has_two_statements(question: str, said: str, denied: str) -> None:
    form = statement_form(question)
    assert form is not None
    assert form.statements() == (said, denied)
    assert [form.fill_of(s) for s in form.statements()] == ["yes", "no"]
    assert form.fill_of("The library is open.") is None


def test_both_answers_of_a_question_are_rivals() -> None:
    said, denied = (fit(YES_NO[0][0], s) for s in YES_NO[0][1:])
    assert said.answers
    assert said.values != denied.values


@pytest.mark.parametrize("question", DOUBTFUL)
def test_what_leaves_a_doubt_how_to_put_it_has_no_form(question: str) -> None:
    assert statement_form(question) is None


@pytest.mark.parametrize("fill", ["620 hectares of hectares", "the fen's 620 hectares"])
def test_a_filling_repeats_no_word(fill: str) -> None:
    form = statement_form("How many hectares does the fen cover?")
    assert form is not None
    assert form.fill_of(form.filled("620 hectares")) == "620 hectares"
    assert form.fill_of(form.filled(fill)) is None


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


ASKING = set(
    "who whom what which when where why how do does did can't cannot many much long percentage share date".split()
)
BODIES = set("anybody somebody".split())
PUT = {"time": "then", "place": "there", "cause": "then"}


def words(text: str) -> Counter[str]:
    return Counter(normal(stem(t)) for t in tokens(text) if t not in STOPWORDS | ASKING | BODIES)


def test_a_statement_has_each_word_of_its_question_once_and_its_parts_in_their_places(repository: Path) -> None:
    folder = repository / "tests" / "data" / "plain-questions"
    plain = "".join((folder / f"{name}.jsonl").read_text("utf-8") for name in ("examples", "island")).splitlines()
    questions = [*(json.loads(line)["question"] for line in plain), *(q for q, _ in FORMS)]
    forms = [(question, form) for question in questions if (form := statement_form(question)) is not None]
    assert len(forms) >= 58
    for question, form in forms:
        put = PUT.get(form.gap, "it" if form.named or form.before else "they")
        said = form.statements()[0] if form.gap == "polarity" else form.filled(put)
        kept, asked = words(said), words(question)
        assert kept <= asked, (question, said)
        assert asked - kept <= words(form.counted), (question, said)
        root = next(t for t in parse(said) if t.dep_ == "ROOT")
        subject = [t for c in root.children if c.dep_ in {"nsubj", "nsubjpass", "csubj"} for t in c.subtree]
        assert [t.i for t in subject] == list(range(len(subject))), (question, said)
        assert subject, (question, said)
        assert " ".join(t.text for t in subject[1:]) in " ".join(t.text for t in parse(question)), (question, said)
        assert normal(stem(root.lower_)) in {normal(stem(t.lower_)) for t in parse(question)}, (question, said)
