"""``factdesk eval agreement``: what people judged, and how far they agree.

Krippendorff's alpha by its published formula ("Computing Krippendorff's Alpha-Reliability", 2011): the
coincidences of values within each unit against those that chance would give. Tested on the examples there.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.judging.sheets import CHOICES, COLUMNS
from evaluation.metrics.measures import Interval, interval, rounded, share
from factdesk.kernel import InputError, Record
from verifier.calibration.metrics import lower_bound

Level = Literal["nominal", "ordinal", "interval"]
Ratings = dict[tuple[str, str], str]


class Agreement(Record):
    """What one or more filled sheets say."""

    raters: tuple[str, ...]
    verified: int
    """Statements that somebody judged."""
    undecided: int
    """Of those, statements without a majority, or whose majority says unclear."""
    verified_precision: Interval
    """Of the statements decided by majority, the share that is borne out."""
    lower_bound: float | None
    """One-sided 95 % lower bound of that share (Wilson)."""
    strict_precision: float | None
    """The same over all judged statements: undecided ones count as not borne out."""
    by_rater: dict[str, float | None]
    """Share of yes among yes and no."""
    alpha_verified: float | None
    """Nominal; ``None`` with one rater, or where all say the same."""
    explanations: int
    mean_rating: float | None
    """1 to 3, mean over explanations of the mean over raters."""
    alpha_explanations: float | None
    """Ordinal."""
    disagreements: tuple[str, ...]
    """Ids of the statements on which the raters differ."""


def agreement(paths: Sequence[Path]) -> Agreement:
    """Read filled sheets, one a rater. Raises ``InputError`` for a file that is none, or nothing judged."""
    names = [path.stem for path in paths]
    if len(set(names)) < len(names):
        raise InputError(f"two sheets are called {Counter(names).most_common(1)[0][0]!r}; name one a rater")
    sheets = [read_sheet(path) for path in paths]
    verified = _table(sheets, "verified")
    explained = _table(sheets, "explanation")
    if not verified and not explained:
        raise InputError("nothing has been judged: the column rating is empty in every sheet")
    majority = {unit: _majority(values) for unit, values in verified.items()}
    decided = np.array([m == "yes" for m in majority.values() if m in ("yes", "no")], dtype=bool)
    means = [np.mean([float(v) for v in values if v]) for values in explained.values()]
    return Agreement(
        raters=tuple(names),
        verified=len(verified),
        undecided=len(verified) - len(decided),
        verified_precision=interval(lambda c: share(decided[c]), len(decided)),
        lower_bound=rounded(lower_bound(int(decided.sum()), len(decided))) if len(decided) else None,
        strict_precision=rounded(float(decided.sum()) / len(verified)) if verified else None,
        by_rater={name: _yes(sheet) for name, sheet in zip(names, sheets, strict=True)},
        alpha_verified=alpha([[v or None for v in values] for values in verified.values()], "nominal"),
        explanations=len(explained),
        mean_rating=rounded(float(np.mean(means))) if means else None,
        alpha_explanations=alpha(
            [[float(v) if v else None for v in values] for values in explained.values()], "ordinal"
        ),
        disagreements=tuple(u for u, values in verified.items() if len({v for v in values if v}) > 1),
    )


def read_sheet(path: Path) -> Ratings:
    """The ratings of one sheet by kind and id; rows without one are left out. Raises ``InputError``."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            text = file.read()
        head = text.split("\n")[0]
        delimiter = ";" if head.count(";") > head.count(",") else ","  # some spreadsheets save so
        rows = list(csv.DictReader(text.splitlines(keepends=True), delimiter=delimiter))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{str(path)!r} cannot be read ({error}); give a filled sheet") from error
    found: Ratings = {}
    for number, row in enumerate(rows, 2):
        if any(row.get(column) is None for column in ("kind", "id", "rating")):
            raise InputError(f"{path.name} line {number} is no row of a sheet; it needs {', '.join(COLUMNS)}")
        kind, unit = row["kind"].strip(), row["id"].strip().removeprefix("'")
        rating = row["rating"].strip().casefold()
        if kind not in CHOICES or (rating and rating not in CHOICES[kind]):
            known = ", ".join(CHOICES.get(kind, tuple(CHOICES)))
            raise InputError(f"{path.name} line {number}: {rating or kind!r} is none of {known}")
        if (kind, unit) in found:
            raise InputError(f"{path.name} line {number}: {unit!r} stands there twice")
        if rating:
            found[kind, unit] = rating
    return found


def _table(sheets: Sequence[Ratings], kind: str) -> dict[str, list[str]]:
    """Ratings by unit, one a rater in their order; ``""`` where a rater gave none."""
    units = sorted({unit for sheet in sheets for k, unit in sheet if k == kind})
    return {unit: [sheet.get((kind, unit), "") for sheet in sheets] for unit in units}


def _majority(values: Sequence[str]) -> str:
    counts = Counter(v for v in values if v).most_common()
    if len(counts) > 1 and counts[0][1] == counts[1][1]:
        return ""
    return counts[0][0]


def _yes(sheet: Ratings) -> float | None:
    found = [v for (kind, _), v in sheet.items() if kind == "verified" and v in ("yes", "no")]
    return rounded(found.count("yes") / len(found)) if found else None


def alpha(units: Sequence[Sequence[object]], level: Level = "nominal") -> float | None:
    """Krippendorff's alpha; ``units``: the values given to each unit, ``None`` where a rater gave none.

    Values are numbers for ``ordinal`` and ``interval``. 1: perfect, 0: chance. ``None`` where no unit has two
    values, or where there is but one value in all, so that nothing can be told apart.
    """
    kept = [[v for v in unit if v is not None] for unit in units]
    kept = [unit for unit in kept if len(unit) > 1]
    values = sorted({v for unit in kept for v in unit}, key=_order)
    if len(values) < 2:
        return None
    place = {v: n for n, v in enumerate(values)}
    seen = np.zeros((len(values), len(values)))
    for unit in kept:
        for a, first in enumerate(unit):
            for b, second in enumerate(unit):
                if a != b:
                    seen[place[first], place[second]] += 1 / (len(unit) - 1)
    totals = seen.sum(axis=1)
    n = totals.sum()
    expected = (np.outer(totals, totals) - np.diag(totals)) / (n - 1)
    apart = _distances(values, totals, level)
    chance = float((expected * apart).sum())
    return rounded(1 - float((seen * apart).sum()) / chance) if chance else None


def _order(value: object) -> tuple[int, float, str]:
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value))


def _distances(values: Sequence[object], totals: NDArray[np.float64], level: Level) -> NDArray[np.float64]:
    """Squared differences of values. *Shape:* ``(n_values, n_values)``."""
    size = len(values)
    if level == "nominal":
        return 1.0 - np.eye(size)
    if level == "interval":
        numbers = np.array([_order(v)[1] for v in values])
        squared: NDArray[np.float64] = (numbers[:, None] - numbers[None]) ** 2
        return squared
    found = np.zeros((size, size))
    for a in range(size):
        for b in range(a + 1, size):
            between = totals[a : b + 1].sum() - (totals[a] + totals[b]) / 2
            found[a, b] = found[b, a] = between**2
    return found
