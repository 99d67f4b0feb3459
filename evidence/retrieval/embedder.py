"""Sentence vectors: all-MiniLM-L6-v2 as int8 ONNX, shipped with the package, no hub and no torch."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import ConfigError, Fingerprint
from language.onnx_model import OnnxModel, each, usable_cores

MAX_TOKENS = 256
Vector = NDArray[np.float32]


def default_model_dir() -> Path:
    """Folder of the embedding model that ships with factdesk."""
    return Path(str(files("evidence"))) / "models" / "minilm-l6-v2"


class OnnxEmbedder:
    """MiniLM vectors of length 1 from an ONNX file (implements ``evidence.types.Embedder``).

    ``model_dir`` has ``model.onnx``, ``tokenizer.json`` and ``manifest.json``, by default the shipped ones; ``threads``
    texts are embedded at once, 1 to 64, by default one a core (at most 8). Raises ``BackendUnavailable`` (files are
    missing, unreadable, or differ from the hashes in the manifest), ``ConfigError`` (``threads`` is out of range).
    """

    def __init__(self, model_dir: Path | None = None, *, threads: int | None = None) -> None:
        if threads is not None and not 1 <= threads <= 64:
            raise ConfigError(f"threads={threads!r} is not in 1 to 64; leave it out to use all cores")
        self._model = OnnxModel(model_dir or default_model_dir(), "the embedding model", max_tokens=MAX_TOKENS)
        self._threads = threads or min(8, usable_cores())

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
        """Unit vectors of the texts, in order. Texts past 256 tokens are cut there.

        *Shape:* (n_texts, 384), float32. Bit for bit the same in any company and order.

        Raises ``BackendUnavailable``: the model could not be run.
        """
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for i, row in enumerate(each(self._one, texts, self._threads)):
            vectors[i] = row
        return vectors

    def _one(self, text: str) -> Vector:
        clean = text.encode("utf-8", "replace").decode("utf-8")
        ids = np.array([self._model.tokenizer.encode(clean).ids], dtype=np.int64)
        vector: Vector = self._model.run("embedding", {"input_ids": ids})[0]
        return vector
