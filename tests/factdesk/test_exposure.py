"""``evaluation.programs.measure_exposure`` on six articles: nothing fails; a desk that lies is found out."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from factdesk.check import assemble
from report.policy.rules import decide
from report.render.view import claim_views
from report.types import ClaimRecord, Decision
from tests.factdesk.conftest import CLAIM

ROWS = (
    {"id": "true", "claim": CLAIM, "label": "supported"},
    {
        "id": "false",
        "claim": "At the start of 2025, 18,740 people lived in Harrowmere.",
        "label": "refuted",
        "date": "2025-05-02",
    },
    {"id": "open", "claim": "The Tollgate Library sold 900 umbrellas.", "label": "not_enough_evidence"},
)


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    file = tmp_path / "claims.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return file


@pytest.fixture
def script(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(repository / "examples"))
    return importlib.import_module("evaluation.programs.measure_exposure")


def everything(figures: Any) -> dict[str, Any]:
    return {k: len(v) if isinstance(v, list) else v for k, v in vars(figures).items()}


def test_the_script_finds_nothing_to_object_to(
    script: ModuleType,
    claims: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["measure_exposure", f"small={claims}:default", "--home", str(home), "--json"])
    code = script.main()
    told = capsys.readouterr()
    assert code == 0, told.err + told.out
    [found] = json.loads(told.out)
    assert (found["claims"], found["shown"], found["verified"]) == (3, 2, 1)
    assert found["at_once"] + len(found["others"]) == 1
    assert (found["distracted"], found["scored"]) == (2, 2)
    assert found["flips"].keys() == {"negation", "number"}
    assert found["blocked"] + found["left_open"] == 2
    assert "distracted 2/2" in told.err


def test_distractors_name_what_the_claim_names_and_say_none_of_its_facts(
    script: ModuleType, home: Path, claims: Path
) -> None:
    desk = script.open_desk(claims, "default", home, 7)
    donors = desk.documents()
    made = script.distractors(CLAIM, set(), donors, 7)
    assert made == script.distractors(CLAIM, set(), donors, 7)
    assert made
    for document in made:
        assert "Tollgate Library" in document.text
        assert "6.2" not in document.text
        assert document.text not in {d.text for d in donors}


def lying(record: ClaimRecord, *rest: Any) -> Decision:
    """Everything is Verified, by any sentence at hand."""
    honest = decide(record, *rest)
    if honest.state == "VERIFIED":
        return honest
    spans = tuple(s.span.span_id for s in record.spans[:1])
    return honest.model_copy(update={"state": "VERIFIED", "label": "entailed", "span_ids": spans})


def test_a_desk_that_verifies_anything_fails_every_question(
    script: ModuleType, home: Path, claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = script.open_desk(claims, "default", home, 7)
    report = desk.check(ROWS[2]["claim"], _row(script, claims, 2))
    found = script.Figures("lies")
    monkeypatch.setattr(assemble, "decide", lying)
    before = {d.doc_id: d.sha256 for d in desk.documents()}
    row = _row(script, claims, 2)
    lie = desk.check(row.claim, row)
    script.look_at(desk, row, lie, found)
    script.take_away(desk, row, "c1", lie.certificate.body, found)
    script.distract(desk, row, report, desk.documents(), found)
    script.flip(desk, row, claim_views(lie.certificate.body)[0], found)
    counts = everything(found)
    assert (counts["unsupported"], counts["still"], counts["upgraded"]) == (1, 1, 1)
    assert (counts["wrong"], counts["at_once"], counts["others"]) == (1, 0, 0)
    assert counts["flipped"] == sum(found.flips.values()) > 0
    assert len(found.failures) == 3 + counts["flipped"]
    assert {d.doc_id: d.sha256 for d in desk.documents()} == before, "what was taken away is back"


def test_a_citation_that_stands_nowhere_bears_nothing_out(script: ModuleType, home: Path, claims: Path) -> None:
    desk = script.open_desk(claims, "default", home, 7)
    row = _row(script, claims, 0)
    body = desk.check(row.claim, row).certificate.body
    [view] = claim_views(body)
    assert view.decision.state == "VERIFIED"
    assert script.bears_out(view, body, desk)
    spans = tuple(
        s.model_copy(update={"span": s.span.model_copy(update={"text": "It cost £6.2 million, they say."})})
        for s in view.record.spans
    )
    forged = view.model_copy(update={"record": view.record.model_copy(update={"spans": spans})})
    assert not script.bears_out(forged, body, desk)
    bare = view.model_copy(update={"decision": view.decision.model_copy(update={"span_ids": ()})})
    assert not script.bears_out(bare, body, desk)


def _row(script: ModuleType, claims: Path, number: int) -> Any:
    return list(script.read_claims(claims))[number]
