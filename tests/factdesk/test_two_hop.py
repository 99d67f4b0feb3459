"""A claim whose evidence lies in two documents, with the shipped models, and the script that measures it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factdesk.conftest import Run

pytestmark = pytest.mark.usefixtures("home")
CLAIM = "The firm that repaired the front of Aldmoor Library has been in business since 1938."


@pytest.fixture
def desk(tmp_path: Path, repository: Path) -> Path:
    """The two documents that a claim needs."""
    folder = tmp_path / "desk"
    folder.mkdir()
    for name in ("aldmoor-library.md", "builders-dinner.md"):
        source = repository / "tests" / "data" / "two-hop-unseen" / "corpus" / name
        (folder / name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def test_the_tree_learns_the_name_and_no_badge_rests_on_it(run: Run, desk: Path) -> None:
    result = run("check", CLAIM, "--corpus", str(desk), "--method", "tree", "--json").json()
    named = [e for e in result["qa_pairs"] if e["question"].startswith("Taking Brackle Stonework for ")]
    assert named
    assert named[0]["depth"] > 0
    assert result["proposal"]["label"] == "supported"
    assert result["verdict"] == "not_enough_evidence"


def test_a_chain_that_learned_a_name_holds_in_a_rerun_and_says_what_was_not_recomputed(
    run: Run, desk: Path, tmp_path: Path
) -> None:
    result = run("check", CLAIM, "--corpus", str(desk), "--json").json()
    assert result["proposal"]["label"] == "supported"
    exported = tmp_path / "history.jsonl"
    run("history", "export", str(exported))
    found = run("verify", str(exported), "--rerun", "--json").json()
    assert found["reverified"]["ok"] is True
    assert "take a name for what a claim describes" in json.dumps(found)


def test_the_table_of_methods_is_made_and_taken_up_again(
    tmp_path: Path, repository: Path, desk: Path
) -> None:
    claims = tmp_path / "claims.jsonl"
    rows = (repository / "tests" / "data" / "two-hop-unseen" / "claims.jsonl").read_text(encoding="utf-8")
    claims.write_text("\n".join(rows.splitlines()[:2]) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    command = [
        sys.executable, str(repository / "examples" / "measure_methods.py"), str(out), f"two={claims}:{desk}",
        "--methods", "tree", "subq", "--veracity", "standard",
    ]  # fmt: skip
    first = subprocess.run(command, check=True, capture_output=True, text=True, cwd=repository).stdout
    cell = json.loads((out / "two-tree-standard.json").read_text(encoding="utf-8"))
    assert cell["gold"] == ["supported", "refuted"]
    assert len(cell["said"]) == 2
    assert "| tree | standard |" in first
    assert "tree against subq, standard:" in first
    changed = {**cell, "said": ["failed", "failed"]}
    (out / "two-tree-standard.json").write_text(json.dumps(changed), encoding="utf-8")
    again = subprocess.run(command, check=True, capture_output=True, text=True, cwd=repository).stdout
    assert "0.000 (0.00 to 0.00)" in again, "a cell that is there is read, not run again"
