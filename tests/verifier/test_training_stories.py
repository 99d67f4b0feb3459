"""Stories with claims: one sentence decides, all others leave open."""

import random
from pathlib import Path

import pytest

from factdesk.kernel import InputError
from verifier.training.stories import OPEN, SOURCE, all_pairs, read_stories, story_pairs

TEXT = """T Orlow theatre reopens
1 The refit of the Orlow theatre cost 6.2 million euros.
2 The town paid 4.1 million euros of the cost of the theatre's refit.
3 Hanna Brandel has led the Orlow theatre since 2019.
4 The first play at the Orlow theatre is a comedy by Goldoni.
5 The theatre in Selm cost 9 million euros.
=1 Renewing the theatre of Orlow took 6.2 million euros.
!3 Hanna Brandel took over the Orlow theatre in 2021.
? The refit of the Orlow theatre cost more than planned.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(TEXT)
    return tmp_path


def test_every_claim_meets_every_sentence_and_one_decides(folder: Path) -> None:
    [story] = read_stories(folder)
    labels = [(c.text[:8], n, label) for c, n, label in all_pairs(story)]
    assert len(labels) == 15
    assert [entry for entry in labels if entry[2] != "neutral"] == [
        ("Renewing", 0, "entailment"),
        ("Hanna Br", 2, "contradiction"),
    ]


def test_the_open_sentences_most_like_the_claim_are_among_the_pairs(folder: Path) -> None:
    made = story_pairs(read_stories(folder), random.Random(1))
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
    assert story_pairs(read_stories(folder), random.Random(1)) == made


@pytest.mark.parametrize(
    "line", ["= claim without a number.", "nothing of the kind", "=9 points to no sentence."]
)
def test_lines_that_do_not_fit_are_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.txt").write_text(f"{TEXT}{line}\n")
    with pytest.raises(InputError, match="story"):
        read_stories(tmp_path)
