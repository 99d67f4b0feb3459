"""Pictures of an ablation, SVG and PNG, readable in black and white. matplotlib is the extra ``plot``.

Lines differ by dashes, points by their marks, and nothing by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from evaluation.ablations.ablate import AXES, Ablation, AblationRow, value_of
from factdesk.kernel import BackendUnavailable, install_line

MARKS = {"base": "*", **dict(zip(AXES, "osD^vP", strict=True))}
SWEPT = "tau_entail "
CAPTION = 5
"""Names in one caption."""
SIZE = (6.4, 4.4)
"""Inches."""


def draw(table: Ablation, folder: Path) -> tuple[Path, ...]:
    """All pictures that the table has material for; each as ``NAME.svg`` and ``NAME.png``.

    Raises ``BackendUnavailable`` without matplotlib.
    """
    figure_class, rc = _matplotlib()
    made: list[Path] = []
    with rc({"svg.hashsalt": "factdesk", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}):
        for name, painter in PICTURES.items():
            figure = figure_class(figsize=SIZE, layout="constrained")
            axes = figure.subplots()
            if not painter(axes, table):
                continue
            for kind in ("svg", "png"):
                path = folder / f"{name}.{kind}"
                metadata = {"Date": None} if kind == "svg" else {"Software": None}
                figure.savefig(path, dpi=150, metadata=metadata)
                made.append(path)
    return tuple(made)


def _matplotlib() -> tuple[Any, Any]:
    """The class of figures (no window, no global state) and the context of settings."""
    try:
        figure, library = import_module("matplotlib.figure"), import_module("matplotlib")
    except ImportError as error:
        raise BackendUnavailable(f"the pictures need matplotlib; {install_line('plot')}") from error
    return figure.Figure, library.rc_context


def _swept(table: Ablation) -> list[tuple[float, AblationRow]]:
    rows = [r for r in table.rows if r.axis == "thresholds" and r.variant.startswith(SWEPT)]
    return sorted((float(r.variant.removeprefix(SWEPT)), r) for r in rows)


def _points(axes: Any, rows: Sequence[AblationRow], x: str, y: str) -> int:
    """One mark a variant, and one caption a place; marks tell the axis. How many variants there are."""
    seen: set[str] = set()
    captions: dict[tuple[float, float], list[str]] = {}
    for row in rows:
        across, up = value_of(row.figures, x), value_of(row.figures, y)
        if across is None or up is None:
            continue
        axes.scatter(
            [across],
            [up],
            marker=MARKS[row.axis],
            s=120 if row.axis == "base" else 36,
            edgecolors="black",
            facecolors="black" if row.axis == "base" else "white",
            zorder=3,
            label=row.axis if row.axis not in seen else None,
        )
        seen.add(row.axis)
        captions.setdefault((round(across, 2), round(up, 2)), []).append(row.variant)
    for place, names in captions.items():
        more = [f"and {len(names) - CAPTION} more"] if len(names) > CAPTION else []
        axes.annotate(
            "\n".join([*names[:CAPTION], *more]),
            place,
            fontsize=6,
            xytext=(6, -2),
            textcoords="offset points",
            va="top",
        )
    return sum(map(len, captions.values()))


def _named(axes: Any, x: str, y: str, title: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title, fontsize=10)
    axes.grid(color="0.85", linewidth=0.6)
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        axes.legend(handles, labels, fontsize=7, frameon=False)


def _apart(table: Ablation) -> list[AblationRow]:
    return [r for r in table.rows if not r.variant.startswith(SWEPT)]


def precision_coverage(axes: Any, table: Ablation) -> bool:
    """Verified precision against how many claims are Verified; the line is ``tau_entail``."""
    line = [
        (tau, r.figures.verified_coverage, r.figures.verified_precision.value)
        for tau, r in _swept(table)
        if r.figures.verified_precision.value is not None
    ]
    if line:
        axes.plot([c for _, c, _ in line], [p for _, _, p in line], "k-", linewidth=1, label="tau_entail")
        places: dict[tuple[float, float], list[float]] = {}
        for tau, coverage, precision in line:
            places.setdefault((coverage, precision), []).append(tau)
        for place, taus in places.items():
            words = f"{min(taus):g}" if len(taus) == 1 else f"{min(taus):g} to {max(taus):g}"
            axes.annotate(
                words, place, fontsize=6, color="0.35", xytext=(0, 8), textcoords="offset points", ha="center"
            )
    count = _points(axes, _apart(table), "verified_coverage", "verified_precision")
    axes.set_ylim(-0.03, 1.05)
    _named(axes, "share of claims Verified", "Verified precision", "Precision against coverage")
    return bool(line) or count > 0


def exposure_shown(axes: Any, table: Ablation) -> bool:
    """Unsupported and contradicted exposure against how much is shown, over ``tau_entail``."""
    line = [(r.figures.coverage.value or 0.0, r.figures) for _, r in _swept(table)]
    line = sorted(((x, f) for x, f in line if f.uer.value is not None), key=lambda item: item[0])
    if not line:
        return False
    shown = [x for x, _ in line]
    axes.plot(shown, [f.uer.value for _, f in line], "k-o", markersize=4, linewidth=1, label="unsupported (UER)")
    axes.plot(
        shown,
        [f.cer.value for _, f in line],
        "k--s",
        markersize=4,
        linewidth=1,
        markerfacecolor="white",
        label="contradicted (CER)",
    )
    axes.set_ylim(-0.03, 1.05)
    _named(
        axes,
        "share of claims shown with a verdict",
        "share of what is shown",
        "Exposure against what is shown",
    )
    return True


def accuracy_seconds(axes: Any, table: Ablation) -> bool:
    """Accuracy against processor seconds, for runs of their own."""
    count = _points(axes, [r for r in table.rows if r.run], "cpu_seconds", "accuracy")
    _named(axes, "processor seconds a claim (mean)", "accuracy", "Accuracy against time")
    return count > 0


def pairs_precision(axes: Any, table: Ablation) -> bool:
    """Verifier pairs against Verified precision."""
    rows = [r for r in table.rows if r.axis in ("base", "evidence", "granularity", "retrieval", "method")]
    count = _points(axes, rows, "pairs", "verified_precision")
    axes.set_ylim(-0.03, 1.05)
    _named(axes, "verifier pairs a claim (mean)", "Verified precision", "Precision against verifier pairs")
    return count > 0


def reliability(axes: Any, table: Ablation) -> bool:
    """Share labelled supported against the score of support; the bars say how many claims there are."""
    base = table.rows[0].figures
    if not base.reliability:
        return False
    total = sum(b.n for b in base.reliability)
    middle = [(b.low + b.high) / 2 for b in base.reliability]
    width = base.reliability[0].high - base.reliability[0].low
    axes.bar(
        middle,
        [b.n / total for b in base.reliability],
        width=width * 0.9,
        color="white",
        edgecolor="0.5",
        hatch="///",
        linewidth=0.6,
        label="share of claims",
    )
    axes.plot([0, 1], [0, 1], "k:", linewidth=1, label="perfect")
    axes.plot(
        [b.score for b in base.reliability],
        [b.right for b in base.reliability],
        "k-o",
        linewidth=1,
        markersize=4,
        label=f"as shipped (ECE {base.ece:.3f})",
    )
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.05)
    _named(axes, "score of support", "share labelled supported", "Reliability")
    return True


Painter = Callable[[Any, Ablation], bool]
PICTURES: dict[str, Painter] = {
    "precision-coverage": precision_coverage,
    "exposure-shown": exposure_shown,
    "accuracy-seconds": accuracy_seconds,
    "pairs-precision": pairs_precision,
    "reliability": reliability,
}
