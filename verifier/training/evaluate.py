"""Calibration on one half of each development set, figures on the other half, thresholds derived.

The halves are split by premise, so that no evidence stands in both. Sets that may only be used
for measuring are left out of the calibration.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import InputError, Record
from verifier.backends.calibrated import CalibratedVerifier
from verifier.calibration import metrics
from verifier.calibration.labelled_pairs import LABELS, Pair, read_pairs
from verifier.calibration.metrics import Z, isotonic_curve, smallest_threshold
from verifier.calibration.probabilities import Calibration
from verifier.calibration.regressions import REFUTING, Refutation, Stack, refuting, stacked
from verifier.guard import check
from verifier.pair_decision import LEANS
from verifier.premise.builder import model_claim, model_premise
from verifier.scoring import MEND_FROM, assess
from verifier.training.checklike_devset import DESK, desk_pairs
from verifier.training.contrast_sets import TRAPS, kept_trap_pairs
from verifier.training.passages import held_out_pairs
from verifier.training.stories import dev_pairs
from verifier.types import GuardReport, NLIScores, PairText, Thresholds

STORIES = "stories"
"""Claims with every sentence of their story, as a check meets them; kept from training, all of it report."""
PASSAGES = "passages"
"""Claims about the passages kept from training; halves by passage."""
OWN = (DESK, STORIES, TRAPS, PASSAGES)
"""Development sets of our own; operating points are told of the public ones."""
MEASURE_ONLY = ("anli_r1_dev", STORIES, PASSAGES)
"""Never fitted on: a non-commercial licence, a set without halves, and passages no shipped weights have seen."""
PRECISION = 0.95
TWO_CLASS_WEIGHT = 0.3
"""Weight of sets without neutral pairs in the regression: a check meets mostly neutral sentences."""


@dataclass(frozen=True)
class DevSet:
    """One development set with raw scores (*Shape:* ``(n, 3)``), gold labels, guard and halves."""

    name: str
    pairs: list[Pair]
    raw: NDArray[np.float64]
    gold: NDArray[np.int64]
    guards: list[GuardReport]
    calibration: NDArray[np.bool_]
    """True in the half that calibration may see."""

    @property
    def agrees(self) -> NDArray[np.bool_]:
        """Where the guard has no finding."""
        return np.array([g.agrees for g in self.guards])

    @property
    def same_subject(self) -> NDArray[np.bool_]:
        """Where the premise speaks of the claim's subject."""
        return np.array([g.same_subject for g in self.guards])


class SetFigures(Record):
    """Figures of the report half of one set, for the model card."""

    name: str
    n: int
    accuracy: float
    macro_f1: float
    ece: float
    ece_raw: float
    verified_precision: float | None
    verified_recall: float | None


def load_dev(verifier: CalibratedVerifier, folder: Path, limit: int | None = None) -> list[DevSet]:
    """Score all development sets of a folder (``nli/dev``), and our own."""
    sets = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        pairs = list(read_pairs(path, limit=limit))
        sets.append(_scored(verifier, path.name.split(".")[0], pairs, [p.premise for p in pairs]))
    for name, keyed in ((DESK, desk_pairs()[:limit]), (PASSAGES, held_out_pairs()[:limit])):
        if keyed:
            sets.append(_scored(verifier, name, [p for p, _ in keyed], [key for _, key in keyed]))
    apart = kept_trap_pairs()[:limit]
    if apart:
        sets.append(_scored(verifier, TRAPS, apart, [p.premise for p in apart]))
    told = dev_pairs(STORIES)[:limit]
    if told:
        whole = _scored(verifier, STORIES, [p for p, _ in told], [""] * len(told), [head for _, head in told])
        sets.append(replace(whole, calibration=np.zeros(len(told), dtype=bool)))
    return sets


def _scored(
    verifier: CalibratedVerifier,
    name: str,
    pairs: list[Pair],
    keys: Sequence[str],
    contexts: Sequence[str] = (),
) -> DevSet:
    """Scores, guard and halves of one set; pairs with the same key stand in the same half."""
    around = list(contexts) or [""] * len(pairs)
    texts = [
        PairText(claim=p.hypothesis, premise=p.premise, context=context)
        for p, context in zip(pairs, around, strict=True)
    ]
    raw = verifier.raw([(model_premise(t), model_claim(t.claim)) for t in texts])
    return DevSet(
        name=name,
        pairs=pairs,
        raw=np.array([[s.entailment, s.neutral, s.contradiction] for s in raw]),
        gold=np.array([LABELS.index(p.label) for p in pairs]),
        guards=[check(t.claim, t.premise, t.context) for t in texts],
        calibration=np.array([zlib.crc32(key.encode()) % 2 == 0 for key in keys]),
    )


