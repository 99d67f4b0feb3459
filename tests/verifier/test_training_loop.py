"""Training on tiny models made on the spot: with token types and without, frozen layers, stop and resume."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForSequenceClassification, MPNetConfig, MPNetForSequenceClassification

from factdesk.kernel import InputError
from tests.verifier.tiny import NLI, MakeModel
from verifier.backends.onnx import OnnxVerifier
from verifier.calibration.labelled_pairs import Pair, one_hot
from verifier.training.dequantize import recover
from verifier.training.export import export_onnx, save_checkpoint
from verifier.training.loop import Padding, Trainer, batches, make_tokenizer, padding_of
from verifier.training.models import MPNET
from verifier.training.recipes import Training
from verifier.training.stage_figures import StageFigures, figures, stage_weights

PAIRS = [
    Pair("the bridge reopened in may 2024 .", "the bridge reopened .", one_hot("entailment"), "a"),
    Pair("the bridge closed .", "the bridge reopened .", one_hot("contradiction"), "a"),
    Pair("the library has a new roof .", "the bridge reopened .", one_hot("neutral"), "b"),
]


@pytest.fixture
def bert(make_model: MakeModel) -> Path:
    return make_model("trained", *NLI, seed=4)


@pytest.fixture
def mpnet(bert: Path, tmp_path: Path) -> Path:
    """Two layers of MPNet, which has no token types and pads with another token."""
    torch.manual_seed(1)
    config = MPNetConfig(
        vocab_size=64,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=66,
        initializer_range=0.6,
        num_labels=3,
    )
    folder = tmp_path / "mpnet"
    MPNetForSequenceClassification(config).save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes((bert / "tokenizer.json").read_bytes())
    return folder


def losses(trainer: Trainer, base: Path) -> list[float]:
    source = batches(make_tokenizer(base, 64), PAIRS, trainer.recipe, random.Random(1), padding_of(trainer.model))
    return [trainer.step(next(source)) for _ in range(30)]


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_a_model_learns_and_what_is_frozen_stays(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    base: Path = request.getfixturevalue(kind)
    recipe = Training(pairs=10_000, learning_rate=5e-3, warmup=0.0, freeze_layers=1)
    trainer = Trainer(base, recipe, tmp_path / "run")
    before = {name: p.detach().clone() for name, p in trainer.model.named_parameters()}
    found = losses(trainer, base)
    assert found[-1] < found[0] / 2
    for name, parameter in trainer.model.named_parameters():
        fixed = "embeddings" in name or "relative_attention_bias" in name or ".layer.0." in name
        assert torch.equal(parameter, before[name]) == fixed or "pooler" in name, name
    assert set(trainer.average) == {n for n, p in trainer.model.named_parameters() if p.requires_grad}


def test_padding_is_that_of_the_model(bert: Path, mpnet: Path, tmp_path: Path) -> None:
    recipe = Training(pairs=10)
    assert padding_of(Trainer(bert, recipe, tmp_path).model) == Padding(token=0, types=True)
    assert padding_of(Trainer(mpnet, recipe, tmp_path).model) == Padding(token=1, types=False)
    batch = next(batches(make_tokenizer(bert, 64), PAIRS, recipe, random.Random(1), Padding(1, types=False)))
    assert set(batch.inputs) == {"input_ids", "attention_mask"}
    gaps = batch.inputs["attention_mask"] == 0
    assert gaps.any()
    assert (batch.inputs["input_ids"][gaps] == 1).all()


def test_a_run_goes_on_where_it_stopped(mpnet: Path, tmp_path: Path) -> None:
    recipe = Training(pairs=10_000, learning_rate=1e-3)
    trainer = Trainer(mpnet, recipe, tmp_path / "run")
    losses(trainer, mpnet)
    trainer.checkpoint()
    other = Trainer(mpnet, recipe, tmp_path / "run")
    assert other.resume()
    assert (other.seen, other.steps) == (trainer.seen, trainer.steps)
    for name, tensor in trainer.averaged().items():
        assert torch.equal(tensor, other.averaged()[name]), name


def test_without_dropout_a_pair_has_one_score_in_training(mpnet: Path, tmp_path: Path) -> None:
    batch = next(
        batches(
            make_tokenizer(mpnet, 64),
            PAIRS,
            Training(pairs=9),
            random.Random(1),
            Padding(token=1, types=False),
        )
    )
    same = []
    for on in (True, False):
        model = Trainer(mpnet, Training(pairs=9, dropout=on), tmp_path / str(on)).model.train()
        same.append(torch.equal(model(**batch.inputs).logits, model(**batch.inputs).logits))
    assert same == [False, True]


# The exporter warns of itself and of what tracing may get wrong at other lengths; just that is compared.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_what_is_exported_scores_as_what_was_trained(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Through the shipped loader: int8 against fp32, with the labels in their places."""
    base: Path = request.getfixturevalue(kind)
    trainer = Trainer(base, Training(pairs=10_000, learning_rate=3e-3, warmup=0.0), tmp_path / "run")
    losses(trainer, base)
    save_checkpoint(trainer.averaged(), base, tmp_path / "checkpoint")
    export_onnx(tmp_path / "checkpoint", tmp_path / "onnx", MPNET, version="7")
    verifier = OnnxVerifier(tmp_path / "onnx")
    assert (verifier.fingerprint.name, verifier.fingerprint.version) == ("verifier:mpnet-fact", "7")
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path / "checkpoint", dtype=torch.float32)
    tokenizer = make_tokenizer(base, 64)
    texts = [(p.premise, p.hypothesis) for p in PAIRS]
    for (premise, claim), found in zip(texts, verifier.raw(texts), strict=True):
        encoded = tokenizer.encode(premise, claim)
        inputs = {"input_ids": torch.tensor([encoded.ids])}
        if kind == "bert":
            inputs["token_type_ids"] = torch.tensor([encoded.type_ids])
        with torch.inference_mode():
            [shares] = model.eval()(**inputs).logits.softmax(-1).tolist()
        assert [found.entailment, found.neutral, found.contradiction] == pytest.approx(shares, abs=0.05)


