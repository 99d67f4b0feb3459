"""``python -m verifier.training``: the recipe of the shipped verifier as commands.

A whole run: ``train`` (again to resume), ``export``, ``calibrate``. Each can be repeated alone.
"""

from __future__ import annotations

import json
import logging
import random
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from factdesk.kernel import DEFAULT_VERIFIER
from verifier.training.models import DUET, MINILM, MPNET, Trained
from verifier.training.recipes import CalibrationRecipe, Recipe, load_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifier.backends.calibrated import CalibratedVerifier
    from verifier.calibration.probabilities import Calibration
    from verifier.training.evaluate import DevSet
    from verifier.types import Thresholds

HERE = Path(__file__).parent
FIGURES = HERE.parents[1] / "docs" / "results" / "figures"
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
data_option = click.option("--data", type=FOLDER, required=True, help="Folder with nli/train and nli/dev.")
run_option = click.option(
    "--run", "run_dir", type=click.Path(path_type=Path), required=True, help="Folder of checkpoints."
)


def _load(_context: click.Context, _option: click.Parameter, name: str) -> Recipe:
    return load_recipe(name)


recipe_option = click.option(
    "--recipe",
    required=True,
    callback=_load,
    metavar="NAME|FILE",
    help="A recipe of verifier/training/recipes by its name, or a file of your own (*.toml).",
)


@click.group(help=__doc__)
def main() -> None:
    """Set up logging for all commands."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")


@main.command()
@data_option
@run_option
@recipe_option
def train(data: Path, run_dir: Path, recipe: Recipe) -> None:
    """Build the mixture and train, with checkpoints; run again to resume."""
    from verifier.training import loop
    from verifier.training.mixture import build_mixture, describe
    from verifier.training.stages import stage_mixture

    if recipe.training is None:
        raise click.UsageError(f"the recipe {recipe.name} has nothing to train")
    base, seed = recipe.base_folder(run_dir, data), recipe.training.seed
    mixture = build_mixture(data / "nli" / "train", recipe.mixture, seed=seed)
    mixture = stage_mixture(recipe, mixture, random.Random(seed))
    trainer = loop.Trainer(base, recipe.training, run_dir)
    trainer.resume()
    (run_dir / "mixture.json").write_text(json.dumps(describe(mixture), indent=1))
    trainer.run(loop.make_tokenizer(base, recipe.training.max_tokens), mixture)


@main.command()
@run_option
def recover(run_dir: Path) -> None:
    """Write the shipped weights of mpnet-fact to RUN/checkpoint, where the recipe mpnet-3 starts."""
    from transformers import MPNetConfig

    from verifier.training.dequantize import recover as write

    config = MPNetConfig(layer_norm_eps=1e-5, max_position_embeddings=514)
    config.num_labels = 3
    write(MPNET.folder, config, MPNET.checkpoint(run_dir))


@main.command()
@data_option
@run_option
@recipe_option
@click.option(
    "--share", type=click.FloatRange(0, 1), default=1.0, show_default=True, help="Of the run; the rest: base."
)
@click.option("--limit", type=click.IntRange(min=1), default=150, show_default=True, help="Pairs of a public set.")
def measure(data: Path, run_dir: Path, recipe: Recipe, share: float, limit: int) -> None:
    """Print the figures of a run's averaged weights on pairs kept from training; also amid the run."""
    from verifier.training import loop, stage_figures

    if recipe.training is None:
        raise click.UsageError(f"the recipe {recipe.name} has nothing to train")
    base = recipe.base_folder(run_dir, data)
    model = stage_figures.stage_weights(run_dir, base, share)
    tokenizer = loop.make_tokenizer(base, recipe.training.max_tokens)
    click.echo(f"{'set':16} {'pairs':>5} {'right':>6} {'entropy':>8} {'supports':>9} {'contradicts':>12}")
    for name, pairs in stage_figures.kept_sets(data, limit).items():
        f = stage_figures.figures(model, tokenizer, name, pairs)
        told = f"{f.accuracy:6.3f} {f.cross_entropy:8.2f} {f.supports_found:9.2f} {f.contradictions_found:12.2f}"
        click.echo(f"{name:16} {f.n:5d} {told}")


