"""Training on tiny models made on the spot: with token types and without, frozen layers, stop and resume."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForSequenceClassification, MPNetConfig, MPNetForSequenceClassification

from factdesk.kernel import InputError
from tests.verifier.tiny import NLI, MakeModel
from verifier.backends.onnx import OnnxVerifier
from verifier.calibration.labelled_pairs import LABELS, Pair, one_hot
from verifier.training.dequantize import recover
from verifier.training.export import export_onnx, save_checkpoint
from verifier.training.loop import Padding, Recipe, Trainer, batches, make_tokenizer, padding_of
from verifier.training.mixture_large import (
    AGAIN,
    BESIDE_DOUBTED,
    CONTRAST_REPEAT,
    FRESH,
    MOST,
    REVISED,
    SHORT,
    contrast_mixture,
    revised_mixture,
    short_mixture,
    unseen_mixture,
)
from verifier.training.models import MPNET
from verifier.training.uncertainty_sampling import KEPT, SHARES, candidates, doubted, screened
from verifier.types import NLIScores

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
        vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=66, initializer_range=0.6, num_labels=3,
    )  # fmt: skip
    folder = tmp_path / "mpnet"
    MPNetForSequenceClassification(config).save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes((bert / "tokenizer.json").read_bytes())
    return folder


def losses(trainer: Trainer, base: Path) -> list[float]:
    source = batches(
        make_tokenizer(base, 64), PAIRS, trainer.recipe, random.Random(1), padding_of(trainer.model)
    )
    return [trainer.step(next(source)) for _ in range(30)]


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_a_model_learns_and_what_is_frozen_stays(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    base: Path = request.getfixturevalue(kind)
    recipe = Recipe(pairs=10_000, learning_rate=5e-3, warmup=0.0, freeze_layers=1)
    trainer = Trainer(base, recipe, tmp_path / "run")
    before = {name: p.detach().clone() for name, p in trainer.model.named_parameters()}
    found = losses(trainer, base)
    assert found[-1] < found[0] / 2
    for name, parameter in trainer.model.named_parameters():
        fixed = "embeddings" in name or "relative_attention_bias" in name or ".layer.0." in name
        assert torch.equal(parameter, before[name]) == fixed or "pooler" in name, name
    assert set(trainer.average) == {n for n, p in trainer.model.named_parameters() if p.requires_grad}


def test_padding_is_that_of_the_model(bert: Path, mpnet: Path, tmp_path: Path) -> None:
    recipe = Recipe(pairs=10)
    assert padding_of(Trainer(bert, recipe, tmp_path).model) == Padding(token=0, types=True)
    assert padding_of(Trainer(mpnet, recipe, tmp_path).model) == Padding(token=1, types=False)
    batch = next(batches(make_tokenizer(bert, 64), PAIRS, recipe, random.Random(1), Padding(1, types=False)))
    assert set(batch.inputs) == {"input_ids", "attention_mask"}
    gaps = batch.inputs["attention_mask"] == 0
    assert gaps.any()
    assert (batch.inputs["input_ids"][gaps] == 1).all()


def test_a_run_goes_on_where_it_stopped(mpnet: Path, tmp_path: Path) -> None:
    recipe = Recipe(pairs=10_000, learning_rate=1e-3)
    trainer = Trainer(mpnet, recipe, tmp_path / "run")
    losses(trainer, mpnet)
    trainer.checkpoint()
    other = Trainer(mpnet, recipe, tmp_path / "run")
    assert other.resume()
    assert (other.seen, other.steps) == (trainer.seen, trainer.steps)
    for name, tensor in trainer.averaged().items():
        assert torch.equal(tensor, other.averaged()[name]), name


def test_the_short_mixture_takes_each_pair_once_and_no_more_than_said() -> None:
    many = [Pair(f"premise {i}", "claim", one_hot("neutral"), "cannot") for i in range(MOST["cannot"] + 50)]
    unknown = [Pair("x", "y", one_hot("neutral"), "of no set")]
    kept = short_mixture([*many, *many, *unknown], random.Random(2))
    assert len(kept) == len(set(kept)) == MOST["cannot"]
    assert {p.source for p in kept} == {"cannot"}


def test_beside_the_contrast_sets_stands_a_little_of_everything_short() -> None:
    other = [Pair(f"premise {i}", "claim", one_hot("neutral"), "folio") for i in range(1000)]
    long = [Pair("x" * SHORT, "claim", one_hot("neutral"), "mpe")]
    contrast = [Pair(f"evidence {i}", "claim", one_hot("entailment"), "trap") for i in range(20)]
    made = contrast_mixture([*long, *other], contrast, random.Random(2))
    assert Counter(p.source for p in made) == {"folio": 60, "trap": 20 * CONTRAST_REPEAT}
    assert made[: len(contrast)] != contrast


def test_what_is_doubted_leaves_less_room_for_the_rest() -> None:
    other = [Pair(f"premise {i}", "claim", one_hot("neutral"), "folio") for i in range(1000)]
    unsure = [Pair("premise", f"claim {i}", one_hot("entailment"), "handwritten") for i in range(30)]
    made = contrast_mixture(other, [], random.Random(2), unsure)
    assert Counter(p.source for p in made) == {"folio": int(60 * BESIDE_DOUBTED), "handwritten": 30}


def test_a_further_stage_takes_what_the_first_did_not_see_and_some_sets_again() -> None:
    templates = [
        Pair(f"premise {i}", "claim", one_hot("neutral"), "templates") for i in range(MOST["templates"] + 30)
    ]
    healthver = [
        Pair(f"abstract {i}", "claim", one_hot("neutral"), "healthver") for i in range(AGAIN["healthver"] + 9)
    ]
    long = [Pair("x" * SHORT, f"claim {i}", one_hot("neutral"), "templates") for i in range(50)]
    made = unseen_mixture([*templates, *healthver, *long], random.Random(4))
    assert FRESH["templates"] > 30, "all that are left are taken"
    assert Counter(p.source for p in made) == {"templates": 30, "healthver": AGAIN["healthver"]}
    assert {p for p in made if p.source == "templates"} == set(templates[MOST["templates"] :])


def test_a_small_model_goes_over_short_pairs_again_some_with_longer_evidence() -> None:
    written = [
        Pair(
            f"The mill in town number {i} closed its gates in May.",
            "The mill shut.",
            one_hot("entailment"),
            "story",
        )
        for i in range(REVISED["story"] + 9)
    ]
    long = [Pair("x" * SHORT, f"claim {i}", one_hot("neutral"), "story") for i in range(50)]
    made = revised_mixture([*written, *long], random.Random(4))
    found = Counter(p.source for p in made)
    assert found["story"] == REVISED["story"]
    assert 0 < found["trailing"] <= len(written)
    assert max(len(p.premise) for p in made) < SHORT
    assert {p.target for p in made} == {one_hot("entailment")}


def test_candidates_are_short_distinct_and_shared_out_by_source() -> None:
    mixture = [Pair(f"premise {i % 90}", "claim", one_hot("neutral"), "story") for i in range(180)]
    mixture += [Pair("x" * SHORT, f"claim {i}", one_hot("neutral"), "story") for i in range(50)]
    mixture += [Pair(f"other {i}", "claim", one_hot("neutral"), "of no share") for i in range(50)]
    found = candidates(mixture, 100, random.Random(3))
    assert len(found) == len(set(found)) == int(100 * SHARES["story"])
    assert {p.source for p in found} == {"story"}
    assert max(len(p.premise) for p in found) < SHORT


def test_doubted_is_what_is_neither_known_nor_hopeless() -> None:
    """The label's own probability counts, whichever label it is."""
    likely = {"known": 0.9, "unsure": 0.4, "mislabelled": 0.01}
    pairs = [Pair(name, label, one_hot(label), "story") for name in likely for label in LABELS]

    def score(texts: Sequence[tuple[str, str]]) -> list[NLIScores]:
        return [
            NLIScores(
                **{name: likely[premise] if name == label else (1 - likely[premise]) / 2 for name in LABELS}
            )
            for premise, label in texts
        ]

    assert doubted(pairs, score) == [p for p in pairs if p.premise == "unsure"]


