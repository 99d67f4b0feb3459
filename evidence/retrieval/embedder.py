"""Sentence vectors: all-MiniLM-L6-v2 as int8 ONNX, shipped with the package, no hub and no torch."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import Fingerprint
from language.onnx_model import OnnxModel, each, usable_cores

MAX_TOKENS = 256
Vector = NDArray[np.float32]


MODEL = Path(str(files("evidence"))) / "models" / "minilm-l6-v2"
"""Folder of the embedding model that ships with factdesk."""
MOST_THREADS = 8
"""Texts that are embedded at once, one a core."""


class OnnxEmbedder:
    """MiniLM vectors of length 1 from a folder with ``model.onnx``, ``tokenizer.json`` and ``manifest.json``. Raises
    ``BackendUnavailable`` (files are missing, unreadable, or differ from the hashes in the manifest).
    """

    def __init__(self, model_dir: Path = MODEL) -> None:
        self._model = OnnxModel(model_dir, "the embedding model", max_tokens=MAX_TOKENS)

    @property
    def fingerprint(self) -> Fingerprint:
        """Name, version and the sha256 of the weights."""
        manifest = self._model.manifest
        name = f"embedder:{manifest['name']}"
        return Fingerprint(name=name, version=manifest["version"], sha256=self._model.sha256)

    @property
    def dimension(self) -> int:
        """Length of a vector: 384."""
        return int(self._model.manifest["dimension"])

    def embed(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of the texts, in order, cut at 256 tokens. *Shape:* (n_texts, 384), float32. Bit for bit the
        same in any company and order. Raises ``BackendUnavailable``: the model could not be run.
        """
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for i, row in enumerate(each(self._one, texts, min(MOST_THREADS, usable_cores()))):
            vectors[i] = row
        return vectors

    def _one(self, text: str) -> Vector:
        clean = text.encode("utf-8", "replace").decode("utf-8")
        ids = np.array([self._model.tokenizer.encode(clean).ids], dtype=np.int64)
        vector: Vector = self._model.run("embedding", {"input_ids": ids})[0]
        return vector
