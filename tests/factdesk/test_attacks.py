"""The table of attacks on the page is that of the kept run, and the quick attacks hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluation.attacks.mutations import FORMATS, mutate_and_read, read_sample
from evaluation.attacks.strength.table import TRIALS, AttackTable, renewed, run_attacks, with_table
from evaluation.attacks.strength.trial import Row
from factdesk.cli import cli
from factdesk.kernel import InputError


def test_the_page_is_what_the_command_writes(repository: Path) -> None:
    kept = AttackTable.model_validate_json((repository / "docs" / "results" / "attacks.json").read_bytes())
    page = (repository / "docs" / "threat-model.md").read_text(encoding="utf-8")
    assert page == with_table(page, kept), "write it anew: see the section on what was tried"
    assert kept == renewed(kept, AttackTable(rows=())), "its rows are trials that there are, in their order"
    assert not kept.failed
    with pytest.raises(InputError, match="no place"):
        with_table("A page.", kept)


def test_a_trial_of_each_point_is_there() -> None:
    assert {trial.point for trial in TRIALS} == set(range(1, 12))
    assert len({(trial.point, trial.name) for trial in TRIALS}) == len(TRIALS)


def test_quick_attacks_that_need_no_model_hold() -> None:
    found = run_attacks(quick=True, points=(2, 9, 10))
    assert len(found.rows) == 4
    assert not found.failed


def test_a_row_that_fails_ends_with_code_5(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bad = AttackTable(rows=(Row(point=9, name=TRIALS[-1].name, attack="got in", twin="", seconds=0.1),))
    monkeypatch.setattr("evaluation.attacks.strength.table.run_attacks", lambda **_: bad)
    page = tmp_path / "page.md"
    page.write_text("<!-- strength: begin -->\nold\n<!-- strength: end -->\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["eval", "attacks", "--page", str(page)])
    assert done.exit_code == 5
    assert "attack: got in" in done.output
    assert "**got in**" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["txt", "jsonl.gz", "srt", "eml"])
def test_mutated_files_are_read_or_left_out(kind: str) -> None:
    assert "Tollgate" in read_sample(kind)
    assert not [m for m in mutate_and_read(kind, 3) if m.trouble]


def test_every_format_has_a_sample() -> None:
    assert len(FORMATS) == 21
