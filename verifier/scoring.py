"""From raw model scores to assessments: which premise the model reads, calibration, guard, counterfactual.

Shared by all backends; a backend only turns pairs of texts into raw probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verifier.calibration import Calibration
from verifier.circumstance import MAX_CIRCUMSTANCES, circumstances, stated
from verifier.guard import check
from verifier.guard.repair import DENIED, MAX_REPAIRS, has_literally, repairs
from verifier.reading import bare_premise, heading_of, model_claim, model_premise
from verifier.types import LEANS, QUANTITIES, Assessment, Counterfactual, GuardFinding, NLIScores, PairText

RawScorer = Callable[[Sequence[tuple[str, str]]], Sequence[NLIScores]]
"""Takes (premise, hypothesis) pairs, gives raw probabilities in order."""

MEND_FROM = 0.3
"""Calibrated contradiction from which on the mended claim is scored, where refutations are calibrated."""
MOST_PASSES = 3 + 2 * MAX_CIRCUMSTANCES + MAX_REPAIRS
"""Forward passes that one pair may take: as it stands, its heading alone, without that, its circumstances
and its mended claims."""
CLEAR = 0.5
"""Raw probability from which on a score leans to one side."""


def assess(
    pairs: Sequence[PairText], score: RawScorer, calibration: Calibration, *, mend_from: float
) -> tuple[Assessment, ...]:
    """Score all pairs, then the counterfactuals of those that contradict at ``mend_from`` or more.

    With calibrated refutations ``MEND_FROM`` is enough.
    """
    if calibration.refutation is not None:
        mend_from = min(mend_from, MEND_FROM)
    raw, passes = _raw(pairs, score)
    guards = [check(p.claim, p.premise, p.context, p.published) for p in pairs]
    calibrated = [calibration.apply(scores, guard) for scores, guard in zip(raw, guards, strict=True)]
    _within_circumstances(pairs, calibrated, passes, score, calibration)
    mended: list[tuple[int, str]] = []
    for index, pair in enumerate(pairs):
        likely = calibrated[index].contradiction >= mend_from or guards[index].rejects
        if likely and guards[index].findings:
            mended += [
                (index, text) for text in repairs(pair.claim, pair.premise, pair.context, pair.published)
            ]
    mended_raw = score([(model_premise(pairs[i]), model_claim(text)) for i, text in mended])
    best: dict[int, Counterfactual] = {}
    for (index, text), scores in zip(mended, mended_raw, strict=True):
        passes[index] += 1
        report = check(text, pairs[index].premise, pairs[index].context, pairs[index].published)
        if any(_stands(f, text) for f in report.findings):
            continue  # the mended claim still conflicts, or lacks a name or number
        entailment = calibration.apply(scores, report).entailment
        if index not in best or entailment > best[index].entailment:
            best[index] = Counterfactual(
                claim=text,
                entailment=entailment,
                refutation=calibration.refutation.apply(
                    raw[index].contradiction, scores.entailment, guards[index]
                )
                if calibration.refutation
                else None,
                literal=has_literally(pairs[index].premise, text),
            )
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


def _within_circumstances(
    pairs: Sequence[PairText],
    calibrated: list[NLIScores],
    passes: list[int],
    score: RawScorer,
    calibration: Calibration,
) -> None:
    """Lower each entailment to that of the claim's least likely circumstance, where that is left open.

    A claim is not likelier than a part of it. Changes ``calibrated`` and ``passes`` in place.
    """
    asked: list[tuple[int, int, PairText]] = []
    for index, pair in enumerate(pairs):
        if calibrated[index].entailment < LEANS:
            continue
        read = f"{pair.context} {pair.premise}"
        for number, part in enumerate(circumstances(pair.claim)):
            if not stated(part, read):
                asked += [(index, number, pair.model_copy(update={"claim": text})) for text in part.sentences]
    raw = score([(model_premise(pair), model_claim(pair.claim)) for _, _, pair in asked])
    best: dict[tuple[int, int], float] = {}
    for (index, number, pair), scores in zip(asked, raw, strict=True):
        passes[index] += 1
        guard = check(pair.claim, pair.premise, pair.context, pair.published)
        likely = calibration.apply(scores, guard).entailment
        best[index, number] = max(likely, best.get((index, number), 0.0))
    for (index, _), likely in best.items():
        if likely < LEANS:
            calibrated[index] = _capped(calibrated[index], likely)


def _capped(scores: NLIScores, most: float) -> NLIScores:
    """The scores with at most so much entailment; neutral takes the rest."""
    entailment = min(scores.entailment, most)
    neutral = round(scores.neutral + scores.entailment - entailment, 6)
    return scores.model_copy(update={"entailment": entailment, "neutral": neutral})


def _stands(finding: GuardFinding, mended: str) -> bool:
    """Whether a finding speaks against a mended claim. What never happened has no number."""
    if mended.startswith(DENIED) and finding.kind == "missing" and finding.slot in QUANTITIES - {"date"}:
        return False
    return finding.slot not in {"quantifier", "negation"}


def _raw(pairs: Sequence[PairText], score: RawScorer) -> tuple[list[NLIScores], list[int]]:
    """Raw scores and the passes they took. Context is never itself evidence: where it decides alone,
    the premise is scored without it.
    """
    read = [model_premise(p) for p in pairs]
    raw, passes = (
        list(score([(text, model_claim(p.claim)) for text, p in zip(read, pairs, strict=True)])),
        [1] * len(pairs),
    )
    headings = [heading_of(p) for p in pairs]
    clear = [i for i in range(len(pairs)) if headings[i] and _side(raw[i])]
    alone = score([(f"{headings[i]}.", model_claim(pairs[i].claim)) for i in clear])
    bare = [i for i, scores in zip(clear, alone, strict=True) if _side(scores) == _side(raw[i])]
    without = score([(bare_premise(pairs[i]), model_claim(pairs[i].claim)) for i in bare])
    for i in clear:
        passes[i] += 1
    for i, scores in zip(bare, without, strict=True):
        raw[i] = scores
        passes[i] += 1
    return raw, passes


def _side(scores: NLIScores) -> str:
    """The side that the scores lean to clearly; empty for neither."""
    if scores.entailment >= CLEAR:
        return "entailment"
    return "contradiction" if scores.contradiction >= CLEAR else ""
