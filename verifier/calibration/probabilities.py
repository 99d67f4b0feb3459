"""Calibrated probabilities: temperature first, then a monotone map per label.

``p = softmax(log(raw) / T)``, then for entailment and contradiction a piecewise linear,
non-decreasing map fitted by isotonic regression; neutral takes the rest, and where the two
add up to more than 1 they are scaled down. A confidence of 0.9 then means: right nine times
out of ten on data like the calibration sets.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from pathlib import Path

from pydantic import Field, model_validator

from factdesk.kernel import BackendUnavailable, Record, sha256_bytes
from verifier.calibration.regressions import Refutation, Stack, softmax
from verifier.types import GuardReport, NLIScores, Thresholds


class Curve(Record):
    """A non-decreasing, piecewise linear map of [0, 1] to [0, 1] through the given points."""

    x: tuple[float, ...] = (0.0, 1.0)
    y: tuple[float, ...] = (0.0, 1.0)

    @model_validator(mode="after")
    def _is_monotone(self) -> Curve:
        for values in (self.x, self.y):
            if not values or list(values) != sorted(values) or not 0 <= values[0] <= values[-1] <= 1:
                raise ValueError(f"points {values!r} are not non-decreasing values of 0 to 1")
        if len(self.x) != len(self.y):
            raise ValueError(f"{len(self.x)!r} x values for {len(self.y)!r} y values; give as many of both")
        return self

    def at(self, value: float) -> float:
        """Value of the map; constant beyond its ends."""
        if value <= self.x[0]:
            return self.y[0]
        if value >= self.x[-1]:
            return self.y[-1]
        right = bisect_right(self.x, value)
        x0, x1, y0, y1 = self.x[right - 1], self.x[right], self.y[right - 1], self.y[right]
        return y0 if x1 == x0 else y0 + (y1 - y0) * (value - x0) / (x1 - x0)


class Calibration(Record):
    """Temperature, curves and the thresholds derived with them."""

    temperature: float = Field(default=1.0, gt=0)
    entailment: Curve = Curve()
    contradiction: Curve = Curve()
    stack: Stack | None = None
    """Regression that puts the guard's findings in; ``None``: scores of the model alone."""
    stacked_entailment: Curve = Curve()
    stacked_contradiction: Curve = Curve()
    refutation: Refutation | None = None
    """Regression over claim and mended claim; ``None``: contradiction alone counts."""
    thresholds: Thresholds = Thresholds()
    sha256: str | None = None
    """Of the file it was read from; ``None``: not calibrated."""

    def apply(self, raw: NLIScores, guard: GuardReport | None = None) -> NLIScores:
        """Calibrated probabilities; they sum to 1. With ``guard`` and a stack, its findings count too."""
        if guard is not None and self.stack is not None:
            shares = self.stack.apply(raw, guard)
            curves = self.stacked_entailment, self.stacked_contradiction
        else:
            shares = softmax([math.log(max(p, 1e-12)) / self.temperature for p in raw.shares])
            curves = self.entailment, self.contradiction
        entailment, contradiction = curves[0].at(shares[0]), curves[1].at(shares[2])
        excess = max(1.0, entailment + contradiction)
        entailment, contradiction = round(entailment / excess, 6), round(contradiction / excess, 6)
        return NLIScores(
            entailment=entailment,
            neutral=round(max(0.0, 1 - entailment - contradiction), 6),
            contradiction=contradiction,
        )


def read_calibration(path: Path) -> Calibration:
    """Read ``calibration.json``; raises ``BackendUnavailable`` when it is broken."""
    try:
        data = path.read_bytes()
        digest = sha256_bytes(data)
        fields = json.loads(data)
        if not isinstance(fields, dict) or not isinstance(fields.get("thresholds", {}), dict):
            raise ValueError("it is no object with an object of thresholds")
        fields["thresholds"] = {**fields.get("thresholds", {}), "calibration_sha256": digest}
        return Calibration.model_validate({**fields, "sha256": digest})
    except (OSError, ValueError) as error:
        raise BackendUnavailable(
            f"the calibration {path.name!r} cannot be read ({error}); reinstall factdesk"
        ) from error


def write_calibration(calibration: Calibration, thresholds: Thresholds, folder: Path) -> None:
    """Write ``calibration.json``; its sha256 stands in every certificate."""
    data = calibration.model_dump(mode="json", exclude={"sha256", "thresholds"})
    data["thresholds"] = thresholds.model_dump(mode="json", exclude={"calibration_sha256"})
    (folder / "calibration.json").write_text(json.dumps(data, indent=1) + "\n")
