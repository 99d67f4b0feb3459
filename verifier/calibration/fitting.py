"""Curves and thresholds from scores of which the truth is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from verifier.calibration.metrics import lower_bound
from verifier.calibration.probabilities import Curve

STEP = 15
"""Least number of scores that a step of an isotonic curve, or a threshold, rests on."""
ENOUGH = 300
"""Scores above a threshold from which on a failing bound ends the search."""
Z = 1.6449
"""Normal quantile of the one-sided 95 % bound; 0 takes the share itself."""


def isotonic_curve(scores: NDArray[np.float64], right: NDArray[np.bool_], step: int = STEP) -> Curve:
    """The share of right ones as a non-decreasing curve of the score, through the middle of each step of the
    isotonic fit, so that scores keep their order.

    Steps of fewer than ``step`` scores are left out, so that a handful of lucky ones makes no certainty.
    """
    from scipy.optimize import isotonic_regression

    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    means = np.bincount(place, weights=right.astype(float)) / counts
    fitted = np.round(isotonic_regression(means, weights=counts).x[place], 4)
    points_x, points_y = [0.0], [0.0]
    for value in np.unique(fitted):
        members = scores[fitted == value]
        middle = float(np.median(members))
        if len(members) >= step and middle > points_x[-1] + 1e-4 and value >= points_y[-1]:
            points_x.append(round(middle, 5))
            points_y.append(round(float(value), 5))
    if points_x[-1] < 1.0:
        points_x.append(1.0)
        points_y.append(points_y[-1])
    return Curve(x=tuple(points_x), y=tuple(points_y))


def smallest_threshold(
    scores: NDArray[np.float64], right: NDArray[np.bool_], precision: float, z: float = Z, least: int = STEP
) -> float | None:
    """Smallest threshold, over ``least`` scores or more, whose one-sided bound of precision is ``precision``.

    From the top downwards; the search ends where the bound fails with enough scores to tell.
    """
    best: float | None = None
    for tau in np.arange(0.995, 0.4, -0.005):
        mask = scores >= tau
        if mask.sum() >= least and lower_bound(int(right[mask].sum()), int(mask.sum()), z) >= precision:
            best = round(float(tau), 4)
        elif mask.sum() >= ENOUGH:
            break
    return best
