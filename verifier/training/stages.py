"""What one stage of training sees, by its recipe."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from verifier.calibration.labelled_pairs import Pair
from verifier.training.contrast_sets import trap_pairs
from verifier.training.cue_filter import without_cues
from verifier.training.handwritten import SINGLE, make_handwritten_pairs
from verifier.training.mixture import describe
from verifier.training.models import MINILM, Trained
from verifier.training.passages import derived_pairs, held_out, passage_pairs, read_passages
from verifier.training.recipes import Recipe, load_recipe
from verifier.training.selection import choose
from verifier.training.uncertainty_sampling import Scorer, candidates, doubted, screened


def shipped_scorer(model: Trained) -> Scorer:
    """Raw scores by the weights of a model that ships."""
    from verifier.backends.onnx import OnnxVerifier

    return OnnxVerifier(model.folder).raw


def stage_mixture(
    recipe: Recipe,
    mixture: Sequence[Pair],
    rng: random.Random,
    scorer: Callable[[Trained], Scorer] = shipped_scorer,
) -> list[Pair]:
    """The pairs of one pass of the stage, shuffled."""
    stage = recipe.stage
    chosen = choose(stage, mixture, rng)
    if stage.screened:
        chosen = screened(chosen, scorer(MINILM), rng)
    if stage.unsure:
        asked = candidates(mixture, stage.unsure, rng, shorter_than=stage.shorter_than)
        chosen += doubted(asked, scorer(recipe.trained))
    made = chosen + _besides(recipe, rng)
    rng.shuffle(made)
    return made


def _besides(recipe: Recipe, rng: random.Random) -> list[Pair]:
    """What comes from no mixture: contrast sets, items in a single wording, passages."""
    stage, pairs = recipe.stage, list[Pair]()
    if stage.contrast:
        pairs += trap_pairs() * stage.contrast
    if stage.single:
        pairs += make_handwritten_pairs(rng, SINGLE) * stage.single
    if stage.passages:
        seen = [p for p in read_passages() if not held_out(p)]
        told = without_cues(seen)
        pairs += (passage_pairs(told) + derived_pairs(told, every=stage.beside_every)) * stage.passages
    return pairs


def card_table(recipe: Recipe, mixture: Sequence[Pair]) -> dict[str, dict[str, int]]:
    """Pairs by source and label: one pass, or what the stages of a model were drawn from, each pair once."""
    names = recipe.calibration.drawn_from if recipe.calibration else ()
    if not names:
        return describe(mixture)
    found: dict[Pair, None] = {}
    for name in names:
        stage, rng = load_recipe(name), random.Random(0)
        found.update(dict.fromkeys([*choose(stage.stage, mixture, rng), *_besides(stage, rng)]))
    return describe(list(found))
