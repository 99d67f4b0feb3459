"""Calibration: monotone, sums to one, refuses broken files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from factdesk.kernel import BackendUnavailable
from verifier.backends.factory import MODELS
from verifier.calibration.probabilities import Calibration, Curve, read_calibration
from verifier.calibration.regressions import Stack
from verifier.types import GuardFinding, GuardReport, NLIScores

UNIT = st.floats(0, 1)


@st.composite
def curves(draw: st.DrawFn) -> Curve:
    size = draw(st.integers(1, 6))
    x, y = (tuple(sorted(draw(st.lists(UNIT, min_size=size, max_size=size)))) for _ in range(2))
    return Curve(x=x, y=y)


@st.composite
def scores(draw: st.DrawFn) -> NLIScores:
    parts = [draw(st.floats(1e-6, 1)) for _ in range(3)]
    return NLIScores(
        **{n: p / sum(parts) for n, p in zip(("entailment", "neutral", "contradiction"), parts, strict=True)}
    )


CALIBRATIONS = st.builds(Calibration, temperature=st.floats(0.05, 20), entailment=curves(), contradiction=curves())


@given(CALIBRATIONS, scores())
def test_probabilities_sum_to_one(calibration: Calibration, raw: NLIScores) -> None:
    found = calibration.apply(raw)
    values = (found.entailment, found.neutral, found.contradiction)
    assert all(0 <= v <= 1 for v in values)
    assert sum(values) == pytest.approx(1, abs=3e-6)


@given(CALIBRATIONS, UNIT, UNIT, UNIT)
def test_more_raw_entailment_is_never_less_calibrated(
    calibration: Calibration, low: float, high: float, share: float
) -> None:
    low, high = sorted((low, high))
    found = [
        calibration.apply(
            NLIScores(entailment=e, neutral=(1 - e) * share, contradiction=(1 - e) * (1 - share))
        ).entailment
        for e in (low, high)
    ]
    assert found[0] <= found[1] + 2e-6


@given(curves(), UNIT, UNIT)
def test_curves_are_monotone_and_bounded(curve: Curve, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert curve.y[0] <= curve.at(low) <= curve.at(high) + 1e-12
    assert curve.at(high) <= curve.y[-1] + 1e-12


def test_a_curve_passes_through_its_points() -> None:
    curve = Curve(x=(0.0, 0.5, 1.0), y=(0.1, 0.3, 0.9))
    assert [curve.at(v) for v in (-1, 0, 0.25, 0.5, 0.75, 1, 2)] == pytest.approx([0.1, 0.1, 0.2, 0.3, 0.6, 0.9, 0.9])


def test_without_curves_a_temperature_of_one_changes_nothing() -> None:
    raw = NLIScores(entailment=0.7, neutral=0.2, contradiction=0.1)
    assert Calibration().apply(raw) == raw
    flat = Calibration(temperature=4).apply(raw)
    assert raw.entailment > flat.entailment > flat.neutral > flat.contradiction > raw.contradiction


@pytest.mark.parametrize("points", [((), ()), ((0.0, 1.0), (0.0,)), ((1.0, 0.0), (0.0, 1.0)), ((0.0, 1.0), (0.0, 1.5))])
def test_impossible_curves_are_refused(points: tuple[tuple[float, ...], tuple[float, ...]]) -> None:
    with pytest.raises(ValidationError):
        Curve(x=points[0], y=points[1])


def test_a_file_is_read_with_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps({"temperature": 1.5, "thresholds": {"tau_entail": 0.9}}))
    found = read_calibration(path)
    assert (found.temperature, found.thresholds.tau_entail) == (1.5, 0.9)
    assert found.sha256
    assert found.thresholds.calibration_sha256 == found.sha256
    path.write_text(json.dumps({"temperature": 1.6}))
    assert read_calibration(path).sha256 != found.sha256


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"thresholds": null}',
        '{"temperature": 0}',
        '{"entailment": {"x": [], "y": []}}',
        '{"colour": 1}',
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(text)
    with pytest.raises(BackendUnavailable, match=r"calibration\.json"):
        read_calibration(path)
    with pytest.raises(BackendUnavailable):
        read_calibration(tmp_path / "absent.json")


def test_the_guard_moves_the_stacked_probabilities_and_they_sum_to_one() -> None:
    """With the shipped calibration, the same raw scores count for more where the numbers match."""
    shipped = read_calibration(MODELS / "minilm-fact" / "calibration.json")
    raw = NLIScores(entailment=0.7, neutral=0.05, contradiction=0.25)
    conflict = GuardFinding(slot="number", kind="conflict", claim_value="3", message="differs")
    agreeing = shipped.apply(raw, GuardReport(matched=1, overlap=0.8))
    opposing = shipped.apply(raw, GuardReport(findings=(conflict,), overlap=0.8))
    assert agreeing.entailment > opposing.entailment
    assert agreeing.contradiction < opposing.contradiction
    for found in (agreeing, opposing):
        assert abs(found.entailment + found.neutral + found.contradiction - 1) < 1e-5


def test_a_stack_of_another_shape_is_refused() -> None:
    with pytest.raises(ValidationError, match="3 rows"):
        Stack(weights=((0.1, 0.2), (0.1, 0.2), (0.1, 0.2)))
