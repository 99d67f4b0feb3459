"""Pictures of the calibration: reliability diagram, and precision against coverage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

BINS = 10
_STYLES = (("entailment", 0, "-", "o"), ("contradiction", 2, "--", "s"))


def reliability(
    scores: NDArray[np.float64], right: NDArray[np.bool_], bins: int = BINS
) -> list[tuple[float, float, int]]:
    """(mean score, share right, count) of each bin of equal width that holds any pair."""
    which = np.clip((scores * bins).astype(int), 0, bins - 1)
    return [
        (float(scores[which == b].mean()), float(right[which == b].mean()), int((which == b).sum()))
        for b in range(bins)
        if (which == b).any()
    ]


def coverage_curve(
    scores: NDArray[np.float64], right: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(recall, precision) when more and more pairs are shown, the highest score first."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(right[order])
    return hits / max(1, int(right.sum())), hits / np.arange(1, len(order) + 1)


def draw(
    folder: Path,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    gold: NDArray[np.int64],
    agrees: NDArray[np.bool_],
    tau_entail: float,
) -> None:
    """Write ``verifier-reliability.svg`` and ``verifier-coverage.svg``.

    ``before`` and ``after`` are raw and calibrated probabilities. *Shape:* ``(n, 3)``.
    """
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "factdesk"  # the same figures give the same file
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = pyplot.subplots(1, 2, figsize=(8, 3.8), sharey=True)
    for axis, scores, title in ((axes[0], before, "as the model says"), (axes[1], after, "calibrated")):
        axis.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        for name, column, line, marker in _STYLES:
            points = reliability(scores[:, column], gold == column)
            axis.plot(
                [p[0] for p in points],
                [p[1] for p in points],
                line,
                marker=marker,
                color="black",
                markersize=4,
                label=name,
            )
        axis.set(xlabel="probability", title=title)
    axes[0].set_ylabel("share right")
    axes[0].legend(frameon=False)
    _save(figure, folder / "verifier-reliability.svg")

    figure, axis = pyplot.subplots(figsize=(5, 3.8))
    for name, mask, line in (("model alone", np.ones_like(agrees), ":"), ("with slot guard", agrees, "-")):
        entailed = gold == 0
        recall, precision = coverage_curve(after[mask, 0], entailed[mask])
        axis.plot(recall * (entailed & mask).sum() / entailed.sum(), precision, line, color="black", label=name)
    shown, entailed = agrees & (after[:, 0] >= tau_entail), gold == 0
    if shown.any():
        reached = (shown & entailed).sum() / entailed.sum()
        label = f"shipped threshold {tau_entail:g}"
        axis.plot(reached, entailed[shown].mean(), "o", color="black", label=label)
    axis.set(
        xlabel="share of entailed pairs that get Verified",
        ylabel="share of Verified that is right",
        ylim=(0.5, 1.01),
    )
    axis.legend(frameon=False, loc="lower left")
    _save(figure, folder / "verifier-coverage.svg")


def _save(figure: object, path: Path) -> None:
    figure.tight_layout()  # type: ignore[attr-defined]
    figure.savefig(path, metadata={"Date": None})  # type: ignore[attr-defined]
