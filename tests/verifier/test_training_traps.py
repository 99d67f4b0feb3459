"""Contrast sets: their form, and that the shipped ones of the tests keep to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from factdesk.kernel import InputError
from tests.verifier.traps import FOLDER, verified
from verifier.backends.factory import make_verifier
from verifier.training.contrast_sets import KEPT, SOURCE, TRAPS, kept_trap_pairs, read_traps, trap_pairs

TEXT = """P Nearly all pupils of the school in Lund passed.
= Nearly all pupils passed.
! All pupils passed.

P The town was the capital until 1720.
? The town has a cathedral.
"""


def test_claims_come_with_their_evidence_and_label(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    pairs = trap_pairs(tmp_path)
    assert [(p.hypothesis[:10], p.label) for p in pairs] == [
        ("Nearly all", "entailment"),
        ("All pupils", "contradiction"),
        ("The town h", "neutral"),
    ]
    assert {p.source for p in pairs} == {SOURCE}
    assert [t.follows for t in read_traps(tmp_path / "a.txt")] == [True, False, False]


def test_every_tenth_block_is_kept_from_training(tmp_path: Path) -> None:
    blocks = [f"P Evidence {n}.\n= Claim {n} a.\n? Claim {n} b." for n in range(1, 2 * KEPT + 2)]
    (tmp_path / "a.txt").write_text("\n\n".join(blocks[:5]), encoding="utf-8")
    (tmp_path / "b.txt").write_text("\n\n".join(blocks[5:]), encoding="utf-8")
    kept = kept_trap_pairs(tmp_path)
    assert [p.hypothesis for p in kept] == ["Claim 10 a.", "Claim 10 b.", "Claim 20 a.", "Claim 20 b."]
    assert {p.source for p in kept} == {TRAPS}
    assert len(trap_pairs(tmp_path)) == 2 * len(blocks) - len(kept)
    assert not {p.premise for p in kept} & {p.premise for p in trap_pairs(tmp_path)}


@pytest.mark.parametrize(
    "text", ["= no evidence", "P evidence alone", "P evidence\n=without a blank", "P a\nb"]
)
def test_what_is_no_block_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.txt"):
        trap_pairs(tmp_path)


def test_the_first_traps_rarely_catch_the_small_verifier() -> None:
    traps = read_traps(FOLDER / "first.txt")
    assert len(traps) > 100
    assert not any(t.follows for t in traps)
    caught = verified(traps, make_verifier("onnx:minilm-fact"))
    assert len(caught) <= 6, [t.claim for t in caught]


def test_the_sets_for_training_are_whole_and_apart_from_those_of_the_tests() -> None:
    pairs = trap_pairs()
    if not pairs:
        pytest.skip("an installed package has no training texts")
    assert {p.label for p in pairs} == {"entailment", "contradiction", "neutral"}
    kept = {t.premise for path in FOLDER.glob("*.txt") for t in read_traps(path)}
    assert not kept & {p.premise for p in [*pairs, *kept_trap_pairs()]}
    assert not {p.premise for p in kept_trap_pairs()} & {p.premise for p in pairs}
    assert not any(p.premise.strip() == p.hypothesis.strip() for p in pairs)
