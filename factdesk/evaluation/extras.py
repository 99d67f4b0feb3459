"""Figures that one data set alone has: AVeriTeC's scores, RAGTruth's catch rate, LLM-AggreFact's mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from factdesk.evaluation.formats.types import Dataset
from factdesk.evaluation.measures import interval, rounded, share
from factdesk.evaluation.meteor import averitec_scores
from factdesk.evaluation.outcome import EvalItem, Trace

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
        [[q.text for q in t.questions] for t in found], [t.answers for t in found],
        [row.asked for row in dataset.rows], [item.verdict == item.label for item in items],
    )  # fmt: skip


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
    """Balanced accuracy of each of its data sets, and their mean, which is what its table ranks by."""
    found: dict[str, float | None] = {}
    for name in sorted({i.group for i in items}):
        inside = [i for i in items if i.group == name]
        recalls = [
            share(
                np.array(
                    [(i.verdict == "supported") == good for i in inside if (i.label == "supported") == good]
                )
            )
            for good in (True, False)
        ]
        known = [r for r in recalls if r is not None]
        found[name] = rounded(float(np.mean(known))) if known else None
    values = [v for v in found.values() if v is not None]
    return {
        "balanced_accuracy": found,
        "mean_balanced_accuracy": rounded(float(np.mean(values))) if values else None,
    }
