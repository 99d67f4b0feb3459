"""Statistics of evaluations: bootstrap intervals, risk and coverage, McNemar's test. Seeds are fixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import InputError, Record

DRAWS = 1000
SEED = 0
BINS = 10

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Interval(Record):
    """A figure with its 95 % bootstrap interval; ``None`` where it is not defined."""

    value: float | None
    low: float | None = None
    high: float | None = None


class RiskPoint(Record):
    """What would be shown at a limit: its share of all claims, and how much of it is wrong."""

    limit: float
    coverage: float
    risk: float


class RiskCoverage(Record):
    """Risk against coverage. ``aurc``: mean risk over all coverages, 0 is best."""

    aurc: float | None
    points: tuple[RiskPoint, ...]


class ReliabilityBin(Record):
    """Claims whose score lies in ``low`` to ``high``: their mean score, and the share that is right."""

    low: float
    high: float
    score: float
    right: float
    n: int


def rounded(value: float | None) -> float | None:
    """Four decimals."""
    return None if value is None or not np.isfinite(value) else round(float(value), 4)


def interval(
    figure: Callable[[NDArray[np.int64]], float | None], n: int, *, draws: int = DRAWS, seed: int = SEED
) -> Interval:
    """A figure of ``n`` claims with its percentile bootstrap interval.

    ``figure`` takes the indices of the claims that count. Draws for which it is not defined are left out.
    """
    if n < 1:
        return Interval(value=None)
    rng = np.random.default_rng(seed)
    found = [figure(rng.integers(0, n, n)) for _ in range(draws)]
    known = np.array([f for f in found if f is not None])
    low, high = (np.quantile(known, q) for q in (0.025, 0.975)) if len(known) else (None, None)
    return Interval(value=rounded(figure(np.arange(n))), low=rounded(low), high=rounded(high))


def share(part: NDArray[np.bool_], whole: NDArray[np.bool_] | None = None) -> float | None:
    """Share of ``whole`` (default: all) that is also ``part``; ``None`` where there is nothing."""
    of = part if whole is None else part[whole]
    return float(of.mean()) if of.size else None


def risk_coverage(scores: Sequence[float], right: Sequence[bool], points: int = 50) -> RiskCoverage:
    """How much would be wrong if only the claims with the highest scores were shown.

    Claims with equal scores come and go together. At most ``points`` points are kept, evenly over coverage.
    Raises ``InputError`` when the two differ in length.
    """
    if len(scores) != len(right):
        raise InputError(f"{len(scores)!r} scores for {len(right)!r} outcomes; give one each")
    if not scores:
        return RiskCoverage(aurc=None, points=())
    values = np.asarray(scores, dtype=np.float64)
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    wrong = np.cumsum(~np.asarray(right, dtype=bool)[order])
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))  # the end of each run of equals
    n = len(ordered)
    coverage, risk = (last + 1) / n, wrong[last] / (last + 1)
    weight = np.diff(np.concatenate([[0.0], coverage]))
    kept = np.unique(np.linspace(0, len(last) - 1, min(points, len(last))).round().astype(int))
    return RiskCoverage(
        aurc=rounded(float((risk * weight).sum())),
        points=tuple(
            RiskPoint(
                limit=round(float(ordered[last[k]]), 6),
                coverage=round(float(coverage[k]), 4),
                risk=round(float(risk[k]), 4),
            )
            for k in kept
        ),
    )


def reliability(scores: Sequence[float], right: Sequence[bool], bins: int = BINS) -> tuple[ReliabilityBin, ...]:
    """Mean score and share right in bins of equal width; empty bins are left out."""
    values, hits = np.asarray(scores, dtype=np.float64), np.asarray(right, dtype=bool)
    places = np.clip((values * bins).astype(int), 0, bins - 1)
    return tuple(
        ReliabilityBin(
            low=round(b / bins, 4),
            high=round((b + 1) / bins, 4),
            score=round(float(values[places == b].mean()), 4),
            right=round(float(hits[places == b].mean()), 4),
            n=int((places == b).sum()),
        )
        for b in range(bins)
        if (places == b).any()
    )


class PairedTest(Record):
    """Two runs on the same claims, by one measure."""

    measure: str
    a: float | None
    b: float | None
    difference: float | None
    """``b`` less ``a``."""
    low: float | None
    high: float | None
    """95 % interval of the difference, by drawing claims (paired bootstrap)."""
    only_a: int
    """Claims that count for ``a`` alone."""
    only_b: int
    p: float | None
    """McNemar's exact test, two-sided; ``None`` where the measure is no yes or no on each claim."""
    significant: bool
    """The interval leaves out 0, and McNemar's p, where there is one, is below 0.05."""


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided exact p that as many claims would fall to one side alone by chance (McNemar 1947)."""
    from scipy.stats import binomtest

    total = only_a + only_b
    return float(binomtest(min(only_a, only_b), total, 0.5).pvalue) if total else 1.0


def paired(measure: str, a: Sequence[bool], b: Sequence[bool]) -> PairedTest:
    """Compare yes or no on the same claims. Raises ``InputError`` when the two differ in length."""
    first, second = np.asarray(a, dtype=bool), np.asarray(b, dtype=bool)
    if first.shape != second.shape:
        raise InputError(f"{len(a)!r} outcomes against {len(b)!r}; compare the same claims")
    only_a, only_b = int((first & ~second).sum()), int((second & ~first).sum())
    p = mcnemar(only_a, only_b)
    found = paired_means(measure, first.astype(np.float64), second.astype(np.float64))
    return found.model_copy(
        update={"only_a": only_a, "only_b": only_b, "p": round(p, 6), "significant": found.significant and p < 0.05}
    )


def paired_means(measure: str, a: Floats, b: Floats) -> PairedTest:
    """Compare means of a number on the same claims."""
    n = len(a)

    def mean(of: Floats) -> Callable[[NDArray[np.int64]], float | None]:
        return lambda chosen: float(of[chosen].mean()) if n else None

    return paired_figure(measure, mean(a), mean(b), n)


def paired_figure(
    measure: str,
    a: Callable[[NDArray[np.int64]], float | None],
    b: Callable[[NDArray[np.int64]], float | None],
    n: int,
) -> PairedTest:
    """Compare a figure that is no mean over all claims, such as a precision, by paired bootstrap."""

    def gap(chosen: NDArray[np.int64]) -> float | None:
        first, second = a(chosen), b(chosen)
        return None if first is None or second is None else second - first

    every = np.arange(n)
    found = interval(gap, n)
    clear = found.low is not None and found.high is not None and (found.low > 0 or found.high < 0)
    return PairedTest(
        measure=measure,
        a=rounded(a(every)),
        b=rounded(b(every)),
        difference=found.value,
        low=found.low,
        high=found.high,
        only_a=0,
        only_b=0,
        p=None,
        significant=clear,
    )
