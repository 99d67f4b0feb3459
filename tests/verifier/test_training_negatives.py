"""Pairs made for training and for ``desk``: retrieved, of the same story, furniture, rows of charts."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verifier.training_rows import write_rows
from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.guard import check
from verifier.training.checklike_devset import desk_pairs
from verifier.training.context_augment import dated, headed_pairs
from verifier.training.handwritten import read_items
from verifier.training.hard_negatives import denial, unit_flip
from verifier.training.items import LabelledClaim
from verifier.training.neutral_pairs import furniture_pairs, same_story_pairs
from verifier.training.retrieved_negatives import content, retrieved_negatives
from verifier.training.rows import make_row_pairs

ITEMS = (
    {
        "premises": ["The bridge at Oskar reopened on 3 May after 14 months of repairs. Mayor Lind cut a ribbon."],
        "claims": [
            {"label": "entailment", "claim": "The repairs of the Oskar bridge took 14 months."},
            {"label": "contradiction", "claim": "Mayor Lind cut a red cake."},
            {"label": "neutral", "claim": "The repairs cost 12 million euros."},
        ],
    },
    {
        "premises": ["Farmers near Tarn sold 300 tonnes of plums. A frost in April had killed many blossoms."],
        "claims": [
            {"label": "entailment", "claim": "A frost in April killed plum blossoms."},
            {"label": "contradiction", "claim": "Farmers near Tarn sold 900 tonnes of plums."},
            {"label": "neutral", "claim": "The plums of Tarn are sold abroad."},
        ],
    },
    {
        "premises": ["The choir of Oskar sang at the reopened theatre. Tickets were sold out within an hour."],
        "claims": [
            {"label": "entailment", "claim": "Tickets were sold out within an hour."},
            {"label": "contradiction", "claim": "The choir of Oskar refused to sing at the theatre."},
            {"label": "neutral", "claim": "The theatre of Oskar has 300 seats."},
        ],
    },
)


@pytest.fixture
def items(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "items.jsonl", *ITEMS)


def test_a_claim_meets_only_the_sentence_that_it_is_not_about(items: Path) -> None:
    pairs = same_story_pairs(read_items(items), random.Random(1))
    met = {p.hypothesis: p.premise for p in pairs}
    assert met["The repairs of the Oskar bridge took 14 months."] == "Mayor Lind cut a ribbon."
    assert met["Mayor Lind cut a red cake."].startswith("The bridge at Oskar reopened")
    assert "The repairs cost 12 million euros." not in met
    assert {p.target for p in pairs} == {one_hot("neutral")}


def test_retrieved_premises_are_never_the_claims_own_and_lack_most_of_its_words(items: Path) -> None:
    pairs = [Pair(i.premises[0], c, one_hot(label), "x") for i in read_items(items) for c, label in i.claims]
    own = {p.hypothesis: p.premise for p in pairs}
    made = retrieved_negatives(pairs, 9, random.Random(1))
    assert made
    for pair in made:
        words = content(pair.hypothesis)
        assert pair.premise != own[pair.hypothesis]
        assert len(words & content(pair.premise)) <= 0.5 * len(words)
        assert pair.label == "neutral"


def test_furniture_is_neutral_and_leaves_no_blank_open() -> None:
    claims = [Pair("", "The bridge is open.", one_hot("entailment"), "x")]
    pairs = furniture_pairs(claims, 300, random.Random(1))
    assert len(pairs) == 300
    assert len({p.premise for p in pairs}) > 100
    assert not [p for p in pairs if "{" in p.premise or "  " in p.premise or p.label != "neutral"]


def printed(claim: str) -> str:
    """The quarter of a claim as a chart prints it."""
    before, after = claim.split(" quarter of ")
    return f"Q{('first', 'second', 'third', 'fourth').index(before.split()[-1]) + 1} {after[:4]}"


def test_rows_hold_what_their_labels_say() -> None:
    pairs = make_row_pairs(2_000, random.Random(1))
    told = [p for p in pairs if p.label == "entailment" and "quarter of" in p.hypothesis]
    assert len(told) > 50
    for pair in told:
        assert printed(pair.hypothesis) in pair.premise
    silent = [p for p in pairs if p.label == "neutral" and "quarter of" in p.hypothesis]
    assert silent
    for pair in silent:
        assert printed(pair.hypothesis) not in pair.premise


def test_the_desk_set_keeps_the_pairs_of_an_item_together_and_adds_strangers(items: Path) -> None:
    keyed = desk_pairs(items)
    firsts = {item.premises[0] for item in read_items(items)}
    assert {key for _, key in keyed} == firsts
    own = [(p, key) for p, key in keyed if p.premise == key]
    assert len(own) == 9
    assert {p.label for p, _ in own} == {"entailment", "neutral", "contradiction"}
    assert {p.label for p, key in keyed if p.premise != key} == {"neutral"}
    assert keyed == desk_pairs(items)


def test_a_dateline_is_set_before_the_premise_and_into_the_claim_and_keeps_the_label() -> None:
    pair = Pair("The theatre sold 300 tickets.", "The theatre was full.", one_hot("neutral"), "x")
    made = [dated(pair, random.Random(seed)) for seed in range(60)]
    for found in made:
        assert found is not None
        line, _, rest = found.premise.partition(". ")
        assert rest == pair.premise
        year = line[-4:]
        assert year in found.hypothesis
        assert check(found.hypothesis, found.premise).agrees
        assert found.target == pair.target
    told = replace(pair, premise="In 2019 the theatre sold 300 tickets.")
    assert dated(told, random.Random(1)) is None


def test_headings_are_true_statements_of_the_item_other_than_the_claim(items: Path) -> None:
    [item, *_] = read_items(items)
    more = LabelledClaim("Mayor Lind cut a ribbon at Oskar.", "entailment")
    pairs = headed_pairs([item.model_copy(update={"claims": (*item.claims, more)})], random.Random(1))
    assert {p.label for p in pairs} == {"entailment", "neutral", "contradiction"}
    for pair in pairs:
        assert pair.premise.split(". ")[0] + "." in [claim for claim, _ in (*item.claims, more)]
        assert not pair.premise.startswith(pair.hypothesis.rstrip("."))


def test_units_and_denials_carry_the_label_that_follows() -> None:
    told = Pair("The batteries are charged in 8 minutes.", "Charging takes 8 minutes.", one_hot("entailment"), "x")
    flipped = unit_flip(told, random.Random(1))
    assert flipped is not None
    assert flipped.label == "contradiction"
    assert flipped.hypothesis != told.hypothesis
    assert flipped.hypothesis.startswith("Charging takes 8 ")
    false = Pair("The bridge was closed.", "The bridge was open.", one_hot("contradiction"), "x")
    for seed in range(20):
        found = denial(false, random.Random(seed))
        assert found is not None
        assert found.label == "entailment"
        assert "not" in found.hypothesis or "false" in found.hypothesis
    assert denial(told, random.Random(1)) is None


def test_weights_are_mixed_tensor_by_tensor(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file

    from verifier.training.export import mixed

    save_file({"a": torch.full((2,), 4.0).half()}, tmp_path / "model.safetensors")
    found = mixed({"a": torch.full((2,), 8.0), "ids": torch.tensor([1, 2])}, tmp_path, 0.25)
    assert found["a"].tolist() == [5.0, 5.0]
    assert found["ids"].tolist() == [1, 2]
