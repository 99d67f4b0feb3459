"""Figures over the items of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.data.formats.types import LABELS
from evaluation.data.outcome import EvalItem
from evaluation.metrics.measures import (
    DRAWS,
    Interval,
    ReliabilityBin,
    RiskCoverage,
    interval,
    reliability,
    risk_coverage,
    rounded,
    share,
)
from factdesk.kernel import InputError, Record
from verifier.calibration.metrics import auroc, ece

Codes = NDArray[np.int64]
SUPPORTED, REFUTED = LABELS.index("supported"), LABELS.index("refuted")


class ClassFigures(Record):
    """One label."""

    precision: float
    recall: float
    f1: float
    n: int


class Costs(Record):
    """Means a claim, unless it says otherwise."""

    p50: float
    p95: float
    """Seconds, wall clock."""
    seconds: float
    """Of all claims together."""
    cpu_seconds: float
    """Processor seconds, mean a claim."""
    pairs: float
    questions: float
    retrieval_calls: float
    tokens: int
    """Of all claims together."""
    certificate_bytes: float | None


class EvalFigures(Record):
    """All figures of a run. Shares are 0 to 1.

    ``conflicting`` counts as not enough evidence, unless the data set has that label.
    """

    n: int
    labels: dict[str, int]
    accuracy: Interval
    balanced_accuracy: float
    """Mean recall over the labels."""
    macro_f1: Interval
    weighted_f1: Interval
    """RAGAR's: over claims labelled supported or refuted, by their number; what is open counts as wrong."""
    per_class: dict[str, ClassFigures]
    verified: int
    verified_precision: Interval
    """Of the claims that were certified as supported, the share labelled so."""
    verified_coverage: float
    """Share of all claims that were certified as supported."""
    verified_recall: float | None
    """Share of the claims labelled supported that were certified."""
    refuted: int
    refuted_precision: Interval
    refuted_recall: float | None
    wrong_verified: int
    wrong_refuted: int
    coverage: Interval
    """Share of all claims with a verdict of supported or refuted."""
    uer: Interval
    """Unsupported exposure: of what strict mode asserts (supported, refuted), the share not labelled so."""
    cer: Interval
    """Contradicted exposure: of what strict mode asserts, the share whose label is the opposite."""
    uer_mixed: float | None
    """Of the claims that mixed mode shows (all but refuted ones): the share not labelled supported."""
    cer_mixed: float | None
    """Of the same, the share labelled refuted."""
    auroc: Interval
    """Of ``support``, supported against all other labels."""
    ece: float
    """Expected calibration error of ``support``, 15 bins: mean gap to the share labelled supported."""
    risk_coverage: RiskCoverage
    """Of ``support``: right is what is labelled supported."""
    reliability: tuple[ReliabilityBin, ...]
    evidence_recall: float | None
    """Of the claims with gold evidence, those for which a whole set of it was scored."""
    citation_precision: float | None
    """Of the sentences cited for certified claims with gold evidence, the share that is gold."""
    citation_recall: float | None
    """Of the certified claims with gold evidence, the share for which a whole set of it is cited."""
    strict_score: float | None
    """FEVER's: share of right verdicts for which, where there is gold evidence, a whole set was scored."""
    groups: dict[str, dict[str, float | None]]
    """By group (at most 40): n, accuracy, verified_precision, verified_recall."""
    costs: Costs


def predicted(item: EvalItem, *, binary: bool, four: bool) -> str:
    """The label that a verdict stands for in a data set with these labels."""
    if binary:
        return "supported" if item.verdict == "supported" else "not_enough_evidence"
    return "not_enough_evidence" if item.verdict == "conflicting" and not four else item.verdict


def figures_of(items: Sequence[EvalItem], *, binary: bool = False, draws: int = DRAWS) -> EvalFigures:
    """All figures of at least one item. Raises ``InputError`` for none."""
    if not items:
        raise InputError("no claims; give at least one")
    n = len(items)
    gold, said = _gold_and_said(items, binary=binary, four=any(i.label == "conflicting" for i in items))
    verdicts, labels = _codes([i.verdict for i in items]), _codes([i.label for i in items])
    right, up, down = said == gold, verdicts == SUPPORTED, verdicts == REFUTED
    true, false = labels == SUPPORTED, labels == REFUTED
    asserted = up | (down & (not binary))
    wrong = (up & ~true) | (down & ~false)
    opposite = (up & false) | (down & true)
    support = np.array([i.support for i in items])
    occurring = [c for c in range(len(LABELS)) if (gold == c).any() or (said == c).any()]
    per_class: dict[str, ClassFigures] = {LABELS[c]: _class(gold, said, c) for c in occurring}

    def spread(part: NDArray[np.bool_], whole: NDArray[np.bool_] | None = None) -> Interval:
        return interval(lambda c: share(part[c], None if whole is None else whole[c]), n, draws=draws)

    return EvalFigures(
        n=n,
        labels={LABELS[c]: int((gold == c).sum()) for c in occurring if (gold == c).any()},
        accuracy=spread(right),
        balanced_accuracy=round(float(np.mean([c.recall for c in per_class.values() if c.n])), 4),
        macro_f1=interval(lambda c: macro_f1(gold[c], said[c]), n, draws=draws),
        weighted_f1=interval(lambda c: weighted_f1(gold[c], said[c]), n, draws=draws),
        per_class=per_class,
        verified=int(up.sum()),
        verified_precision=spread(true, up),
        verified_coverage=round(float(up.mean()), 4),
        verified_recall=rounded(share(up, true)),
        refuted=int(down.sum()),
        refuted_precision=spread(false, down),
        refuted_recall=rounded(share(down, false)),
        wrong_verified=int((up & ~true).sum()),
        wrong_refuted=int((down & ~false).sum()),
        coverage=spread(up | down),
        uer=spread(wrong, asserted),
        cer=spread(opposite, asserted),
        uer_mixed=rounded(share(~true, ~down)),
        cer_mixed=rounded(share(false, ~down)),
        auroc=interval(lambda c: auroc(support[c], true[c]), n, draws=min(draws, 500)),
        ece=round(ece(support, true), 4),
        risk_coverage=risk_coverage(support.tolist(), true.tolist()),
        reliability=reliability(support.tolist(), true.tolist()),
        **_citations(items, right),
        groups=_groups(items, right, up, true),
        costs=costs_of(items),
    )


