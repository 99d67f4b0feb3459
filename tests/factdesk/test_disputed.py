"""Sources that disagree: the disputed matter is in conflict, and all else that they say stands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.runs.cases import Case, CaseChecker
from factdesk.settings import load_settings

ROWS = {
    "morning": "Entry to Brell Castle costs 8 pounds. The trustees of Brell Castle named Una Faber director.",
    "evening": "Entry to Brell Castle costs 11 pounds. Dogs may not enter the keep of Brell Castle. "
    "A path leads to the river. Tea is served in the old stables.",
    "guide": "A visitor pays 8 pounds to enter Brell Castle. Its well is 40 metres deep.",
}
SITES = {"morning": "Morning Sun", "evening": "Evening Star", "guide": "Tarn Guide"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FACTDESK_HOME", str(tmp_path_factory.mktemp("home")))
        yield tmp_path_factory.mktemp("cases")


@pytest.fixture(scope="module")
def checker(home: Path) -> CaseChecker:
    return CaseChecker(load_settings(score_cache=False), home)


def verdict(checker: CaseChecker, claim: str, rows: list[dict[str, str]]) -> str:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    found = checker.check(
        Case(id="x", kind="x", documents=({"name": "d.jsonl", "text": text},), claim=claim, accepted=("supported",))  # type: ignore[arg-type]
    )
    assert found.error is None
    return found.verdict


def row(name: str, text: str = "", published: str = "2024-05-02", publisher: str = "") -> dict[str, str]:
    outlet = publisher or SITES[name]
    return {
        "doc_id": name,
        "text": text or ROWS[name],
        "publisher": outlet,
        "published": published,
        "url": f"https://{outlet.lower().replace(' ', '-')}.example/{name}",
    }


@pytest.mark.parametrize("claim", [ROWS[name].split(". ")[0] + "." for name in ("morning", "evening")])
def test_two_sources_that_disagree_about_the_claim_are_in_conflict(checker: CaseChecker, claim: str) -> None:
    assert verdict(checker, claim, [row("morning"), row("evening")]) == "conflicting"


@pytest.mark.parametrize(
    "claim",
    [
        "The trustees of Brell Castle named Una Faber director.",
        "Dogs may not enter the keep of Brell Castle.",
    ],
)
def test_what_else_they_say_stands(checker: CaseChecker, claim: str) -> None:
    assert verdict(checker, claim, [row("morning"), row("evening")]) == "supported"


def test_two_independent_sources_overrule_one_on_that_matter_alone(checker: CaseChecker, home: Path) -> None:
    rows = [row(name) for name in ROWS]
    rating = CaseChecker(load_settings(score_cache=False, sources=("morning-sun.example", "tarn-guide.example")), home)
    assert verdict(rating, "Entry to Brell Castle costs 8 pounds.", rows) == "supported"
    assert verdict(checker, "Entry to Brell Castle costs 8 pounds.", rows) == "not_enough_evidence", (
        "names cost nothing"
    )
    assert verdict(checker, "Entry to Brell Castle costs 11 pounds.", rows) == "not_enough_evidence"
    assert verdict(checker, "Dogs may not enter the keep of Brell Castle.", rows) == "supported"


def test_a_publishers_later_word_takes_the_place_of_its_earlier_one(checker: CaseChecker) -> None:
    later = row("evening", published="2025-05-02", publisher="Morning Sun")
    rows = [row("morning"), later]
    assert verdict(checker, "Entry to Brell Castle costs 11 pounds.", rows) == "supported"
    assert verdict(checker, "The trustees of Brell Castle named Una Faber director.", rows) == "supported"


def test_a_copied_sentence_is_verified_and_its_negation_is_not(checker: CaseChecker) -> None:
    said = "Una Faber, 52, and her deputy, 38, were not hurt."
    assert verdict(checker, said, [row("guide", said)]) == "supported"
    assert verdict(checker, said.replace("not ", ""), [row("guide", said)]) != "supported"


def test_the_first_time_is_one_time(checker: CaseChecker) -> None:
    said = "Surveyors first reported the leak at Brell Castle in 1986."
    assert verdict(checker, said.replace("1986", "1996"), [row("guide", said)]) == "refuted"
