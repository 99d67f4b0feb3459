"""The shipped verifier: a small NLI cross-encoder run by onnxruntime, one pair at a time.

Dynamic int8 quantisation scales activations over the whole batch, so pairs in one batch
would change each other's scores. Each pair therefore has a run of its own, without padding;
two threads share one session, which is faster on two cores than one session of two threads.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from factdesk.kernel import BackendUnavailable, Fingerprint, sha256_bytes
from verifier.backends.calibrated import CalibratedVerifier
from verifier.backends.score_cache import ScoreCache, model_key
from verifier.types import NLIScores

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Tokenizer

MAX_TOKENS = 128
MODEL = "model.onnx"
LABELS = ("entailment", "neutral", "contradiction")


class OnnxVerifier(CalibratedVerifier):
    """Verifier from a folder: ``model.onnx``, ``tokenizer.json``, ``manifest.json``, ``calibration.json``.

    A large model lies there in parts, ``model.onnx.1``, ``model.onnx.2`` ..., as the manifest names them:
    many places that keep code or packages refuse files of over 100 MB.

    Raises ``BackendUnavailable`` when a file is missing or does not have the sha256 that the
    manifest states. ``cache``: raw scores kept between checks; ``None``: none are kept.
    """

    can_contradict = True

    def __init__(self, folder: Path, *, threads: int | None = None, cache: ScoreCache | None = None) -> None:
        self.folder = folder
        manifest, model = _verified_files(folder)
        self._session = _open_session(model)
        self._tokenizer = _open_tokenizer(folder / "tokenizer.json")
        self._order = tuple(manifest["labels"].index(name) for name in LABELS)
        self._threads = threads or max(1, min(4, _cores()))
        self._inputs = {i.name for i in self._session.get_inputs()}
        fingerprint = Fingerprint(
            name=f"verifier:{manifest['name']}",
            version=manifest["version"],
            sha256=sha256_bytes(model),
        )
        super().__init__(folder, fingerprint, self._score_all, cache=cache, key=_raw_key(manifest))

    def _score_all(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        if len(pairs) <= 1 or self._threads == 1:
            return [self._score(*pair) for pair in pairs]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(lambda pair: self._score(*pair), pairs))

    def _score(self, premise: str, hypothesis: str) -> NLIScores:
        encoded = self._tokenizer.encode(premise, hypothesis)
        feed = {
            "input_ids": np.asarray([encoded.ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(encoded.ids)), dtype=np.int64),
            "token_type_ids": np.asarray([encoded.type_ids], dtype=np.int64),
        }
        logits = self._session.run(["logits"], {k: v for k, v in feed.items() if k in self._inputs})[0][0]
        powers = np.exp(logits.astype(np.float64) - logits.max())
        shares = powers / powers.sum()
        entailment, neutral, contradiction = (round(float(shares[i]), 6) for i in self._order)
        return NLIScores(entailment=entailment, neutral=neutral, contradiction=contradiction)


def _cores() -> int:
    """Cores this process may use; where the system does not say, all of them."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _verified_files(folder: Path) -> tuple[dict, bytes]:  # type: ignore[type-arg]
    """The manifest, and the whole model."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        stated: dict[str, str] = manifest["sha256"]
        parts = sorted(name for name in stated if name.startswith(MODEL))
        numbered = [f"{MODEL}.{i + 1}" for i in range(len(parts))]
        if parts not in ([MODEL], numbered) or not parts or "tokenizer.json" not in stated:
            raise ValueError("the manifest states no sha256 of model.onnx and tokenizer.json")
        if sorted(manifest["labels"]) != sorted(LABELS) or not manifest["name"] or not manifest["version"]:
            raise ValueError(f"the labels {manifest['labels']!r} are not {', '.join(LABELS)}")
        read = {name: (folder / name).read_bytes() for name in stated}
        for name, expected in stated.items():
            actual = sha256_bytes(read[name])
            if actual != expected:
                raise BackendUnavailable(
                    f"{name!r} of the verifier in {folder.name!r} is not the file its manifest states "
                    f"(sha256 {actual[:12]}… instead of {expected[:12]}…); reinstall factdesk"
                )
        return manifest, b"".join(read[name] for name in parts)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackendUnavailable(
            f"no usable verifier in {folder.name!r} ({type(error).__name__}: {error}); it needs model.onnx, "
            "tokenizer.json and manifest.json"
        ) from error


def _raw_key(manifest: dict) -> str:  # type: ignore[type-arg]
    """What raw scores depend on: weights, tokenizer, labels, length limit, and the runtime's version."""
    sums = (f"{name}={manifest['sha256'][name]}" for name in sorted(manifest["sha256"]))
    runtime = (str(MAX_TOKENS), version("onnxruntime"), platform.machine())
    return model_key("onnx", *sums, *manifest["labels"], *runtime)


def _open_session(model: bytes) -> onnxruntime.InferenceSession:
    import onnxruntime as ort
    from onnxruntime.capi import onnxruntime_pybind11_state as errors

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except (
        errors.Fail,
        errors.InvalidProtobuf,
        errors.InvalidGraph,
        errors.InvalidArgument,
        errors.NotImplemented,
        errors.RuntimeException,
    ) as error:
        raise BackendUnavailable(
            f"the verifier's model cannot be loaded ({error}); reinstall factdesk"
        ) from error


def _open_tokenizer(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    return tokenizer
