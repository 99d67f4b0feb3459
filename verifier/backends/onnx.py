"""The shipped verifier: a small NLI cross-encoder run by onnxruntime, one pair at a time."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from factdesk.kernel import BackendUnavailable, Fingerprint
from language.onnx_model import OnnxModel, each, usable_cores
from verifier.backends.calibrated import CalibratedVerifier
from verifier.backends.labels import Heads
from verifier.backends.score_cache import ScoreCache, model_key
from verifier.calibration.labelled_pairs import LABELS
from verifier.types import NLIScores

MAX_TOKENS = 128


class OnnxVerifier(CalibratedVerifier):
    """Verifier from a folder: ``model.onnx``, ``tokenizer.json``, ``manifest.json``, ``calibration.json``.

    Raises ``BackendUnavailable`` when a file is missing or does not have the sha256 that the manifest states.
    ``cache``: raw scores kept between checks; ``None``: none are kept. ``later``: the files are opened when a pair is
    to be scored; ``follower``: a verifier that is likely to read the same pairs next, and opens its own meanwhile.
    """

    can_contradict = True

    def __init__(
        self,
        folder: Path,
        *,
        threads: int | None = None,
        cache: ScoreCache | None = None,
        later: bool = False,
        follower: OnnxVerifier | None = None,
    ) -> None:
        self.folder = folder
        self._follower = follower
        self._model = OnnxModel(folder, "the verifier's model", max_tokens=MAX_TOKENS, later=later)
        manifest = self._model.manifest
        labels = manifest.get("labels", ())
        if sorted(labels) != sorted(LABELS):
            raise BackendUnavailable(
                f"the labels {labels!r} of the verifier in {folder.name!r} are not {', '.join(LABELS)}"
            )
        self._heads = Heads(*(labels.index(name) for name in LABELS))
        self._threads = threads or max(1, min(4, usable_cores()))
        name, made = f"verifier:{manifest['name']}", manifest["version"]
        fingerprint = Fingerprint(name=name, version=made, sha256=self._model.sha256)
        super().__init__(folder, fingerprint, self._score_all, cache=cache, key=_raw_key(manifest))

    def _score_all(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        if self._follower is not None:
            self._follower.open_ahead()
        return each(lambda pair: self._score(*pair), pairs, self._threads)

    def open_ahead(self) -> None:
        """Begin to open the files in a thread, where they are not open yet."""
        self._model.open_ahead()

    def _score(self, premise: str, hypothesis: str) -> NLIScores:
        encoded = self._model.tokenizer.encode(premise, hypothesis)
        feed = {
            "input_ids": np.asarray([encoded.ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(encoded.ids)), dtype=np.int64),
            "token_type_ids": np.asarray([encoded.type_ids], dtype=np.int64),
        }
        return self._heads.scores(self._model.run("logits", feed)[0])


def _raw_key(manifest: dict[str, Any]) -> str:
    """What raw scores depend on: weights, tokenizer, labels, length limit, and the runtime's version."""
    sums = (f"{name}={manifest['sha256'][name]}" for name in sorted(manifest["sha256"]))
    runtime = (str(MAX_TOKENS), version("onnxruntime"), platform.machine())
    return model_key("onnx", *sums, *manifest["labels"], *runtime)
