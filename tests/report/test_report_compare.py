from __future__ import annotations

from report.compare import compare, comparison_lines
from tests.report.builders import (
    DECISIONS,
    make_certificate,
    make_claims,
    make_decision,
    make_refuted_certificate,
)
from verifier.types import Thresholds


def test_the_same_body_has_no_changes() -> None:
    found = compare(make_certificate("cert-1"), make_certificate("cert-2"))
    assert found.same_body
    assert found.changes == ()
    assert comparison_lines(found) == ["cert-1 and cert-2: byte for byte the same."]


def test_what_changed_is_said_in_words() -> None:
    first, *rest = make_claims()
    cut = first.model_copy(update={"spans": first.spans[1:]})
    after = make_certificate(
        "cert-2",
        claims=(cut, *rest),
        decisions=(make_decision("c1", "UNVERIFIED", 0.02, reason="nothing supports it"), *DECISIONS[1:]),
        thresholds=Thresholds(tau_entail=0.9, calibration_sha256="cd" * 32),
        fingerprints=(),
        as_of="2026-01-01",
        settings={"retriever": "bm25", "seed": 7, "nested": {"lam": 0.25, "flags": [True, None]}},
    )
    found = compare(make_certificate("cert-1"), after)
    by_kind = {kind: [c for c in found.changes if c.kind == kind] for kind in {c.kind for c in found.changes}}
    assert set(by_kind) == {"claims", "evidence", "models", "thresholds", "settings", "input"}
    assert "went from VERIFIED to UNVERIFIED: nothing supports it" in by_kind["claims"][0].text
    [gone] = by_kind["evidence"]
    assert gone.text.startswith("Deciding evidence on 'The library reopened in May 2024.' is gone: 'post-1'")
    assert (gone.before, gone.after) == ("The Tollgate library reopened on 4 May 2024.", None)
    assert by_kind["thresholds"][0].text == "The threshold tau_entail went from 0.85 to 0.9."
    assert by_kind["models"][0].text == "onnx:minilm-fact is gone."
    assert by_kind["settings"][0].text == "The setting retriever went from 'hybrid' to 'bm25'."
    back = compare(after, make_certificate("cert-1"))
    assert any(c.text.startswith("New deciding evidence") for c in back.changes)


def test_other_claims_and_verdicts() -> None:
    found = compare(make_certificate("cert-1"), make_refuted_certificate())
    assert any(c.kind == "verdict" and "not_enough_evidence to refuted" in c.text for c in found.changes)
    texts = [c.text for c in found.changes if c.kind == "claims"]
    assert "No longer a claim: 'The library reopened in May 2024.'." in texts
    assert "A new claim: 'Neighbours are angry.'." in texts
