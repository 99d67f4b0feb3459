"""What the shipped models said of an input, kept while a process runs its tests.

A model is a function of its weights and its input, so many tests that check the same claim over the same
articles need not ask it anew. That it is one is tested with ``models_run_anew``.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any

import pytest

from evidence.images import ocr
from evidence.ingest.page import Page
from evidence.ingest.reader_process import ReaderProcess
from language.onnx_model import OnnxModel

MOST = 30_000
"""Answers of one kind that are kept."""


def remembered(work: Callable[..., Any], key: Callable[..., Hashable]) -> Callable[..., Any]:
    """The same function, asked once for each key; errors are not kept."""
    known: dict[Hashable, Any] = {}

    @functools.wraps(work)
    def ask(*arguments: Any) -> Any:
        asked = key(*arguments)
        if asked not in known:
            if len(known) >= MOST:
                known.clear()
            known[asked] = work(*arguments)
        return known[asked]

    return ask


def _of_model(model: OnnxModel, output: str, feed: Mapping[str, Any]) -> Hashable:
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(feed):
        digest.update(f"{name}{feed[name].shape}{feed[name].dtype}".encode())
        digest.update(feed[name].tobytes())
    return model.sha256, output, digest.digest()


def _of_pixels(pixels: Any) -> Hashable:
    return pixels.shape, hashlib.blake2b(pixels.tobytes(), digest_size=16).digest()


def remember_models(patch: pytest.MonkeyPatch) -> None:
    """From here on each input of the shipped models is computed once."""
    patch.setattr(OnnxModel, "run", remembered(OnnxModel.run, _of_model))
    patch.setattr(ocr, "_run", remembered(ocr._run, _of_pixels))


def forget_models(patch: pytest.MonkeyPatch) -> None:
    """From here on the shipped models are asked each time."""
    patch.setattr(OnnxModel, "run", OnnxModel.run.__wrapped__)  # type: ignore[attr-defined]
    patch.setattr(ocr, "_run", ocr._run.__wrapped__)  # type: ignore[attr-defined]


class OneReader(ReaderProcess):
    """The process that reads files, kept from one command to the next; wherever the command stood."""

    def __enter__(self) -> OneReader:
        return self

    def __exit__(self, *error: object) -> None: ...

    def read(self, path: Path, suffix: str) -> Page:
        return super().read(path.absolute(), suffix)
