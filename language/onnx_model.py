"""A shipped ONNX model with its tokenizer: files as its manifest states them, one input a run.

Dynamic int8 quantisation scales activations over all that stands in one run, so that inputs of one batch
would change each other's results. Each input has a run of its own, without padding; threads share a session,
and so do all models of a process with the same weights.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from factdesk.kernel import BackendUnavailable, sha256_bytes

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
MOST_OPEN = 4
"""Sessions that are kept for the next model with the same weights."""
_SESSIONS: dict[str, onnxruntime.InferenceSession] = {}
Item = TypeVar("Item")
Made = TypeVar("Made")


class OnnxModel:
    """``model.onnx`` (or parts, ``model.onnx.1`` ...), ``tokenizer.json`` and ``manifest.json`` of a folder.

    ``what`` names the model in errors. Raises ``BackendUnavailable`` when a file is missing or does not have
    the sha256 that the manifest states.
    """

    def __init__(self, folder: Path, what: str, *, max_tokens: int) -> None:
        self._what = what
        self.manifest, weights, tokenizer = _verified_files(folder, what)
        self.sha256 = self.manifest["sha256"].get(MODEL) or sha256_bytes(weights)
        self.tokenizer = _open_tokenizer(tokenizer, max_tokens)
        self._session = _shared_session(self.sha256, weights, what)
        del weights
        give_back_memory()
        self._inputs = {i.name for i in self._session.get_inputs()}

    def run(self, output: str, feed: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        """One output of one run, unknown inputs left out. Raises ``BackendUnavailable`` where the run fails."""
        try:
            given = {name: value for name, value in feed.items() if name in self._inputs}
            found: NDArray[np.float32] = self._session.run([output], given)[0]
        except _errors() as error:
            raise BackendUnavailable(f"{self._what} failed on a text ({error})") from error
        return found


def each(work: Callable[[Item], Made], items: Sequence[Item], threads: int) -> list[Made]:
    """``work`` on every item, in order, on so many threads."""
    if threads == 1 or len(items) <= 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(min(threads, len(items))) as pool:
        return list(pool.map(work, items))


def give_back_memory() -> None:
    """Return what was freed to the system, where the C library (glibc) would keep it; nothing happens elsewhere."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def usable_cores() -> int:
    """Cores this process may use; where the system does not say, all of them."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _verified_files(folder: Path, what: str) -> tuple[dict[str, Any], bytes, bytes]:
    """The manifest, the whole model, and the tokenizer."""
    try:
        manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        stated: dict[str, str] = manifest["sha256"]
        parts = sorted(name for name in stated if name.startswith(MODEL))
        numbered = [f"{MODEL}.{i + 1}" for i in range(len(parts))]
        if parts not in ([MODEL], numbered) or not parts or TOKENIZER not in stated:
            raise ValueError(f"the manifest states no sha256 of {MODEL} and {TOKENIZER}")
        if not manifest["name"] or not manifest["version"]:
            raise ValueError("the manifest states no name and version")
        read = {name: (folder / name).read_bytes() for name in stated}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackendUnavailable(
            f"{what} cannot be used from {folder.name!r} ({type(error).__name__}: {error}); it needs "
            f"{MODEL}, {TOKENIZER} and manifest.json; reinstall factdesk"
        ) from error
    for name, expected in stated.items():
        actual = sha256_bytes(read[name])
        if actual != expected:
            raise BackendUnavailable(
                f"{name!r} of {what} in {folder.name!r} is not the file its manifest states "
                f"(sha256 {actual[:12]}… instead of {expected[:12]}…); reinstall factdesk"
            )
    return manifest, b"".join(read[name] for name in parts), read[TOKENIZER]


def _shared_session(sha256: str, model: bytes, what: str) -> onnxruntime.InferenceSession:
    """The session of these weights: one that is kept, where there is one."""
    session = _SESSIONS.pop(sha256, None) or _open_session(model, what)
    _SESSIONS[sha256] = session
    for oldest in list(_SESSIONS)[:-MOST_OPEN]:
        _SESSIONS.pop(oldest, None)
    return session


def _open_session(model: bytes, what: str) -> onnxruntime.InferenceSession:
    try:
        import onnxruntime as ort
    except ImportError as error:
        raise BackendUnavailable("onnxruntime is not installed; run `pip install onnxruntime`") from error
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except _errors() as error:
        raise BackendUnavailable(f"{what} cannot be loaded ({error}); reinstall factdesk") from error
    session._model_bytes = None  # kept by onnxruntime for opening anew with other providers, which nobody does
    return session


def _errors() -> tuple[type[Exception], ...]:
    """Onnxruntime's own errors: they share no base class but ``Exception``."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    names = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NoSuchFile", "NotImplemented")
    return (RuntimeError, ValueError, state.RuntimeException, *(getattr(state, name) for name in names))


@lru_cache(maxsize=MOST_OPEN)
def _open_tokenizer(content: bytes, max_tokens: int) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer: Tokenizer = Tokenizer.from_buffer(content)
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    return tokenizer
