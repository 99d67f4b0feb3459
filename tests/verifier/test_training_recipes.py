"""Recipes: that the shipped ones are whole, and that a stage sees what its recipe says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from factdesk.kernel import InputError
from verifier.calibration.labelled_pairs import LABELS, Pair, one_hot
from verifier.training.__main__ import main
from verifier.training.contrast_sets import trap_pairs
from verifier.training.hard_negatives import RULES
from verifier.training.models import MINILM, TRAINED, Trained
from verifier.training.passages import FOLDER as PASSAGES
from verifier.training.passages import read_passages
from verifier.training.recipes import FOLDER, Recipe, Stage, load_recipe
from verifier.training.selection import choose, first_of
from verifier.training.stages import card_table, stage_mixture
from verifier.training.uncertainty_sampling import KEPT, Scorer, candidates, doubted, screened
from verifier.types import NLIScores

SHIPPED = sorted(path.stem for path in FOLDER.glob("*.toml"))
TEXT = """about = "One of the tests."
model = "minilm-fact"
base = "{run}/weights"
mixture = "broad"

[training]
pairs = 10
"""


def neutral(count: int, source: str, premise: str = "premise") -> list[Pair]:
    return [Pair(f"{premise} {i}", "claim", one_hot("neutral"), source) for i in range(count)]


def sources(pairs: Sequence[Pair]) -> Mapping[str, int]:
    return Counter(p.source for p in pairs)


def likely(shares: Mapping[str, float]) -> Scorer:
    """A model that gives the neutral label of a pair the share of its premise's first word."""

    def score(texts: Sequence[tuple[str, str]]) -> list[NLIScores]:
        own = [shares[premise.split()[0]] for premise, _ in texts]
        return [NLIScores(entailment=0.0, neutral=s, contradiction=round(1 - s, 6)) for s in own]

    return score


@pytest.mark.parametrize("name", SHIPPED)
def test_every_recipe_is_whole(name: str) -> None:
    recipe = load_recipe(name)
    assert recipe.name == name
    assert recipe.training or recipe.calibration
    assert bool(recipe.training) == bool(recipe.base)
    assert set(recipe.mixture.rules) <= set(RULES)
    assert set(recipe.mixture.retrieved) <= {"handwritten", *recipe.mixture.sets}
    assert set(recipe.stage.again) <= set(recipe.stage.most) | set(recipe.mixture.sets) | {"story"}
    for other in recipe.calibration.drawn_from if recipe.calibration else ():
        assert load_recipe(other).training


def test_each_shipped_model_has_its_stages_and_each_card_its_recipe() -> None:
    recipes = [load_recipe(name) for name in SHIPPED]
    assert {r.model for r in recipes} == set(TRAINED)
    for name in ("minilm-fact", "duet"):
        [card] = [r for r in recipes if r.model == name and r.calibration]
        text = (TRAINED[name].folder / "README.md").read_text(encoding="utf-8")
        assert f"calibrate --data DIR --recipe {card.name}`" in text
        assert card.calibration
        for line in card.calibration.stages:
            assert f"- {line}\n" in text


def test_a_recipe_is_frozen_and_read_from_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TEXT)
    recipe = load_recipe(str(file))
    assert (recipe.name, recipe.training and recipe.training.pairs) == ("mine", 10)
    assert recipe.mixture == load_recipe("mpnet-1").mixture
    with pytest.raises(ValueError, match="frozen"):
        recipe.version = "2"  # type: ignore[misc]
    with pytest.raises(InputError, match=r"no start weights in .*weights"):
        recipe.base_folder(tmp_path)
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "config.json").write_text("{}")
    assert recipe.base_folder(tmp_path) == tmp_path / "weights"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("pears = 3", r"mine\.toml: training\.pears"),
        ("learning_rate = 0", r"mine\.toml: training\.learning_rate"),
        ("[stage]\nmost = { folio = -1 }", r"mine\.toml: stage\.most\.folio"),
        ("[calibration]\nprecision = 95", r"mine\.toml: calibration\.precision"),
        ("pairs = 4", r"mine\.toml: Cannot overwrite"),
    ],
)
def test_a_slip_in_a_recipe_is_told_with_its_place(tmp_path: Path, line: str, why: str) -> None:
    (tmp_path / "mine.toml").write_text(f"{TEXT}{line}\n")
    with pytest.raises(InputError, match=why):
        load_recipe(str(tmp_path / "mine.toml"))


def test_an_unknown_recipe_or_model_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"minilm-4\.toml'|there are: .*minilm-4"):
        load_recipe("minilm")
    (tmp_path / "mine.toml").write_text(TEXT.replace("minilm-fact", "maxilm"))
    with pytest.raises(InputError, match="'maxilm' is none of duet, minilm-fact"):
        load_recipe(str(tmp_path / "mine.toml"))


def test_what_a_recipe_lacks_is_not_done(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["train", "--data", str(tmp_path), "--run", str(tmp_path), "--recipe", "duet"])
    assert (run.exit_code, "nothing to train" in run.output) == (2, True)
    run = CliRunner().invoke(main, ["calibrate", "--data", str(tmp_path), "--recipe", "mpnet-1"])
    assert (run.exit_code, "nothing of a calibration" in run.output) == (2, True)


def test_the_first_of_each_source_are_taken_once() -> None:
    many = neutral(90, "cannot")
    kept = first_of([*many, *many, *neutral(1, "of no set")], {"cannot": 70, "mpe": 5})
    assert kept == many[:70]


