"""``--engine ray``: two nodes on this machine, one killed on the way. Minutes long: ``pytest -m slow``."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factdesk.conftest import Run
from tests.factdesk.test_batch import certificates, many, write

INSTALLED = importlib.util.find_spec("ray") is not None


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="the extra ray is not installed")
def test_a_node_that_dies_takes_nothing_with_it(run: Run, home: Path, tmp_path: Path, repository: Path) -> None:
    file, out = write(tmp_path / "claims.jsonl", *many(60)), tmp_path / "out"
    batch = [str(file), "--out", str(out), "--engine", "ray", "--workers", "2", "--retriever", "none"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.factdesk.ray_cluster", str(out), "12", *batch],
        cwd=repository,
        env={**os.environ, "FACTDESK_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    summary = found["summary"]
    assert found["code"] == 0, done.stderr[-3000:]
    assert 12 <= found["killed_at"] < 60, "the node died half-way"
    assert (summary["submitted"], summary["lost"], summary["failed"]) == (60, 0, 0)
    assert summary["completed"] + summary["resumed"] == certificates(out) == 60
    assert summary["chain_ok"] is True
    entries = run("history", "list", "--limit", "100", "--json").json()
    assert sorted(e["claim_text"] for e in entries) == sorted(r["claim"] for r in many(60))
    again = run("batch", file, "--out", out, "--workers", "1", "--retriever", "none", "--json").json()
    assert (again["resumed"], again["completed"]) == (60, 0), "the engine plays no part in what is finished"


@pytest.mark.skipif(INSTALLED, reason="Ray is installed here")
def test_without_ray_it_says_how_to_get_it(run: Run, home: Path, tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", *many(1))
    outcome = run("batch", file, "--out", tmp_path / "out", "--engine", "ray")
    assert (outcome.code, "[ray]" in outcome.err) == (4, True)
