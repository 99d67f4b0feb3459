"""Passages as evidence: whole, or in a window, and what either half of their pairs tells of the labels."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from factdesk.kernel import InputError
from tests.verifier.training_rows import write_rows
from verifier.training.passages import (
    SOURCE,
    WINDOW,
    Passage,
    held_out,
    held_out_pairs,
    lead,
    passage_pairs,
    read_passages,
    window,
)

ROW = {
    "id": "t-1",
    "genre": "news report",
    "publisher": "Tarnby Courier",
    "date": "2024-03-14",
    "title": "Ferry freed from sandbank",
    "text": (
        "The ferry Selma ran aground off Hule Point on Monday. She carried 84 people. "
        '"We felt a jolt," said a passenger. Tugs pulled her clear on Tuesday. The yard found a bent rudder. '
        "The Signe takes over the crossing from Saturday."
    ),
    "claims": [
        {"label": "entailment", "kind": "name", "claim": "The Signe takes over the crossing."},
        {
            "label": "contradiction",
            "kind": "number",
            "claim": "The Selma ran aground with 48 people and a rudder.",
        },
        {"label": "neutral", "kind": "cause", "claim": "Drink was to blame."},
    ],
}
TITLE, DAY = "Ferry freed from sandbank. ", "14 March 2024. "


def test_a_claim_stands_beside_its_window_or_the_whole_passage(tmp_path: Path) -> None:
    first, second, third = passage_pairs(read_passages(write_rows(tmp_path / "a.jsonl", ROW)))
    assert first.premise == f"{DAY}The Signe takes over the crossing from Saturday."
    assert second.premise == third.premise == DAY + str(ROW["text"])
    assert [p.label for p in (first, second, third)] == ["entailment", "contradiction", "neutral"]
    assert {p.source for p in (first, second, third)} == {SOURCE}


def test_a_quotation_ends_a_sentence_and_a_passage_without_a_day_has_none() -> None:
    passage = Passage.model_validate({**ROW, "date": None})
    assert passage.sentences[2] == '"We felt a jolt," said a passenger.'
    assert " ".join(passage.sentences) == passage.text
    assert lead(passage, "The ferry was freed.") == TITLE


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Nothing of it.", ""),
        ("A ferry was freed.", TITLE),
        ("The Courier saw it.", "Tarnby Courier. "),
        ("It happened in 2024.", DAY),
    ],
)
def test_title_publisher_and_day_are_told_where_the_claim_may_need_them(claim: str, told: str) -> None:
    passage = Passage.model_validate({**ROW, "text": "Selma ran aground."})
    assert lead(passage, claim) == told


def test_a_title_is_told_before_a_pronoun_and_a_day_beside_a_relative_one() -> None:
    passage = Passage.model_validate({**ROW, "text": "It lay there yesterday."})
    assert lead(passage, "Nothing of it.") == TITLE + DAY


def test_what_claims_alone_give_away_goes_alike_from_every_label() -> None:
    """A third of the claims carry a word that tells their label; the others say the same of all labels."""
    pytest.importorskip("sklearn")
    from verifier.training.baseline import halves_alone
    from verifier.training.cue_filter import without_cues

    clue = {"entailment": "surely", "contradiction": "never", "neutral": "perhaps"}
    passages = [_with_clues(n, clue) for n in range(60)]
    kept = without_cues(passages)
    labels = Counter(c.label for p in kept for c in p.claims)
    assert len(set(labels.values())) == 1
    assert halves_alone(passages)["claim only"] > 0.5
    assert halves_alone(kept)["claim only"] < 0.4
    assert sum(labels.values()) >= 300, "most claims without a clue stay"


def _with_clues(n: int, clue: dict[str, str]) -> Passage:
    claims = [
        {"label": label, "kind": "k", "claim": text}
        for label, word in clue.items()
        for text in (f"It {word} rained on {n}.", f"It rained on {n}.", f"It rained {n} times.")
    ]
    return Passage.model_validate({**ROW, "id": str(n), "claims": claims})


def test_one_passage_in_twenty_is_for_measuring_only() -> None:
    passages = read_passages()
    share = sum(held_out(p) for p in passages) / len(passages)
    assert 0.03 < share < 0.07


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        ("Tugs pulled the ferry Selma clear.", (0, 1, 2, 3)),
        ("The ferry Selma had a bent rudder.", None),
        ("Tugs pulled the vessel off the sandbank with great effort.", None),
        ("Nothing of it.", None),
    ],
)
def test_a_window_holds_all_that_speaks_of_the_claim(claim: str, sentences: tuple[int, ...] | None) -> None:
    """Four sentences at most, most words of the claim; else the whole text."""
    passage = Passage.model_validate(ROW)
    expected = [passage.sentences[n] for n in sentences] if sentences else passage.sentences
    assert window(passage, claim) == " ".join(expected)


def test_the_passages_of_the_repository_are_whole() -> None:
    passages = read_passages()
    assert len({p.id for p in passages}) == len(passages) > 2_000
    for passage in passages:
        assert " ".join(passage.sentences).split() == passage.text.split()
    pairs = passage_pairs(passages)
    assert len(pairs) == sum(len(p.claims) for p in passages)
    labels = Counter(p.label for p in pairs)
    assert min(labels.values()) > 0.3 * len(pairs)
    short = [p for passage in passages for p in passage.claims if window(passage, p.claim) != passage.text]
    assert len(short) > 1_000
    assert WINDOW == 4


def test_a_broken_passage_is_refused_with_its_line(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "b.jsonl", ROW, {**ROW, "date": "in March"})
    with pytest.raises(InputError, match=r"b\.jsonl line 2: no passage \(date"):
        read_passages(path)


def test_the_baseline_finds_what_a_claim_gives_away_and_no_more() -> None:
    """Each passage is judged by a model that saw others alone."""
    pytest.importorskip("sklearn")
    from verifier.training.baseline import halves_alone

    clue = {"entailment": "surely", "contradiction": "never", "neutral": "perhaps"}
    passages = [
        Passage.model_validate(
            {
                **ROW,
                "id": str(n),
                "text": f"Text w{n}.",
                "claims": [
                    {"label": label, "kind": "x", "claim": f"It is {word} w{n}."} for label, word in clue.items()
                ],
            }
        )
        for n in range(20)
    ]
    found = halves_alone(passages)
    assert found["claim only"] == 1
    assert found["evidence only"] == pytest.approx(1 / 3, abs=0.01)
    assert found["majority"] == pytest.approx(1 / 3, abs=0.01)


def test_held_out_pairs_are_of_held_out_passages_alone() -> None:
    keyed = held_out_pairs()
    assert {key for _, key in keyed} == {p.id for p in read_passages() if held_out(p)}
    assert all(pair.source == "passage" for pair, _ in keyed)
