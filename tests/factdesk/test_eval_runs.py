"""Runs: whole checks over a corpus, claims held against their own texts, stopping and going on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from evaluation.data.formats.registry import load_dataset
from evaluation.data.outcome import EvalItem
from evaluation.runs.errors import classify_run
from evaluation.runs.runfile import Part, read_run, read_traces, traces_path
from evaluation.runs.runner import Plan, run
from factdesk.cli import cli
from factdesk.kernel import InputError
from factdesk.settings import load_settings
from tests.factdesk import eval_files as files

Invoke = Callable[..., Any]


@pytest.fixture
def invoke() -> Invoke:
    """The command line; gives standard output."""

    def call(*arguments: object) -> str:
        done = CliRunner().invoke(cli, [str(a) for a in arguments], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return str(done.stdout)

    return call


def test_a_data_set_with_its_corpus(tmp_path: Path, invoke: Invoke, factdesk_home: Path) -> None:
    claims, pages = files.fever(tmp_path)
    out = tmp_path / "runs" / "fever.json"
    figures = json.loads(invoke("eval", "run", "fever", claims, "--with", pages, "--out", out, "--json"))
    found = read_run(out)
    assert figures["n"] == 3
    by_id = {item.id: item for item in found.items}
    assert by_id["1"].verdict == "supported"
    assert by_id["1"].gold_found is True
    assert (by_id["1"].cited_right, by_id["1"].gold_cited) == (1, True)
    assert by_id["3"].gold_found is None
    assert found.figures.wrong_verified == 0
    assert (found.figures.verified_precision.value, found.figures.verified_recall) == (1.0, 1.0)
    cost = by_id["1"].cost
    assert cost.pairs >= 1
    assert cost.retrieval_calls >= 1
    assert (cost.certificate_bytes or 0) > 1000
    assert found.key.verifier.sha256
    assert set(read_traces(out)) == {"1", "2", "3"}
    assert not list(out.parent.glob("*.part"))
    assert not (factdesk_home / "keys").exists()  # nothing was signed, so nothing was recorded
    listed = invoke("eval", "errors", out)
    assert listed.startswith(f"3 claims, 0 certified wrongly, {sum(i.verdict != i.label for i in found.items)}")
    again = invoke("eval", "run", "fever", claims, "--with", pages, "--out", out)  # finished: nothing is done anew
    assert read_run(out).created == found.created
    assert "verified_precision" in again
    with pytest.raises(InputError, match="another run already"):
        run(_plan(claims, pages, limit=1), out)


def _plan(claims: Path, pages: Path, limit: int | None = None) -> Plan:
    dataset = load_dataset("fever", claims, [pages], limit)
    settings = load_settings(score_cache=False)
    return Plan(dataset=dataset, settings=settings, evidence="given", name=claims.name, limit=limit)


class Stop(Exception):
    """Stands for a process that is killed."""


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    claims, pages = files.fever(tmp_path)
    out, whole = tmp_path / "a.json", tmp_path / "b.json"
    done: list[str] = []

    def stop(item: EvalItem, number: int, total: int) -> None:
        done.append(item.id)
        if len(done) == 2:
            raise Stop

    with pytest.raises(Stop):
        run(_plan(claims, pages), out, stop)
    part = out.with_name("a.json.part")
    with part.open("a", encoding="utf-8") as file:
        file.write('{"item": {"id": "3", "torn')
    seen: list[str] = []
    finished = run(_plan(claims, pages), out, lambda item, n, of: seen.append(item.id))
    assert (done, seen) == (["1", "2"], ["3"])
    unbroken = run(_plan(claims, pages), whole)
    free = {"cost": True}
    assert [i.model_dump(exclude=free) for i in finished.items] == [i.model_dump(exclude=free) for i in unbroken.items]
    assert len(read_traces(out)) == 3
    assert finished.items[1].verdict in ("refuted", "not_enough_evidence")
    key = finished.key
    other = key.model_copy(update={"data_sha256": "0", "variant": "x"})
    Part(tmp_path / "c.json", key)
    with pytest.raises(InputError, match="with other data_sha256, variant"):
        Part(tmp_path / "c.json", other)
    traces_path(out).write_bytes(b"no gzip")
    with pytest.raises(InputError, match="cannot be read"):
        read_traces(out)
    with pytest.raises(InputError, match="no finished run"):
        read_run(claims)


def test_claims_against_the_texts_given_with_them(tmp_path: Path, invoke: Invoke) -> None:
    out = tmp_path / "v.json"
    invoke("eval", "run", "vitaminc", files.vitaminc(tmp_path), "--out", out)
    found = read_run(out)
    assert [i.verdict for i in found.items][2] == "not_enough_evidence"
    assert found.items[0].support > found.items[2].support
    assert found.figures.costs.certificate_bytes is None
    assert found.skipped == {"no evidence": 1}
    assert found.figures.groups["real"]["n"] == 2
    bare = load_dataset("averitec", files.averitec(tmp_path))
    rows = tuple(r.model_copy(update={"given": ()}) for r in bare.rows)
    empty = Plan(bare.model_copy(update={"rows": rows}), load_settings(), "given", name="x")
    with pytest.raises(InputError, match="gives no texts"):
        run(empty, tmp_path / "n.json")


def test_averitec_is_scored_by_its_questions(tmp_path: Path) -> None:
    dataset = load_dataset("averitec", files.averitec(tmp_path))
    found = run(Plan(dataset, load_settings(), "corpus", name="dev.json"), tmp_path / "a.json")
    assert set(found.extra) >= {"q_only", "q_and_a", "averitec@0.25"}
    assert 0 < found.extra["q_only"] < 1
    assert found.items[1].gold_found is None


def test_a_claim_that_is_refused_stops_nothing(tmp_path: Path) -> None:
    rows = [
        {"claim": "?!", "label": "SUPPORTS", "evidence": files.HALL},
        {"claim": files.HALL, "label": "SUPPORTS", "evidence": files.HALL},
    ]
    dataset = load_dataset("vitaminc", files.lines(tmp_path / "v.jsonl", rows))
    found = run(Plan(dataset, load_settings(), "given", name="v.jsonl"), tmp_path / "v.json")
    assert [(i.verdict, i.failures) for i in found.items] == [("not_enough_evidence", 1), ("supported", 0)]
    report = classify_run(found.items, read_traces(tmp_path / "v.json"))
    assert (report.counts["failure"], report.missed) == (1, 1)
    assert "has no words" in report.errors[0].why
