"""Figures against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factdesk.kernel import InputError
from verifier.calibration.metrics import (
    Scored,
    accuracy,
    auroc,
    ece,
    lower_bound,
    macro_f1,
    predictions,
    scored_from,
)
from verifier.types import Assessment, Counterfactual, GuardFinding, GuardReport, NLIScores, Thresholds

TAUS = Thresholds(tau_entail=0.9, tau_contradict=0.5, tau_refute=0.9)
FINDING = GuardFinding(slot="number", kind="missing", claim_value="12", message="12 is missing")


def scored(rows: list[tuple[float, float, float]], gold: list[int]) -> Scored:
    none = np.zeros(len(gold), dtype=bool)
    return Scored(np.array(rows), np.array(gold, dtype=np.int64), none, none)


def test_accuracy_and_f1_by_hand() -> None:
    found = scored([(0.8, 0.1, 0.1), (0.2, 0.7, 0.1), (0.1, 0.2, 0.7), (0.5, 0.4, 0.1)], [0, 0, 2, 1])
    assert predictions(found).tolist() == [0, 1, 2, 0]
    assert accuracy(found) == 0.5
    # label 0: 1 hit of 2 guessed and 2 gold; label 1: none; label 2: all
    assert macro_f1(found) == pytest.approx((0.5 + 0.0 + 1.0) / 3)


def test_labels_that_do_not_occur_are_not_guessed() -> None:
    found = scored([(0.2, 0.7, 0.1), (0.3, 0.3, 0.4)], [0, 2])
    assert predictions(found).tolist() == [0, 2]
    assert accuracy(found) == 1.0


def test_auroc_by_hand() -> None:
    positive = np.array([True, True, False, False])
    assert auroc(np.array([0.9, 0.8, 0.2, 0.1]), positive) == 1.0
    assert auroc(np.array([0.1, 0.2, 0.8, 0.9]), positive) == 0.0
    assert auroc(np.array([0.5, 0.5, 0.5, 0.5]), positive) == 0.5
    assert auroc(np.array([0.9, 0.3, 0.5, 0.1]), positive) == 0.75
    assert auroc(np.array([0.9, 0.3]), np.array([True, True])) is None


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=2, max_size=30))
def test_auroc_is_the_share_of_won_pairs(rows: list[tuple[int, bool]]) -> None:
    scores, positive = np.array([float(s) for s, _ in rows]), np.array([p for _, p in rows])
    pairs = [(a > b) + 0.5 * (a == b) for a in scores[positive] for b in scores[~positive]]
    found = auroc(scores, positive)
    assert found is None if not pairs else found == pytest.approx(sum(pairs) / len(pairs))


def test_ece_by_hand() -> None:
    confidence = np.array([0.95, 0.95, 0.55, 0.55])
    right = np.array([True, True, True, False])
    assert ece(confidence, right, bins=10) == pytest.approx(0.5 * 0.05 + 0.5 * 0.05)
    assert ece(np.array([1.0, 1.0]), np.array([True, True])) == 0.0
    assert ece(np.array([1.0, 1.0]), np.array([False, False])) == 1.0


def test_lower_bound_by_hand() -> None:
    assert lower_bound(0, 0) == 0.0
    assert lower_bound(95, 100) == pytest.approx(0.90084, abs=1e-5)
    assert lower_bound(100, 100) == pytest.approx(100 / (100 + 1.6449**2), abs=1e-9)
    assert lower_bound(9, 10) < lower_bound(90, 100) < lower_bound(900, 1000) < 0.9


def assessment(e: float, c: float, *, agrees: bool = True, mended: float | None = None) -> Assessment:
    probabilities = NLIScores(entailment=e, neutral=1 - e - c, contradiction=c)
    return Assessment(
        raw=probabilities,
        calibrated=probabilities,
        guard=GuardReport(findings=() if agrees else (FINDING,)),
        counterfactual=None if mended is None else Counterfactual(claim="x", entailment=mended),
    )


def test_badges_follow_the_policy() -> None:
    found = scored_from(
        [
            assessment(0.95, 0.0),
            assessment(0.95, 0.0, agrees=False),
            assessment(0.85, 0.0),
            assessment(0.0, 0.95, agrees=False, mended=0.95),
            assessment(0.0, 0.95, agrees=False, mended=0.5),
            assessment(0.0, 0.95),
        ],
        ["entailment"] * 3 + ["contradiction"] * 3,
        TAUS,
    )
    assert found.verified.tolist() == [True, False, False, False, False, False]
    assert found.refuted.tolist() == [False, False, False, True, False, False]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="one label a pair"):
        scored_from([assessment(1, 0)], [], TAUS)
    with pytest.raises(InputError, match="'maybe'"):
        scored_from([assessment(1, 0)], ["maybe"], TAUS)
    with pytest.raises(InputError, match="at least one"):
        accuracy(scored_from([], [], TAUS))
