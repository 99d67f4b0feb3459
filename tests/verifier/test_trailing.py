"""Evidence with a clause more or with who said so (``verifier.training.suffix_augment``)."""

import random

from hypothesis import given
from hypothesis import strategies as st

from language.names import content_stems
from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.suffix_augment import TRAILING, trailing_pairs

NO_TRAM = Pair(
    "No tram derailed on the ring line in June 2024.",
    "The ring line's trams jumped the rails twice in June 2024.",
    one_hot("contradiction"),
    "handwritten",
)


def _made(pair: Pair, seed: int) -> list[Pair]:
    return trailing_pairs([pair], 1, random.Random(seed))


@given(st.integers(0, 10_000))
def test_claim_and_label_stay_and_the_evidence_grows(seed: int) -> None:
    for made in _made(NO_TRAM, seed):
        assert (made.hypothesis, made.target) == (NO_TRAM.hypothesis, NO_TRAM.target)
        assert made.source == TRAILING
        assert "o tram derailed on the ring line in June 2024" in made.premise
        assert len(made.premise) > len(NO_TRAM.premise)
        assert made.premise.endswith(".")


def test_all_ways_occur() -> None:
    made = {p.premise for seed in range(200) for p in _made(NO_TRAM, seed)}
    assert any(text.startswith(("According to", "As the", "In a statement", "As a")) for text in made)
    assert any(text.startswith("No tram") and " said" in text for text in made)
    assert any(", and " in text or ", while " in text for text in made)


def test_nothing_is_added_that_the_claim_speaks_of() -> None:
    pair = Pair("The lift stood still all day long.", "Nobody was hurt at the office.", one_hot("neutral"), "x")
    for seed in range(300):
        for made in _made(pair, seed):
            more = made.premise.replace("The lift stood still all day long", "")
            assert not content_stems(more) & {"hurt", "offic"}


def test_what_somebody_is_said_to_have_said_is_left_as_it_is() -> None:
    for premise in (
        "The mayor said the bridge would open in May.",
        "According to the plan the bridge opens in May.",
        "The bridge opened. It was a sunny day in May.",
        '"The bridge opens in May," he thought aloud.',
    ):
        pair = Pair(premise, "The bridge opens in May.", one_hot("entailment"), "x")
        assert trailing_pairs([pair], 1, random.Random(1)) == []


def test_no_more_than_asked_for() -> None:
    assert len(trailing_pairs([NO_TRAM] * 50, 7, random.Random(3))) == 7
