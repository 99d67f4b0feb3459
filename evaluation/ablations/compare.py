"""``factdesk eval compare A B``: which differences between two runs are more than chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.data.outcome import EvalItem
from evaluation.metrics.figures import macro_f1_of, predicted
from evaluation.metrics.measures import PairedTest, paired, paired_figure, paired_means, share
from evaluation.runs.runfile import EvalRun
from factdesk.kernel import InputError, Record
from verifier.calibration.metrics import auroc

Figure = Callable[[NDArray[np.int64]], float | None]


class Comparison(Record):
    """Two runs on the claims that both have."""

    n: int
    only_a: int
    """Claims that ``a`` alone has; they are left out."""
    only_b: int
    same_data: bool
    """Both read the same bytes."""
    differing: tuple[str, ...]
    """Settings, thresholds and models in which they differ."""
    tests: tuple[PairedTest, ...]


def compare(a: EvalRun, b: EvalRun) -> Comparison:
    """Compare two runs claim by claim: yes or no by McNemar and paired bootstrap, the rest by the latter.

    Raises ``InputError`` when they share no claims, or label one otherwise.
    """
    theirs = {item.id: item for item in b.items}
    pairs = [(item, theirs[item.id]) for item in a.items if item.id in theirs]
    if not pairs:
        raise InputError("the two runs share no claims; compare runs on the same data")
    other = next((x for x, y in pairs if (x.claim, x.label) != (y.claim, y.label)), None)
    if other is not None:
        raise InputError(f"the two runs hold claim {other.id!r} with other words or labels; use the same data")
    first, second = [x for x, _ in pairs], [y for _, y in pairs]
    return Comparison(
        n=len(pairs),
        only_a=len(a.items) - len(pairs),
        only_b=len(b.items) - len(pairs),
        same_data=a.key.data_sha256 == b.key.data_sha256,
        differing=differing(a, b),
        tests=_tests(first, second, a.key.binary or b.key.binary),
    )


def _tests(a: Sequence[EvalItem], b: Sequence[EvalItem], binary: bool) -> tuple[PairedTest, ...]:
    n = len(a)
    four = not binary and any(i.label == "conflicting" for i in a)

    def right(item: EvalItem) -> bool:
        wanted = "not_enough_evidence" if binary and item.label != "supported" else item.label
        return predicted(item, binary=binary, four=four) == wanted

    yes: dict[str, Callable[[EvalItem], bool]] = {
        "right": right,
        "verified": lambda i: i.verdict == "supported",
        "verified rightly": lambda i: i.verdict == i.label == "supported",
        "verified wrongly": lambda i: i.verdict == "supported" != i.label,
        "refuted rightly": lambda i: i.verdict == i.label == "refuted",
        "refuted wrongly": lambda i: i.verdict == "refuted" != i.label,
    }
    tests = [paired(name, [test(i) for i in a], [test(i) for i in b]) for name, test in yes.items()]
    figures: dict[str, Callable[[Sequence[EvalItem]], Figure]] = {
        "macro F1": lambda items: macro_f1_of(items, binary=binary, four=four),
        "verified precision": _precision,
        "AUROC of support": _auroc,
    }
    tests += [paired_figure(name, make(a), make(b), n) for name, make in figures.items()]
    costs: dict[str, Callable[[EvalItem], float]] = {
        "pairs": lambda i: i.cost.pairs,
        "retrieval calls": lambda i: i.cost.retrieval_calls,
        "processor seconds": lambda i: i.cost.cpu_seconds,
    }
    tests += [
        paired_means(name, np.array([float(of(i)) for i in a]), np.array([float(of(i)) for i in b]))
        for name, of in costs.items()
    ]
    return tuple(tests)


def _precision(items: Sequence[EvalItem]) -> Figure:
    up = np.array([i.verdict == "supported" for i in items])
    true = np.array([i.label == "supported" for i in items])
    return lambda chosen: share(true[chosen], up[chosen])


def _auroc(items: Sequence[EvalItem]) -> Figure:
    support = np.array([i.support for i in items])
    true = np.array([i.label == "supported" for i in items])
    return lambda chosen: auroc(support[chosen], true[chosen])


def differing(a: EvalRun, b: EvalRun) -> tuple[str, ...]:
    """Each setting, threshold and model in which two runs differ, in words."""
    found = []
    for part in ("settings", "thresholds"):
        one, two = getattr(a.key, part), getattr(b.key, part)
        names = sorted(set(one) | set(two))
        found += [f"{n}: {one.get(n)!r} -> {two.get(n)!r}" for n in names if one.get(n) != two.get(n)]
    for name in sorted(set(a.fingerprint) | set(b.fingerprint)):
        one, two = a.fingerprint.get(name), b.fingerprint.get(name)
        if one != two:
            found.append(f"{name}: {_short(one)} -> {_short(two)}")
    for name in ("evidence", "corpus", "variant", "factdesk_version"):
        one, two = getattr(a.key, name), getattr(b.key, name)
        if one != two:
            found.append(f"{name}: {one!r} -> {two!r}")
    return tuple(found)


def _short(value: str | None) -> str:
    return "absent" if value is None else value[:12]
