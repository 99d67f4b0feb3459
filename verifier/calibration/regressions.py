"""Logistic regressions over what the model says and what the guard finds, fitted on the calibration halves of the sets.

A small model is unsure about digits, and the guard knows which of two sentences has the claim's: ``Stack`` puts both
together. A small model also calls much a contradiction that is only another fact; what tells the two apart is the
counterfactual, the claim mended in its conflicting slot: where that is entailed, the sentence states the same fact
otherwise. ``Refutation`` puts claim and mended claim together; ``tau_refute`` is derived on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import model_validator

from factdesk.kernel import Record
from verifier.types import QUANTITIES, GuardReport, NLIScores

POLARITY = frozenset({"negation", "direction"})
STACKED = (
    "bias log_entailment log_neutral log_contradiction quantity_conflict quantity_missing quantity_matched "
    "name_conflict name_missing polarity quantifier hedge subject overlap matched_and_unsure conflict_and_unsure"
).split()
"""Names of the features of a pair, in the order of the weights."""
REFUTING = "bias contradiction mended quantity direction negation name overlap".split()
"""The same of a refutation; probabilities enter as log-odds."""


def softmax(logits: Sequence[float]) -> tuple[float, float, float]:
    """Three shares that sum to 1."""
    top = max(logits)
    first, second, third = (math.exp(x - top) for x in logits)
    total = first + second + third
    return first / total, second / total, third / total


def stacked(raw: NLIScores, guard: GuardReport) -> tuple[float, ...]:
    """The values of ``STACKED`` for one pair. *Shape:* ``(16,)``."""
    e, n, c = (math.log(max(p, 1e-6)) for p in (raw.entailment, raw.neutral, raw.contradiction))
    found = {(f.slot, f.kind) for f in guard.findings}
    slots = {slot for slot, _ in found}
    conflict = float(any(slot in QUANTITIES and kind == "conflict" for slot, kind in found))
    missing = float(any(slot in QUANTITIES and kind == "missing" for slot, kind in found))
    matched = float(guard.matched > 0 and not conflict and not missing)
    related = 1 - raw.neutral
    return (
        1.0,
        e,
        n,
        c,
        conflict,
        missing,
        matched,
        float(("entity", "conflict") in found),
        float(("entity", "missing") in found),
        float(bool(slots & POLARITY)),
        float("quantifier" in slots),
        float("modality" in slots),
        float(guard.same_subject),
        guard.overlap,
        matched * related,
        conflict * related,
    )


class Stack(Record):
    """Weights of the regression, one row a class. *Shape:* ``(3, 16)``."""

    weights: tuple[tuple[float, ...], ...]

    @model_validator(mode="after")
    def _has_its_shape(self) -> Stack:
        if len(self.weights) != 3 or any(len(row) != len(STACKED) for row in self.weights):
            raise ValueError(f"the weights must be 3 rows of {len(STACKED)} numbers")
        return self

    def apply(self, raw: NLIScores, guard: GuardReport) -> tuple[float, float, float]:
        """Probabilities of entailment, neutral and contradiction; they sum to 1."""
        values = stacked(raw, guard)
        logits = [sum(w * v for w, v in zip(row, values, strict=True)) for row in self.weights]
        return softmax(logits)


def refuting(contradiction: float, mended: float, guard: GuardReport) -> tuple[float, ...]:
    """The values of ``REFUTING``. *Shape:* ``(8,)``.

    ``contradiction`` and ``mended`` are raw probabilities: of contradiction by the claim, and of
    entailment of the mended claim.
    """
    slots = {f.slot for f in guard.findings}
    quantity, direction, negation = bool(slots & QUANTITIES), "direction" in slots, "negation" in slots
    return (
        1.0,
        _log_odds(contradiction),
        _log_odds(mended),
        float(quantity),
        float(direction),
        float(negation),
        float(not (quantity or direction or negation)),
        guard.overlap,
    )


def _log_odds(p: float) -> float:
    p = min(max(p, 1e-4), 1 - 1e-4)
    return math.log(p / (1 - p))


class Refutation(Record):
    """Weights of the regression. *Shape:* ``(8,)``."""

    weights: tuple[float, ...]

    @model_validator(mode="after")
    def _has_its_shape(self) -> Refutation:
        if len(self.weights) != len(REFUTING):
            raise ValueError(f"the weights must be {len(REFUTING)} numbers")
        return self

    def apply(self, contradiction: float, mended: float, guard: GuardReport) -> float:
        """Probability in 0 to 1 that the sentence refutes the claim."""
        values = refuting(contradiction, mended, guard)
        total = sum(w * v for w, v in zip(self.weights, values, strict=True))
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 6)
