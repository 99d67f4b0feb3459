from __future__ import annotations

from report.render.diff import compare
from tests.report.builders import (
    DECISIONS,
    make_certificate,
    make_claims,
    make_decision,
    make_documents,
    make_refuted_certificate,
)
from verifier.types import Thresholds


def test_the_same_body_has_no_changes() -> None:
    found = compare(make_certificate("cert-1"), make_certificate("cert-2"))
    assert found.identical
    assert found.differences == ()


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
        documents=make_documents(),
        prompts_sha256="ef" * 32,
        settings={"retriever": "bm25", "seed": 7, "nested": {"lam": 0.25, "flags": [True, None]}},
    )
    found = compare(make_certificate("cert-1"), after)
    assert not found.identical
    by_part = {
        part: [d.text for d in found.differences if d.part == part] for part in {d.part for d in found.differences}
    }
    assert set(by_part) == {"statements", "evidence", "models", "thresholds", "settings"}
    [decided] = by_part["statements"]
    assert "was VERIFIED (entailed) and is UNVERIFIED" in decided
    assert decided.endswith(": nothing supports it")
    assert by_part["evidence"] == [
        "No longer deciding evidence for 'The library reopened in May 2024.': "
        "'The Tollgate library reopened on 4 May 2024.' (post-1)."
    ]
    assert "tau_entail was 0.85 and is 0.9." in by_part["thresholds"]
    assert by_part["models"] == [
        "onnx:minilm-fact no longer takes part.",
        "retriever:hybrid no longer takes part.",
        "The prompts have another content (hash).",
    ]
    assert "retriever was hybrid and is bm25." in by_part["settings"]
    back = compare(after, make_certificate("cert-1"))
    assert any(d.text.startswith("New deciding evidence") for d in back.differences)


def test_other_claims_and_verdicts() -> None:
    found = compare(make_certificate("cert-1"), make_refuted_certificate())
    assert any(d.part == "verdict" and "was not_enough_evidence and is refuted" in d.text for d in found.differences)
    texts = [d.text for d in found.differences if d.part == "statements"]
    assert "The statement 'The library reopened in May 2024.' is no longer checked." in texts
    assert "The statement 'Neighbours are angry.' is new." in texts
