"""From raw model scores to assessments: which premise the model reads, calibration, guard, counterfactual.

Shared by all backends; a backend only turns pairs of texts into raw probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verifier.calibration import Calibration
from verifier.guard import check
from verifier.guard.repair import repairs
from verifier.names import find_names, name_in
from verifier.types import Assessment, Counterfactual, GuardReport, NLIScores, PairText

RawScorer = Callable[[Sequence[tuple[str, str]]], Sequence[NLIScores]]
"""Takes (premise, hypothesis) pairs, gives raw probabilities in order."""

MAX_PREMISE = 1500
"""Longest premise in characters; what stands behind is left out (the model reads 128 tokens)."""


def model_premise(pair: PairText) -> str:
    """What the model reads: the premise, with its context before it where the premise names
    none of the claim's names but the context does (a sentence that opens with "She")."""
    premise = pair.premise[:MAX_PREMISE]
    if not pair.context:
        return premise
    names = find_names(pair.claim)
    lacking = [n for n in names if not name_in(n, premise)]
    if lacking and any(name_in(n, pair.context) for n in lacking):
        return f"{pair.context[:300]}. {premise}"
    return premise


def assess(
    pairs: Sequence[PairText], score: RawScorer, calibration: Calibration, *, mend_from: float
) -> tuple[Assessment, ...]:
    """Score all pairs, then the counterfactuals of those that contradict at ``mend_from`` or more."""
    raw = score([(model_premise(p), p.claim) for p in pairs])
    guards = [check(p.claim, p.premise, p.context, p.published) for p in pairs]
    calibrated = [calibration.apply(scores) for scores in raw]
    mended: list[tuple[int, str]] = []
    for index, pair in enumerate(pairs):
        if calibrated[index].contradiction >= mend_from and guards[index].findings:
            mended += [
                (index, text) for text in repairs(pair.claim, pair.premise, pair.context, pair.published)
            ]
    mended_raw = score([(model_premise(pairs[i]), text) for i, text in mended])
    best: dict[int, Counterfactual] = {}
    passes = [1] * len(pairs)
    for (index, text), scores in zip(mended, mended_raw, strict=True):
        passes[index] += 1
        entailment = calibration.apply(scores).entailment
        if not _mends(text, pairs[index]):
            continue
        if index not in best or entailment > best[index].entailment:
            best[index] = Counterfactual(claim=text, entailment=entailment)
    return tuple(
        Assessment(
            raw=raw[i],
            calibrated=calibrated[i],
            guard=guards[i],
            counterfactual=best.get(i),
            passes=passes[i],
        )
        for i in range(len(pairs))
    )


def _mends(text: str, pair: PairText) -> bool:
    """The mended claim leaves no conflict and no missing name or number."""
    report: GuardReport = check(text, pair.premise, pair.context, pair.published)
    return not any(f.slot not in {"quantifier", "negation"} for f in report.findings)