@main.command()
@run_option
@recipe_option
def export(run_dir: Path, recipe: Recipe) -> None:
    """Write the averaged weights as fp16 checkpoint and as int8 ONNX."""
    import torch

    from verifier.training.export import export_onnx, mixed, save_checkpoint

    model = recipe.trained
    checkpoint = model.checkpoint(run_dir)
    state = torch.load(run_dir / "state.pt", map_location="cpu", weights_only=True)
    weights = {**state["model"], **state["average"]}
    if recipe.new_share < 1:
        weights = mixed(weights, checkpoint, recipe.new_share)
    save_checkpoint(weights, recipe.base_folder(run_dir), checkpoint)
    export_onnx(checkpoint, model.folder, model, version=recipe.version)


@main.command()
@data_option
@recipe_option
@click.option("--cache", type=click.Path(path_type=Path), help="SQLite file that keeps raw scores between runs.")
def calibrate(data: Path, recipe: Recipe, cache: Path | None) -> None:
    """Fit the calibration, derive thresholds, and write both with the model card."""
    from verifier.calibration.probabilities import write_calibration
    from verifier.training import evaluate

    given = recipe.calibration
    if given is None:
        raise click.UsageError(f"the recipe {recipe.name} says nothing of a calibration")
    model = recipe.trained
    verifier = _reader(model, cache)
    sets = evaluate.load_dev(verifier, data / "nli" / "dev")
    fitted = evaluate.fit(sets)
    found = evaluate.mend(verifier, sets, fitted)
    fitted = fitted.model_copy(update={"refutation": evaluate.fit_refutation(found)})
    thresholds = evaluate.derive(
        sets,
        fitted,
        found,
        precision=given.precision,
        refute_precision=given.refute_precision,
        z=given.z,
    )
    thresholds = _at_least(thresholds, given)
    write_calibration(fitted, thresholds, model.folder)
    _draw(model, sets, fitted, thresholds.tau_entail)
    _write_card(recipe, given, data, sets, fitted, thresholds)


def _write_card(
    recipe: Recipe,
    given: CalibrationRecipe,
    data: Path,
    sets: Sequence[DevSet],
    fitted: Calibration,
    thresholds: Thresholds,
) -> None:
    from verifier.training import evaluate
    from verifier.training.baseline import claim_only
    from verifier.training.card import write_card
    from verifier.training.mixture import build_mixture
    from verifier.training.stages import card_table

    mixture = build_mixture(data / "nli" / "train", recipe.mixture)
    halves = {s.name: [p for p, c in zip(s.pairs, s.calibration, strict=True) if not c] for s in sets}
    write_card(
        recipe.trained,
        mixture=card_table(recipe, mixture),
        stages=given.stages,
        figures=evaluate.figures(sets, fitted, thresholds),
        thresholds=thresholds,
        hashes=_hashes(recipe.trained),
        points=evaluate.operating_points(sets, fitted, thresholds.tau_entail),
        claim_only=claim_only(mixture, halves),
        command=f"python -m verifier.training calibrate --data DIR --recipe {recipe.name}",
    )


def _at_least(derived: Thresholds, given: CalibrationRecipe) -> Thresholds:
    least = {
        "tau_entail": max(derived.tau_entail, given.least_entail),
        "tau_refute": max(derived.tau_refute, given.least_refute),
    }
    return derived.model_copy(update={**least, "tau_mended": given.least_mended})


def _draw(model: Trained, sets: Sequence[DevSet], fitted: Calibration, tau: float) -> None:
    """The curves of the report halves of the public sets."""
    from verifier.training import curves, evaluate

    scores, gold, agrees = evaluate.pooled(sets, fitted)
    raw = np.concatenate([s.raw[~s.calibration] for s in sets if s.name not in evaluate.OWN])
    curves.draw(FIGURES if model == MINILM else FIGURES / model.name, raw, scores, gold, agrees, tau)


def _reader(model: Trained, cache: Path | None) -> CalibratedVerifier:
    from verifier.backends.factory import make_duet
    from verifier.backends.onnx import OnnxVerifier
    from verifier.backends.score_cache import ScoreCache

    kept = ScoreCache(cache) if cache else None
    return make_duet(kept) if model == DUET else OnnxVerifier(model.folder, cache=kept)


def _hashes(model: Trained) -> dict[str, str]:
    """Of all files that a model, or each of the two of a duet, is read from."""
    parts = (MINILM, MPNET) if model == DUET else (model,)
    stated = {part.name: json.loads((part.folder / "manifest.json").read_text())["sha256"] for part in parts}
    return {f"{part}/{file}": digest for part, files in stated.items() for file, digest in files.items()}


