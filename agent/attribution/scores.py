"""ClaimVer's scores (Dammu et al., arXiv 2403.09724).

``TMS = a SS + b EPR``; a claim gives ``gamma_i cs_i TMS_i``; ``KAS`` is the sigmoid of their mean (Table
2) or sum (Eq. 5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from agent.attribution.types import AttributionLabel

A = B = 0.5
GAMMA = 3.0
"""Weight of a contradiction."""


def tms(ss: float, epr: float, a: float = A, b: float = B) -> float:
    """Triplets match score of similarity and entity presence, each 0 to 1."""
    return a * ss + b * epr


def claim_score(label: AttributionLabel, has_triplets: bool) -> int:
    """``cs``: 2 attributable, -1 contradictory, extrapolatory 1 with triplets and 0 without."""
    if label == "attributable":
        return 2
    if label == "contradictory":
        return -1
    return 1 if has_triplets else 0


def _terms(claims: Sequence[tuple[int, float]], gamma: float) -> list[float]:
    return [(gamma if cs < 0 else 1.0) * cs * score for cs, score in claims]


def kas_mean(claims: Sequence[tuple[int, float]], gamma: float = GAMMA) -> float:
    """``KAS`` of (cs, TMS) pairs by their mean, 0 to 1; 0.5 for a text without claims."""
    terms = _terms(claims, gamma)
    return _sigmoid(sum(terms) / len(terms)) if terms else 0.5


def kas_sum(claims: Sequence[tuple[int, float]], gamma: float = GAMMA) -> float:
    """``KAS`` by the sum, as Eq. 5 is printed."""
    return _sigmoid(sum(_terms(claims, gamma)))


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
