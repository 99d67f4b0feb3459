"""Figures of weights amid or after a stage, on pairs kept from training, before they are exported."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from transformers import PreTrainedModel

from factdesk.kernel import Record
from verifier.calibration.labelled_pairs import LABELS, Pair, read_pairs
from verifier.training.export import mixed
from verifier.training.loop import Padding, encoded_inputs, make_model, padding_of
from verifier.training.passages import PART, SOURCE, derived_pairs, held_out, passage_pairs, read_passages

PUBLIC = ("fm2", "fever_symmetric", "healthver", "mnli_mm")
"""Development sets that a stage may lose what it knew of."""
PRECISION = 0.9
_BATCH = 32


class StageFigures(Record):
    """Of one set: how the weights label it, and how much of each side they find at ``PRECISION``."""

    name: str
    n: int
    accuracy: float
    cross_entropy: float
    supports_found: float
    contradictions_found: float


def kept_sets(data: Path, limit: int, seed: int = 1) -> dict[str, list[Pair]]:
    """Pairs of the passages kept from training (four times ``limit``), less a sentence, and of the public sets."""
    kept = [p for p in read_passages() if held_out(p)]
    less = [pair for pair in derived_pairs(kept) if pair.source == PART]
    sets = {SOURCE: passage_pairs(kept), PART: less}
    limits = {SOURCE: 4 * limit}
    for name in PUBLIC:
        sets[name] = list(read_pairs(data / "nli" / "dev" / f"{name}.jsonl.gz"))
    for pairs in sets.values():
        random.Random(seed).shuffle(pairs)
    return {name: pairs[: limits.get(name, limit)] for name, pairs in sets.items()}


def stage_weights(run: Path, base: Path, share: float) -> PreTrainedModel:
    """The averaged weights of a run, ``share`` of them mixed with those of ``base``; at 0 those of ``base``."""
    model = make_model(base)
    if share > 0:
        state = torch.load(run / "state.pt", map_location="cpu", weights_only=True)
        model.load_state_dict(mixed({**state["model"], **state["average"]}, base, share))
    torch.nn.Module.eval(model)
    return model


def figures(model: PreTrainedModel, tokenizer: Tokenizer, name: str, pairs: Sequence[Pair]) -> StageFigures:
    """The figures of one set, raw scores without guard."""
    found = np.concatenate(list(_probabilities(model, tokenizer, pairs)))
    gold = np.array([LABELS.index(pair.label) for pair in pairs])
    surely = np.clip(found[np.arange(len(gold)), gold], 1e-9, None)
    return StageFigures(
        name=name,
        n=len(pairs),
        accuracy=float((found.argmax(axis=1) == gold).mean()),
        cross_entropy=float(-np.log(surely).mean()),
        supports_found=_found_at(found[:, 0], gold == LABELS.index("entailment")),
        contradictions_found=_found_at(found[:, 2], gold == LABELS.index("contradiction")),
    )


def _found_at(scores: NDArray[np.float64], wanted: NDArray[np.bool_]) -> float:
    """Largest share of ``wanted`` above a score from which on ``PRECISION`` of all are wanted ones."""
    hits = wanted[np.argsort(-scores, kind="stable")].cumsum()
    precise = hits / np.arange(1, len(hits) + 1) >= PRECISION
    return float(hits[precise].max() / wanted.sum()) if precise.any() and wanted.any() else 0.0


def _probabilities(
    model: PreTrainedModel, tokenizer: Tokenizer, pairs: Sequence[Pair]
) -> Iterator[NDArray[np.float64]]:
    padding: Padding = padding_of(model)
    for start in range(0, len(pairs), _BATCH):
        inputs = encoded_inputs(tokenizer, pairs[start : start + _BATCH], padding)
        with torch.no_grad():
            logits = model(**inputs).logits
        yield logits.double().softmax(dim=-1).numpy()
