"""A shipped ONNX model with its tokenizer: files as its manifest states them, one input a run.

Dynamic int8 quantisation scales activations over all that stands in one run, so that inputs of one batch
would change each other's results. Each input has a run of its own, without padding; threads share a session,
and so do all models of a process with the same weights. Where all scores of a check are kept, no session is opened.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

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
BLOCK = 1 << 20
"""Bytes that are read at once to be hashed."""
_SESSIONS: dict[str, onnxruntime.InferenceSession] = {}
Item = TypeVar("Item")
Made = TypeVar("Made")


class _Opened(NamedTuple):
    """What a model runs with."""

    session: onnxruntime.InferenceSession
    inputs: frozenset[str]
    tokenizer: Tokenizer


class OnnxModel:
    """``model.onnx`` (or parts, ``model.onnx.1`` ...), ``tokenizer.json`` and ``manifest.json`` of a folder.

    ``what`` names the model in errors. ``later``: the files are compared with the manifest now, and opened by the
    first run. Raises ``BackendUnavailable`` when a file is missing, cannot be opened, or does not have the sha256
    that the manifest states.
    """

    def __init__(self, folder: Path, what: str, *, max_tokens: int, later: bool = False) -> None:
        self._folder, self._what, self._max_tokens = folder, what, max_tokens
        self.manifest, self.sha256 = _verified_manifest(folder, what)
        self._opening = threading.Lock()
        self._kept: _Opened | None = None
        if not later:
            self.open()

    @property
    def tokenizer(self) -> Tokenizer:
        """Cuts what is longer than ``max_tokens``."""
        return self.open().tokenizer

    def open(self) -> _Opened:
        """Open the files, once. Raises ``BackendUnavailable`` where they are no longer those that were compared."""
        with self._opening:
            if self._kept is None:
                weights = self._read(MODEL, _parts(self.manifest["sha256"]), self.sha256)
                tokenizer = self._read(TOKENIZER, [TOKENIZER], self.manifest["sha256"][TOKENIZER])
                session = _shared_session(self.sha256, weights, self._what)
                del weights
                give_back_memory()
                inputs = frozenset(i.name for i in session.get_inputs())
                self._kept = _Opened(session, inputs, _open_tokenizer(tokenizer, self._max_tokens))
            return self._kept

    def _read(self, name: str, parts: Sequence[str], sha256: str) -> bytes:
        try:
            content = b"".join((self._folder / part).read_bytes() for part in parts)
        except OSError as error:
            raise _unusable(error, self._what, self._folder) from error
        if sha256_bytes(content) != sha256:
            raise _other_file(name, self._what, self._folder)
        return content

    def open_ahead(self) -> None:
        """Begin to open the files in a thread; errors come up in the first run."""

        def work() -> None:
            with suppress(BackendUnavailable, MemoryError):
                self.open()

        if self._kept is None:
            threading.Thread(target=work, name="factdesk-model", daemon=True).start()

    def run(self, output: str, feed: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        """One output of one run, unknown inputs left out. Raises ``BackendUnavailable`` where the run fails."""
        opened = self.open()
        try:
            given = {name: value for name, value in feed.items() if name in opened.inputs}
            found: NDArray[np.float32] = opened.session.run([output], given)[0]
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


def _verified_manifest(folder: Path, what: str) -> tuple[dict[str, Any], str]:
    """The manifest, and the sha256 of the whole model; all files are those that it states."""
    try:
        manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        stated: dict[str, str] = manifest["sha256"]
        parts, whole = _parts(stated), hashlib.sha256()
        if parts not in ([MODEL], [f"{MODEL}.{i + 1}" for i in range(len(parts))]) or not parts:
            raise ValueError(f"the manifest states no sha256 of {MODEL}")
        if TOKENIZER not in stated or not manifest["name"] or not manifest["version"]:
            raise ValueError(f"the manifest states no sha256 of {TOKENIZER}, or no name and version")
        for name in sorted(stated):
            own = hashlib.sha256()
            with (folder / name).open("rb") as file:
                while block := file.read(BLOCK):
                    for digest in (own, whole) if name in parts else (own,):
                        digest.update(block)
            if own.hexdigest() != stated[name]:
                sums = f" (sha256 {own.hexdigest()[:12]}… instead of {stated[name][:12]}…)"
                raise _other_file(name, what, folder, sums)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unusable(error, what, folder) from error
    return manifest, whole.hexdigest()


def _parts(stated: Mapping[str, str]) -> list[str]:
    """The files that make up the model, in order."""
    return sorted(name for name in stated if name.startswith(MODEL))


def _unusable(error: Exception, what: str, folder: Path) -> BackendUnavailable:
    return BackendUnavailable(
        f"{what} cannot be used from {folder.name!r} ({type(error).__name__}: {error}); it needs "
        f"{MODEL}, {TOKENIZER} and manifest.json; reinstall factdesk"
    )


def _other_file(name: str, what: str, folder: Path, sums: str = "") -> BackendUnavailable:
    told = f"{name!r} of {what} in {folder.name!r} is not the file its manifest states{sums}; reinstall factdesk"
    return BackendUnavailable(told)


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

    own = (error for error in vars(state).values() if isinstance(error, type) and issubclass(error, Exception))
    return (RuntimeError, ValueError, *own)


@lru_cache(maxsize=MOST_OPEN)
def _open_tokenizer(content: bytes, max_tokens: int) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer: Tokenizer = Tokenizer.from_buffer(content)
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    return tokenizer
