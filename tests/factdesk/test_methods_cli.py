"""Methods and veracity from the command line, with the shipped models."""

from __future__ import annotations

import pytest

from tests.factdesk.conftest import CLAIM, Run

pytestmark = pytest.mark.usefixtures("home")
FIELDS = {"depth", "branch", "question", "answer", "kept", "reason"}


def test_a_tree_with_a_checked_draft_is_in_the_json(run: Run) -> None:
    flags = ("check", CLAIM, "--method", "tree", "--veracity", "cove", "--mode", "mixed", "--json")
    result = run(*flags).json()
    assert all(set(entry) >= FIELDS for entry in result["qa_pairs"])
    root = [e for e in result["qa_pairs"] if e["depth"] == 0]
    assert [e["branch"] for e in root] == [0, 1, 2]
    assert [e["kept"] for e in root].count(True) == 1
    assert all(e["reason"] for e in root)
    assert result["proposal"]["method"] == "cove"
    assert result["proposal"]["label"] in ("supported", "refuted", "failed")
    assert result["proposal"]["explanation"].startswith("Draft: ")
    assert run(*flags).json()["body_sha256"] == result["body_sha256"]
    assert "[not kept] discarded: " in run(*flags[:-2], "debug").out
    strict = run(*flags[:-2], "strict", "--json").json()
    assert strict["proposal"]["explanation"] == ""
    assert {e["reason"] for e in strict["qa_pairs"]} <= {"", "not kept"}


@pytest.mark.parametrize(("method", "veracity"), [("subq", "cot"), ("auto", "standard"), ("chain", "cove")])
def test_the_other_methods_certify_the_same_claim(run: Run, method: str, veracity: str) -> None:
    result = run("check", CLAIM, "--method", method, "--veracity", veracity, "--json").json()
    assert result["verdict"] == "supported"
    assert result["proposal"]["method"] == veracity
    assert not result["failures"]
