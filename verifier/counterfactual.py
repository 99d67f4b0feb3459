"""How surely a sentence refutes a claim, from what the model says of the claim and of the mended claim.

A small model calls much a contradiction that is only another fact. What tells the two apart is the
counterfactual: where the claim, mended in its conflicting slot, is entailed, the sentence states the
same fact otherwise. How much that is worth depends on the slot: another number is a surer sign than
another name. A logistic regression over these values, fitted on the calibration halves of the
development sets, gives one probability; ``tau_refute`` is derived on it.
"""

from __future__ import annotations

import math

from pydantic import model_validator

from factdesk.kernel import Record
from verifier.types import QUANTITIES, GuardReport

FEATURES = ("bias", "contradiction", "mended", "quantity", "direction", "negation", "name", "overlap")
"""Names of the features, in the order of the weights; probabilities enter as log-odds."""


def features(contradiction: float, mended: float, guard: GuardReport) -> tuple[float, ...]:
    """The values of ``FEATURES``. *Shape:* ``(8,)``.

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
        if len(self.weights) != len(FEATURES):
            raise ValueError(f"the weights must be {len(FEATURES)} numbers")
        return self

    def apply(self, contradiction: float, mended: float, guard: GuardReport) -> float:
        """Probability in 0 to 1 that the sentence refutes the claim."""
        values = features(contradiction, mended, guard)
        total = sum(w * v for w, v in zip(self.weights, values, strict=True))
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 6)
