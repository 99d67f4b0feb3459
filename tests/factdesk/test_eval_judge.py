"""Sheets for people, and what filled ones say."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.types import Proposal
from evaluation.judging.agreement import agreement, alpha, read_sheet
from evaluation.judging.sheets import COLUMNS, read_gold, sheet_rows, write_sheet
from factdesk.cli import cli
from factdesk.kernel import InputError
from tests.factdesk.eval_made import assessment, span, trace

N = None


def test_alpha_on_the_published_examples() -> None:
    """Krippendorff 2011, sections A to D."""
    meg = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    owen = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert alpha(list(zip(meg, owen, strict=True))) == pytest.approx(0.095, abs=5e-4)
    ben, gerry = "aabbdcccedda", "babbbccceddd"
    assert alpha(list(zip(ben, gerry, strict=True))) == pytest.approx(0.692, abs=5e-4)
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
    units = list(zip(*observers, strict=True))
    assert alpha(units, "nominal") == pytest.approx(0.743, abs=5e-4)
    assert alpha(units, "ordinal") == pytest.approx(0.815, abs=5e-4)
    assert alpha(units, "interval") == pytest.approx(0.849, abs=5e-4)
    assert alpha([["a", "a"], ["a", N]]) is None
    assert alpha([[1, N], [2, N]]) is None


def make(folder: Path) -> Path:
    first = trace("a", span(1, assessment(0.95)), proposal=Proposal(label="supported", explanation="=1+1 says so"))
    second = trace("b", span(1, assessment(0.97)))
    open_ = trace("c", span(1, assessment(0.2)))
    claims = {"a": "The hall was built in 1912.", "b": "The <b>hall</b> stands.", "c": "Nothing."}
    rows = sheet_rows(claims, {t.id: t for t in (first, second, open_)}, n=200)
    assert [(r.kind, r.id) for r in sorted(rows, key=lambda r: (r.kind, r.id))] == [
        ("explanation", "a"),
        ("verified", "a/c1"),
        ("verified", "b/c1"),
    ]
    write_sheet(folder / "s.html", rows, "Judging")
    write_sheet(folder / "s.csv", rows, "Judging")
    with pytest.raises(InputError, match="end it in"):
        write_sheet(folder / "s.txt", rows, "Judging")
    with pytest.raises(InputError, match="nothing to judge"):
        sheet_rows(claims, {"c": open_}, n=1)
    return folder / "s.csv"


def filled(source: Path, name: str, ratings: dict[str, str]) -> Path:
    with source.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    target = source.with_name(name)
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter=";" if "boris" in name else ",")
        writer.writeheader()
        writer.writerows({**row, "rating": ratings.get(row["id"], "")} for row in rows)
    return target


def test_sheets_and_agreement(tmp_path: Path) -> None:
    source = make(tmp_path)
    text = source.read_text(encoding="utf-8")
    assert "'=1+1 says so" in text
    assert not any(word in text for word in ("supported", "0.95"))
    page = (tmp_path / "s.html").read_text(encoding="utf-8")
    assert "The &lt;b&gt;hall&lt;/b&gt; stands." in page
    assert page.count('type="radio"') == 9
    anna = filled(source, "anna.csv", {"a/c1": "Yes", "b/c1": "no", "a": "3"})
    boris = filled(source, "boris.csv", {"a/c1": "yes", "b/c1": "yes", "a": "2"})
    carla = filled(source, "carla.csv", {"b/c1": "no"})
    found = agreement([anna, boris, carla])
    assert (found.verified, found.undecided, found.verified_precision.value) == (2, 0, 0.5)
    assert found.disagreements == ("b/c1",)
    assert found.by_rater == {"anna": 0.5, "boris": 1.0, "carla": 0.0}
    assert (found.explanations, found.mean_rating) == (1, 2.5)
    assert found.alpha_explanations == 0.0
    two = agreement([anna, boris])
    assert (two.undecided, two.verified_precision.value, two.strict_precision) == (1, 1.0, 0.5)
    said = CliRunner().invoke(cli, ["eval", "agreement", str(anna), str(boris)], catch_exceptions=False).stdout
    assert "alpha_verified" in said


def test_sheets_that_do_not_fit(tmp_path: Path) -> None:
    source = make(tmp_path)
    with pytest.raises(InputError, match="nothing has been judged"):
        agreement([source])
    with pytest.raises(InputError, match="'maybe' is none of yes, no, unclear"):
        read_sheet(filled(source, "x.csv", {"a/c1": "maybe"}))
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="no row of a sheet"):
        read_sheet(other)
    with pytest.raises(InputError, match="two sheets are called"):
        agreement([source, source])
    with pytest.raises(InputError, match="cannot be read"):
        read_sheet(tmp_path / "absent.csv")


def test_explanations_beside_gold_ones(tmp_path: Path) -> None:
    explained = Proposal(label="supported", explanation="A source says so.")
    traces = {i: trace(i, span(1, assessment(0.2)), proposal=explained) for i in ("1", "2")}
    table = tmp_path / "Corpus2.csv"
    table.write_text('claim_id,ruling_outline\n1,"<p>He never said it.</p>"\n2,\n', encoding="utf-8")
    rows = sheet_rows({"1": "One.", "2": "Two."}, traces, n=1, gold=read_gold(table))
    assert [(r.id, r.evidence, r.gold) for r in rows] == [("1", "He never said it.", True)]
    write_sheet(tmp_path / "s.html", rows, "Judging")
    assert "How much of the gold explanation" in (tmp_path / "s.html").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="no explanations"):
        read_gold(tmp_path / "s.csv") if (tmp_path / "s.csv").write_text("id\n1\n") else None
