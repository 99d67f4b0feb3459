"""Stories with claims: one sentence decides, all others leave open."""

import random
from pathlib import Path

import pytest

from factdesk.kernel import InputError
from tests.verifier.training_rows import write_rows
from verifier.training.stories import OPEN, SOURCE, all_pairs, read_stories, story_pairs

THEATRE = {
    "headline": "Orlow theatre reopens",
    "sentences": [
        "The refit of the Orlow theatre cost 6.2 million euros.",
        "The town paid 4.1 million euros of the cost of the theatre's refit.",
        "Hanna Brandel has led the Orlow theatre since 2019.",
        "The first play at the Orlow theatre is a comedy by Goldoni.",
        "The theatre in Selm cost 9 million euros.",
    ],
    "claims": [
        {
            "label": "entailment",
            "decided_by": 0,
            "claim": "Renewing the theatre of Orlow took 6.2 million euros.",
        },
        {
            "label": "contradiction",
            "decided_by": 2,
            "claim": "Hanna Brandel took over the Orlow theatre in 2021.",
        },
        {
            "label": "neutral",
            "decided_by": None,
            "claim": "The refit of the Orlow theatre cost more than planned.",
        },
    ],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "a.jsonl", THEATRE)


def test_every_claim_meets_every_sentence_and_one_decides(file: Path) -> None:
    [story] = read_stories(file)
    labels = [(c.claim[:8], n, label) for c, n, label in all_pairs(story)]
    assert len(labels) == 15
    assert [entry for entry in labels if entry[2] != "neutral"] == [
        ("Renewing", 0, "entailment"),
        ("Hanna Br", 2, "contradiction"),
    ]


def test_the_open_sentences_most_like_the_claim_are_among_the_pairs(file: Path) -> None:
    made = story_pairs(read_stories(file), random.Random(1))
    assert [(p.label, p.source) for p in made if p.source == SOURCE] == [
        ("entailment", SOURCE),
        ("contradiction", SOURCE),
    ]
    open_ = [p for p in made if p.source == OPEN]
    assert len(open_) == 9
    assert {p.label for p in open_} == {"neutral"}
    of_first = [p.premise for p in open_ if p.hypothesis.startswith("Renewing")]
    assert any("The theatre in Selm cost 9 million" in p for p in of_first)
    assert not any("6.2 million" in p for p in of_first)
    assert story_pairs(read_stories(file), random.Random(1)) == made


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ({"label": "entailment", "decided_by": None, "claim": "By nothing."}, "decided by no sentence"),
        ({"label": "neutral", "decided_by": 1, "claim": "By one."}, "decided by no sentence"),
        (
            {"label": "entailment", "decided_by": 9, "claim": "By one that is not there."},
            "points to no sentence",
        ),
        ({"label": "true", "decided_by": 1, "claim": "Of no label."}, r"claims\.0\.label"),
    ],
)
def test_claims_that_do_not_fit_are_refused(tmp_path: Path, claim: dict[str, object], why: str) -> None:
    file = write_rows(tmp_path / "a.jsonl", THEATRE, {**THEATRE, "claims": [claim]})
    with pytest.raises(InputError, match=rf"a\.jsonl line 2: no story .*{why}"):
        read_stories(file)