def fit(sets: Sequence[DevSet]) -> Calibration:
    """Temperature by likelihood, the regression over model and guard, and isotonic curves for both."""
    usable = [s for s in sets if s.name not in MEASURE_ONLY]
    raw = np.concatenate([s.raw[s.calibration] for s in usable])
    gold = np.concatenate([s.gold[s.calibration] for s in usable])
    guards = [g for s in usable for g, c in zip(s.guards, s.calibration, strict=True) if c]
    logs = np.log(np.clip(raw, 1e-12, 1))
    grid = np.arange(0.5, 3.01, 0.05)
    losses = [-np.log(_softmax(logs / t)[np.arange(len(gold)), gold] + 1e-12).mean() for t in grid]
    temperature = round(float(grid[int(np.argmin(losses))]), 4)
    plain = _softmax(logs / temperature)
    weights = np.concatenate(
        [np.full(int(s.calibration.sum()), 1.0 if (s.gold == 1).any() else TWO_CLASS_WEIGHT) for s in usable]
    )
    stack = _fit_stack(raw, guards, gold, weights)
    stacked = np.array([stack.apply(_scores(r), g) for r, g in zip(raw, guards, strict=True)])
    return Calibration(
        temperature=temperature,
        entailment=isotonic_curve(plain[:, 0], gold == 0),
        contradiction=isotonic_curve(plain[:, 2], gold == 2),
        stack=stack,
        stacked_entailment=isotonic_curve(stacked[:, 0], gold == 0),
        stacked_contradiction=isotonic_curve(stacked[:, 2], gold == 2),
    )


def _scores(row: NDArray[np.float64]) -> NLIScores:
    return NLIScores(entailment=float(row[0]), neutral=float(row[1]), contradiction=float(row[2]))


