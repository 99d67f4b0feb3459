"""Refutations: one probability from the contradiction of the claim and the entailment of the mended claim."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from pydantic import ValidationError

from verifier import pair_decision
from verifier.calibration.probabilities import Calibration
from verifier.calibration.regressions import REFUTING, Refutation, refuting
from verifier.guard import check
from verifier.guard.value_repair import has_literally
from verifier.scoring import assess
from verifier.types import (
    Assessment,
    Counterfactual,
    GuardFinding,
    GuardReport,
    NLIScores,
    PairText,
    Thresholds,
)

TAUS = Thresholds(tau_entail=0.9, tau_contradict=0.7, tau_refute=0.9)
WEIGHTS = Refutation(weights=(-1.0, 0.6, 0.8, 1.0, 1.0, 0.3, -0.5, 0.5))
CLAIM = "The bridge cost 9.3 million euros."
EVIDENCE = "The bridge cost 3.9 million euros."


def found(
    refutation: float | None, mended: float = 0.95, contradiction: float = 0.95, subject: bool = True
) -> Assessment:
    scores = NLIScores(entailment=0.0, neutral=1 - contradiction, contradiction=contradiction)
    return Assessment(
        raw=scores,
        calibrated=scores,
        guard=GuardReport(same_subject=subject),
        counterfactual=Counterfactual(claim="mended", entailment=mended, refutation=refutation),
    )


def test_a_calibrated_refutation_decides_by_its_own_probability() -> None:
    assert pair_decision.refutes(found(0.92, contradiction=0.4, mended=0.91), TAUS)
    assert not pair_decision.refutes(found(0.99, contradiction=0.99, mended=0.89), TAUS), (
        "what it says instead is not sure"
    )
    assert not pair_decision.refutes(found(0.88, contradiction=0.99), TAUS)
    assert not pair_decision.refutes(found(0.99, mended=0.49), TAUS)
    assert not pair_decision.refutes(found(0.99, subject=False), TAUS)


def test_in_the_claims_own_words_what_it_says_instead_may_be_less_sure() -> None:
    lower = TAUS.model_copy(update={"tau_mended": 0.7})
    unsure = found(0.92, mended=0.75)
    assert not pair_decision.refutes(unsure, TAUS)
    for told, refutes in ((0.3, True), (0.29, False)):
        guard = GuardReport(same_subject=True, premise_overlap=told)
        assert pair_decision.refutes(unsure.model_copy(update={"guard": guard}), lower) == refutes
        assert not pair_decision.refutes(found(0.92, mended=0.69).model_copy(update={"guard": guard}), lower)


def test_where_the_refutation_is_all_but_certain_likelier_than_not_is_enough() -> None:
    """ "Is buying it for 310 million" refutes "bought it for 600 million"."""
    lower = TAUS.model_copy(update={"tau_mended": 0.7})
    for told, refutation, mended, refutes in (
        (0.3, 0.95, 0.5, True),
        (0.3, 0.95, 0.49, False),
        (0.3, 0.94, 0.5, False),
        (0.29, 0.95, 0.5, False),
    ):
        guard = GuardReport(same_subject=True, premise_overlap=told)
        against = found(refutation, mended=mended).model_copy(update={"guard": guard})
        assert pair_decision.refutes(against, lower) == refutes, (told, refutation, mended)
        assert not pair_decision.refutes(against, TAUS), "without tau_mended it must be entailed"
    stricter = lower.model_copy(update={"tau_refute": 0.97})
    guard = GuardReport(same_subject=True, premise_overlap=0.5)
    assert not pair_decision.refutes(found(0.96, mended=0.6).model_copy(update={"guard": guard}), stricter)
    denial = GuardFinding(slot="negation", kind="conflict", claim_value="nobody", message="denied")
    denied = GuardReport(same_subject=True, premise_overlap=0.5, findings=(denial,))
    assert not pair_decision.refutes(found(0.99, mended=0.6).model_copy(update={"guard": denied}), lower)


def test_an_opposite_word_alone_needs_no_sure_contradiction() -> None:
    """ "People are allowed to swim again" refutes "swimming was still forbidden"."""
    opposite = GuardFinding(slot="direction", kind="conflict", claim_value="forbidden", message="opposite")
    number = GuardFinding(slot="number", kind="missing", claim_value="12", message="not stated")
    for findings, contradiction, mended, ahead, refutes in (
        ((opposite,), 0.5, 0.9, False, True),
        ((opposite,), 0.49, 0.9, False, False),
        ((opposite,), 0.5, 0.89, False, False),
        ((opposite,), 0.5, 0.9, True, False),
        ((opposite, number), 0.5, 0.9, False, False),
        ((number,), 0.5, 0.9, False, False),
    ):
        guard = GuardReport(same_subject=True, findings=findings, premise_future=ahead)
        against = found(0.6, mended=mended, contradiction=contradiction).model_copy(update={"guard": guard})
        assert pair_decision.refutes(against, TAUS) == refutes, (findings, contradiction, mended, ahead)
    guard = GuardReport(same_subject=True, findings=(opposite,))
    against = found(0.6, mended=0.95, contradiction=0.55).model_copy(update={"guard": guard})
    assert pair_decision.against(against) == 0.95, "what is told is how surely it says the opposite"
    elsewhere = guard.model_copy(update={"same_subject": False})
    assert not pair_decision.refutes(against.model_copy(update={"guard": elsewhere}), TAUS)
    plain = found(None, mended=0.95, contradiction=0.55).model_copy(update={"guard": guard})
    assert not pair_decision.refutes(plain, TAUS), "nothing is calibrated for it"


def test_a_negation_alone_must_be_as_sure_as_support() -> None:
    """ "The households would have to move" denies no "nobody has to move any longer"."""
    lower = TAUS.model_copy(update={"tau_refute": 0.7, "tau_mended": 0.7})
    denial = GuardFinding(slot="negation", kind="conflict", claim_value="nobody", message="denied")
    number = GuardFinding(slot="number", kind="conflict", claim_value="340", message="another")
    for findings, refutation, mended, refutes in (
        ((denial,), 0.89, 0.95, False),
        ((denial,), 0.95, 0.89, False),
        ((denial,), 0.9, 0.9, True),
        ((number,), 0.7, 0.7, True),
        ((denial, number), 0.7, 0.7, True),
    ):
        guard = GuardReport(same_subject=True, findings=findings)
        against = found(refutation, mended=mended).model_copy(update={"guard": guard})
        assert pair_decision.refutes(against, lower) == refutes, (findings, refutation, mended)


def test_what_is_planned_denies_nothing() -> None:
    """However sure: a later report may well say that nobody has to move any longer."""
    claim = "Nobody in Lower Fenby is being made to move any longer."
    plan = check(claim, "The twelve households of Lower Fenby would have to move.")
    fact = check(claim, "The twelve households of Lower Fenby are being made to move.")
    assert (plan.denied, plan.premise_future) == (True, True)
    assert (fact.denied, fact.premise_future) == (True, False)
    for guard, refutes in ((plan, False), (fact, True)):
        assert pair_decision.refutes(found(0.99, mended=0.99).model_copy(update={"guard": guard}), TAUS) == refutes


REJECTED = "The closure will cost 312 jobs, not 340."


def test_a_value_that_is_named_only_to_be_rejected_needs_no_limit() -> None:
    rejecting = GuardReport(same_subject=True, value_rejected=True)
    weak = found(0.3, contradiction=0.2)
    assert not pair_decision.refutes(weak, TAUS)
    assert pair_decision.refutes(weak.model_copy(update={"guard": rejecting}), TAUS)
    unsure = found(0.3, mended=0.89).model_copy(update={"guard": rejecting})
    assert not pair_decision.refutes(unsure, TAUS), "what it says instead is not sure"
    elsewhere = weak.model_copy(update={"guard": GuardReport(same_subject=False, value_rejected=True)})
    assert not pair_decision.refutes(elsewhere, TAUS)


def test_the_claim_word_for_word_but_for_one_detail_needs_no_limit() -> None:
    weak = found(0.3, contradiction=0.5)
    assert weak.counterfactual is not None
    literal = weak.model_copy(update={"counterfactual": weak.counterfactual.model_copy(update={"literal": True})})
    assert not pair_decision.refutes(weak, TAUS)
    assert pair_decision.refutes(literal, TAUS)
    assert pair_decision.against(literal) == pytest.approx(0.95), "as surely as it says what it says instead"
    leaning = NLIScores(entailment=0.5, neutral=0.0, contradiction=0.5)
    assert not pair_decision.refutes(literal.model_copy(update={"calibrated": leaning}), TAUS)


@pytest.mark.parametrize(
    ("premise", "literal"),
    [
        ("The bridge cost 3.9 million euros.", True),
        ("The bridge cost 3.9 million euros, the council said.", True),
        ("The bridge cost 3.9 million euros, not 9.3 million.", True),
        ("In the end 3.9 million euros was what the bridge cost.", False),
        ("The bridge cost more than 3.9 million euros.", False),
    ],
)
def test_word_for_word_leaves_rejected_values_aside(premise: str, literal: bool) -> None:
    assert has_literally(premise, "The bridge cost 3.9 million euros.") is literal


def test_with_the_limit_reached_what_it_says_instead_may_have_a_limit_of_its_own() -> None:
    lower = TAUS.model_copy(update={"tau_mended": 0.7})
    assert not pair_decision.refutes(found(0.95, mended=0.75), TAUS)
    assert pair_decision.refutes(found(0.95, mended=0.75), lower)
    assert not pair_decision.refutes(found(0.94, mended=0.69), lower)
    assert not pair_decision.refutes(found(0.85, mended=0.75), lower)
    for told, refutes in ((0.3, True), (0.29, False)):
        guard = GuardReport(same_subject=True, value_rejected=True, premise_overlap=told)
        rejecting = found(0.3, mended=0.75).model_copy(update={"guard": guard})
        assert pair_decision.refutes(rejecting, lower) is refutes, "a rejected value needs the claim's own words too"
        assert not pair_decision.refutes(rejecting, TAUS)


def test_a_rejected_value_is_mended_though_the_model_sees_no_contradiction() -> None:
    read: list[str] = []

    def torn(pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        read.extend(claim for _, claim in pairs)
        return [NLIScores(entailment=0.9, neutral=0.1, contradiction=0.0) for _ in pairs]

    claim = "The closure will cost 340 jobs."
    pairs = [PairText(claim=claim, premise=text) for text in (REJECTED, "The closure will cost 312 jobs.")]
    rejected, stated = assess(pairs, torn, Calibration(refutation=WEIGHTS), mend_from=0.7)
    assert rejected.counterfactual is not None
    assert rejected.counterfactual.claim == "The closure will cost 312 jobs."
    assert stated.counterfactual is None
    assert read.count("The closure will cost 312 jobs.") == 1


def test_without_a_calibrated_one_contradiction_and_mended_claim_must_both_be_sure() -> None:
    assert pair_decision.refutes(found(None), TAUS)
    assert not pair_decision.refutes(found(None, contradiction=0.89), TAUS)
    assert not pair_decision.refutes(found(None, mended=0.89), TAUS)


def test_without_a_mended_claim_nothing_refutes() -> None:
    assert not pair_decision.refutes(found(0.99).model_copy(update={"counterfactual": None}), TAUS)


def test_more_contradiction_or_a_surer_mended_claim_never_lowers_it() -> None:
    guard = check(CLAIM, EVIDENCE)
    grid = np.linspace(0.01, 0.99, 12)
    table = np.array([[WEIGHTS.apply(float(c), float(m), guard) for m in grid] for c in grid])
    assert (np.diff(table, axis=0) >= 0).all()
    assert (np.diff(table, axis=1) >= 0).all()
    assert ((table > 0) & (table < 1)).all()


def test_the_slot_that_conflicts_is_a_feature() -> None:
    number = dict(zip(REFUTING, refuting(0.5, 0.5, check(CLAIM, EVIDENCE)), strict=True))
    negated = dict(
        zip(REFUTING, refuting(0.5, 0.5, check("The bridge is not open.", "The bridge is open.")), strict=True)
    )
    assert (number["quantity"], number["negation"]) == (1.0, 0.0)
    assert (negated["quantity"], negated["negation"]) == (0.0, 1.0)


def test_a_wrong_number_of_weights_is_refused() -> None:
    with pytest.raises(ValidationError, match="weights"):
        Refutation(weights=(1.0, 2.0))


def test_scoring_gives_the_mended_claim_its_probability_from_raw_scores() -> None:
    def score(texts: object) -> list[NLIScores]:
        wrong = NLIScores(entailment=0.1, neutral=0.3, contradiction=0.6)
        right = NLIScores(entailment=0.8, neutral=0.1, contradiction=0.1)
        return [wrong if "9.3" in claim else right for _, claim in texts]  # type: ignore[attr-defined]

    pair = PairText(claim=CLAIM, premise=EVIDENCE)
    plain = assess([pair], score, Calibration(), mend_from=0.7)[0]
    assert plain.counterfactual is None  # contradiction is below the limit, refutations are not calibrated
    one = assess([pair], score, Calibration(refutation=WEIGHTS), mend_from=0.7)[0]
    assert one.counterfactual is not None
    assert one.counterfactual.claim == "The bridge cost 3.9 million euros."
    assert one.counterfactual.refutation == WEIGHTS.apply(0.6, 0.8, one.guard)
    assert one.passes == 2
