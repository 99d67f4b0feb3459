"""``factdesk eval cases``: each case against its own documents, through the whole check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.runs.cases import mistake_of, read_cases
from factdesk.kernel import InputError
from tests.factdesk.conftest import Run

TEXT = "The Kestrel Theatre was built in 1911. It has 640 seats."
RIGHT: dict[str, Any] = {
    "id": "a1",
    "kind": "plain",
    "documents": [{"name": "theatre.txt", "text": TEXT}],
    "claim": "The Kestrel Theatre was built in 1911.",
    "accepted": ["supported"],
    "was": "refuted",
}


def write(path: Path, *cases: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(c) + "\n" for c in cases), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("verdict", "accepted", "mistake"),
    [
        ("supported", ["supported", "refuted"], None),
        ("refuted", ["supported"], "wrong"),
        ("supported", ["not_enough_evidence"], "wrong"),
        ("conflicting", ["supported"], "false_conflict"),
        ("conflicting", ["conflicting", "supported"], None),
        ("not_enough_evidence", ["supported"], "missed"),
        ("not_enough_evidence", ["conflicting"], "missed"),
        ("not_enough_evidence", ["refuted", "not_enough_evidence"], None),
    ],
)
def test_a_verdict_that_is_not_accepted_is_one_kind_of_mistake(
    verdict: Any, accepted: Any, mistake: str | None
) -> None:
    assert mistake_of(verdict, accepted) == mistake


def test_each_case_is_held_against_its_own_documents_alone(run: Run, tmp_path: Path) -> None:
    elsewhere = {**RIGHT, "id": "a2", "documents": [{"name": "n.txt", "text": "Rain fell on Corbel Hill."}]}
    wanted = {**RIGHT, "id": "a3", "kind": "wished", "accepted": ["refuted"]}
    bare = {**RIGHT, "id": "a4", "documents": [], "accepted": ["not_enough_evidence"]}
    found = run("eval", "cases", write(tmp_path / "c.jsonl", RIGHT, elsewhere, wanted, bare), "--json")
    report = found.json()
    assert [report[k] for k in ("n", "wrong", "false_conflict", "missed", "refused")] == [4, 1, 0, 1, 1]
    assert report["by_kind"] == {
        "plain": {"n": 3, "wrong": 0, "false_conflict": 0, "missed": 1},
        "wished": {"n": 1, "wrong": 1, "false_conflict": 0, "missed": 0},
    }
    verdicts = [o["verdict"] for o in report["outcomes"]]
    assert verdicts == ["supported", "not_enough_evidence", "supported", "not_enough_evidence"]
    assert report["outcomes"][3]["error"]
    assert report["outcomes"][0]["reason"].startswith("verified")
    assert "a3  wished: supported  <- wrong" in found.err


def test_some_cases_in_two_processes_give_what_one_process_gives(run: Run, tmp_path: Path) -> None:
    other = {**RIGHT, "id": "b1", "kind": "other", "claim": "The Kestrel Theatre was built in 1931."}
    file = write(tmp_path / "c.jsonl", RIGHT, other, {**RIGHT, "id": "b2"})
    one = run("eval", "cases", file, "--id", "b1", "--id", "a1", "--json").json()
    two = run("eval", "cases", file, "--id", "b1", "--id", "a1", "--jobs", "2", "--json").json()
    assert one == two
    assert [o["id"] for o in one["outcomes"]] == ["a1", "b1"]
    assert run("eval", "cases", file, "--kind", "other", "--json").json()["n"] == 1


@pytest.mark.parametrize(
    "broken",
    [
        {**RIGHT, "accepted": ["true"]},
        {**RIGHT, "accepted": []},
        {**RIGHT, "documents": [{"name": "../out.txt", "text": "x"}]},
        {k: v for k, v in RIGHT.items() if k != "claim"},
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, broken: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="line 2"):
        read_cases(write(tmp_path / "c.jsonl", RIGHT, broken))


def test_a_kind_that_no_case_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such cases"):
        read_cases(write(tmp_path / "c.jsonl", RIGHT), kinds=["plane"])
