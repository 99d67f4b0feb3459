"""The hand-written pairs, the unseen swaps, the claim-only baseline and the curves of the model card."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from factdesk.kernel import InputError
from tests.verifier.training_rows import write_rows
from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.handwritten import SINGLE, make_handwritten_pairs, read_items
from verifier.training.perturbation_test import SWAPS, make_swaps

EXAMPLES = Path(__file__).parents[2] / "examples"
ITEM = {
    "premises": [
        "The bridge at Oskar reopened on 3 May 2024 after 14 months of repairs.",
        "Traffic has crossed the Oskar bridge again since 3 May 2024; the repairs took 14 months.",
    ],
    "claims": [
        {"label": "entailment", "claim": "The repairs of the Oskar bridge took more than a year."},
        {"label": "contradiction", "claim": "The Oskar bridge is still closed."},
        {"label": "neutral", "claim": "The repairs cost 12 million euros."},
    ],
}


def test_every_shipped_item_has_wordings_and_claims_of_all_three_kinds() -> None:
    items = read_items()
    assert items
    for item in items:
        labels = Counter(label for _, label in item.claims)
        assert len(item.premises) >= 2
        assert min(labels[name] for name in ("entailment", "neutral", "contradiction")) >= 3, item


def test_items_in_a_single_wording_have_claims_of_all_three_kinds() -> None:
    items = read_items(SINGLE)
    assert len(items) > 500
    for item in items:
        labels = Counter(label for _, label in item.claims)
        assert min(labels[name] for name in ("entailment", "neutral", "contradiction")) >= 1, item


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def test_no_hand_written_line_shares_a_run_of_seven_words_with_the_examples() -> None:
    rows = [json.loads(line) for line in (EXAMPLES / "claims.jsonl").read_text().splitlines()]
    known = set().union(*(_runs(text, 7) for r in rows for text in (r["claim"], *_quotes(r))))
    lines = [t for item in (*read_items(), *read_items(SINGLE)) for t in (*item.premises, *(c for c, _ in item.claims))]
    assert known
    assert not [line for line in lines if _runs(line, 7) & known]


def _quotes(row: dict[str, list[dict[str, str]]]) -> list[str]:
    return [e["quote"] for e in (*row.get("gold_evidence", ()), *row.get("image_evidence", ()))]


def test_items_become_labelled_pairs_of_every_wording_and_claim(tmp_path: Path) -> None:
    pairs = make_handwritten_pairs(random.Random(1), write_rows(tmp_path / "a.jsonl", ITEM))
    straight = {(p.premise, p.hypothesis, p.label) for p in pairs}
    bridge = "Traffic has crossed the Oskar bridge again since 3 May 2024; the repairs took 14 months."
    assert (bridge, "The Oskar bridge is still closed.", "contradiction") in straight or any(
        bridge in p and c == "The Oskar bridge is still closed." and label == "contradiction"
        for p, c, label in straight
    )
    assert len(pairs) >= 6


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"premises": []}, "premises"),
        ({"claims": []}, "claims"),
        ({"claims": [{"label": "true", "claim": "The bridge is open."}]}, r"claims\.0\.label"),
        ({"claims": [{"label": "neutral", "claim": " "}]}, r"claims\.0\.claim"),
        ({"note": "not a field"}, "note"),
    ],
)
def test_a_broken_item_is_refused_with_its_line(tmp_path: Path, changed: dict[str, object], where: str) -> None:
    path = write_rows(tmp_path / "broken.jsonl", ITEM, {**ITEM, **changed})
    with pytest.raises(InputError, match=rf"broken\.jsonl line 2: no item \({where}"):
        read_items(path)


def test_items_are_chosen_by_their_batch(tmp_path: Path) -> None:
    rows = [{**ITEM, "file": name} for name in ("news21-01", "news22-01", "wiki22-03")]
    path = write_rows(tmp_path / "a.jsonl", *rows)
    assert [i.file for i in read_items(path, "*22-*")] == ["news22-01", "wiki22-03"]
    assert len(read_items(path)) == 3


def test_each_swap_changes_just_the_claim_and_says_which_rule_did() -> None:
    premise = "On 3 May 1954 Anna Berg was elected in Lund with 1243 votes, two more than Ole Dahl."
    pairs = [
        Pair(premise, p, one_hot("entailment"), "dev")
        for p in (
            "Anna Berg got 1243 votes.",
            "She was elected in 1954, it says, in Lund.",
            "It was on 3 May 1954.",
            "There were two more votes for Anna Berg than for Ole Dahl.",
        )
    ]
    made = make_swaps(pairs)
    assert {p.source for p in made} == set(SWAPS)
    assert all(p.premise == premise and p.hypothesis not in {q.hypothesis for q in pairs} for p in made)
    assert make_swaps(pairs) == made


def test_the_claim_only_baseline_finds_a_give_away_and_nothing_else() -> None:
    pytest.importorskip("sklearn")
    from verifier.training.baseline import claim_only

    rng = random.Random(3)
    words = [f"w{i}" for i in range(200)]

    def pair(label: str, clue: bool) -> Pair:
        text = " ".join(rng.sample(words, 6)) + (f" {label}" if clue else "")
        return Pair("evidence", text, one_hot(label), "t")

    labels = ["entailment", "contradiction"] * 300
    figures = claim_only(
        [pair(name, clue=True) for name in labels],
        {"clue": [pair(name, True) for name in labels], "none": [pair(name, False) for name in labels]},
    )
    assert figures["clue"] > 0.95
    assert 0.4 < figures["none"] < 0.6


def test_the_curves_show_what_the_scores_are_worth(tmp_path: Path) -> None:
    from verifier.training.curves import coverage_curve, reliability

    scores = np.array([0.95, 0.95, 0.95, 0.95, 0.15, 0.15])
    right = np.array([True, True, True, False, False, False])
    (low, share, count), (high, top, many) = reliability(scores, right)
    assert (low, share, count) == pytest.approx((0.15, 0.0, 2))
    assert (high, top, many) == pytest.approx((0.95, 0.75, 4))
    recall, precision = coverage_curve(scores, right)
    assert recall[2] == 1
    assert precision[-1] == 0.5


def test_the_curves_are_drawn_the_same_way_twice(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from verifier.training.curves import draw

    rng = np.random.default_rng(0)
    scores = rng.dirichlet((1, 1, 1), 200)
    gold = np.array([int(rng.choice(3, p=row)) for row in scores])
    for folder in ("a", "b"):
        draw(tmp_path / folder, scores, scores, gold, gold != 1, 0.8)
    for name in ("verifier-reliability.svg", "verifier-coverage.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_the_second_operating_point_reaches_the_recall_it_promises() -> None:
    from verifier.training.evaluate import _point

    scores = np.column_stack([np.linspace(0.99, 0.01, 100), np.zeros(100), np.zeros(100)])
    gold = np.array([0] * 40 + [1] * 60)
    agrees = np.ones(100, dtype=bool)
    point = _point(scores, gold, agrees, float(scores[29, 0]))
    assert point is not None
    assert (point.precision, point.recall) == (1.0, 0.75)
    assert _point(scores, gold, ~agrees, 0.5) is None
