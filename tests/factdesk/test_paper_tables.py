"""The tables of RAGAR and ClaimTrust with a language model, over a server on loopback."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from evaluation.programs import measure_methods
from factdesk.corpora.stored import Corpora
from factdesk.corpus_trust.open import desk_of
from factdesk.settings import load_settings
from tests.agent.llm_server import Play, Request, clever, good, serve
from tests.factdesk.conftest import Run

TEXTS = {
    "wire": "The Elbe bridge in Hamburg reopened on 4 May 2024. Its repair cost 12 million euros.",
    "paper": "Hamburg's Elbe bridge was opened again on 4 May 2024. Hamburg paid 12 million euros.",
}
MODEL = "llm:openai:tiny"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "corpus"
    found.mkdir()
    for name, text in TEXTS.items():
        (found / f"{name}.txt").write_text(text, encoding="utf-8")
    return found


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("FACTDESK_LLM__API_KEY", "none")
    return monkeypatch


def test_ragars_table_with_a_model(
    folder: Path, configured: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    claims, out = folder.parent / "claims.jsonl", folder.parent / "out"
    row = {"id": "1", "claim": "The Elbe bridge in Hamburg reopened on 4 May 2024.", "label": "supported"}
    claims.write_text(json.dumps(row), encoding="utf-8")
    wanted = ("--methods", "chain", "subq", "--veracity", "standard", "--reasoner", MODEL)
    with serve(clever) as server:
        configured.setenv("FACTDESK_LLM__BASE_URL", server.url)
        configured.setattr(sys, "argv", ["measure_methods", str(out), f"mine={claims}:{folder}", *wanted])
        measure_methods.main()
        assert {"AskedQuestion", "AskedQuestions", "GroundedAnswer"} <= {r.schema for r in server.requests}
    table = capsys.readouterr().out
    assert "### mine" in table
    assert [line.split(" | ")[:3] for line in table.splitlines() if line.startswith(("| chain", "| subq"))] == [
        ["| chain", "standard", "1.000"],
        ["| subq", "standard", "1.000"],
    ]


def scorer(request: Request) -> Play:
    """A model that likes answers with an amount, and breaks off at silence."""
    if request.schema != "AnswerQuality":
        return Play("{}", status=500)
    if request.data["answer"] == "(no answer)":
        return Play("", refusal="nothing to judge")
    return good(quality=0.75 if "12 million" in request.data["answer"] else 0.25)


def test_claimtrusts_table_with_a_model(folder: Path, run: Run, configured: pytest.MonkeyPatch) -> None:
    questions = folder.parent / "questions.jsonl"
    rows = [
        {"id": "1", "question": "How much did Hamburg pay?", "accept": ["12 million"]},
        {"id": "2", "question": "Who owns the Iris Mill?", "accept": []},
    ]
    questions.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    asked = ("eval", "rankings", questions, "--corpus", folder, "--judge", MODEL)
    with serve(scorer) as server:
        configured.setenv("FACTDESK_LLM__BASE_URL", server.url)
        refused = run(*asked)
        assert refused.code == 3
        assert "factdesk trust rank" in refused.err
        name, documents, _ = Corpora(load_settings()).resolve(str(folder))
        desk_of(load_settings(), name, documents).update()
        found = run(*asked, "--json").json()
    assert [r["ranking"] for r in found] == ["vanilla", "score"]
    for row in found:
        assert (row["n"], row["answered"], row["accuracy"], row["quality"], row["unscored"]) == (2, 1, 0.5, 0.75, 1)
