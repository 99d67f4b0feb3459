"""The re-run compares the probability of a refutation as it compares every other score."""

from __future__ import annotations

import pytest

from report.verification.findings import Findings
from verifier.types import Assessment, Counterfactual, GuardReport, NLIScores


def made(refutation: float | None) -> Assessment:
    scores = NLIScores(entailment=0.02, neutral=0.08, contradiction=0.9)
    mended = Counterfactual(claim="mended", entailment=0.95, refutation=refutation)
    return Assessment(raw=scores, calibrated=scores, guard=GuardReport(), counterfactual=mended)


@pytest.mark.parametrize(
    ("recorded", "fresh", "holds"),
    [
        (0.97, 0.97, True),
        (0.9705, 0.97, True),
        (0.97, 0.6, False),
        (None, 0.97, False),
        (0.97, None, False),
        (None, None, True),
    ],
)
def test_an_altered_refutation_is_a_problem(recorded: float | None, fresh: float | None, holds: bool) -> None:
    found = Findings()
    found.same("span", made(recorded), made(fresh))
    assert (not found.problems) == holds
