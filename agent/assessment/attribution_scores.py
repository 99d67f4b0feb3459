"""ClaimVer's scores (Dammu et al., arXiv 2403.09724, equations 2 to 5).

``TMS = alpha SS + beta EPR``; a claim gives ``cs_i TMS_i``; ``KAS`` is the sigmoid of their sum (Eq. 5) or
of their mean (which Table 2 has), where a negative value counts ``gamma`` times (Eq. 4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from factdesk.kernel import Record

AttributionLabel = Literal["attributable", "extrapolatory", "contradictory"]


class Weights(Record):
    """``alpha`` and ``beta`` of the triplets match score, ``gamma`` of the attribution score."""

    alpha: float = 0.5
    beta: float = 0.5
    gamma: float = 3.0


GAMMA = Weights().gamma


def word_for_word(claim: str, sentence: str) -> bool:
    """Whether a claim is a sentence of the source, but for case, spaces and marks at the edges."""
    first, second = (" ".join(text.casefold().split()).strip(' .!"“”') for text in (claim, sentence))
    return first == second


def tms(ss: float, epr: float, weights: Weights) -> float:
    """Triplets match score of similarity and entity presence, each 0 to 1."""
    return weights.alpha * ss + weights.beta * epr


def claim_score(label: AttributionLabel, has_triplets: bool) -> int:
    """``cs``: 2 attributable, -1 contradictory, extrapolatory 1 with triplets and 0 without."""
    if label == "attributable":
        return 2
    if label == "contradictory":
        return -1
    return 1 if has_triplets else 0


def kas_mean(claims: Sequence[tuple[int, float]], gamma: float = GAMMA) -> float:
    """``KAS`` of (cs, TMS) pairs by their mean, 0 to 1; 0.5 for a text without claims."""
    return modified_sigmoid(sum(cs * score for cs, score in claims) / len(claims), gamma) if claims else 0.5


def kas_sum(claims: Sequence[tuple[int, float]], gamma: float = GAMMA) -> float:
    """``KAS`` by the sum, as Eq. 5 is printed."""
    return modified_sigmoid(sum(cs * score for cs, score in claims), gamma)


def modified_sigmoid(x: float, gamma: float = GAMMA) -> float:
    """Eq. 4: a negative ``x`` counts ``gamma`` times."""
    y = gamma * x if x < 0 else x
    return 1 / (1 + math.exp(-y)) if y >= 0 else math.exp(y) / (1 + math.exp(y))
