"""Elimination: which pair of a round is kept must depend on the pairs alone."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.elimination import WEIGHTS, eliminate, merits
from agent.types import Answer, AtomicClaim, QAPair, Question

TEXT = "The refurbishment of the Tollgate Library cost 6.2 million pounds in 2025."
CLAIM = AtomicClaim(claim_id="c1", text=TEXT, start=0, end=len(TEXT), source=TEXT)
ANSWERS = (
    "",
    "It was a fine day.",
    "The Tollgate Library cost 6.2 million pounds.",
    "Judith Marrow said on 17 March 2025 that the Tollgate Library cost 6.2 million pounds.",
    "Harrowmere paid 4.1 million pounds and the Vale Heritage Fund 2.1 million.",
)


def pair(text: str, label: str = "not_enough_info", score: float = 0.0, number: int = 0) -> QAPair:
    question = Question(
        question_id=f"c1.q1.{number + 1}",
        claim_id="c1",
        text=f"Question {number}?",
        route="text",
        depth=0,
        branch=number,
    )
    return QAPair(question=question, answer=Answer(text=text, found=bool(text)), label=label, score=score, trust=0.5)  # type: ignore[arg-type]


PAIRS = st.builds(
    pair,
    st.sampled_from(ANSWERS),
    st.sampled_from(["entailed", "contradicted", "not_enough_info"]),
    st.floats(0, 1),
    st.integers(0, 5),
)


@given(st.lists(PAIRS, min_size=1, max_size=4), st.lists(PAIRS, max_size=2), st.randoms())
def test_the_order_of_the_pairs_plays_no_part(round_: list[QAPair], kept: list[QAPair], random: object) -> None:
    first = eliminate(CLAIM, kept, round_)
    assert eliminate(CLAIM, kept, round_) == first
    shuffled = list(round_)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = eliminate(CLAIM, kept, shuffled)
    assert (first.kept is None) == (again.kept is None)
    if first.kept is not None and again.kept is not None:
        one, other = round_[first.kept], shuffled[again.kept]
        assert (one.question.text, one.answer) == (other.question.text, other.answer)
        assert merits(CLAIM, kept, one).total == merits(CLAIM, kept, other).total


@given(st.lists(PAIRS, min_size=1, max_size=4), st.lists(PAIRS, max_size=2))
def test_the_best_is_kept_and_each_other_has_a_reason(round_: list[QAPair], kept: list[QAPair]) -> None:
    found = eliminate(CLAIM, kept, round_)
    assert len(found.reasons) == len(round_)
    answered = [n for n, p in enumerate(round_) if p.answer.found]
    if not answered:
        assert found.kept is None
        return
    assert found.kept in answered
    totals = [merits(CLAIM, kept, p).total for p in round_]
    assert totals[found.kept] == max(totals[n] for n in answered)
    for number, reason in enumerate(found.reasons):
        assert reason.startswith("kept") == (number == found.kept)
        assert reason


@given(PAIRS, st.lists(PAIRS, max_size=2))
def test_figures_are_shares(one: QAPair, kept: list[QAPair]) -> None:
    figures = merits(CLAIM, kept, one)
    for name in WEIGHTS:
        assert 0.0 <= getattr(figures, name) <= 1.0
    assert 0.0 <= figures.total <= 1.0


def kept_text(*round_: QAPair, kept: tuple[QAPair, ...] = ()) -> str:
    for order in permutations(round_):
        found = eliminate(CLAIM, kept, order)
        assert found.kept is not None
        text = order[found.kept].answer.text
    return text


def test_each_figure_can_decide() -> None:
    sure = pair(ANSWERS[2], "entailed", 0.95, 0)
    unsure = pair(ANSWERS[2] + " ", "entailed", 0.55, 1)
    assert kept_text(sure, unsure) == sure.answer.text
    assert kept_text(pair(ANSWERS[1], number=0), pair(ANSWERS[2], number=1)) == ANSWERS[2]
    assert kept_text(pair(ANSWERS[2], number=0), pair(ANSWERS[3], number=1)) == ANSWERS[3]


def test_what_an_earlier_answer_said_is_no_news() -> None:
    new = merits(CLAIM, (), pair(ANSWERS[4]))
    old = merits(CLAIM, (pair(ANSWERS[4], number=3),), pair(ANSWERS[4]))
    assert new.news > old.news == 0.0


def test_a_discarded_pair_says_by_what_it_fell_behind() -> None:
    found = eliminate(CLAIM, (), [pair(ANSWERS[2], "entailed", 0.95), pair(ANSWERS[2], number=1)])
    assert found.kept == 0
    assert found.reasons[1].startswith("discarded: less sure of its answer (0.00 against 0.71)")
