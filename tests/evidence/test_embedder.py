"""The shipped embedder: unit vectors, independent of company and order, verified weights."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evidence.retrieval.embedder import MODEL, OnnxEmbedder
from factdesk.kernel import BackendUnavailable

pytestmark = pytest.mark.usefixtures("models_run_anew")
TEXTS = [
    "The wind farm produced 1,788 gigawatt hours in 2024.",
    "She won.",
    "",
    "Auditors found far fewer passengers than claimed, 😀 and the operator disputed that.",
    "word " * 600,
    "lone surrogate \ud800 here",
]


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder()


def test_unit_vectors_of_the_stated_shape(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension) == (6, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert embedder.embed([]).shape == (0, 384)


def test_vectors_do_not_depend_on_batch_mates_or_order(embedder: OnnxEmbedder) -> None:
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.array_equal(embedder.embed(TEXTS), alone)
    assert np.array_equal(embedder.embed(TEXTS[::-1])[::-1], alone)
    assert np.array_equal(embedder.embed(TEXTS * 3)[6:12], alone)


def test_meaning_shows(embedder: OnnxEmbedder) -> None:
    a, b, c = embedder.embed(
        [
            "The lender dismissed 400 clerks.",
            "The bank laid off hundreds of employees.",
            "Wild bees like heather.",
        ]
    )
    assert float(a @ b) > 0.3 > 0.1 > float(a @ c)


def test_fingerprint_is_that_of_the_weights(embedder: OnnxEmbedder) -> None:
    manifest = json.loads((MODEL / "manifest.json").read_text(encoding="utf-8"))
    assert embedder.fingerprint.sha256 == manifest["sha256"]["model.onnx"]
    assert manifest["cosine_to_fp32"]["mean"] > 0.97


def test_tampered_or_missing_weights_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(MODEL, folder)
    with (folder / "model.onnx").open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"\xff\x00\xff")
    with pytest.raises(BackendUnavailable, match="not the file its manifest states"):
        OnnxEmbedder(folder)
    (folder / "model.onnx").unlink()
    with pytest.raises(BackendUnavailable, match="reinstall"):
        OnnxEmbedder(folder)
    with pytest.raises(BackendUnavailable, match="the embedding model cannot be used"):
        OnnxEmbedder(tmp_path / "nothing")


def test_no_heavy_imports() -> None:
    code = (
        "import sys; from evidence.retrieval.embedder import OnnxEmbedder; "
        "OnnxEmbedder().embed(['a']); "
        "import evidence.retrieval.hybrid, evidence.index.sync; evidence.index.corpus_index; "
        "bad = {'torch', 'transformers', 'sentence_transformers', 'jax', 'numba', 'scipy', 'spacy', "
        "'huggingface_hub', 'trafilatura', 'pdfminer'} & set(sys.modules); sys.exit(repr(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
