"""Figures that one data set alone has: AVeriTeC's scores, RAGTruth's catch rate, LLM-AggreFact's mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from evaluation.data.formats.types import Dataset
from evaluation.data.outcome import EvalItem, Trace
from evaluation.metrics.measures import interval, rounded, share
from evaluation.metrics.meteor import averitec_scores
from verifier.pair_decision import LEANS

Traces = Callable[[], Iterable[str]]


def extra_figures(dataset: Dataset, items: Sequence[EvalItem], traces: Traces) -> dict[str, Any]:
    """What belongs to the data set's format; empty for the others."""
    if dataset.format == "averitec":
        return _averitec(dataset, items, traces)
    if dataset.format == "ragtruth":
        return catch_rates(items)
    if dataset.format == "llm-aggrefact":
        return _aggrefact(items)
    return {}


def _averitec(dataset: Dataset, items: Sequence[EvalItem], traces: Traces) -> dict[str, Any]:
    by_id = {t.id: t for t in map(Trace.model_validate_json, traces())}
    found = [by_id[item.id] for item in items]
    return averitec_scores(
        [[q.text for q in t.questions] for t in found],
        [t.answers for t in found],
        [row.asked for row in dataset.rows],
        [item.verdict == item.label for item in items],
    )


def catch_rates(items: Sequence[EvalItem]) -> dict[str, Any]:
    """How many hallucinated statements were not Verified, over all and by kind; and how many good ones were.

    ``precision``: of the statements that were not Verified, the share that is hallucinated.
    """
    bad = np.array([i.label != "supported" for i in items])
    stopped = np.array([i.verdict != "supported" for i in items])
    kinds = sorted({i.group for i in items if i.label != "supported" and i.group})
    return {
        "catch_rate": interval(lambda c: share(stopped[c], bad[c]), len(items)).model_dump(),
        "catch_rate_by_kind": {
            kind: rounded(share(stopped, bad & np.array([i.group == kind for i in items]))) for kind in kinds
        },
        "good_verified": rounded(share(~stopped, ~bad)),
        "precision": rounded(share(bad, stopped)),
        "hallucinated": int(bad.sum()),
    }


def _aggrefact(items: Sequence[EvalItem]) -> dict[str, Any]:
    """Balanced accuracy of each of its data sets, and their mean, by which its table ranks.

    ``at_half`` cuts the score of support at 0.5, as models without a fail-closed policy do.
    """
    cuts: dict[str, Callable[[EvalItem], bool]] = {
        "": lambda i: i.verdict == "supported",
        "_at_half": lambda i: i.support >= LEANS,
    }
    found: dict[str, Any] = {}
    for ending, cut in cuts.items():
        groups = {
            name: _balanced([i for i in items if i.group == name], cut) for name in sorted({i.group for i in items})
        }
        known = [v for v in groups.values() if v is not None]
        found[f"balanced_accuracy{ending}"] = groups
        found[f"mean_balanced_accuracy{ending}"] = rounded(float(np.mean(known))) if known else None
    return found


def _balanced(items: Sequence[EvalItem], cut: Callable[[EvalItem], bool]) -> float | None:
    """Mean of the shares of good ones that pass and of bad ones that do not; ``None`` without either."""
    good = np.array([cut(i) for i in items if i.label == "supported"])
    bad = np.array([not cut(i) for i in items if i.label != "supported"])
    return rounded((float(good.mean()) + float(bad.mean())) / 2) if good.size and bad.size else None
