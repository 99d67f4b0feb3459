"""Contrast sets: their form, and that the shipped ones of the tests keep to it."""

from __future__ import annotations

from pathlib import Path

from tests.verifier.training_rows import write_rows
from tests.verifier.traps import FOLDER, verified
from verifier.backends.factory import make_verifier
from verifier.training.contrast_sets import KEPT, SOURCE, TRAPS, kept_trap_pairs, read_traps, trap_pairs

ITEMS = (
    {
        "premises": ["Nearly all pupils of the school in Lund passed."],
        "claims": [
            {"label": "entailment", "claim": "Nearly all pupils passed."},
            {"label": "contradiction", "claim": "All pupils passed."},
        ],
    },
    {
        "premises": ["The town was the capital until 1720."],
        "claims": [{"label": "neutral", "claim": "The town has a cathedral."}],
    },
)


def test_claims_come_with_their_evidence_and_label(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", *ITEMS)
    pairs = trap_pairs(path)
    assert [(p.hypothesis[:10], p.label) for p in pairs] == [
        ("Nearly all", "entailment"),
        ("All pupils", "contradiction"),
        ("The town h", "neutral"),
    ]
    assert {p.source for p in pairs} == {SOURCE}
    assert [t.follows for t in read_traps(path)] == [True, False, False]


def test_every_tenth_item_is_kept_from_training(tmp_path: Path) -> None:
    items = [
        {
            "premises": [f"Evidence {n}."],
            "claims": [
                {"label": "entailment", "claim": f"Claim {n} a."},
                {"label": "neutral", "claim": f"Claim {n} b."},
            ],
        }
        for n in range(1, 2 * KEPT + 2)
    ]
    path = write_rows(tmp_path / "a.jsonl", *items)
    kept = kept_trap_pairs(path)
    assert [p.hypothesis for p in kept] == ["Claim 10 a.", "Claim 10 b.", "Claim 20 a.", "Claim 20 b."]
    assert {p.source for p in kept} == {TRAPS}
    assert len(trap_pairs(path)) == 2 * len(items) - len(kept)
    assert not {p.premise for p in kept} & {p.premise for p in trap_pairs(path)}


def test_the_first_traps_rarely_catch_the_small_verifier() -> None:
    traps = read_traps(FOLDER / "first.jsonl")
    assert len(traps) > 100
    assert not any(t.follows for t in traps)
    caught = verified(traps, make_verifier("onnx:minilm-fact"))
    assert len(caught) <= 6, [t.claim for t in caught]


def test_the_sets_for_training_are_whole_and_apart_from_those_of_the_tests() -> None:
    pairs = trap_pairs()
    assert {p.label for p in pairs} == {"entailment", "contradiction", "neutral"}
    kept = {t.premise for path in FOLDER.glob("*.jsonl") for t in read_traps(path)}
    assert not kept & {p.premise for p in [*pairs, *kept_trap_pairs()]}
    assert not {p.premise for p in kept_trap_pairs()} & {p.premise for p in pairs}
    assert not any(p.premise.strip() == p.hypothesis.strip() for p in pairs)
