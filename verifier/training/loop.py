"""Fine-tuning of the cross-encoder: length-bucketed batches, checkpoints, resume.

On a GPU where torch finds one, else on the processor; in bf16 where that multiplies in it, since
elsewhere bf16 is slower than fp32.

The schedule is warm-up, stable, decay: a run can be stopped in its stable phase at
any checkpoint and finished later by a decay phase of any length, so that training
fits into sittings.
"""

from __future__ import annotations

import inspect
import logging
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import AutoModelForSequenceClassification, PreTrainedModel

from verifier.calibration.labelled_pairs import LABELS, Pair
from verifier.training.recipes import Training

LOG = logging.getLogger("verifier.training")


@dataclass(frozen=True)
class Batch:
    """Padded token ids, masks, and types where the model has them; probabilities of the labels.

    *Shape:* (n_pairs, n_tokens) each; target (n_pairs, 3).
    """

    inputs: dict[str, torch.Tensor]
    target: torch.Tensor


@dataclass(frozen=True)
class Padding:
    """How a model wants its batches."""

    token: int = 0
    """Id of the padding token."""
    types: bool = True
    """Whether it tells premise and claim apart by token types."""


def padding_of(model: PreTrainedModel) -> Padding:
    """What a model wants."""
    return Padding(
        token=int(model.config.pad_token_id or 0),
        types="token_type_ids" in inspect.signature(model.forward).parameters,
    )


def make_tokenizer(base: Path, max_tokens: int) -> Tokenizer:
    """The base model's tokenizer, cutting the longer text first at ``max_tokens``."""
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    return tokenizer


def _encode(tokenizer: Tokenizer, pairs: Sequence[Pair]) -> list[tuple[list[int], list[int]]]:
    limit = 1000  # characters; a hypothesis longer than the model can take is cut before tokenising
    encoded = tokenizer.encode_batch([(p.premise[:4000], p.hypothesis[:limit]) for p in pairs])
    return [(e.ids, e.type_ids) for e in encoded]


def batches(
    tokenizer: Tokenizer, pairs: list[Pair], recipe: Training, rng: random.Random, padding: Padding
) -> Iterator[Batch]:
    """Endless passes over the pairs, in shuffled batches of like length."""
    while True:
        order = list(range(len(pairs)))
        rng.shuffle(order)
        for start in range(0, len(order), 4096):
            chunk = [pairs[i] for i in order[start : start + 4096]]
            encoded = _encode(tokenizer, chunk)
            ranked = sorted(range(len(chunk)), key=lambda i: (len(encoded[i][0]), i))
            groups: list[list[int]] = [[]]
            for index in ranked:
                width = len(encoded[index][0])
                if groups[-1] and width * (len(groups[-1]) + 1) > recipe.tokens_per_batch:
                    groups.append([])
                groups[-1].append(index)
            rng.shuffle(groups)
            for group in groups:
                inputs = _padded([encoded[i] for i in group], padding)
                yield Batch(inputs, torch.tensor([chunk[i].target for i in group]))


def _padded(encoded: list[tuple[list[int], list[int]]], padding: Padding) -> dict[str, torch.Tensor]:
    width = max(len(ids) for ids, _ in encoded)
    gaps = [width - len(ids) for ids, _ in encoded]
    rows = list(zip(encoded, gaps, strict=True))
    inputs = {
        "input_ids": torch.tensor([ids + [padding.token] * n for (ids, _), n in rows]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * n for (ids, _), n in rows]),
    }
    if padding.types:
        inputs["token_type_ids"] = torch.tensor([types + [0] * n for (_, types), n in rows])
    return inputs


def encoded_inputs(tokenizer: Tokenizer, pairs: Sequence[Pair], padding: Padding) -> dict[str, torch.Tensor]:
    """The pairs as one padded batch."""
    return _padded(_encode(tokenizer, pairs), padding)


def best_device() -> torch.device:
    """The first GPU, or the processor where there is none."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _computes_in_bf16(device: torch.device) -> bool:
    """Whether the device multiplies in bf16 itself; of processors torch before 2.10 does not tell."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    capabilities = getattr(torch.cpu, "get_capabilities", None)
    return capabilities is not None and bool(capabilities().get("avx512_bf16"))


def make_model(base: Path) -> PreTrainedModel:
    """A three-class head on the base weights, with the labels named in the configuration."""
    model: PreTrainedModel = AutoModelForSequenceClassification.from_pretrained(
        base,
        num_labels=3,
        id2label=dict(enumerate(LABELS)),
        label2id={name: i for i, name in enumerate(LABELS)},
        dtype=torch.float32,
    )
    return model


def _without_dropout(model: PreTrainedModel) -> None:
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0


