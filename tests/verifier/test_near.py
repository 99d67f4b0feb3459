"""A sentence that speaks of something else certifies and refutes nothing, however sure the model is."""

from __future__ import annotations

import pytest

from verifier import pair_decision
from verifier.guard import check
from verifier.pair_decision import LEAST_NEAR, LEAST_STATED, LEAST_TOLD
from verifier.types import Assessment, Counterfactual, GuardFinding, GuardReport, NLIScores, Thresholds

SURE = NLIScores(entailment=0.99, neutral=0.01, contradiction=0.0)
AGAINST = NLIScores(entailment=0.0, neutral=0.01, contradiction=0.99)
DENIAL = GuardFinding(slot="negation", kind="conflict", claim_value="not", message="denied")
"""The claim denies what the sentence asserts."""
DENIED = DENIAL.model_copy(update={"claim_value": "", "evidence_value": "no"})
"""The sentence denies what the claim asserts."""
AMOUNT = GuardFinding(slot="number", kind="conflict", claim_value="3", evidence_value="4", message="4")
NAME = GuardFinding(slot="entity", kind="missing", claim_value="Orrin", message="another name")
TAUS = Thresholds()


def entailing(guard: GuardReport) -> Assessment:
    return Assessment(raw=SURE, calibrated=SURE, guard=guard)


def opposing(guard: GuardReport) -> Assessment:
    mended = Counterfactual(claim="mended", entailment=0.99, refutation=0.99)
    return Assessment(raw=AGAINST, calibrated=AGAINST, guard=guard, counterfactual=mended)


@pytest.mark.parametrize(
    ("told", "matched", "named", "supports"),
    [
        (LEAST_NEAR, 0, 0, True),
        (LEAST_NEAR - 0.01, 0, LEAST_STATED, False),
        (LEAST_NEAR - 0.01, 1, 0, False),
        (0.0, 1, LEAST_STATED - 1, True),
        (0.0, LEAST_STATED, 0, True),
    ],
)
def test_support_needs_the_claims_own_words(told: float, matched: int, named: int, supports: bool) -> None:
    guard = GuardReport(premise_overlap=told, matched=matched, named=named)
    assert pair_decision.supports(entailing(guard), TAUS) == supports


@pytest.mark.parametrize(
    ("finding", "told", "refutes"),
    [
        (NAME, LEAST_TOLD, True),
        (NAME, LEAST_TOLD - 0.01, False),
        (AMOUNT, 0.0, True),
        (AMOUNT.model_copy(update={"kind": "missing"}), LEAST_TOLD - 0.01, False),
        (DENIED, LEAST_TOLD, True),
        (DENIED, LEAST_TOLD - 0.01, False),
        (DENIAL, LEAST_NEAR, True),
        (DENIAL, LEAST_NEAR - 0.01, False),
        (DENIAL.model_copy(update={"kind": "missing"}), LEAST_NEAR - 0.01, False),
    ],
)
def test_a_refutation_needs_them_too_and_that_of_a_denial_as_many_as_support(
    finding: GuardFinding, told: float, refutes: bool
) -> None:
    found = opposing(GuardReport(findings=(finding,), premise_overlap=told))
    assert pair_decision.refutes(found, TAUS) == refutes
    assert pair_decision.opposes(found, TAUS), "it stands against the claim all the same"


MOULT = "Moulting triggers the loss of gut bacteria in Daphnia arctica."
SORTING = "Sorting of marrow samples reaches a purity of 40%."


@pytest.mark.parametrize(
    ("claim", "premise", "supports"),
    [
        (SORTING, "About 40% of the labelled grafts had divided by day six.", False),
        (
            "In 2024 Ostrel took in 212 million euros.",
            "Revenue at Ostrel was 212 million euros in 2024.",
            True,
        ),
        ("In 2024 Ostrel took in 212 million euros.", "Revenue at Ostrel fell in the third quarter.", False),
        (SORTING, "The purity of the sorted marrow samples reached 40%.", True),
        (MOULT, "We describe three parasites of Daphnia arctica.", False),
        (MOULT, "In Daphnia arctica, moulting triggers the loss of gut bacteria.", True),
    ],
)
def test_a_shared_name_or_number_is_no_shared_statement(claim: str, premise: str, supports: bool) -> None:
    assert pair_decision.supports(entailing(check(claim, premise)), TAUS) == supports


@pytest.mark.parametrize(
    ("premise", "refutes"),
    [
        ("We describe three parasites of Daphnia arctica.", False),
        ("Antibiotics lead to the loss of parasites in Daphnia arctica.", False),
        ("In Daphnia arctica, moulting triggers a loss of gut bacteria.", True),
    ],
)
def test_a_denial_is_refuted_by_its_own_matter_alone(premise: str, refutes: bool) -> None:
    claim = "Moulting triggers no loss of gut bacteria in Daphnia arctica."
    assert pair_decision.refutes(opposing(check(claim, premise)), TAUS) == refutes


@pytest.mark.parametrize(
    ("claim", "premise", "matched"),
    [
        ("Sorting slows type 2 fever.", "The clinic treats type 2 fever.", 0),
        ("Tram line 4 is closed.", "Line 4 has new cars.", 0),
        ("Sorting takes 2 hours in type 2 fever.", "For type 2 fever the sorting took 2 hours.", 1),
    ],
)
def test_a_number_in_a_name_is_no_amount_that_is_stated(claim: str, premise: str, matched: int) -> None:
    assert check(claim, premise).matched == matched


def test_a_denial_that_lacks_a_rare_word_of_the_claim_refutes_nothing() -> None:
    guard = GuardReport(findings=(DENIAL,), premise_overlap=1.0)
    assert pair_decision.refutes(opposing(guard), TAUS)
    assert not pair_decision.refutes(opposing(guard.model_copy(update={"uncovered": ("urease",)})), TAUS)
