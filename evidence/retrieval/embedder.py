"""Sentence vectors: all-MiniLM-L6-v2 as int8 ONNX, shipped with the package, no hub and no torch.

Dynamic quantisation scales over all that stands in one run, so every text gets a run of its own: its
vector then depends on nothing but the text. Runs go in parallel over a few threads, one core each.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from factdesk.kernel import BackendUnavailable, ConfigError, Fingerprint

Vector = NDArray[np.float32]


class _Manifest(BaseModel):
    """The part of ``manifest.json`` that is read here."""

    name: str
    version: str
    dimension: int
    max_tokens: int
    files: dict[str, str]


class _Encoding(Protocol):
    ids: list[int]


class _Tokenizer(Protocol):
    def encode(self, text: str) -> _Encoding: ...


class _Session(Protocol):
    def run(self, names: list[str], inputs: dict[str, NDArray[np.int64]]) -> list[Vector]: ...


def default_model_dir() -> Path:
    """Folder of the embedding model that ships with factdesk."""
    return Path(str(files("evidence"))) / "models" / "minilm-l6-v2"


class OnnxEmbedder:
    """MiniLM vectors of length 1 from an ONNX file (implements ``evidence.types.Embedder``).

    Args:
        model_dir: folder with ``model.onnx``, ``tokenizer.json`` and ``manifest.json``; the shipped one
            when left out.
        threads: texts that are embedded at once, 1 to 64; the number of cores (at most 8) when left out.

    Raises:
        BackendUnavailable: files are missing, unreadable, or differ from the hashes in the manifest.
        ConfigError: ``threads`` is out of range.
    """

    def __init__(self, model_dir: Path | None = None, *, threads: int | None = None) -> None:
        if threads is not None and not 1 <= threads <= 64:
            raise ConfigError(f"threads={threads!r} is not in 1 to 64; leave it out to use all cores")
        folder = model_dir or default_model_dir()
        manifest = _read_manifest(folder)
        for name in ("model.onnx", "tokenizer.json"):
            _verify(folder, name, manifest.files.get(name))
        self._dimension = manifest.dimension
        self._fingerprint = Fingerprint(
            name=f"embedder:{manifest.name}", version=manifest.version, sha256=manifest.files["model.onnx"]
        )
        self._threads = threads or min(8, os.cpu_count() or 1)
        self._tokenizer = _load_tokenizer(folder / "tokenizer.json", manifest.max_tokens)
        self._session = _load_session(folder / "model.onnx")

    @property
    def fingerprint(self) -> Fingerprint:
        """Name, version and the sha256 of the weights."""
        return self._fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector: 384."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of the texts, in order. Texts past 256 tokens are cut there.

        *Shape:* (n_texts, 384), float32. Bit for bit the same in any company and order.

        Raises:
            BackendUnavailable: the model could not be run.
        """
        vectors = np.empty((len(texts), self._dimension), dtype=np.float32)
        for i, row in enumerate(_mapped(self._one, texts, self._threads)):
            vectors[i] = row
        return vectors

    def _one(self, text: str) -> Vector:
        clean = text.encode("utf-8", "replace").decode("utf-8")
        ids = np.array([self._tokenizer.encode(clean).ids], dtype=np.int64)
        try:
            vectors = self._session.run(["embedding"], {"input_ids": ids})[0]
        except _onnx_errors() as error:
            raise BackendUnavailable(
                f"the embedding model failed on a text of {len(text)} characters"
            ) from error
        return cast(Vector, vectors[0])


def _mapped(work: Callable[[str], Vector], texts: Sequence[str], threads: int) -> Sequence[Vector]:
    if threads == 1 or len(texts) < 3:
        return [work(text) for text in texts]
    with ThreadPoolExecutor(max_workers=min(threads, len(texts))) as pool:
        return list(pool.map(work, texts))


def _read_manifest(folder: Path) -> _Manifest:
    path = folder / "manifest.json"
    try:
        return _Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BackendUnavailable(
            f"no embedding model in {str(folder)!r}: cannot read 'manifest.json'; reinstall factdesk"
        ) from error
    except ValidationError as error:
        raise BackendUnavailable(f"{str(path)!r} is damaged; reinstall factdesk") from error


def _verify(folder: Path, name: str, expected: str | None) -> None:
    try:
        with (folder / name).open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BackendUnavailable(f"no {name!r} in {str(folder)!r}; reinstall factdesk") from error
    if found != expected:
        raise BackendUnavailable(
            f"{name!r} in {str(folder)!r} has sha256 {found!r}, not {expected!r} as its manifest says; "
            "reinstall factdesk"
        )


def _load_tokenizer(path: Path, max_tokens: int) -> _Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return cast(_Tokenizer, tokenizer)


def _load_session(path: Path) -> _Session:
    try:
        import onnxruntime
    except ImportError as error:
        raise BackendUnavailable("onnxruntime is not installed; run `pip install onnxruntime`") from error

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except _onnx_errors() as error:
        raise BackendUnavailable(f"onnxruntime cannot load {str(path)!r}: {error}") from error
    return cast(_Session, session)


def _onnx_errors() -> tuple[type[Exception], ...]:
    """onnxruntime's own errors: they share no base class but ``Exception``."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    names = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NoSuchFile", "NotImplemented")
    return (RuntimeError, ValueError, state.RuntimeException, *(getattr(state, name) for name in names))
