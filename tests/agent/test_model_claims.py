"""A language model's cut of a text: taken over only where every word stays and none is added or moved."""

from __future__ import annotations

import pytest

from agent.intake.model_claims import claims_of_model

TEXT = "Corrie Bridge was opened in 1932 by Ada Quill and has six arches."
WHOLE = ("Corrie Bridge was opened in 1932 by Ada Quill", "Corrie Bridge has six arches.")


def cut(text: str, *statements: str, most: int = 12) -> list[tuple[str, str]] | None:
    found = claims_of_model(text, statements, max_claims=most, has_image=False)
    return None if found is None else [(c.text, c.source) for c in found.claims]


def test_words_of_the_text_with_their_subject_put_in_front_are_taken_over() -> None:
    assert cut(TEXT, *WHOLE) == [(WHOLE[0], WHOLE[0]), (WHOLE[1], "has six arches")]


@pytest.mark.parametrize(
    "statements",
    [
        (WHOLE[0],),
        (WHOLE[0], "Corrie Bridge has sixteen arches."),
        ("Ada Quill opened Corrie Bridge in 1932", WHOLE[1]),
        ("Corrie Bridge was opened in 1932", WHOLE[1]),
        (*WHOLE, "Corrie Bridge is the longest."),
        (),
    ],
    ids=["a part is missing", "another number", "turned round", "a word is lost", "added", "none"],
)
def test_anything_else_leaves_the_cut_to_the_rules(statements: tuple[str, ...]) -> None:
    assert cut(TEXT, *statements) is None


def test_a_negation_stays_with_its_own_claim() -> None:
    text = "Ada Quill did not sell the mill and Ben Roe bought the yard."
    assert cut(text, "Ada Quill did sell the mill", "Ben Roe bought the yard.") is None
    assert cut(text, "Ada Quill did not sell the mill", "Ben Roe bought the yard.") is not None


def test_more_claims_than_the_cap_are_not_taken_over() -> None:
    assert cut(TEXT, *WHOLE, most=1) is None
