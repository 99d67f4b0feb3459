"""Figures of a scored set of pairs, and the curves and thresholds that follow from what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import InputError
from verifier import pair_decision
from verifier.calibration.labelled_pairs import LABELS
from verifier.calibration.probabilities import Curve
from verifier.types import Assessment, Thresholds

STEP = 15
"""Least number of scores that a step of an isotonic curve, or a threshold, rests on."""
ENOUGH = 300
"""Scores above a threshold from which on a failing bound ends the search."""
Z = 1.6449
"""Normal quantile of the one-sided 95 % bound; 0 takes the share itself."""


@dataclass(frozen=True)
class Scored:
    """Calibrated probabilities (*Shape:* ``(n, 3)`` in the order of ``LABELS``), gold labels and badges."""

    probabilities: NDArray[np.float64]
    gold: NDArray[np.int64]
    verified: NDArray[np.bool_]
    refuted: NDArray[np.bool_]


def scored_from(assessments: Sequence[Assessment], labels: Sequence[str], thresholds: Thresholds) -> Scored:
    """Arrays of assessments; a pair counts as Verified or refuted by the policy's own conditions."""
    if len(assessments) != len(labels):
        raise InputError(f"{len(assessments)!r} assessments for {len(labels)!r} labels; give one label a pair")
    unknown = sorted(set(labels) - set(LABELS))
    if unknown:
        raise InputError(f"label {unknown[0]!r} is none of {', '.join(LABELS)}")
    rows = [a.calibrated for a in assessments]
    return Scored(
        probabilities=np.array([[r.entailment, r.neutral, r.contradiction] for r in rows]).reshape(-1, 3),
        gold=np.array([LABELS.index(label) for label in labels], dtype=np.int64),
        verified=np.array(
            [pair_decision.supports(a, thresholds) for a in assessments],
            dtype=bool,
        ),
        refuted=np.array([pair_decision.refutes(a, thresholds) for a in assessments], dtype=bool),
    )


def predictions(scored: Scored) -> NDArray[np.int64]:
    """Likeliest label among those that occur in the set. *Shape:* ``(n,)``.

    Raises ``InputError`` for an empty set, which has no figures.
    """
    if not scored.gold.size:
        raise InputError("no scored pairs; give at least one")
    present: NDArray[np.int64] = np.unique(scored.gold)
    likeliest: NDArray[np.int64] = present[scored.probabilities[:, present].argmax(axis=1)]
    return likeliest


def accuracy(scored: Scored) -> float:
    """Share of right predictions, restricted to the labels present."""
    return float((predictions(scored) == scored.gold).mean())


def macro_f1(scored: Scored) -> float:
    """Mean F1 over the labels present."""
    guess = predictions(scored)
    values = []
    for label in np.unique(scored.gold):
        hits = float(((guess == label) & (scored.gold == label)).sum())
        total = float((guess == label).sum() + (scored.gold == label).sum())
        values.append(2 * hits / total if total else 0.0)
    return float(np.mean(values))


def auroc(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float | None:
    """Chance that a positive outscores a negative, ties counted half; ``None`` with one class only."""
    wins, losses = int(positive.sum()), int((~positive).sum())
    if not wins or not losses:
        return None
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[positive].sum() - wins * (wins + 1) / 2) / (wins * losses))


def ece(confidence: NDArray[np.float64], right: NDArray[np.bool_], bins: int = 15) -> float:
    """Expected calibration error over bins of equal width: mean gap of confidence and share right."""
    edges = np.clip((confidence * bins).astype(int), 0, bins - 1)
    gap = 0.0
    for number in range(bins):
        mask = edges == number
        if mask.any():
            gap += float(mask.mean()) * abs(float(confidence[mask].mean()) - float(right[mask].mean()))
    return gap


def lower_bound(hits: int, total: int, z: float = Z) -> float:
    """One-sided 95 % lower bound of a share (Wilson's interval); 0 for an empty sample."""
    if total == 0:
        return 0.0
    share = hits / total
    centre = share + z * z / (2 * total)
    spread = z * float(np.sqrt(share * (1 - share) / total + z * z / (4 * total * total)))
    return (centre - spread) / (1 + z * z / total)


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
