"""``factdesk eval context``: what a language model is given by each retriever, and what counts as right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from factdesk.cli import cli
from tests.agent.llm_server import Play, Request, good, serve

TEXTS = {
    "mill.txt": "Samir Oakes leads the Iris Mill. The Iris Mill stands in Harrowmere. Samir Oakes was born in Tarn.",
    "marsh.txt": "Ralph Idle counted 212 cranes at Brennick Marsh. Brennick Marsh lies near Corvane. "
    "Ralph Idle leads the Corvane Institute.",
}
CLAIMS = (
    {"claim": "Samir Oakes leads the Iris Mill.", "label": "supported"},
    {"claim": "Ralph Idle counted 90 cranes at Brennick Marsh.", "label": "refuted"},
)


def reader(request: Request) -> Play:
    """A model that finds the claim's words or another number in its context, and knows nothing else."""
    if request.schema != "ContextLabel":
        return Play("{}", status=500)
    context, claim = request.data["context"], request.data["claim"]
    if not context:
        return good(label="not_enough_information")
    if claim in context:
        return good(label="true")
    return good(label="false" if any("212 cranes" in s for s in context) else "not_enough_information")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    folder, claims = tmp_path / "corpus", tmp_path / "claims.jsonl"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    claims.write_text("".join(json.dumps(c) + "\n" for c in CLAIMS), encoding="utf-8")
    return folder, claims


def test_each_retriever_and_percentage_gives_its_own_context(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, claims = files
    with serve(reader) as server:
        monkeypatch.setenv("FACTDESK_LLM__BASE_URL", server.url)
        monkeypatch.setenv("FACTDESK_LLM__API_KEY", "sk-secret")
        flags = ("--corpus", folder, "--backbone", "llm:openai:tiny", "--json")
        axes = ("--delta", 50, "--delta", 100, "--lam", 20, "--lam", 100)
        done = CliRunner().invoke(cli, [str(w) for w in ("eval", "context", claims, *flags, *axes)])
        assert done.exit_code == 0, done.output
    rows = {(r["retriever"], r["delta"], r["lam"]): r for r in json.loads(done.stdout)}
    assert set(rows) == {
        ("none", None, None),
        ("semantic", None, None),
        ("kaping", None, None),
        *(("community", d, m) for d in (50.0, 100.0) for m in (20.0, 100.0)),
    }
    assert (rows["none", None, None]["accuracy"], rows["none", None, None]["sentences"]) == (0.0, 0.0)
    full = rows["community", 100.0, 100.0]
    assert (full["accuracy"], full["sentences"], full["n"]) == (1.0, 6.0, 2)
    assert rows["community", 100.0, 20.0]["sentences"] == 2.0
    assert 0 < rows["community", 50.0, 100.0]["sentences"] < 6.0
    assert rows["semantic", None, None]["accuracy"] == 1.0
    told = [r.data["context"] for r in server.requests]
    assert None in told


def test_a_model_that_fails_is_counted_and_wrong(files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, claims = files
    with serve(lambda _: Play("no json at all")) as server:
        monkeypatch.setenv("FACTDESK_LLM__BASE_URL", server.url)
        monkeypatch.setenv("FACTDESK_LLM__API_KEY", "sk-secret")
        flags = ("--corpus", folder, "--backbone", "llm:openai:tiny", "--retriever", "semantic", "--json")
        done = CliRunner().invoke(cli, [str(w) for w in ("eval", "context", claims, *flags)])
    (row,) = json.loads(done.stdout)
    assert (row["failed"], row["accuracy"]) == (2, 0.0)
