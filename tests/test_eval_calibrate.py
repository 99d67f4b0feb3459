"""A calibration from labelled claims: limits hold for claims they were not fitted on, or there are none."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.runs.calibrate import NEVER, ClaimScore, fit_claims
from factdesk.kernel import InputError


def scored(n: int, *, skill: float, seed: int = 3) -> list[ClaimScore]:
    """``n`` claims, a third of each label; ``skill`` in 0 to 1 tells how far the scores know the label."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        label = ("supported", "refuted", "not_enough_evidence")[i % 3]
        noise = rng.random(2)
        means = (label == "supported", label == "refuted")
        support, against = (
            float(np.clip(skill * mean + (1 - skill) * x, 0, 1)) for mean, x in zip(means, noise, strict=True)
        )
        rows.append(ClaimScore(id=str(i), label=label, support=support, against=against))
    return rows


def test_a_verifier_that_knows_is_given_limits_that_hold_on_other_claims() -> None:
    report = fit_claims(scored(300, skill=0.7), "mine", 0.05)
    limits = report.calibration.thresholds
    assert report.met == ("supported", "refuted")
    for claim in scored(300, skill=0.7, seed=9):
        if report.calibration.entailment.at(claim.support) >= limits.tau_entail:
            assert claim.label == "supported"


def test_a_verifier_that_guesses_certifies_nothing() -> None:
    report = fit_claims(scored(300, skill=0.0), "mine", 0.05)
    assert report.met == ()
    assert report.calibration.thresholds.tau_entail == report.calibration.thresholds.tau_refute == NEVER
    assert not [c for c in scored(300, skill=0.0) if report.calibration.entailment.at(c.support) >= NEVER]


def test_a_smaller_risk_certifies_no_more() -> None:
    claims = scored(600, skill=0.45)
    taus = [fit_claims(claims, "mine", risk).calibration.thresholds.tau_entail for risk in (0.3, 0.1, 0.03)]
    assert taus == sorted(taus)
    assert taus[0] < taus[-1]


def test_nothing_is_certified_that_is_not_likelier_than_not() -> None:
    limits = fit_claims(scored(300, skill=0.7), "mine", 0.5).calibration.thresholds
    assert limits.tau_entail >= 0.5
    assert limits.tau_refute >= 0.5


@pytest.mark.parametrize("labels", ["supported", "refuted"])
def test_claims_of_one_side_alone_are_refused(labels: str) -> None:
    with pytest.raises(InputError, match="none is"):
        fit_claims([s for s in scored(300, skill=0.7) if s.label == labels], "mine", 0.05)


def test_few_claims_are_refused() -> None:
    with pytest.raises(InputError, match="40 labelled claims"):
        fit_claims(scored(30, skill=0.7), "mine", 0.05)
