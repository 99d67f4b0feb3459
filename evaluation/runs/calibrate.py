"""A calibration for any verifier, from claims of which a desk knows the truth.

Each claim is held against what a search finds for it, as a check does. What is calibrated is the strongest
sentence of each claim, since it decides: how often a claim is so whose strongest sentence scores this much.
Half of the claims judge what the other half fitted, both ways, so that no claim is judged by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from agent.assessment.nli_pairs import pair_of
from agent.types import AtomicClaim
from evaluation.data.claims import ClaimRow
from evidence.types import Span
from factdesk.kernel import InputError, Record
from verifier import pair_decision
from verifier.backends.calibrated import Reader
from verifier.calibration.metrics import isotonic_curve, lower_bound, smallest_threshold
from verifier.calibration.probabilities import Calibration, Curve
from verifier.pair_decision import LEANS
from verifier.scoring import MEND_FROM, assess
from verifier.types import Assessment, Thresholds

LEAST_CLAIMS = 40
"""Fewer claims cannot show a share of 90 % or more."""
Z = 1.2816
"""Normal quantile of the one-sided 90 % bound."""
LEAST_STEP = 8
"""Claims that a step of a curve rests on, at least."""
MOST_BLOCKED = 0.05
"""Share of the supported claims that ``tau_contradict`` may keep from being certified."""
NEVER = 0.99
"""A threshold where no lower one is shown to hold."""


class ClaimScore(Record):
    """A claim with the score of its strongest sentence for it, and against it; 0 where none counts."""

    id: str
    label: str
    support: float
    against: float


class OperatingPoint(Record):
    """What a threshold would certify."""

    side: str
    """``supported`` or ``refuted``."""
    threshold: float
    certified: int
    wrong: int
    coverage: float
    """Share of the claims with this label that are certified rightly."""
    risk_bound: float
    """One-sided 90 % upper bound of the share of wrong ones."""


class CalibrationReport(Record):
    """A fitted calibration and what is to be expected of it."""

    verifier: str
    n: int
    risk: float
    """Most that may be wrong among the certified, by the bound."""
    calibration: Calibration
    points: tuple[OperatingPoint, ...]
    met: tuple[str, ...]
    """Sides for which a threshold holds the risk; the others certify next to nothing."""


def score_claims(
    rows: Sequence[ClaimRow],
    reader: Reader,
    search: Callable[[str], Sequence[Span]],
    done: Callable[[int, int], None],
) -> list[ClaimScore]:
    """The strongest sentences of all claims by raw scores; ``search`` gives the sentences to look at."""
    found = []
    for n, row in enumerate(rows):
        claim = AtomicClaim(claim_id="c1", text=row.claim, start=0, end=len(row.claim), source=row.claim)
        pairs = [pair_of(claim, span) for span in search(row.claim)]
        seen = assess(pairs, reader.raw, Calibration(), mend_from=MEND_FROM)
        found.append(
            ClaimScore(
                id=row.id,
                label=row.label,
                support=max((a.raw.entailment for a in seen if a.guard.agrees and pair_decision.near(a)), default=0.0),
                against=max((a.raw.contradiction for a in seen if _stands_against(a)), default=0.0),
            )
        )
        done(n + 1, len(rows))
    return found


def refuse_few(rows: Sequence[ClaimRow | ClaimScore]) -> None:
    """Raise ``InputError`` where the claims are too few, or none of them is supported or refuted."""
    labels = [row.label for row in rows]
    lacking = [side for side in ("supported", "refuted") if side not in labels]
    if len(rows) < LEAST_CLAIMS or lacking:
        what = f"none is {lacking[0]}" if lacking else f"{len(rows)} are given"
        raise InputError(f"a calibration needs at least {LEAST_CLAIMS} labelled claims, some of every label; {what}")


def _stands_against(found: Assessment) -> bool:
    mended = found.counterfactual
    return mended is not None and mended.entailment >= LEANS and found.guard.same_subject and not found.guard.apart


def fit_claims(scores: Sequence[ClaimScore], verifier: str, risk: float) -> CalibrationReport:
    """Curves over all claims, thresholds by those that each half shows for the other.

    ``risk``: most that may be wrong among the certified, in 0 to 0.5. Raises ``InputError`` where the claims
    are too few.
    """
    labels = np.array([s.label for s in scores])
    refuse_few(scores)
    support, against = (np.array([getattr(s, name) for s in scores]) for name in ("support", "against"))
    half = np.array([crc32(s.id.encode()) % 2 == 0 for s in scores])
    curves, taus, points = [], [], []
    for side, raw in (("supported", support), ("refuted", against)):
        right = labels == side
        curves.append(isotonic_curve(raw, right, LEAST_STEP))
        judged = _crossed(raw, right, half)
        shown = smallest_threshold(judged, right, 1 - risk, Z, LEAST_STEP)
        taus.append(None if shown is None else max(shown, LEANS))
        points += [_point(side, float(tau), judged, right) for tau in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)]
    blocked = _crossed(against, labels == "refuted", half)[labels == "supported"]
    thresholds = Thresholds(
        tau_entail=taus[0] or NEVER, tau_refute=taus[1] or NEVER, tau_contradict=_contradict(blocked)
    )
    return CalibrationReport(
        verifier=verifier,
        n=len(scores),
        risk=risk,
        calibration=Calibration(entailment=curves[0], contradiction=curves[1], thresholds=thresholds),
        points=tuple(points),
        met=tuple(side for side, tau in zip(("supported", "refuted"), taus, strict=True) if tau is not None),
    )


def _crossed(raw: NDArray[np.float64], right: NDArray[np.bool_], half: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Each score by the curve that the other half fitted."""
    made = np.zeros(len(raw))
    for mine in (half, ~half):
        curve: Curve = isotonic_curve(raw[~mine], right[~mine], max(2, LEAST_STEP // 2))
        made[mine] = [curve.at(float(value)) for value in raw[mine]]
    return made


def _point(side: str, tau: float, scores: NDArray[np.float64], right: NDArray[np.bool_]) -> OperatingPoint:
    certified = scores >= tau
    hits, total = int(right[certified].sum()), int(certified.sum())
    return OperatingPoint(
        side=side,
        threshold=tau,
        certified=total,
        wrong=total - hits,
        coverage=round(hits / int(right.sum()), 4),
        risk_bound=round(1 - lower_bound(hits, total, Z), 4),
    )


def _contradict(blocked: NDArray[np.float64]) -> float:
    """Lowest threshold that few supported claims reach."""
    for tau in np.arange(0.3, 0.91, 0.05):
        if float((blocked >= tau).mean()) <= MOST_BLOCKED:
            return round(float(tau), 4)
    return 0.9