# Exporting warns as above.
@pytest.mark.filterwarnings("ignore")
def test_the_weights_of_a_shipped_model_are_a_start_for_the_next_stage(mpnet: Path, tmp_path: Path) -> None:
    trainer = Trainer(mpnet, Training(pairs=10_000, learning_rate=3e-3, warmup=0.0), tmp_path / "run")
    losses(trainer, mpnet)
    save_checkpoint(trainer.averaged(), mpnet, tmp_path / "checkpoint")
    export_onnx(tmp_path / "checkpoint", tmp_path / "onnx", MPNET, version="7")
    config = MPNetConfig.from_pretrained(mpnet)
    recover(tmp_path / "onnx", config, tmp_path / "recovered")
    before, after = (load_file(tmp_path / f / "model.safetensors") for f in ("checkpoint", "recovered"))
    assert before.keys() == after.keys()
    for name, weights in before.items():
        largest = weights.abs().max().item()
        assert after[name].float() == pytest.approx(weights.float(), abs=max(0.02 * largest, 1e-3)), name
    assert isinstance(Trainer(tmp_path / "recovered", trainer.recipe, tmp_path / "next"), Trainer)
    config.intermediate_size *= 2
    with pytest.raises(InputError, match=r"intermediate\.dense\.weight"):
        recover(tmp_path / "onnx", config, tmp_path / "other")


def test_figures_amid_a_run_are_of_the_weights_asked_for(mpnet: Path, tmp_path: Path) -> None:
    trainer = Trainer(mpnet, Training(pairs=10_000, learning_rate=5e-3, warmup=0.0), tmp_path / "run")
    losses(trainer, mpnet)
    trainer.checkpoint()
    tokenizer = make_tokenizer(mpnet, 64)

    def of(share: float) -> StageFigures:
        return figures(stage_weights(tmp_path / "run", mpnet, share), tokenizer, "a", PAIRS)

    before, mean, after = of(0), of(0.5), of(1)
    assert after.cross_entropy < mean.cross_entropy < before.cross_entropy
    assert (after.n, after.accuracy, after.supports_found, after.contradictions_found) == (3, 1.0, 1.0, 1.0)
