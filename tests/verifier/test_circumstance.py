"""The circumstance of a claim must be borne out too: found, asked for, and able to lower, never to raise."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier import pair_decision
from verifier.calibration.probabilities import Calibration
from verifier.guard.value_repair import MAX_REPAIRS
from verifier.premise.builder import MAX_CIRCUMSTANCES, circumstances, stated
from verifier.scoring import MOST_PASSES, RawScorer, assess
from verifier.types import NLIScores, PairText, Thresholds

BURNT = "Two crew members suffered burns when the Sula broke down."
FIRE = "The batteries caught fire in July and two sailors were burned."


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        (BURNT, ("The Sula broke down.",)),
        (
            "Seven families left Quarry Lane because of the sinking ground.",
            ("There was the sinking ground.",),
        ),
        ("Because it ran aground, the Otter lost its licence.", ("It ran aground.",)),
        ("The price fell after the verdict.", ("The verdict.", "There was the verdict.")),
        ("While the choir sang, a window broke.", ("The choir sang.",)),
        ("The grant runs until the end of 2030.", ()),
        ("The chapel has had visitors since May 2021.", ()),
        ("The ferry that ran there before was sold.", ()),
        ("A nurse looks after the twelve children.", ()),
        ("Rents were higher than before the reform.", ()),
        ("The bridge cost 4 million.", ()),
    ],
)
def test_finds_what_a_claim_says_of_when_and_why(claim: str, sentences: tuple[str, ...]) -> None:
    assert tuple(s for c in circumstances(claim) for s in c.sentences) == sentences


def test_no_more_are_asked_for_than_the_budget_of_passes_allows() -> None:
    claim = "It sank when the tide fell because of a leak after the pumps failed, while the crew slept."
    asked = [sentence for one in circumstances(claim) for sentence in one.sentences]
    assert len(circumstances(claim)) == MAX_CIRCUMSTANCES
    assert 3 + 2 * len(asked) + MAX_REPAIRS <= MOST_PASSES


def test_what_the_premise_has_word_for_word_is_not_asked_for_again() -> None:
    (found,) = circumstances(BURNT)
    assert stated(found, "The Sula had broken down; when it broke down nobody was near.")
    assert not stated(found, FIRE)


def scorer(whole: float, part: float, read: list[str]) -> RawScorer:
    """Gives the claim as a whole ``whole`` entailment, and any circumstance ``part``."""

    def score(pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        read.extend(claim for _, claim in pairs)
        likely = [whole if claim == BURNT else part for _, claim in pairs]
        return [NLIScores(entailment=p, neutral=round(1 - p, 6), contradiction=0.0) for p in likely]

    return score


def entailment(whole: float, part: float, premise: str = FIRE) -> tuple[float, list[str], int]:
    read: list[str] = []
    (found,) = assess([PairText(claim=BURNT, premise=premise)], scorer(whole, part, read), Calibration(), mend_from=1.0)
    assert sum((found.calibrated.entailment, found.calibrated.neutral, found.calibrated.contradiction)) == (
        pytest.approx(1)
    )
    return found.calibrated.entailment, read, found.passes


def test_an_open_circumstance_leaves_the_claim_open() -> None:
    likely, read, passes = entailment(0.94, 0.3)
    assert likely == pytest.approx(0.3)
    assert read == [BURNT, "The Sula broke down."]
    assert passes == 2


def test_a_circumstance_that_is_borne_out_changes_nothing() -> None:
    assert entailment(0.94, 0.6)[0] == pytest.approx(0.94)


def test_it_is_asked_for_only_where_the_claim_is_likely_and_the_words_are_lacking() -> None:
    assert entailment(0.4, 0.0)[1] == [BURNT]
    assert entailment(0.94, 0.0, "Two were burned when the Sula broke down.")[1] == [BURNT]


def test_what_a_sentence_says_of_another_event_refutes_nothing() -> None:
    claim, mended = (f"{many} crew members were burned when the Sula broke down." for many in ("Five", "Two"))

    def instead(part: float) -> float:
        likely = {claim: (0.0, 0.95), mended: (0.95, 0.0)}

        def score(pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
            found = [likely.get(text, (part, 0.0)) for _, text in pairs]
            return [NLIScores(entailment=e, neutral=round(1 - e - c, 6), contradiction=c) for e, c in found]

        pair = PairText(claim=claim, premise="Two crew members of the Sula were burned.")
        (assessed,) = assess([pair], score, Calibration(), mend_from=0.7)
        assert assessed.counterfactual is not None
        assert assessed.counterfactual.claim == mended
        assert pair_decision.refutes(assessed, Thresholds()) is (assessed.counterfactual.entailment >= 0.9)
        return assessed.counterfactual.entailment

    assert instead(0.8) == pytest.approx(0.95)
    assert instead(0.2) == pytest.approx(0.2)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_circumstance_never_raises_an_entailment(whole: float, part: float) -> None:
    whole, part = round(whole, 6), round(part, 6)
    assert entailment(whole, part)[0] <= whole + 1e-9
