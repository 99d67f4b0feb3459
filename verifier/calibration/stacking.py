"""The guard's findings in the calibrated probabilities.

A small model is unsure about digits: it gives a sentence with the same numbers as the claim much
the same scores as one with others. The guard knows which of the two it is. A multinomial logistic
regression over the model's log-probabilities and the guard's findings puts both together; it is
fitted on the calibration halves of the development sets like the rest of the calibration.
"""

from __future__ import annotations

import math

from pydantic import model_validator

from factdesk.kernel import Record
from verifier.types import QUANTITIES, GuardReport, NLIScores

POLARITY = frozenset({"negation", "direction"})
FEATURES = (
    "bias",
    "log_entailment",
    "log_neutral",
    "log_contradiction",
    "quantity_conflict",
    "quantity_missing",
    "quantity_matched",
    "name_conflict",
    "name_missing",
    "polarity",
    "quantifier",
    "hedge",
    "subject",
    "overlap",
    "matched_and_unsure",
    "conflict_and_unsure",
)
"""Names of the features, in the order of the weights."""


def features(raw: NLIScores, guard: GuardReport) -> tuple[float, ...]:
    """The values of ``FEATURES`` for one pair. *Shape:* ``(16,)``."""
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
        if len(self.weights) != 3 or any(len(row) != len(FEATURES) for row in self.weights):
            raise ValueError(f"the weights must be 3 rows of {len(FEATURES)} numbers")
        return self

    def apply(self, raw: NLIScores, guard: GuardReport) -> tuple[float, float, float]:
        """Probabilities of entailment, neutral and contradiction; they sum to 1."""
        values = features(raw, guard)
        logits = [sum(w * v for w, v in zip(row, values, strict=True)) for row in self.weights]
        top = max(logits)
        powers = [math.exp(x - top) for x in logits]
        total = sum(powers)
        return powers[0] / total, powers[1] / total, powers[2] / total