def test_what_a_fast_model_knows_is_seen_less() -> None:
    likely = {"known": 0.99, "nearly": 0.9, "unsure": 0.4, "mislabelled": 0.01}
    pairs = [Pair(name, f"claim {i}", one_hot("neutral"), "story") for i in range(400) for name in likely]

    def score(texts: Sequence[tuple[str, str]]) -> list[NLIScores]:
        return [
            NLIScores(entailment=0.0, neutral=likely[premise], contradiction=round(1 - likely[premise], 6))
            for premise, _ in texts
        ]

    kept = Counter(p.premise for p in screened(pairs, score, random.Random(5)))
    shares = dict(KEPT)
    assert kept["unsure"] == 400
    assert "mislabelled" not in kept
    assert kept["known"] == pytest.approx(400 * shares[0.97], abs=30)
    assert kept["nearly"] == pytest.approx(400 * shares[0.85], abs=40)


def test_without_dropout_a_pair_has_one_score_in_training(mpnet: Path, tmp_path: Path) -> None:
    batch = next(
        batches(
            make_tokenizer(mpnet, 64), PAIRS, Recipe(pairs=9), random.Random(1), Padding(token=1, types=False)
        )
    )
    same = []
    for on in (True, False):
        model = Trainer(mpnet, Recipe(pairs=9, dropout=on), tmp_path / str(on)).model.train()
        same.append(torch.equal(model(**batch.inputs).logits, model(**batch.inputs).logits))
    assert same == [False, True]


# The exporter warns of itself and of what tracing may get wrong at other lengths; just that is compared.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_what_is_exported_scores_as_what_was_trained(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Through the shipped loader: int8 against fp32, with the labels in their places."""
    base: Path = request.getfixturevalue(kind)
    trainer = Trainer(base, Recipe(pairs=10_000, learning_rate=3e-3, warmup=0.0), tmp_path / "run")
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
    trainer = Trainer(mpnet, Recipe(pairs=10_000, learning_rate=3e-3, warmup=0.0), tmp_path / "run")
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