@main.command()
@data_option
@click.option("--verifier", "spec", default=DEFAULT_VERIFIER, show_default=True, help="Which verifier.")
@click.option("--per-rule", type=click.IntRange(min=1), default=250, show_default=True)
def swaps(data: Path, spec: str, per_rule: int) -> None:
    """Count false Verified on claims with one detail swapped by rules that training never uses."""
    from verifier.backends.factory import make_verifier
    from verifier.calibration.labelled_pairs import read_pairs
    from verifier.training.perturbation_test import make_swaps
    from verifier.types import PairText

    verifier = make_verifier(spec)
    files = sorted((data / "nli" / "dev").glob("*.jsonl.gz"))
    pairs = make_swaps([p for file in files for p in read_pairs(file)], per_rule=per_rule)
    found = verifier.assess([PairText(claim=p.hypothesis, premise=p.premise) for p in pairs])
    tau = verifier.thresholds.tau_entail
    false = [a.calibrated.entailment >= tau and a.guard.agrees for a in found]
    for rule in dict.fromkeys(p.source for p in pairs):
        mine = [f for f, p in zip(false, pairs, strict=True) if p.source == rule]
        click.echo(f"{rule:18} {sum(mine):4d} of {len(mine):4d} falsely Verified")
    click.echo(f"{'all':18} {sum(false):4d} of {len(false):4d} = {100 * sum(false) / len(false):.2f} %")


@main.command()
@click.option("--verifier", "spec", default=DEFAULT_VERIFIER, show_default=True, help="Which verifier.")
@click.option("--limit", type=click.IntRange(min=1), default=500, show_default=True, help="Claims, drawn by a seed.")
def reading(spec: str, limit: int) -> None:
    """Count how a verifier labels claims about the passages that are kept from training."""
    from verifier.backends.factory import make_verifier
    from verifier.training.passages import held_out_pairs
    from verifier.types import PairText

    pairs = [pair for pair, _ in held_out_pairs()]
    random.Random(1).shuffle(pairs)
    pairs, verifier = pairs[:limit], make_verifier(spec)
    found = verifier.assess([PairText(claim=p.hypothesis, premise=p.premise) for p in pairs])
    scores = np.array([[a.raw.entailment, a.raw.neutral, a.raw.contradiction] for a in found])
    gold = np.array([p.target.index(1.0) for p in pairs])
    right = scores.argmax(axis=1) == gold
    for label, name in enumerate(("entailment", "neutral", "contradiction")):
        of = right[gold == label]
        click.echo(f"{name:14} {int(of.sum()):4d} of {len(of):4d} labelled rightly")
    shown = [a.calibrated.entailment >= verifier.thresholds.tau_entail and a.guard.agrees for a in found]
    wrong = sum(s and g != 0 for s, g in zip(shown, gold, strict=True))
    click.echo(f"{'all':14} {int(right.sum()):4d} of {len(right):4d}; {sum(shown)} certified, {wrong} of them wrongly")


@main.command()
def baseline() -> None:
    """Print how far a naive Bayes model guesses the labels of the passages from one half of the pairs."""
    from verifier.training.baseline import halves_alone
    from verifier.training.passages import read_passages

    for name, share in halves_alone(read_passages()).items():
        click.echo(f"{name:14} {share:.3f}")


@main.command()
@data_option
def wordlist(data: Path) -> None:
    """Count the common words that the guard does not take for names."""
    from verifier.calibration.labelled_pairs import read_pairs
    from verifier.training.wordlist import write_words

    files = sorted((data / "nli" / "train").glob("*.gz"))
    texts = dict.fromkeys(t for file in files for p in read_pairs(file) for t in (p.premise, p.hypothesis))
    click.echo(write_words(texts, HERE.parent / "data" / "common_words.txt"))


@main.command()
@click.argument("lists", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def dictionary(lists: tuple[Path, ...]) -> None:
    """Take the words that are no names from lists of English words (SCOWL: /usr/share/dict/*-english)."""
    from language.names import common_words
    from verifier.training.wordlist import dictionary_words

    read = [path.read_text(encoding="utf-8").split() for path in lists]
    words = dictionary_words(read, common_words())
    (HERE.parent / "data" / "dictionary.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    click.echo(len(words))


if __name__ == "__main__":
    main()