def _fit_stack(
    raw: NDArray[np.float64],
    guards: Sequence[GuardReport],
    gold: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> Stack:
    from sklearn.linear_model import LogisticRegression

    x = np.array([stacked(_scores(r), g) for r, g in zip(raw, guards, strict=True)])
    model = LogisticRegression(C=1.0, max_iter=2000, fit_intercept=False)
    model.fit(x, gold, sample_weight=weights)
    return Stack(weights=tuple(tuple(round(float(w), 5) for w in row) for row in model.coef_))


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares


def apply(calibration: Calibration, item: DevSet) -> NDArray[np.float64]:
    """Calibrated probabilities of a set, by the same code that runs in a check. *Shape:* ``(n, 3)``."""
    rows = [calibration.apply(_scores(r), g) for r, g in zip(item.raw, item.guards, strict=True)]
    return np.array([[r.entailment, r.neutral, r.contradiction] for r in rows]).reshape(-1, 3)


@dataclass(frozen=True)
class Mended:
    """Pairs of the calibration halves whose claim could be mended: what a refutation is judged by."""

    values: NDArray[np.float64]
    """Features of ``verifier.calibration.regressions``. *Shape:* ``(n, 8)``."""
    gold: NDArray[np.int64]
    entailment: NDArray[np.float64]
    """Calibrated, of the best mended claim. *Shape:* ``(n,)``."""


def mend(verifier: CalibratedVerifier, sets: Sequence[DevSet], calibration: Calibration) -> Mended:
    """Score the mended claims of all calibration halves, by the code that runs in a check."""
    values, gold, entailment = [], [], []
    trial = calibration.model_copy(update={"refutation": Refutation(weights=(0.0,) * len(REFUTING))})
    for item in (s for s in sets if s.name not in MEASURE_ONLY):
        scores = apply(calibration, item)
        wanted = np.flatnonzero(item.calibration & item.same_subject & (scores[:, 2] >= MEND_FROM))
        pairs = [PairText(claim=item.pairs[i].hypothesis, premise=item.pairs[i].premise) for i in wanted]
        for index, found in zip(wanted, assess(pairs, verifier.raw, trial, mend_from=MEND_FROM), strict=True):
            if found.counterfactual is None:
                continue
            raw = verifier.raw([(item.pairs[index].premise, found.counterfactual.claim)])[0]
            values.append(refuting(found.raw.contradiction, raw.entailment, found.guard))
            gold.append(int(item.gold[index]))
            entailment.append(found.counterfactual.entailment)
    return Mended(np.array(values).reshape(-1, len(REFUTING)), np.array(gold), np.array(entailment))


def fit_refutation(found: Mended) -> Refutation:
    """Weights of the refutation's regression."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1.0, max_iter=2000, fit_intercept=False)
    model.fit(found.values, found.gold == 2)
    return Refutation(weights=tuple(round(float(w), 5) for w in model.coef_[0]))


def derive(
    sets: Sequence[DevSet],
    calibration: Calibration,
    found: Mended,
    *,
    precision: float = PRECISION,
    refute_precision: float = PRECISION,
    z: float = Z,
) -> Thresholds:
    """``tau_entail`` and ``tau_refute`` from precision bounds, ``tau_contradict`` by its cost in coverage.

    ``tau_refute`` holds for the probability of a refutation where the mended claim is likelier entailed
    than not; raises ``InputError`` when the calibration has no such regression.
    """
    if calibration.refutation is None:
        raise InputError("the calibration has no regression for refutations; call fit_refutation first")
    usable = [s for s in sets if s.name not in MEASURE_ONLY]
    scores = np.concatenate([apply(calibration, s)[s.calibration] for s in usable])
    gold = np.concatenate([s.gold[s.calibration] for s in usable])
    agrees = np.concatenate([s.agrees[s.calibration] for s in usable])
    entail = smallest_threshold(scores[agrees, 0], gold[agrees] == 0, precision, z)
    tau_entail = entail if entail is not None else 0.99
    chances = 1 / (1 + np.exp(-found.values @ np.array(calibration.refutation.weights)))
    leaning = found.entailment >= LEANS
    refute = smallest_threshold(chances[leaning], found.gold[leaning] == 2, refute_precision, z)
    return Thresholds(
        tau_entail=tau_entail,
        tau_refute=refute if refute is not None else 0.99,
        tau_contradict=_contradict(scores, gold, agrees),
    )


def _contradict(scores: NDArray[np.float64], gold: NDArray[np.int64], agrees: NDArray[np.bool_]) -> float:
    """Lowest threshold that few pairs without a contradiction reach.

    At most 2 % of the entailed pairs with which the guard agrees, and 3.5 % of the neutral ones.
    """
    entailed, neutral = scores[(gold == 0) & agrees, 2], scores[gold == 1, 2]
    for tau in np.arange(0.3, 0.91, 0.05):
        if float((entailed >= tau).mean()) <= 0.02 and float((neutral >= tau).mean()) <= 0.035:
            return round(float(tau), 4)
    return 0.9


def figures(sets: Sequence[DevSet], calibration: Calibration, thresholds: Thresholds) -> list[SetFigures]:
    """Figures of every report half."""
    rows = []
    for item in sets:
        half = ~item.calibration
        scored = metrics.Scored(
            probabilities=apply(calibration, item)[half],
            gold=item.gold[half],
            verified=np.zeros(int(half.sum()), dtype=bool),
            refuted=np.zeros(int(half.sum()), dtype=bool),
        )
        verified = (scored.probabilities[:, 0] >= thresholds.tau_entail) & item.agrees[half]
        entailed = scored.gold == 0
        plain = metrics.Scored(item.raw[half], item.gold[half], scored.verified, scored.refuted)
        rows.append(
            SetFigures(
                name=item.name,
                n=int(half.sum()),
                accuracy=round(metrics.accuracy(scored), 4),
                macro_f1=round(metrics.macro_f1(scored), 4),
                ece=round(_ece(scored), 4),
                ece_raw=round(_ece(plain), 4),
                verified_precision=round(float((verified & entailed).sum() / verified.sum()), 4)
                if verified.any()
                else None,
                verified_recall=round(float((verified & entailed).sum() / entailed.sum()), 4)
                if entailed.any()
                else None,
            )
        )
    return rows


class OperatingPoint(Record):
    """What a threshold on entailment gives on all report halves together, guard agreeing."""

    tau: float
    precision: float
    recall: float
    """Share of the entailed pairs that get Verified."""


def operating_points(
    sets: Sequence[DevSet], calibration: Calibration, tau_entail: float, *, wide: float = 0.6
) -> tuple[OperatingPoint | None, OperatingPoint | None]:
    """The shipped threshold, and the highest one that still verifies ``wide`` of the entailed pairs.

    ``None`` where no pair is verified, or so many cannot be (the guard blocks more).
    """
    scores, gold, agrees = pooled(sets, calibration)
    taus = sorted({0.0, *np.round(scores[agrees, 0], 4)}, reverse=True)
    reached = (_point(scores, gold, agrees, float(t)) for t in taus)
    second = next((p for p in reached if p is not None and p.recall >= wide), None)
    return _point(scores, gold, agrees, tau_entail), second


def _point(
    scores: NDArray[np.float64], gold: NDArray[np.int64], agrees: NDArray[np.bool_], tau: float
) -> OperatingPoint | None:
    shown = agrees & (scores[:, 0] >= tau)
    if not shown.any():
        return None
    right = int((shown & (gold == 0)).sum())
    return OperatingPoint(
        tau=round(tau, 4),
        precision=round(right / int(shown.sum()), 4),
        recall=round(right / int((gold == 0).sum()), 4),
    )


def pooled(
    sets: Sequence[DevSet], calibration: Calibration
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Calibrated probabilities, gold labels and guard agreement of all public report halves together."""
    public = [s for s in sets if s.name not in OWN]
    return (
        np.concatenate([apply(calibration, s)[~s.calibration] for s in public]),
        np.concatenate([s.gold[~s.calibration] for s in public]),
        np.concatenate([s.agrees[~s.calibration] for s in public]),
    )


def _ece(scored: metrics.Scored) -> float:
    guess = metrics.predictions(scored)
    return metrics.ece(scored.probabilities[np.arange(len(guess)), guess], guess == scored.gold)
