"""The shipped verifier: sameness of scores, and files that are not what they should be."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from factdesk.kernel import BackendUnavailable, sha256_bytes
from verifier.backends.factory import MODELS
from verifier.backends.onnx import OnnxVerifier
from verifier.training.export import write_manifest, write_parts
from verifier.training.models import MINILM
from verifier.types import PairText

pytestmark = pytest.mark.usefixtures("models_run_anew")
SHIPPED = MODELS / "minilm-fact"
PAIRS = [
    PairText(claim=claim, premise=premise)
    for claim, premise in (
        ("The bridge opened in 2016.", "The bridge opened in 2016."),
        (
            "The bridge opened in 2016.",
            "The bridge opened to traffic on 5 March 2016, after nine years of work.",
        ),
        ("The bridge opened in 2016.", "The bridge opened in 2017."),
        ("The bridge opened in 2016.", "Potatoes grow well in sandy soil."),
        ("Rents rose.", "Rents fell by 3 percent in the whole country, the office of statistics said. " * 12),
        ("Café Zoë ist geöffnet 你好.", "é" * 40),
        ("?", "."),
    )
]


@pytest.fixture(scope="module")
def verifier() -> OnnxVerifier:
    return OnnxVerifier(SHIPPED, threads=2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped model that a test may spoil."""
    return Path(shutil.copytree(SHIPPED, tmp_path / "model"))


def test_scores_are_equal_to_the_bit_in_any_company(verifier: OnnxVerifier) -> None:
    alone = [verifier.assess([pair])[0] for pair in PAIRS]
    assert list(verifier.assess(PAIRS)) == alone
    rng = random.Random(5)
    for _ in range(3):
        order = rng.sample(range(len(PAIRS)), len(PAIRS))
        found = verifier.assess([PAIRS[i] for i in order])
        assert [found[order.index(i)] for i in range(len(PAIRS))] == alone


@pytest.mark.parametrize("threads", [1, 4])
def test_threads_change_nothing(verifier: OnnxVerifier, threads: int) -> None:
    assert OnnxVerifier(SHIPPED, threads=threads).assess(PAIRS) == verifier.assess(PAIRS)


def test_probabilities_and_their_sense(verifier: OnnxVerifier) -> None:
    found = verifier.assess(PAIRS)
    for one in found:
        for scores in (one.raw, one.calibrated):
            assert scores.entailment + scores.neutral + scores.contradiction == pytest.approx(1, abs=5e-6)
    same, _, other_year, unrelated = found[:4]
    assert same.raw.entailment > max(unrelated.raw.entailment, other_year.raw.entailment)
    assert other_year.raw.contradiction > unrelated.raw.contradiction
    assert same.guard.agrees
    assert not other_year.guard.agrees
    assert verifier.assess([]) == ()
    assert all(one.passes >= 1 for one in found)


def test_thresholds_carry_the_hash_of_the_calibration(verifier: OnnxVerifier) -> None:
    digest = sha256_bytes((SHIPPED / "calibration.json").read_bytes())
    assert verifier.thresholds.calibration_sha256 == digest
    assert verifier.fingerprint.sha256 == sha256_bytes((SHIPPED / "model.onnx").read_bytes())


