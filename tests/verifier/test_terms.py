"""Rare words of a claim must stand in its evidence; common words may be paraphrased."""

from __future__ import annotations

import pytest

from language.names import common_words, stem
from verifier.guard import check
from verifier.guard.rare_terms import common_stems
from verifier.types import Assessment, GuardReport, NLIScores, Thresholds

UREASE = "Active urease has a polymeric structure."
OTHER = "We determined the crystal structure of a kinase in complex with its activator."


def test_a_rare_word_that_the_evidence_lacks_is_named() -> None:
    assert check(UREASE, OTHER).uncovered == ("urease", "polymeric")
    assert check(UREASE, "The structure of ureases is polymeric, they found.").uncovered == ()


def test_the_context_may_have_it() -> None:
    assert check(UREASE, OTHER, context="Structure of a polymeric urease").uncovered == ()


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The refurbishment of the library cost a lot.", "Doing up the building was dear."),
        ("The phone costs 799 euros.", "It is sold at €799."),
    ],
)
def test_common_words_and_amounts_may_be_said_otherwise(claim: str, evidence: str) -> None:
    assert check(claim, evidence).uncovered == ()


@pytest.mark.parametrize(
    ("report", "holds"),
    [
        (GuardReport(overlap=0.5), True),
        (GuardReport(overlap=0.5, uncovered=("urease",)), False),
        (GuardReport(overlap=0.1), False),
    ],
)
def test_nothing_is_supported_by_a_text_on_another_matter(report: GuardReport, holds: bool) -> None:
    sure = NLIScores(entailment=0.99, neutral=0.01, contradiction=0.0)
    assert Assessment(raw=sure, calibrated=sure, guard=report).supports(Thresholds()) == holds


def test_the_stems_are_those_of_the_common_words() -> None:
    assert common_stems() == {stem(word) for word in common_words()}