def test_without_counts_a_stage_sees_the_mixture_as_it_is() -> None:
    pairs = neutral(9, "folio") * 2
    assert choose(Stage(), pairs, random.Random(1)) == pairs
    assert choose(Stage(shorter_than=5), pairs, random.Random(1)) == []


def test_a_stage_takes_what_an_earlier_one_did_not_see_and_some_sets_again() -> None:
    templates, health = neutral(30, "templates"), neutral(20, "healthver", "abstract")
    long = neutral(50, "templates", "x" * 420)
    stage = Stage(
        shorter_than=420,
        most={"templates": 500},
        seen={"templates": 12, "healthver": 99},
        again={"healthver": 8},
    )
    made = choose(stage, [*templates, *health, *long], random.Random(4))
    assert sources(made) == {"templates": 18, "healthver": 8}
    assert {p for p in made if p.source == "templates"} == set(templates[12:])


def test_some_evidence_of_written_pairs_is_lengthened() -> None:
    town = "The mill in town number {} closed its gates in May."
    written = [Pair(town.format(i), "The mill shut.", one_hot("entailment"), "story") for i in range(60)]
    made = choose(Stage(most={"story": 40}, trailing=9), written, random.Random(4))
    assert sources(made)["story"] == 40
    assert 0 < sources(made)["trailing"] <= 9
    assert {p.target for p in made} == {one_hot("entailment")}


def recipe_of(stage: Stage) -> Recipe:
    return load_recipe("mpnet-2").model_copy(update={"stage": stage})


def test_contrast_sets_are_seen_as_often_as_the_recipe_says() -> None:
    stage = Stage(most={"folio": 6}, contrast=2)
    made = stage_mixture(recipe_of(stage), neutral(10, "folio"), random.Random(2))
    assert sources(made) == {"folio": 6, "trap": 2 * len(trap_pairs())}
    assert {p.source for p in made[:6]} != {"folio"}, "shuffled"


def test_items_in_a_single_wording_and_passages_come_in_by_the_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.training.stages.read_passages", lambda: read_passages(PASSAGES / "civic.jsonl")[:60])
    made = stage_mixture(recipe_of(Stage(most={"folio": 1}, single=1)), [], random.Random(2))
    assert set(sources(made)) == {"handwritten"}
    made = stage_mixture(recipe_of(Stage(most={"folio": 1}, passages=1)), [], random.Random(2))
    assert set(sources(made)) == {"passage", "passage_beside", "passage_part"}
    assert load_recipe("passages").stage.passages == 1


def test_what_the_models_are_sure_of_is_left_out() -> None:
    """The pairs of the sample are asked of the recipe's own model, all others of the small one."""
    asked: list[str] = []

    def scorer(model: Trained) -> Scorer:
        asked.append(model.name)
        return likely({"known": 0.99 if model != MINILM else 0.5, "unsure": 0.4, "wrong": 0.01})

    pairs = [pair for word in ("known", "unsure", "wrong") for pair in neutral(20, "folio", word)]
    stage = Stage(most={"folio": 60}, screened=True, unsure={"folio": 60})
    made = stage_mixture(recipe_of(stage), pairs, random.Random(2), scorer)
    assert asked == ["minilm-fact", "mpnet-fact"]
    assert Counter(p.premise.split()[0] for p in made) == {"known": 20, "unsure": 40}


def test_candidates_are_short_distinct_and_shared_out_by_source() -> None:
    mixture = neutral(90, "story") * 2 + neutral(50, "story", "x" * 420) + neutral(50, "of no share")
    found = candidates(mixture, {"story": 8}, random.Random(3), shorter_than=420)
    assert len(found) == len(set(found)) == 8
    assert {p.source for p in found} == {"story"}
    assert max(len(p.premise) for p in found) < 420


def test_doubted_is_what_is_neither_known_nor_hopeless() -> None:
    """The label's own probability counts, whichever label it is."""
    own = {"known": 0.9, "unsure": 0.4, "mislabelled": 0.01}
    pairs = [Pair(name, label, one_hot(label), "story") for name in own for label in LABELS]

    def score(texts: Sequence[tuple[str, str]]) -> list[NLIScores]:
        return [
            NLIScores(**{name: own[premise] if name == label else (1 - own[premise]) / 2 for name in LABELS})
            for premise, label in texts
        ]

    assert doubted(pairs, score) == [p for p in pairs if p.premise == "unsure"]


def test_what_a_fast_model_knows_is_seen_less() -> None:
    score = likely({"known": 0.99, "nearly": 0.9, "unsure": 0.4, "mislabelled": 0.01})
    words = ("known", "nearly", "unsure", "mislabelled")
    pairs = [pair for word in words for pair in neutral(400, "story", word)]
    kept = Counter(p.premise.split()[0] for p in screened(pairs, score, random.Random(5)))
    shares = dict(KEPT)
    assert kept["unsure"] == 400
    assert "mislabelled" not in kept
    assert kept["known"] == pytest.approx(400 * shares[0.97], abs=30)
    assert kept["nearly"] == pytest.approx(400 * shares[0.85], abs=40)


def test_the_card_counts_a_pass_or_each_pair_of_the_stages_once() -> None:
    pairs = neutral(5, "folio") * 2
    assert card_table(load_recipe("minilm-4"), pairs) == {"folio": {"neutral": 10}}
    table = card_table(load_recipe("duet"), pairs)
    assert table["folio"] == {"neutral": 5}
    assert sum(table["trap"].values()) == len(set(trap_pairs()))