def _overwrite(name: str, data: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(data)


def _manifest(**fields: object) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        path = folder / "manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))

    return change


def _append(folder: Path) -> None:
    with (folder / "model.onnx").open("ab") as handle:
        handle.write(b"\0")


def _no_graph(folder: Path) -> None:
    """A model that its manifest vouches for, and that is none."""
    (folder / "model.onnx").write_bytes(b"no graph")
    tokenizer = sha256_bytes((folder / "tokenizer.json").read_bytes())
    _manifest(sha256={"model.onnx": sha256_bytes(b"no graph"), "tokenizer.json": tokenizer})(folder)


SPOILT: dict[str, tuple[Callable[[Path], object], str]] = {
    "changed weights": (_append, "not the file its manifest states"),
    "changed tokenizer": (_overwrite("tokenizer.json", b"{}"), "not the file its manifest states"),
    "no weights": (lambda f: (f / "model.onnx").unlink(), "model.onnx"),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), "tokenizer.json"),
    "no manifest": (lambda f: (f / "manifest.json").unlink(), "manifest.json"),
    "broken manifest": (_overwrite("manifest.json", b"{"), "cannot be used"),
    "empty manifest": (_overwrite("manifest.json", b"{}"), "cannot be used"),
    "manifest is a list": (_overwrite("manifest.json", b"[]"), "cannot be used"),
    "unvouched weights": (_manifest(sha256={}), "states no sha256"),
    "other labels": (_manifest(labels=["yes", "no"]), "labels"),
    "broken calibration": (_overwrite("calibration.json", b"{"), "calibration.json"),
    "no graph": (_no_graph, "cannot be loaded"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_files_that_are_not_what_they_should_be(folder: Path, what: str) -> None:
    spoil, says = SPOILT[what]
    spoil(folder)
    with pytest.raises(BackendUnavailable, match=says):
        OnnxVerifier(folder)


@pytest.fixture
def in_parts(folder: Path) -> Path:
    """The model in three parts, with a manifest that states them."""
    whole = (folder / "model.onnx").read_bytes()
    write_parts(whole, folder, largest=len(whole) // 3 + 1)
    write_manifest(folder, MINILM, version="1")
    return folder


def test_a_model_in_parts_is_the_same_model(in_parts: Path, verifier: OnnxVerifier) -> None:
    assert [path.name for path in sorted(in_parts.glob("model*"))] == [f"model.onnx.{i}" for i in (1, 2, 3)]
    found = OnnxVerifier(in_parts)
    assert found.fingerprint.sha256 == verifier.fingerprint.sha256
    assert found.assess(PAIRS) == verifier.assess(PAIRS)


@pytest.mark.parametrize("stated", [(1, 3), (2, 3), (1, 2)])
def test_a_model_with_a_part_left_out_is_not_loaded(in_parts: Path, stated: tuple[int, int]) -> None:
    manifest = json.loads((in_parts / "manifest.json").read_text())
    left = {f"model.onnx.{i}" for i in stated} | {"tokenizer.json"}
    _manifest(sha256={k: v for k, v in manifest["sha256"].items() if k in left})(in_parts)
    with pytest.raises(BackendUnavailable, match=r"states no sha256|cannot be loaded"):
        OnnxVerifier(in_parts)


def test_parts_in_another_order_are_not_loaded(in_parts: Path) -> None:
    first, second = (in_parts / f"model.onnx.{i}" for i in (1, 2))
    one, two = first.read_bytes(), second.read_bytes()
    first.write_bytes(two)
    second.write_bytes(one)
    with pytest.raises(BackendUnavailable, match="not the file its manifest states"):
        OnnxVerifier(in_parts)


def test_without_a_calibration_it_says_so(folder: Path) -> None:
    (folder / "calibration.json").unlink()
    found = OnnxVerifier(folder)
    assert found.thresholds.calibration_sha256 is None
    (one,) = found.assess(PAIRS[:1])
    assert one.calibrated.entailment == pytest.approx(one.raw.entailment, abs=2e-6)


def test_systems_that_do_not_say_which_cores_are_free(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert OnnxVerifier(folder).assess(PAIRS[:1])


def test_the_order_of_the_labels_is_the_manifests(folder: Path, verifier: OnnxVerifier) -> None:
    _manifest(labels=["contradiction", "neutral", "entailment"])(folder)
    swapped = OnnxVerifier(folder).raw([("The bridge opened.", "The bridge opened.")])[0]
    (straight,) = verifier.raw([("The bridge opened.", "The bridge opened.")])
    assert (swapped.entailment, swapped.contradiction) == (straight.contradiction, straight.entailment)
