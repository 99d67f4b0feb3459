"""The whole evaluation: its commands exist, it goes on after a stop, and its page says what is missing."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.programs import evaluation_page
from factdesk.cli import cli
from tests.docs.shown import parse


def run(repository: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evaluation.programs.evaluate_all", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=repository)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "nli" / "dev").mkdir(parents=True)
    return folder


def test_every_step_is_a_command_of_factdesk(repository: Path, data: Path, tmp_path: Path) -> None:
    (data / "nli" / "dev" / "small.jsonl.gz").touch()
    lines = run(repository, data, tmp_path / "out", "--list").stdout.splitlines()
    assert len(lines) > 20
    for line in lines:
        words = shlex.split(line)[1:]
        assert words[0] == "factdesk"
        parse(cli, tuple(words), whole=False)
    assert not (tmp_path / "out").exists()


def test_what_is_not_there_is_left_out_and_named(repository: Path, data: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "out", tmp_path / "page.md"
    done = run(repository, data, out, "--only", "trust", "--page", page)
    assert done.returncode == 0, done.stderr
    assert "left out" in done.stderr
    assert "Not run: examples," in page.read_text(encoding="utf-8")


def test_a_step_that_is_done_stays_done_and_other_code_is_refused(repository: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "steps").mkdir(parents=True)
    kept = {"command": "factdesk eval compare A B", "seconds": 3.0, "cpu_seconds": 2.0}
    (out / "steps" / "compare.json").write_text(json.dumps(kept))
    (out / "steps" / "compare.out").write_text("accuracy 0.5 -> 0.6")
    page = tmp_path / "page.md"
    done = run(repository, data, out, "--only", "compare", "--page", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert "`factdesk eval compare A B`" in text
    assert "accuracy 0.5 -> 0.6" in text
    assert "| compare | 3.0 | 2.0 |" in text
    (out / "code.txt").write_text("something else")
    refused = run(repository, data, out, "--only", "compare")
    assert refused.returncode != 0
    assert "name another folder" in refused.stderr


def test_cells_are_rows_of_a_table() -> None:
    cells = [{"method": "denial", "n": 10, "wrong": ["c06"]}, {"method": "interview", "n": 9, "wrong": []}]
    shown = evaluation_page._figures({"cells": cells, "documents": 60})
    assert shown.splitlines() == ["| method | n |", "|---|---|", "| denial | 10 |", "| interview | 9 |"]
    assert evaluation_page._figures({"n": 3}).endswith("| n | 3 |")


def test_a_step_that_fails_ends_it(repository: Path, data: Path, tmp_path: Path) -> None:
    done = run(repository, data, tmp_path / "out", "--only", "compare")  # there are no runs to compare
    assert done.returncode != 0
    assert "step 'compare' ended with exit code" in done.stderr
    assert not (tmp_path / "out" / "steps" / "compare.json").exists()
