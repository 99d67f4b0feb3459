"""Cross-encoders and ensembles, on tiny models that are made on the spot."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from transformers import BertForSequenceClassification, BertTokenizer

from factdesk.kernel import BackendUnavailable, ConfigError
from tests.verifier.tiny import NLI, MakeModel
from verifier.backends.ensemble import EnsembleVerifier
from verifier.backends.factory import SMALL, calibration_folder, make_verifier
from verifier.backends.labels import heads_of
from verifier.backends.score_cache import ScoreCache
from verifier.backends.torch_models import CrossEncoderVerifier
from verifier.calibration.probabilities import Calibration, Curve, write_calibration
from verifier.types import NLIScores, PairText, Thresholds

PAIRS = [
    ("the bridge reopened in may 2024 .", "the bridge reopened in june 2023 ."),
    ("rents fell by 3 percent , the library has a new roof .", "rents rose by 4 percent ."),
    ("the library closed .", "the library reopened in june 2023 ."),
]
TEXTS = [PairText(claim=claim, premise=premise) for premise, claim in PAIRS]


def by_hand(folder: Path, premise: str, claim: str) -> dict[str, float]:
    """Probabilities by label, computed with transformers alone."""
    model = BertForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = BertTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        logits = model(**tokenizer(premise, claim, return_tensors="pt")).logits[0]
    shares = logits.softmax(-1) if len(logits) > 1 else logits.sigmoid()
    return {model.config.id2label[i]: float(share) for i, share in enumerate(shares)}


def test_three_classes_are_mapped_by_name(make_model: MakeModel) -> None:
    folder = make_model("nli", *NLI)
    verifier = CrossEncoderVerifier(str(folder))
    assert verifier.can_contradict
    assert verifier.thresholds == Thresholds()
    for pair, scores in zip(PAIRS, verifier.raw(PAIRS), strict=True):
        expected = by_hand(folder, *pair)
        assert scores.model_dump() == pytest.approx(expected, abs=2e-6)
    assert len({scores.entailment for scores in verifier.raw(PAIRS)}) == 3, "the model tells pairs apart"


def test_the_order_of_the_labels_does_not_matter(make_model: MakeModel, models: Path) -> None:
    folder = make_model("nli", *NLI)
    other = models / "nli-turned"
    shutil.copytree(folder, other)
    config = json.loads((other / "config.json").read_text())
    config["id2label"] = {"0": "NEI", "1": "REFUTES", "2": "Supports"}
    config["label2id"] = {label: int(i) for i, label in config["id2label"].items()}
    (other / "config.json").write_text(json.dumps(config))
    weights = load_file(other / "model.safetensors")
    for name in ("classifier.weight", "classifier.bias"):
        weights[name] = weights[name][[2, 0, 1]].contiguous()
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    assert CrossEncoderVerifier(str(other)).raw(PAIRS) == CrossEncoderVerifier(str(folder)).raw(PAIRS)


def test_scores_do_not_depend_on_company_or_order(make_model: MakeModel) -> None:
    verifier = CrossEncoderVerifier(str(make_model("nli", *NLI)))
    alone = [verifier.raw([pair])[0] for pair in PAIRS]
    assert verifier.raw(PAIRS) == alone
    assert verifier.raw([*PAIRS[::-1], PAIRS[0]]) == [*alone[::-1], alone[0]]
    assert verifier.raw([]) == []


@pytest.mark.parametrize("labels", [("Not_Supported", "Supported"), ("score",)])
def test_two_classes_cannot_contradict(make_model: MakeModel, labels: tuple[str, ...]) -> None:
    folder = make_model(f"check{len(labels)}", *labels)
    verifier = make_verifier(f"crossencoder:{folder}", strict=False)
    assert not verifier.can_contradict
    for pair, assessment in zip(PAIRS, verifier.assess(TEXTS), strict=True):
        expected = by_hand(folder, *pair)[labels[-1]]
        assert assessment.raw.entailment == pytest.approx(expected, abs=2e-6)
        assert assessment.raw.contradiction == assessment.calibrated.contradiction == 0.0
        assert assessment.counterfactual is None
    with pytest.raises(ConfigError, match="no contradiction class") as caught:
        make_verifier(f"crossencoder:{folder}")
    assert f"ensemble:crossencoder:{folder}+{SMALL}" in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (("LABEL_0", "LABEL_1", "LABEL_2"), "'LABEL_0' is not known"),
        (("LABEL_0", "LABEL_1"), "'LABEL_0' is not known"),
        (("entailment", "neutral", "maybe"), "'maybe' is not known"),
        (("entailment", "supports", "neutral"), "'supports' means the same"),
        (("supports", "refutes"), "cannot say that evidence is not enough"),
        (("neutral", "contradiction"), "cannot say"),
        (("entailment", "not_entailment", "neutral"), "'not_entailment' is not known"),
        (("a", "b", "c", "d"), "not known"),
    ],
)
def test_labels_that_are_not_understood_are_refused(labels: tuple[str, ...], says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        heads_of(dict(enumerate(labels)), "model")
    assert says in str(caught.value)
    assert all(repr(label) in str(caught.value) for label in labels)


@given(st.lists(st.floats(-80, 80), min_size=1, max_size=3))
def test_probabilities_are_probabilities(logits: list[float]) -> None:
    labels = {1: ("score",), 2: ("unsupported", "supported"), 3: NLI}[len(logits)]
    scores = heads_of(dict(enumerate(labels)), "m").scores(logits)
    values = scores.model_dump().values()
    assert all(0 <= value <= 1 for value in values)
    assert sum(values) == pytest.approx(1, abs=2e-6)


def test_the_fingerprint_is_of_the_weights(make_model: MakeModel, models: Path) -> None:
    folder = make_model("nli", *NLI)
    found = CrossEncoderVerifier(str(folder)).fingerprint
    assert found.sha256 == hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    assert found.name == "verifier:crossencoder:nli"
    assert str(models) not in found.model_dump_json()


def test_pickled_weights_are_refused_before_they_are_opened(make_model: MakeModel, tmp_path: Path) -> None:
    folder = tmp_path / "pickled"
    shutil.copytree(make_model("nli", *NLI), folder)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    with pytest.raises(ConfigError, match=r"'pytorch_model\.bin' of model 'pickled' is a pickled file"):
        make_verifier(f"crossencoder:{folder}", strict=False)
    (folder / "pytorch_model.bin").unlink()
    with pytest.raises(ConfigError, match=r"no \.safetensors file"):
        make_verifier(f"crossencoder:{folder}", strict=False)


def test_a_module_with_pickled_weights_of_its_own_is_refused(make_model: MakeModel, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    shutil.copytree(make_model("nli", *NLI), folder)
    (folder / "pytorch_model.bin").write_bytes(b"beside safetensors nobody reads it")
    assert make_verifier(f"crossencoder:{folder}", strict=False).can_contradict
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "pytorch_model.bin").write_bytes(b"x")
    with pytest.raises(ConfigError, match="2_Dense"):
        make_verifier(f"crossencoder:{folder}", strict=False)


def test_weights_without_a_trained_head_are_refused(make_model: MakeModel, tmp_path: Path) -> None:
    folder = tmp_path / "headless"
    shutil.copytree(make_model("nli", *NLI), folder)
    weights = load_file(folder / "model.safetensors")
    body = {name: tensor for name, tensor in weights.items() if not name.startswith("classifier")}
    save_file(body, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ConfigError, match=r"no weights for 'classifier\.bias'"):
        make_verifier(f"crossencoder:{folder}", strict=False)


def test_what_cannot_be_had_is_said(make_model: MakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="there is no folder"):
        make_verifier(f"crossencoder:{tmp_path / 'nowhere'}")
    folder = tmp_path / "cut"
    shutil.copytree(make_model("nli", *NLI), folder)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(BackendUnavailable, match="'cut' cannot be loaded"):
        make_verifier(f"crossencoder:{folder}")
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(BackendUnavailable, match="give its folder"):
        make_verifier("crossencoder:nobody/no-such-model")


def test_a_calibration_beside_the_weights_is_used(make_model: MakeModel, tmp_path: Path) -> None:
    folder = tmp_path / "calibrated"
    shutil.copytree(make_model("nli", *NLI), folder)
    calibration = Calibration(temperature=2.0, thresholds=Thresholds(tau_entail=0.91, tau_refute=0.97))
    (folder / "calibration.json").write_text(calibration.model_dump_json(exclude={"sha256"}))
    verifier = make_verifier(f"crossencoder:{folder}", strict=False)
    assert (verifier.thresholds.tau_entail, verifier.thresholds.tau_refute) == (0.91, 0.97)
    assert verifier.thresholds.calibration_sha256 is not None
    plain = make_verifier(f"crossencoder:{make_model('nli', *NLI)}", strict=False)
    for found, before in zip(verifier.assess(TEXTS), plain.assess(TEXTS), strict=True):
        assert found.raw == before.raw
        assert found.calibrated == calibration.apply(before.raw) != found.raw


def test_the_cache_changes_nothing_and_knows_its_model(make_model: MakeModel, tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    one, other = (f"crossencoder:{make_model(f'nli{seed}', *NLI, seed=seed)}" for seed in (1, 2))
    plain = [make_verifier(spec, strict=False).assess(TEXTS) for spec in (one, other)]
    assert [make_verifier(spec, cache=cache, strict=False).assess(TEXTS) for spec in (one, other)] == plain
    hits = cache.stats.hits
    assert [make_verifier(spec, cache=cache, strict=False).assess(TEXTS) for spec in (one, other)] == plain
    assert cache.stats.hits >= hits + 6
    assert cache.stats.misses <= 2 * 3 + hits + 20


def test_an_ensemble_takes_the_least_support_and_the_strongest_objection(make_model: MakeModel) -> None:
    parts = [
        f"crossencoder:{make_model('nli1', *NLI, seed=1)}",
        f"crossencoder:{make_model('nli2', *NLI, seed=2)}",
    ]
    checker = f"crossencoder:{make_model('check2', 'Not_Supported', 'Supported')}"
    specs = [*parts, checker]
    ensemble = make_verifier(f"ensemble:{'+'.join(specs)}", strict=False)
    assert ensemble.can_contradict
    single = [make_verifier(spec, strict=False).assess(TEXTS) for spec in specs]
    for number, found in enumerate(ensemble.assess(TEXTS)):
        members = [assessed[number] for assessed in single]
        for kind in ("raw", "calibrated"):
            scores: NLIScores = getattr(found, kind)
            theirs: list[NLIScores] = [getattr(m, kind) for m in members]
            assert scores.entailment == min(s.entailment for s in theirs)
            assert scores.contradiction == max(s.contradiction for s in theirs[:2])
            assert sum(scores.model_dump().values()) == pytest.approx(1, abs=2e-6)
        assert found.guard == members[0].guard
    turned = make_verifier(f"ensemble:{'+'.join(specs[::-1])}", strict=False)
    assert turned.fingerprint.sha256 == ensemble.fingerprint.sha256
    assert turned.assess(TEXTS) == ensemble.assess(TEXTS)


def test_an_ensemble_with_the_shipped_model(make_model: MakeModel) -> None:
    checker = f"crossencoder:{make_model('check2', 'Not_Supported', 'Supported')}"
    ensemble, shipped = make_verifier(f"ensemble:{checker}+{SMALL}", strict=False), make_verifier(SMALL)
    pairs = [PairText(claim="The bridge reopened in May 2024.", premise="The bridge was closed again in May 2024.")]
    [joint], [own] = ensemble.assess(pairs), shipped.assess(pairs)
    alone = shipped.calibration.apply(own.raw)  # type: ignore[attr-defined]
    assert joint.calibrated.contradiction == alone.contradiction
    assert joint.calibrated.entailment <= alone.entailment
    assert ensemble.thresholds.tau_contradict == shipped.thresholds.tau_contradict
    assert ensemble.thresholds.calibration_sha256 is None, "one member is not calibrated"


class Fixed:
    """A member with given scores: nothing but the joining is under test."""

    def __init__(self, scores: NLIScores, thresholds: Thresholds, curve: Curve, *, can: bool = True) -> None:
        self.scores, self.can_contradict = scores, can
        self.calibration = Calibration(entailment=curve, thresholds=thresholds)
        from factdesk.kernel import Fingerprint

        self.fingerprint = Fingerprint(name="verifier:fixed", version="1", sha256=str(scores))

    def raw(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        return [self.scores for _ in pairs]


shares = st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)).map(lambda x: (min(x), max(x)))
scores_of = shares.map(
    lambda x: NLIScores(
        entailment=x[0] / 10**6, neutral=(x[1] - x[0]) / 10**6, contradiction=round(1 - x[1] / 10**6, 6)
    )
)
probability = st.integers(0, 100).map(lambda n: n / 100)


@given(scores_of, scores_of, probability, probability, st.booleans())
def test_joining_is_never_looser_than_a_member(
    one: NLIScores, other: NLIScores, tau: float, lowest: float, can: bool
) -> None:
    first = Fixed(one, Thresholds(tau_entail=tau, tau_contradict=lowest, tau_refute=1.0), Curve())
    last = Fixed(other, Thresholds(), Curve(x=(0.0, 1.0), y=(0.0, 0.9)), can=can)
    if one == other:
        return
    ensemble = EnsembleVerifier([first, last])
    members = [member.calibration.apply(member.scores) for member in (first, last)]
    [found] = ensemble.assess([PairText(claim="It rained.", premise="It rained on Sunday.")])
    assert found.calibrated.entailment == pytest.approx(min(m.entailment for m in members), abs=1.01e-6)
    assert found.calibrated.contradiction == pytest.approx(
        max(m.contradiction for m in (members if can else members[:1])), abs=1.01e-6
    )
    assert found.raw.entailment == min(one.entailment, other.entailment)
    thresholds = ensemble.thresholds
    assert thresholds.tau_entail == max(tau, 0.85)
    assert thresholds.tau_contradict == (min(lowest, 0.70) if can else lowest)
    assert thresholds.tau_refute == 1.0


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("ensemble:onnx:minilm-fact", "two or more"),
        ("ensemble:onnx:minilm-fact+onnx:minilm-fact", "a member twice"),
        ("ensemble:onnx:minilm-fact+ensemble:onnx:a", "cannot be part of another"),
        ("ensemble:minilm-fact+other", "unknown verifier 'minilm-fact+other'; known: duet:"),
        ("ensemble:", "unknown verifier"),
        ("crossencoder:", "unknown verifier"),
        ("bert:x", "gguf:PATH, ensemble:A+B (single models"),
    ],
)
def test_specs_that_cannot_be_are_refused(spec: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make_verifier(spec)
    assert says in str(caught.value)


def test_an_ensemble_that_cannot_contradict_is_refused(make_model: MakeModel) -> None:
    one, other = make_model("check2", "Not_Supported", "Supported"), make_model("check1", "score")
    with pytest.raises(ConfigError, match="no member of the ensemble can contradict"):
        make_verifier(f"ensemble:crossencoder:{one}+crossencoder:{other}", strict=False)


def test_a_plus_sign_in_a_path_is_none_between_members(make_model: MakeModel, tmp_path: Path) -> None:
    folder = tmp_path / "a+b"
    shutil.copytree(make_model("nli", *NLI), folder)
    assert make_verifier(f"ensemble:crossencoder:{folder}+onnx:minilm-fact", strict=False).can_contradict


def test_strict_mode_of_the_facade_refuses_two_classes(make_model: MakeModel) -> None:
    from factdesk.checker import FactChecker

    spec = f"crossencoder:{make_model('check1', 'score')}"
    with pytest.raises(ConfigError, match="no contradiction class"):
        assert FactChecker.from_config(verifier=spec).verifier
    assert not FactChecker.from_config(verifier=spec, mode="mixed").verifier.can_contradict


def test_the_facade_keeps_scores_unless_told_not_to(factdesk_home: Path) -> None:
    from factdesk.checker import FactChecker

    pairs = [PairText(claim="Rents rose.", premise="Rents went up.")]
    off = FactChecker.from_config(score_cache=False)
    expected = off.verifier.assess(pairs)
    assert not (factdesk_home / "cache").exists()
    on = FactChecker.from_config()
    assert on.verifier.assess(pairs) == expected
    assert (factdesk_home / "cache" / "scores.sqlite").is_file()
    assert on.settings.recorded() == off.settings.recorded(), "the certificate does not tell them apart"


def test_strict_mode_takes_a_verifier_that_is_calibrated_and_no_other(make_model: MakeModel, tmp_path: Path) -> None:
    """The desk's own calibration counts, for a model alone and as a part of others."""
    folder = make_model("nli", *NLI)
    spec = f"crossencoder:{folder}"
    with pytest.raises(ConfigError, match=r"no calibration.*factdesk calibrate"):
        make_verifier(spec, calibrations=tmp_path)
    kept = calibration_folder(tmp_path, spec)
    kept.mkdir(parents=True)
    write_calibration(Calibration(), Thresholds(tau_entail=0.87), kept)
    assert make_verifier(spec, calibrations=tmp_path).thresholds.tau_entail == 0.87
    both = make_verifier(f"cascade:{SMALL}+{spec}", calibrations=tmp_path)
    assert both.thresholds.tau_entail == 0.87
    with pytest.raises(ConfigError, match="no calibration"):
        make_verifier(spec)
