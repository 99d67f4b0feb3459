"""Whether a sentence speaks of the claim's own matter: on examples, and on the stories kept from training."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.names import common_words, stem
from verifier import pair_decision
from verifier.guard import check
from verifier.guard.check import common_stems, speaks_ahead, told
from verifier.training.stories import DEV, all_pairs, read_stories
from verifier.types import Assessment, GuardReport, NLIScores, Thresholds

CLAIM = "Building tram line 4 in Selwick cost 418 million euros."
MATTERS = [
    ("the same words", CLAIM, CLAIM, 1.0),
    ("names and amounts do not count", "Line 4 of Selwick cost 418 million.", "Selwick has 418 million.", 0.0),
    ("no words of its own", "Ada Ross, 1994.", "The bus takes 50.", 1.0),
    (
        "another one of the kind",
        "Line 4 was on time in 94 percent of trips.",
        "The older tram lines were on time in 88 percent of trips.",
        0.0,
    ),
]


@pytest.mark.parametrize(("why", "claim", "premise", "share"), MATTERS)
def test_what_is_shared_besides_names_and_amounts(why: str, claim: str, premise: str, share: float) -> None:
    assert told(claim, premise) == share, why


def elsewhere(claim: str, premise: str, context: str = "") -> bool:
    """As if the model saw a clear contradiction."""
    scores = NLIScores(entailment=0.0, neutral=0.0, contradiction=1.0)
    return pair_decision.elsewhere(
        Assessment(raw=scores, calibrated=scores, guard=check(claim, premise, context)), Thresholds()
    )


OTHER = [
    ("The tram costs 2.40 euros.", "The bus takes 50."),
    (
        "The outage of Payvane lasted 7 hours, from the morning until the afternoon.",
        "Payvane was fined 1.8 million euros for the outage in May.",
    ),
    ("The Salt Harvest was stolen in 1994.", "The catalogue says that The Salt Harvest was painted in 1887."),
]
SAME = [
    ("The outage of Payvane lasted 7 hours.", "The outage lasted three days."),
    ("Nine people died in the fire.", "Nobody died in the fire."),
    ("The fire killed nine people.", "No one was hurt in the fire."),
    ("The plant will cost 340 jobs.", "The plant will cost 312 jobs, not 340."),
    ("The mayor resigned.", "The bus takes 50."),
]


@pytest.mark.parametrize(("claim", "premise"), OTHER)
def test_another_matter(claim: str, premise: str) -> None:
    assert elsewhere(claim, premise)


@pytest.mark.parametrize(("claim", "premise"), SAME)
def test_the_same_matter_or_none_to_tell_apart(claim: str, premise: str) -> None:
    assert not elsewhere(claim, premise)


COUNTS = [
    (
        "37 pairs of cranes bred in the marsh in 2025.",
        "The survey found 31 breeding pairs of cranes in 2025.",
        True,
    ),
    (
        "37 pairs of cranes bred in the marsh in 2025.",
        "In 2021 four pairs of cranes bred in the marsh.",
        False,
    ),
    ("37 pairs of cranes bred in the marsh.", "Next year 45 pairs of cranes will breed in the marsh.", False),
    ("37 pairs of cranes bred in the marsh.", "The drone found 212 nests in the marsh.", False),
    ("37 pairs of cranes bred in the marsh.", "37 pairs of cranes bred in the marsh.", False),
]


@pytest.mark.parametrize(("claim", "premise", "otherwise"), COUNTS)
def test_another_number_of_the_same_thing(claim: str, premise: str, otherwise: bool) -> None:
    assert check(claim, premise).count_differs is otherwise


def test_a_plan_speaks_ahead_of_what_is() -> None:
    assert speaks_ahead("The line cost 418 million.", "The line will cost 350 million.")
    assert speaks_ahead("The line cost 418 million.", "According to the draft, a line for 350 million is wanted.")
    assert speaks_ahead("The line cost 418 million.", "She presented the plan: a line for 350 million.")
    assert speaks_ahead("The line cost 418 million.", "It would cost 350 million, she said.")
    assert not speaks_ahead("The line cost 418 million.", "It would have cost 350 million.")
    assert not speaks_ahead("The line will cost 418 million.", "The line will cost 350 million.")
    assert not speaks_ahead("The line cost 418 million.", "The line cost more than planned.")


def test_a_weekday_agrees_with_its_day() -> None:
    claim, premise = "Abrook won the race on 18 May 2025.", "Abrook won the race on Sunday."
    assert check(claim, premise, published="2025-05-18").agrees
    assert check(claim, premise, published="2025-05-10").findings
    assert check(claim, "Abrook won the race on Monday.", published="2025-05-19").conflicts


words = st.lists(st.sampled_from("tram bus cost ride city new driver stop wind 4 1994 Selwick".split()), max_size=8)


@given(words, words, words)
def test_more_words_never_tell_less(claim: list[str], premise: list[str], more: list[str]) -> None:
    """Names aside, which are taken out of the claim's words on either side."""
    plain = [w for w in more if w.islower()]
    less = told(" ".join(claim), " ".join(premise))
    assert 0.0 <= less <= told(" ".join(claim), " ".join([*premise, *plain])) <= 1.0


def test_on_stories_hardly_a_true_contradiction_is_taken_for_another_matter() -> None:
    """Contradictions of the development stories, as if no mended claim spoke for them: the worst case."""
    stories = read_stories(DEV)[::2]
    pairs = [
        (claim.claim, story.sentences[n], story.headline, label)
        for story in stories
        for claim, n, label in all_pairs(story)
        if label != "neutral"
    ]
    against = [p for p in pairs if p[3] == "contradiction"]
    lost = [p for p in against if elsewhere(p[0], p[1], p[2])]
    assert len(against) > 300
    assert len(lost) / len(against) < 0.03
    borne_out = [p for p in pairs if p[3] == "entailment"]
    assert sum(check(*p[:3]).count_differs for p in borne_out) / len(borne_out) < 0.01


UREASE = "Active urease has a polymeric structure."
KINASE = "We determined the crystal structure of a kinase in complex with its activator."


def test_a_rare_word_that_the_evidence_lacks_is_named() -> None:
    assert check(UREASE, KINASE).uncovered == ("urease", "polymeric")
    assert check(UREASE, "The structure of ureases is polymeric, they found.").uncovered == ()


def test_the_context_may_have_it() -> None:
    assert check(UREASE, KINASE, context="Structure of a polymeric urease").uncovered == ()


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
    assert pair_decision.supports(Assessment(raw=sure, calibrated=sure, guard=report), Thresholds()) == holds


def test_the_stems_are_those_of_the_common_words() -> None:
    assert common_stems() == {stem(word) for word in common_words()}


@pytest.mark.parametrize(
    ("claim", "published", "early"),
    [
        ("The ban was lifted on 10 May 2025.", "2025-05-09", True),
        ("The ban was lifted on 10 May 2025.", "2025-05-10", False),
        ("The ban was lifted in 2025.", "2024-12-31", True),
        ("There were 9 cases between April and June 2025.", "2025-03-31", True),
        ("There were 9 cases between April and June 2025.", "2025-04-01", False),
        ("Since 2018 it fell until May 2025.", "2019-01-01", False),
        ("The ban was lifted on 10 May.", "2019-01-01", False),
        ("The ban was lifted.", "2019-01-01", False),
        ("The ban was lifted in 2025.", "", False),
    ],
)
def test_a_page_from_before_the_time_of_the_claim_is_early(claim: str, published: str, early: bool) -> None:
    assert check(claim, "The ban remains.", "", published).predates_claim is early
