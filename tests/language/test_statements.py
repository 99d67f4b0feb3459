"""Sentences of several statements: a claim of that kind is mended, and so refuted, in none of its parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from factdesk.checker import FactChecker
from language.nlp.relations import makes_several
from verifier.guard.value_repair import repairs


@pytest.mark.parametrize(
    "text",
    [
        "Harrow Dairy, founded in 1908, supplies Vell Hospital.",
        "The mill lost a wheel and cut 40 jobs in 2019.",
        "Exports fell by 6.2 percent and tariffs rose by 2 percent.",
        "Born in 1931, Ada Wynn taught Latin.",
        "The pilot, who was 44, landed in Vell.",
        "The abbot of Vell, a former baker, retired in May.",
    ],
)
def test_coordinated_verbs_and_asides_are_statements_of_their_own(text: str) -> None:
    assert makes_several(text)


@pytest.mark.parametrize(
    "text",
    [
        "The mill that burned in 1908 is 30 metres long.",
        "The mill closed after the dam broke in 2019.",
        "The fire in Graz, Austria, killed four people.",
        "Barley, oats and rye made up 10 percent.",
        "On 3 May 2024, the board approved the budget.",
        "The pilot arrested in May was freed.",
    ],
)
def test_restrictions_lists_and_circumstances_are_none(text: str) -> None:
    assert not makes_several(text)


def test_a_claim_of_several_statements_is_not_mended() -> None:
    premise = "Vell Hospital has been supplied by Harrow Dairy since 2021."
    assert repairs("Harrow Dairy, founded in 1908, supplied Vell Hospital.", premise) == ()
    assert repairs("Harrow Dairy was founded in 1908.", "Harrow Dairy was founded in 1921.") != ()


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> FactChecker:
    return FactChecker.from_config(home=tmp_path_factory.mktemp("home"))


def check(checker: FactChecker, folder: Path, claim: str, *pages: str) -> str:
    for number, page in enumerate(pages):
        (folder / f"{number}.txt").write_text(f"{page}\n", encoding="utf-8")
    return checker.check(claim, corpus=[str(folder)], record=False).verdict


def test_a_true_compound_told_by_two_pages_is_never_refuted(tmp_path: Path, checker: FactChecker) -> None:
    claim = "Harrow Dairy, founded in 1908, rebuilt Vell Hospital."
    pages = ("Vell Hospital was rebuilt by Harrow Dairy in 2019.", "Harrow Dairy was founded in 1908.")
    assert check(checker, tmp_path, claim, *pages) == "supported"


@pytest.mark.parametrize(
    "sentence",
    [
        "The finance director, Ada Wynn, left in June.",
        "Ada Wynn, the pilot, left in June.",
        "Ada Wynn bought a mill in Vell and a barn in Harrow.",
        "The mayor did not resign, nor did he apologise.",
        "The storm broke the mast and Vell lost power on Sunday.",
        "Harrow Dairy, famous for its butter, has 40 cows.",
    ],
)
def test_a_copy_of_a_sentence_of_the_page_is_certified(tmp_path: Path, checker: FactChecker, sentence: str) -> None:
    assert check(checker, tmp_path, sentence, sentence) == "supported"