def _groups(model: PreTrainedModel, recipe: Training) -> list[dict[str, object]]:
    layers = model.config.num_hidden_layers
    groups: list[dict[str, object]] = []
    for name, parameter in model.named_parameters():
        layer = int(name.split(".layer.")[1].split(".")[0]) if ".layer." in name else None
        shared = "embeddings" in name or "relative_attention_bias" in name
        if (shared and recipe.freeze_embeddings) or (layer is not None and layer < recipe.freeze_layers):
            parameter.requires_grad_(False)
            continue
        depth = layers if shared else 0 if layer is None else layers - 1 - layer
        decay = 0.0 if "bias" in name or "LayerNorm" in name else recipe.weight_decay
        scale = recipe.layer_decay**depth
        groups.append(
            {"params": [parameter], "lr": recipe.learning_rate * scale, "weight_decay": decay, "scale": scale}
        )
    return groups


def rate(progress: float, recipe: Training) -> float:
    """Learning-rate factor in 0 to 1 at ``progress`` (0 to 1) of the run."""
    if progress < recipe.warmup:
        return progress / recipe.warmup
    if progress > 1 - recipe.decay:
        return max(0.0, (1 - progress) / recipe.decay)
    return 1.0


class Trainer:
    """One run: model, optimiser, averaged weights and the count of pairs seen."""

    def __init__(self, base: Path, recipe: Training, folder: Path) -> None:
        torch.manual_seed(recipe.seed)
        self.recipe, self.folder = recipe, folder
        self.device = best_device()
        self.model = make_model(base)
        torch.nn.Module.to(self.model, self.device)  # transformers wraps its own `to` out of its type
        if not recipe.dropout:
            _without_dropout(self.model)
        self.optimiser = torch.optim.AdamW(_groups(self.model, recipe), fused=True)
        self.average = {n: p.detach().clone() for n, p in self.model.named_parameters() if p.requires_grad}
        self.seen, self.steps = 0, 0
        self._half = _computes_in_bf16(self.device)
        folder.mkdir(parents=True, exist_ok=True)

    def resume(self) -> bool:
        """Take up the newest checkpoint of the folder; ``False`` when there is none."""
        path = self.folder / "state.pt"
        if not path.exists():
            return False
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average, self.seen, self.steps = state["average"], state["seen"], state["steps"]
        return True

    def checkpoint(self) -> None:
        """Write the whole state beside the old one and swap it in, so that a kill leaves one of them."""
        state = {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "average": self.average,
            "seen": self.seen,
            "steps": self.steps,
        }
        partial = self.folder / "state.pt.partial"
        torch.save(state, partial)
        partial.replace(self.folder / "state.pt")
        (self.folder / "recipe.json").write_text(self.recipe.model_dump_json(indent=2))

    def step(self, batch: Batch) -> float:
        """One optimiser step; returns the mean cross-entropy of the batch."""
        factor = rate(self.seen / self.recipe.pairs, self.recipe)
        for group in self.optimiser.param_groups:
            group["lr"] = self.recipe.learning_rate * group["scale"] * factor
        inputs = {name: tensor.to(self.device) for name, tensor in batch.inputs.items()}
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self._half):
            logits = self.model(**inputs).logits
        loss = torch.nn.functional.cross_entropy(logits.float(), batch.target.to(self.device))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad()
        self.seen += len(batch.target)
        self.steps += 1
        keep = min(self.recipe.ema, self.steps / (self.steps + 10))
        with torch.no_grad():
            for name, parameter in self.model.named_parameters():
                if name in self.average:
                    self.average[name].lerp_(parameter, 1 - keep)
        return float(loss.detach())

    def averaged(self) -> dict[str, torch.Tensor]:
        """State dict with the averaged weights in the place of the current ones, in main memory."""
        return {name: self.average.get(name, tensor).cpu() for name, tensor in self.model.state_dict().items()}

    def run(self, tokenizer: Tokenizer, pairs: list[Pair], *, every: int = 60) -> None:
        """Train until ``recipe.pairs`` were seen, logging and saving every ``every`` steps."""
        shuffled = random.Random(self.recipe.seed + self.seen)
        source = batches(tokenizer, pairs, self.recipe, shuffled, padding_of(self.model))
        self.model.train()
        losses: list[float] = []
        start, first = time.monotonic(), self.seen
        while self.seen < self.recipe.pairs:
            loss = self.step(next(source))
            if not math.isfinite(loss):
                raise FloatingPointError(f"the loss is {loss} after {self.seen} pairs; lower the learning rate")
            losses.append(loss)
            if self.steps % every == 0:
                speed = (self.seen - first) / (time.monotonic() - start)
                left = (self.recipe.pairs - self.seen) / speed / 60
                loss = sum(losses) / len(losses)
                state = f"{self.seen} of {self.recipe.pairs} pairs, loss {loss:.4f}"
                LOG.info("%s, %.0f pairs/s, %.0f min left", state, speed, left)
                losses.clear()
                self.checkpoint()
        self.checkpoint()
