"""Names: found by their capitals, recognised in other forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.names import find_names, name_in, other_bearer
from verifier.training.wordlist import dictionary_words

FOUND = {
    "The mayor of Hamburg resigned.": ["Hamburg"],
    "Germany's chancellor met Emmanuel Macron.": ["Germany", "Emmanuel Macron"],
    "J. K. Rowling wrote it.": ["J. K. Rowling"],
    "It was written by J.K. Rowling.": ["J.K. Rowling"],
    "Residents protested.": [],
    "House prices rose.": [],
    "Smoking causes cancer.": [],
    "Self-checkouts cost nobody a job.": [],
    "Twenty-six readers came.": [],
    "X-rays were taken.": [],
    "Winston-Salem grew.": ["Winston-Salem"],
    "Stratford-upon-Avon grew.": ["Stratford-upon-Avon"],
    "Orm-based firms left.": ["Orm-based"],
    "Ex-mayor Rita Sol left.": ["Ex-mayor Rita Sol"],
    "New York City banned it.": ["New York City"],
    "In May 2019 the court sat on Monday.": [],
    "The Bank of England cut rates.": ["Bank of England"],
    "Bank of the West grew.": ["Bank of the West"],
    "Dredging of the Ossel took long.": ["Ossel"],
    "Repair of the Orm Bridge took long.": ["Orm Bridge"],
    "Ludwig van Beethoven was deaf.": ["Ludwig van Beethoven"],
    "Anna Berg and Peter Hansen married.": ["Anna Berg", "Peter Hansen"],
    "The WHO warned the U.S. government.": ["WHO", "U.S."],
    "The plant yields 5 GWh.": [],
    "It cost US$5 million.": [],
    "He moved to São Paulo.": ["São Paulo"],
    "": [],
}


@pytest.mark.parametrize("text", FOUND)
def test_finds_names(text: str) -> None:
    assert [n.text for n in find_names(text)] == FOUND[text]


SPOKEN_OF = (
    ("The WHO warned.", "The World Health Organization spoke.", True),
    ("It was the World Health Organization.", "The WHO spoke.", True),
    ("He left Germany.", "German cars are built there.", True),
    ("He left France.", "French wine is sold.", True),
    ("He left the UK.", "Britain is an island.", True),
    ("He left the UK.", "Ukraine is at war.", False),
    ("It was Marie Curie.", "Curie won.", True),
    ("It was Marie Curie.", "Pierre Curie won.", False),
    ("It was Anna Berg.", "Carl Berg sold it.", False),
    ("It was J. K. Rowling.", "Joanne Rowling wrote it.", True),
    ("He met Hamburg's mayor.", "The mayor of Hamburg came.", True),
    ("He lives in São Paulo.", "Sao Paulo is large.", True),
    ("He lives in Oslo.", "Bergen is wet.", False),
    ("He lives in New York City.", "NYC is loud.", True),
    ("She met Maria Lopez.", "Ms Lopez agreed.", True),
    ("It was J. Smith.", "Mary Smith wrote it.", False),
    ("The WHO warned.", "People who warned us were right.", False),
    ("The US warned.", "People warned us.", False),
    ("The US warned.", "America warned them.", True),
    ("It was George W. Bush.", "George Bush came.", True),
    ("He plays for Bayern.", "", False),
    ("The harbour of Saint Ellard closed.", "The Port of St Ellard closed.", True),
    ("The harbour of St. Ellard closed.", "The Port of Saint Ellard closed.", True),
    ("The harbour of Saint Ellard closed.", "The Port of St Orm closed.", False),
)


@pytest.mark.parametrize(("claim", "text", "expected"), SPOKEN_OF)
def test_recognises_names_in_other_forms(claim: str, text: str, expected: bool) -> None:
    (name,) = find_names(claim)
    assert name_in(name, text) is expected


def test_other_bearer_of_a_surname_is_named() -> None:
    (name,) = find_names("The farm belongs to Anna Berg.")
    assert other_bearer(name, "It was sold to Carl Berg.") == "Carl Berg"
    assert other_bearer(name, "It was sold to Berg.") is None
    assert other_bearer(name, "It was sold to Anna Berg.") is None


@given(st.text())
def test_any_text_is_read_and_offsets_are_exact(text: str) -> None:
    for name in find_names(text):
        assert text[name.start : name.end] == name.text
        assert name.words


@pytest.mark.parametrize("word", ["hackers", "rust", "thieves", "burglaries", "midwives", "salmon", "pepper", "levies"])
def test_everyday_words_open_sentences_without_being_names(word: str) -> None:
    assert find_names(f"{word.capitalize()} came to Lund.")[0].text == "Lund"


@pytest.mark.parametrize("name", ["Emma", "Boris", "Paris", "Corvane", "Taylor", "Mercury", "Essen"])
def test_first_names_and_towns_stay_names(name: str) -> None:
    assert find_names(f"{name} came to Lund.")[0].text == name


def test_the_dictionary_keeps_what_is_no_name_and_no_plain_plural() -> None:
    lists = [["rust", "mark", "hackers", "hacker", "don't", "bee", "ox"], ["Mark", "Mark's", "tin", "levies"]]
    assert dictionary_words(lists, {"tin"}) == ["bee", "hacker", "levies", "rust"]
