"""Passages as evidence: the sentences that decide, one more and one less, and what either half of a pair tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from factdesk.kernel import InputError
from tests.verifier.training_rows import write_rows
from verifier.training.passages import (
    BESIDE,
    FOLDER,
    PART,
    SOURCE,
    Passage,
    derived_pairs,
    held_out,
    held_out_pairs,
    lead,
    passage_pairs,
    premise,
    read_passages,
    sentence_numbers,
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
        {"label": "entailment", "kind": "name", "claim": "The Signe takes over the crossing.", "evidence": [6]},
        {
            "label": "contradiction",
            "kind": "number",
            "claim": "The Selma ran aground with 48 people on board.",
            "evidence": ["day", 1, 2],
        },
        {"label": "neutral", "kind": "cause", "claim": "Drink was to blame.", "evidence": [1]},
    ],
}
TITLE, DAY = "Ferry freed from sandbank. ", "14 March 2024. "


def test_a_claim_stands_beside_the_sentences_that_decide_it(tmp_path: Path) -> None:
    first, second, third = passage_pairs(read_passages(write_rows(tmp_path / "a.jsonl", ROW)))
    assert first.premise == f"{DAY}The Signe takes over the crossing from Saturday."
    aground = "The ferry Selma ran aground off Hule Point on Monday."
    assert second.premise == f"{DAY}{aground} She carried 84 people."
    assert third.premise == DAY + aground
    assert [p.label for p in (first, second, third)] == ["entailment", "contradiction", "neutral"]
    assert {p.source for p in (first, second, third)} == {SOURCE}


def test_one_sentence_less_leaves_a_claim_open_and_one_more_changes_no_label() -> None:
    """A claim that one sentence decides, or that is open, has no lesser part."""
    several = 0
    for passage in read_passages(FOLDER / "news.jsonl"):
        told = {c.claim: (c.label, sentence_numbers(c.evidence)) for c in passage.claims}
        several += sum(label != "neutral" and len(marked) > 1 for label, marked in told.values())
        for pair in derived_pairs([passage]):
            label, marked = told[pair.hypothesis]
            less = [[n for n in marked if n != left_out] for left_out in marked]
            more = [sorted({*marked, n}) for n in range(1, len(passage.sentences) + 1) if n not in marked]
            if pair.source == PART:
                several -= 1
                assert pair.label == "neutral" != label
                assert any(pair.premise.endswith(_text(passage, numbers)) for numbers in less)
            else:
                assert (pair.source, pair.label) == (BESIDE, label)
                assert any(pair.premise.endswith(_text(passage, numbers)) for numbers in more)
    assert several == 0


def _text(passage: Passage, numbers: Sequence[int]) -> str:
    return " ".join(passage.sentences[n - 1] for n in numbers)


def test_a_sentence_that_is_not_there_is_no_evidence() -> None:
    claim = {**ROW["claims"][0], "evidence": [7]}
    with pytest.raises(ValueError, match="names sentence 7 of 6"):
        Passage.model_validate({**ROW, "claims": [claim]})


def test_a_quotation_ends_a_sentence_and_a_passage_without_a_day_has_none() -> None:
    passage = Passage.model_validate({**ROW, "date": None})
    assert passage.sentences[2] == '"We felt a jolt," said a passenger.'
    assert " ".join(passage.sentences) == passage.text
    assert lead(passage, "The ferry was freed.", passage.text) == TITLE


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
    passage = Passage.model_validate(ROW)
    assert lead(passage, claim, "Selma ran aground.") == told


def test_a_title_is_told_before_a_pronoun_and_a_day_beside_a_relative_one() -> None:
    passage = Passage.model_validate(ROW)
    assert lead(passage, "Nothing of it.", "It lay there yesterday.") == TITLE + DAY


def test_what_is_marked_is_told_though_the_claim_shares_no_word() -> None:
    passage = Passage.model_validate(ROW)
    assert premise(passage, "Nothing of it.", ["title", "publisher", 3]) == (
        f'{TITLE}Tarnby Courier. "We felt a jolt," said a passenger.'
    )
    assert premise(passage, "Nothing of it.", ["title"]) == TITLE.strip()


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
        {"label": label, "kind": "k", "claim": text, "evidence": [1]}
        for label, word in clue.items()
        for text in (f"It {word} rained on {n}.", f"It rained on {n}.", f"It rained {n} times.")
    ]
    return Passage.model_validate({**ROW, "id": str(n), "claims": claims})


@pytest.fixture(scope="module")
def passages() -> list[Passage]:
    """All passages of the repository, read once."""
    return read_passages()


def test_one_passage_in_twenty_is_for_measuring_only(passages: list[Passage]) -> None:
    share = sum(held_out(p) for p in passages) / len(passages)
    assert 0.03 < share < 0.07


def test_the_passages_of_the_repository_are_whole(passages: list[Passage]) -> None:
    assert len({p.id for p in passages}) == len(passages) > 2_000
    for passage in passages:
        assert " ".join(passage.sentences).split() == passage.text.split()
    labels = Counter(c.label for p in passages for c in p.claims)
    assert min(labels.values()) > 0.3 * labels.total()
    deciding = Counter(len(sentence_numbers(c.evidence)) for p in passages for c in p.claims)
    assert deciding[1] > deciding[2] > deciding[3] > 0


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
                    {"label": label, "kind": "x", "claim": f"It is {word} w{n}.", "evidence": [1]}
                    for label, word in clue.items()
                ],
            }
        )
        for n in range(20)
    ]
    found = halves_alone(passages)
    assert found["claim only"] == 1
    assert found["evidence only"] == pytest.approx(1 / 3, abs=0.01)
    assert found["majority"] == pytest.approx(1 / 3, abs=0.01)


def test_held_out_pairs_are_of_held_out_passages_alone(passages: list[Passage]) -> None:
    keyed = held_out_pairs()
    assert {key for _, key in keyed} == {p.id for p in passages if held_out(p)}
    assert all(pair.source == "passage" for pair, _ in keyed)
