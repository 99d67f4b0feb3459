"""``factdesk eval rules``: a rule left out changes what it alone decides, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluation.runs.rules import RulesReport, measure_rules, read_rows
from factdesk.cli import cli
from factdesk.kernel import InputError
from factdesk.settings import load_settings
from verifier.guard import check
from verifier.guard.check import unsupported
from verifier.guard.rule import hearing, leaving_out

PAIRS = (
    ("The inn has 12 rooms.", "The inn has 12 rooms and a bar.", "entailment"),
    ("The film won an award.", "The film was nominated for an award.", "neutral"),
    ("Per Berg was born in Oslo.", "Per Berg was born in Bergen and grew up in Oslo.", "contradiction"),
)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    rows = [
        {"id": str(n), "hypothesis": claim, "premise": premise, "label": label}
        for n, (claim, premise, label) in enumerate(PAIRS)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_rule_left_out_is_not_asked_and_others_are() -> None:
    claim, premise = "Ada Quill runs 12 inns.", "Bo Quill runs 14 inns."
    assert {f.rule for f in check(claim, premise).findings} == {"number.other", "name.other"}
    with leaving_out(frozenset({"number.other"})):
        assert [f.rule for f in check(claim, premise).findings] == ["name.other"]
    assert len(check(claim, premise).findings) == 2


def test_rules_on_structure_are_left_out_and_heard_too() -> None:
    claim, premise = "Amina Diallo was fined.", "The brother of Amina Diallo was fined."
    with hearing() as heard:
        assert unsupported(claim, premise)
    assert "role.argument" in heard
    with leaving_out(frozenset(heard)):
        assert unsupported(claim, premise) == ()


def test_of_a_group_the_next_rule_speaks() -> None:
    claim, premise = "The inn is haunted.", "Is the tale that the inn is haunted more than a rumour that it is?"
    assert [f.rule for f in check(claim, premise).findings if f.rule.startswith("frame")] == ["frame.mention"]
    left = check(claim, premise, without=frozenset({"frame.mention"}))
    assert [f.rule for f in left.findings if f.rule.startswith("frame")] == ["frame.question"]


def test_each_rule_is_measured(pairs: Path) -> None:
    told: list[tuple[int, int]] = []
    found = measure_rules(
        [pairs], load_settings(verifier="onnx:minilm-fact"), done=lambda _, n, total: told.append((n, total))
    )
    fired = {rule.id: rule.fired for rule in found.rules if rule.fired}
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert fired["limit.wished"] == fired["attachment.placed"] == 1
    assert found.n == 3
    for rule in found.rules:
        assert len(rule.right) + len(rule.wrong) + len(rule.other) <= rule.fired


def test_the_command_prints_a_table_and_json(pairs: Path) -> None:
    flags = ["eval", "rules", str(pairs), "--verifier", "onnx:minilm-fact", "--limit", "1"]
    told = CliRunner().invoke(cli, [*flags, "--json"], catch_exceptions=False)
    report = RulesReport.model_validate_json(told.stdout)
    assert report.n == 1
    shown = CliRunner().invoke(cli, flags, catch_exceptions=False).stdout
    assert "number.other" in shown
    assert f"{report.right} of 1 verdicts are right" in shown


def test_claims_need_the_folder_of_their_texts(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text(json.dumps({"claim": "The inn burned.", "label": "supported"}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="corpus"):
        read_rows(path, None, None)
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "inn.md").write_text("The inn burned on Monday.", encoding="utf-8")
    (row,) = read_rows(path, None, None)
    assert [d.doc_id for d in row.given] == ["inn"]