def _gold_and_said(items: Sequence[EvalItem], *, binary: bool, four: bool) -> tuple[Codes, Codes]:
    """Labels and verdicts in the words of the data set."""
    gold = ["not_enough_evidence" if binary and i.label != "supported" else i.label for i in items]
    return _codes(gold), _codes([predicted(i, binary=binary, four=four and not binary) for i in items])


def _codes(labels: Sequence[str]) -> Codes:
    """Labels as their places in ``LABELS``. *Shape:* ``(n,)``."""
    return np.array([LABELS.index(label) for label in labels], dtype=np.int64)


def _class(gold: Codes, said: Codes, label: int) -> ClassFigures:
    hits = int(((gold == label) & (said == label)).sum())
    named, there = int((said == label).sum()), int((gold == label).sum())
    return ClassFigures(
        precision=round(hits / named, 4) if named else 0.0,
        recall=round(hits / there, 4) if there else 0.0,
        f1=round(f1(gold, said, label), 4),
        n=there,
    )


def f1(gold: Codes, said: Codes, label: int) -> float:
    """F1 of one label; 0 where it occurs nowhere."""
    hits = int(((gold == label) & (said == label)).sum())
    total = int((gold == label).sum() + (said == label).sum())
    return 2 * hits / total if total else 0.0


def macro_f1(gold: Codes, said: Codes) -> float | None:
    """Mean F1 over the labels that occur in ``gold``."""
    present = np.flatnonzero(np.bincount(gold, minlength=len(LABELS)))
    return float(np.mean([f1(gold, said, int(label)) for label in present])) if present.size else None


def macro_f1_of(items: Sequence[EvalItem], *, binary: bool, four: bool) -> Callable[[NDArray[np.int64]], float | None]:
    """Macro F1 of chosen items, for paired comparisons."""
    gold, said = _gold_and_said(items, binary=binary, four=four)
    return lambda chosen: macro_f1(gold[chosen], said[chosen])


def weighted_f1(gold: Codes, said: Codes) -> float | None:
    """F1 over gold supported and refuted only, weighted by their number."""
    decidable = (gold == SUPPORTED) | (gold == REFUTED)
    gold, said = gold[decidable], said[decidable]
    if not gold.size:
        return None
    weights = {label: float((gold == label).mean()) for label in (SUPPORTED, REFUTED)}
    return sum(f1(gold, said, label) * weight for label, weight in weights.items())


def _citations(items: Sequence[EvalItem], right: NDArray[np.bool_]) -> dict[str, float | None]:
    known = [i for i in items if i.gold_found is not None]
    cited = [i for i in items if i.cited_right is not None]
    named = sum(len(i.cited) for i in cited)
    hits = sum(i.cited_right or 0 for i in cited)
    strict = [bool(r) and i.gold_found is not False for i, r in zip(items, right, strict=True)]
    return {
        "evidence_recall": rounded(sum(bool(i.gold_found) for i in known) / len(known)) if known else None,
        "citation_precision": rounded(hits / named) if named else None,
        "citation_recall": rounded(sum(bool(i.gold_cited) for i in cited) / len(cited)) if cited else None,
        "strict_score": rounded(sum(strict) / len(items)) if known else None,
    }


def _groups(
    items: Sequence[EvalItem], right: NDArray[np.bool_], up: NDArray[np.bool_], true: NDArray[np.bool_]
) -> dict[str, dict[str, float | None]]:
    names = sorted({i.group for i in items if i.group})
    if len(names) > 40:
        return {}
    found: dict[str, dict[str, float | None]] = {}
    for name in names:
        inside = np.array([i.group == name for i in items])
        found[name] = {
            "n": float(inside.sum()),
            "accuracy": rounded(share(right, inside)),
            "verified_precision": rounded(share(true, inside & up)),
            "verified_recall": rounded(share(up, inside & true)),
        }
    return found


def costs_of(items: Sequence[EvalItem]) -> Costs:
    """What a claim costs."""
    seconds = np.array([i.cost.seconds for i in items])
    sizes = [i.cost.certificate_bytes for i in items if i.cost.certificate_bytes is not None]
    n = len(items)
    return Costs(
        p50=round(float(np.quantile(seconds, 0.5)), 4),
        p95=round(float(np.quantile(seconds, 0.95)), 4),
        seconds=round(float(seconds.sum()), 2),
        cpu_seconds=round(sum(i.cost.cpu_seconds for i in items) / n, 4),
        pairs=round(sum(i.cost.pairs for i in items) / n, 2),
        questions=round(sum(i.questions for i in items) / n, 2),
        retrieval_calls=round(sum(i.cost.retrieval_calls for i in items) / n, 2),
        tokens=sum(i.cost.tokens for i in items),
        certificate_bytes=round(sum(sizes) / len(sizes), 1) if sizes else None,
    )
