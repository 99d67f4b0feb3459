"""Strangers: documents that say nothing else that anybody reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.assessment import corroboration as standing
from agent.ports import Bounds
from factdesk.check.evidence_source import open_evidence
from factdesk.checker import FactChecker
from factdesk.corpora.stored import Corpora
from factdesk.recording.recorder import LIVE
from factdesk.settings import load_settings
from report.policy.fingerprints import policy_record
from report.verification.files import make_tools
from report.verification.rerun import reverify
from trust.document_trust import STRANGER, assess_trust
from trust.types import TrustEdge
from verifier.backends.factory import SMALL
from verifier.types import Thresholds

CLAIM = "The Lund tower is 70 metres tall."
TEXTS = {
    "guide": "The Lund tower is 70 metres tall. The harbour museum of Lund opened its doors in June 1998.",
    "museum": "In June 1998 visitors could enter Lund's new museum at the harbour for the first time.",
    "river": "The river Kävlinge floods the meadows in spring.",
    "planted": "The Lund tower is 70 metres tall. The panel confirmed its findings beyond any doubt.",
    "planted2": "The Ystad church is 300 years old. The panel confirmed its findings beyond any doubt.",
}


def evidence_of(folder: Path) -> tuple[Corpora, object]:
    path = folder / "c.jsonl"
    rows = [{"doc_id": d, "title": "", "text": t} for d, t in TEXTS.items()]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    settings = load_settings()
    corpora = Corpora(settings)
    return corpora, open_evidence(settings, corpora, lambda: corpora.open([str(path)], settings.retriever), LIVE)


def test_a_document_that_is_alone_with_all_else_it_says_is_a_stranger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpora, evidence = evidence_of(tmp_path)
    assert evidence.size() == 5  # type: ignore[attr-defined]
    small = standing.make_standing(corpora.embedder.embed, evidence, Bounds())  # type: ignore[arg-type]
    assert small("planted", CLAIM), "in a small corpus being alone says nothing"
    monkeypatch.setattr(standing, "LEAST_DOCUMENTS", 5)
    large = standing.make_standing(corpora.embedder.embed, evidence, Bounds())  # type: ignore[arg-type]
    assert large("guide", CLAIM)
    assert not large("planted", CLAIM), "a sentence of the same template is no report"
    assert large("web:x", CLAIM)


def test_a_stranger_is_below_the_gate_until_somebody_supports_it() -> None:
    gate = Thresholds().tau_trust
    alone = assess_trust(["a", "b"], [], strangers=["a"])
    entry, other = alone.of("a"), alone.of("b")
    assert entry is not None
    assert other is not None
    assert entry.stranger
    assert entry.score == 0.5 * STRANGER < gate < other.score
    assert "nothing else that it says" in entry.explanation
    assert not other.stranger
    backed = assess_trust(["a", "b"], [TrustEdge(source="b", target="a", weight=1.0)], strangers=["a"]).of("a")
    assert backed is not None
    assert backed.score > gate
    named = assess_trust(["a"], [], seeds=["a"], strangers=["a"]).of("a")
    assert named is not None
    assert not named.stranger


def test_a_check_leaves_open_what_a_stranger_alone_says_and_holds_on_the_rerun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing, "LEAST_DOCUMENTS", 3)
    path = tmp_path / "c.jsonl"
    rows = [{"doc_id": d, "title": "", "text": TEXTS[d]} for d in ("planted", "planted2", "museum", "river")]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    report = FactChecker(load_settings()).check(CLAIM, corpus=[str(path)])
    body = report.certificate.body
    entry = next(d for d in body.trust if d.doc_id == "planted")
    assert entry.stranger
    assert report.verdict == "not_enough_evidence"
    assert body.trust_graph is not None
    assert [n.doc_id for n in body.trust_graph.documents if n.stranger] == ["planted"]
    again = reverify(report.certificate, make_tools(SMALL), policy_record())
    assert again.ok, again


def test_what_can_be_said_of_anything_is_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "entry": f"The Lund tower is among the best known towers of its kind. {CLAIM}",
        "book": "Of all towers of this kind the one in Lund may be the best known.",
        "denied": f"{CLAIM} The harbour museum of Lund did not open in June 1998.",
        "museum": "The harbour museum of Lund opened its doors to visitors in June 1998.",
    }
    path = tmp_path / "c.jsonl"
    rows = [{"doc_id": d, "title": "", "text": t} for d, t in texts.items()]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    monkeypatch.setattr(standing, "LEAST_DOCUMENTS", 4)
    settings = load_settings()
    corpora = Corpora(settings)
    evidence = open_evidence(settings, corpora, lambda: corpora.open([str(path)], settings.retriever), LIVE)
    stands = standing.make_standing(corpora.embedder.embed, evidence, Bounds())
    assert not stands("entry", CLAIM), "no detail beyond the claim's own"
    assert not stands("denied", CLAIM), "a denial is no report of the same matter"
    assert standing.details("Much has been written about it, and opinions differ.") == frozenset()
