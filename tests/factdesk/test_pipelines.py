"""Rows of datasets, and a model's answers in inspect_ai; the packages are extras, so most is tried without them."""

from __future__ import annotations

import asyncio
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from factdesk.checker import FactChecker
from factdesk.hf_datasets import checked, json_lines, open_dataset
from factdesk.inspect_scorer import borne_out
from factdesk.kernel import BackendUnavailable, InputError
from tests.factdesk.conftest import CLAIM

ROWS = ({"body": "The Tollgate Library reopened in May 2024.", "when": None}, {"body": CLAIM, "doc_id": "cost"})


def test_rows_become_documents_and_are_checked_where_they_stand(home: Path, tmp_path: Path) -> None:
    lines = list(json_lines(ROWS, text="body", published="when"))
    assert [json.loads(line)["doc_id"] for line in lines] == ["row-1", "cost"]
    (tmp_path / "news.jsonl").write_text("\n".join(lines), encoding="utf-8")
    checker = FactChecker.from_config(corpus=(str(tmp_path / "news.jsonl"),))
    good, none = checked([{"statement": CLAIM, "n": 1}, {"statement": " ", "n": 2}], checker, column="statement")
    assert (good["n"], good["verdict"], good["shown"], good["failure"]) == (1, "supported", [CLAIM], None)
    assert good["certificate_id"]
    assert (none["n"], none["verdict"], none["shown"]) == (2, None, [])
    assert none["failure"], "an error is no verdict"
    with pytest.raises(InputError, match="no column 'claim'; they have n, statement"):
        next(checked([{"statement": CLAIM, "n": 1}], checker))
    with pytest.raises(InputError, match="no field 'txet'"):
        next(json_lines(ROWS, txet="body"))


def test_without_the_packages_the_extras_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("datasets", "inspect_ai", "inspect_ai.scorer"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(BackendUnavailable, match=r"\[datasets\]"):
        open_dataset("news")
    with pytest.raises(BackendUnavailable, match=r"\[inspect\]"):
        borne_out()


def test_the_example_checks_a_dataset(home: Path, repository: Path, tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="the extra datasets is not installed")
    made = runpy.run_path(str(repository / "examples" / "pipelines" / "check_a_dataset.py"))["main"]()
    assert set(made["verdict"]) <= {"supported", "not_enough_evidence"}
    made.save_to_disk(str(tmp_path / "saved"))
    assert open_dataset(str(tmp_path / "saved")).column_names == made.column_names
    with pytest.raises(InputError, match="cannot be opened"):
        open_dataset(str(tmp_path / "nothing"))


def test_a_models_answer_is_scored_by_what_the_documents_bear_out(home: Path, repository: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="the extra inspect is not installed")
    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    example = repository / "examples" / "pipelines" / "score_a_model.py"
    [score] = runpy.run_path(str(example))["library"]().scorer

    def scored(answer: str) -> Any:
        said = ModelOutput.from_content("mockllm/model", answer)
        state = TaskState(ModelName("mockllm/model"), "one", 1, "a question", [], output=said)
        return asyncio.run(score(state, Target("")))

    good, none = scored(f"{CLAIM} The Tollgate Library has a swimming pool on its roof."), scored(" ")
    assert (good.value, good.metadata["states"]) == (0.5, ["VERIFIED", "UNVERIFIED"])
    assert good.metadata["certificate_id"]
    assert none.value != none.value, "what cannot be checked is unscored"
    done = subprocess.run(
        [sys.executable, str(example)],
        env={**os.environ, "PYTHONPATH": str(repository)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line[:4] for line in done.stdout.splitlines()[-2:]] == ["1.0 ", "0.0 "], done.stderr
