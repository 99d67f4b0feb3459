"""Ablations: what each switch does to made traces, whole tables on small data, and that none sets a badge."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from PIL import Image

from evaluation.ablations.ablate import Ablation, ablate, markdown
from evaluation.ablations.baselines import SYSTEMS, Read, asked_for, baselines, row_of
from evaluation.data.formats.registry import load_dataset
from evaluation.data.formats.types import EvalRow
from evaluation.data.outcome import Trace
from evaluation.plots import PICTURES
from evaluation.runs.runfile import read_run
from evaluation.runs.runner import Plan
from evaluation.runs.variants import (
    assessed,
    decided,
    first_hits,
    limits,
    top,
    without_calibration,
    without_guard,
)
from factdesk.cli import cli
from factdesk.kernel import ConfigError
from factdesk.settings import Settings, load_settings
from tests.factdesk import eval_files as files
from tests.factdesk.eval_made import assessment, span, trace

ROW = EvalRow(id="t", claim="The hall was built in 1912.", label="supported")


def test_each_switch_does_what_it_says() -> None:
    blocked = trace("t", span(1, assessment(0.5, raw=(0.95, 0.0), finding="lacks 3")))
    assert blocked.verdict == "not_enough_evidence"
    assert decided(assessed(without_guard(None))(ROW, blocked)).verdict == "supported"
    doubted = trace("t", span(1, assessment(0.5, raw=(0.95, 0.0))))
    assert decided(assessed(without_calibration)(ROW, doubted)).verdict == "supported"
    against = trace("t", span(1, assessment(0.0, 0.95, same_subject=False)))
    assert decided(against).verdict == "not_enough_evidence"
    assert decided(assessed(without_guard(None))(ROW, against)).verdict == "refuted"
    low = trace("t", span(1, assessment(0.7)))
    assert decided(limits(tau_entail=0.6)(ROW, low)).verdict == "supported"
    assert decided(limits(tau_entail=0.8)(ROW, low)).verdict == "not_enough_evidence"
    gated = trace("t", span(1, assessment(0.95), trust=0.1))
    assert decided(limits(tau_trust=0.0)(ROW, gated)).verdict == "supported"


def test_only_the_first_hits_remain() -> None:
    late, early = span(1, assessment(0.95), rank=3), span(2, assessment(0.1), rank=1, doc="e")
    made = trace("t", late, early)
    assert made.verdict == "supported"
    assert [s.span.doc_id for s in first_hits(made.claims[0], made, 2)] == ["e", "d"]
    assert decided(top(1)(ROW, made)).verdict == "not_enough_evidence"
    assert decided(top(2)(ROW, made)).verdict == "supported"
    assert [s.doc_id for s in asked_for(made)] == ["e", "d"]


def test_a_changed_trace_leaves_the_first_as_it_was() -> None:
    made = trace("t", span(1, assessment(0.5, raw=(0.95, 0.0), finding="lacks 3")))
    before = made.model_dump_json()
    decided(assessed(without_guard(None))(ROW, made))
    assert made.model_dump_json() == before


def test_no_setting_names_a_switch_of_an_ablation() -> None:
    """Nor can other rooms import one: ``lint-imports``."""
    assert not {"guard", "calibration", "ablation"} & set(Settings.model_fields)
    assert "certificate_id" not in Trace.model_fields


def a_plan(folder: Path, evidence: str) -> Plan:
    claims, pages = files.fever(folder)
    dataset = load_dataset("fever", claims, [pages], 2)
    return Plan(dataset, load_settings(), evidence, name=claims.name, limit=2)  # type: ignore[arg-type]


def test_a_table_over_given_texts_and_its_pictures(tmp_path: Path, factdesk_home: Path) -> None:
    out = tmp_path / "ablation"
    claims, pages = files.fever(tmp_path)
    arguments = ["eval", "ablate", "fever", str(claims), "--with", str(pages), "--evidence", "given", "--out", str(out)]
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    table = Ablation.model_validate_json((out / "ablation.json").read_bytes())
    assert (table.rows[0].axis, table.rows[0].run) == ("base", "base.json")
    axes = {row.axis for row in table.rows}
    assert axes == {"base", "verifier", "evidence", "granularity", "thresholds"}
    assert done.stdout == markdown(table) == (out / "ablation.md").read_text(encoding="utf-8")
    assert len(markdown(table).splitlines()) == len(table.rows) + 2
    loose = next(r for r in table.rows if r.variant == "tau_entail 0.3").figures
    strict = next(r for r in table.rows if r.variant == "tau_entail 0.99").figures
    assert loose.verified >= table.rows[0].figures.verified >= strict.verified
    for name in PICTURES:
        if name == "exposure-shown" and not (out / f"{name}.svg").exists():
            continue  # nothing was shown at any limit
        ElementTree.parse(out / f"{name}.svg")
        with Image.open(out / f"{name}.png") as picture:
            assert picture.width > 800
    assert not (factdesk_home / "keys").exists()  # nothing was signed, so nothing was recorded
    assert read_run(out / "base.json").key.variant == ""
    with pytest.raises(ConfigError, match="axis 'retrieval' needs a corpus"):
        ablate(a_plan(tmp_path, "given"), out, ["retrieval"])
    with pytest.raises(ConfigError, match="axis 'zebra' is unknown"):
        ablate(a_plan(tmp_path, "given"), out, ["zebra"])


def test_retrieval_and_baselines_over_a_corpus(tmp_path: Path) -> None:
    plan = a_plan(tmp_path, "corpus")
    out = tmp_path / "ablation"
    table = ablate(plan, out, ["retrieval"], draws=20)
    by_name = {row.variant: row for row in table.rows}
    assert by_name["hybrid + rerank + trust"].run == "base.json"
    prints = {name: read_run(out / by_name[name].run).fingerprint for name in ("hybrid", "hybrid + rerank", "bm25")}
    assert "retriever:fused" in prints["hybrid"]
    assert "retriever:hybrid" in prints["hybrid + rerank"]
    assert "retriever:bm25" in prints["bm25"]
    found = baselines(plan, out)
    rows = {row.system: row for row in found.rows}
    assert tuple(rows) == SYSTEMS
    assert rows["strict"].shown <= rows["constrained citations"].shown <= rows["standard RAG"].shown
    assert rows["standard RAG"].retrieval_calls == 1.0
    assert (rows["standard RAG"].verified_coverage, rows["mixed"].shown) == (0.0, 1.0)
    assert rows["strict"].verified_precision == rows["mixed"].verified_precision
    assert json.loads((out / "baselines.json").read_text())["rows"][5]["system"] == "strict"
    with pytest.raises(ConfigError, match="search a corpus"):
        baselines(a_plan(tmp_path, "given"), out)


def test_a_pipeline_that_always_answers() -> None:
    spans = [span(1, assessment(0.2)).span, span(2, assessment(0.2), doc="e").span]
    read = Read(spans, [assessment(0.6, raw=(0.7, 0.1)), assessment(0.1, raw=(0.2, 0.6))], 3)
    assert read.stance() == "supported"
    assert [s.doc_id for s in read.bearing("supported")] == ["d"]
    assert [s.doc_id for s in read.bearing("refuted")] == ["e"]
    assert read.cost == {"pairs": 2, "calls": 3}
    limits_ = trace("t").thresholds
    assert read.passes_check("supported", limits_) is False
    assert Read(spans[:1], [assessment(0.95)], 1).passes_check("supported", limits_) is True
    assert Read([], [], 1).stance() is None


def test_exposure_counts_what_is_shown() -> None:
    from evaluation.ablations.baselines import Shown

    labels = ("supported", "refuted", "not_enough_evidence", "supported")
    rows = [EvalRow(id=str(n), claim="x", label=label) for n, label in enumerate(labels)]  # type: ignore[arg-type]
    said = ("supported", "supported", "supported", None)
    shown = [
        Shown(id=str(n), stance=s, badge=n == 0, cited=2, cited_right=1, has_gold=True) for n, s in enumerate(said)
    ]  # type: ignore[arg-type]
    found = row_of("x", rows, shown)
    assert (found.shown, found.precision.value, found.uer.value, found.cer.value) == (
        0.75,
        0.3333,
        0.6667,
        0.3333,
    )
    assert (found.verified_precision.value, found.verified_coverage) == (1.0, 0.25)
    assert (found.citation_precision, found.citation_recall) == (0.5, 0.0)
