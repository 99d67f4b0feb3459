"""Any NLI cross-encoder as a verifier, run by sentence-transformers in fp32 on the CPU, one pair at a time.

Weights are read from safetensors alone: a pickled checkpoint can run code when it is opened, and what
decides about badges has no business doing so. A batch of one needs no padding, so that a score depends
on nothing but its pair.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from factdesk.kernel import BackendUnavailable, ConfigError, Fingerprint, install_line
from verifier.backends.calibrated import CalibratedVerifier
from verifier.backends.labels import heads_of
from verifier.backends.score_cache import ScoreCache, model_key
from verifier.types import NLIScores

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
DEFINING = (".json", ".txt", ".model")
"""Files that scores depend on besides the weights: configuration and vocabulary."""


class CrossEncoderVerifier(CalibratedVerifier):
    """A verifier from a folder (never looks beyond it) or a hub id (downloads what is not cached).

    ``calibration.json`` in the folder is used when it is there; otherwise the scores are not calibrated
    and the default thresholds hold.

    Raises:
        ConfigError: no such folder, pickled weights, or labels that are not understood.
        BackendUnavailable: sentence-transformers is missing, or the model cannot be loaded or had.
    """

    def __init__(self, name: str, *, cache: ScoreCache | None = None) -> None:
        place = Path(name).expanduser()
        local = place.is_dir()
        if not local and not _is_hub_id(name):
            raise ConfigError(f"there is no folder {name!r}; give the folder of a model, or its hub id (owner/name)")
        if local:
            weights_of(place)
        shown = place.resolve().name if local else name
        self._model, folder = _load(place, shown) if local else _fetch(name)
        weights = weights_of(folder)
        _refuse_random_head(self._model, weights, shown)
        digest = sha256_of(weights, folder)
        self._heads = heads_of(_labels(self._model, shown), shown)
        self._lock = threading.Lock()
        runtime = version("sentence-transformers")
        fingerprint = Fingerprint(name=f"verifier:crossencoder:{shown}", version=runtime, sha256=digest)
        rest = sha256_of(defining_files(folder), folder)
        key = model_key("crossencoder", digest, rest, runtime, version("transformers"), version("torch"))
        super().__init__(folder, fingerprint, self._score_all, cache=cache, key=key)

    @property
    def can_contradict(self) -> bool:
        """Whether the model has a contradiction class."""
        return self._heads.can_contradict

    def _score_all(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        from torch.nn import Identity

        scores = []
        for pair in pairs:
            with self._lock:  # a fast tokenizer is not safe for threads
                try:
                    logits = self._model.predict([pair], activation_fn=Identity(), show_progress_bar=False)
                except RuntimeError as error:
                    raise BackendUnavailable(f"the cross-encoder failed on a pair ({error})") from error
            scores.append(self._heads.scores(np.ravel(logits).tolist()))
        return scores


def weights_of(folder: Path) -> list[Path]:
    """The safetensors files of a model folder, sorted.

    Raises:
        ConfigError: there are none, or a part of the model is there in a pickled file only.
    """
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    safe = [path for path in files if path.suffix == ".safetensors"]
    homes = {path.parent for path in safe}
    pickled = [path for path in files if path.suffix in PICKLED and path.parent not in homes]
    if pickled:
        raise ConfigError(
            f"{str(pickled[0].relative_to(folder))!r} of model {folder.name!r} is a pickled file, which can "
            "run code when it is opened; convert the weights to safetensors (save_pretrained does) first"
        )
    if folder not in homes:
        raise ConfigError(f"model folder {folder.name!r} has no .safetensors file; give one that has")
    return safe


def sha256_of(files: Sequence[Path], folder: Path) -> str:
    """Hex SHA-256 of the files: of the file itself when it is one, else over names and hashes of all."""
    hashes = []
    for path in files:
        with path.open("rb") as stream:
            hashes.append((path.relative_to(folder).as_posix(), hashlib.file_digest(stream, "sha256").hexdigest()))
    if len(hashes) == 1:
        return hashes[0][1]
    return hashlib.sha256("".join(f"{digest}  {name}\n" for name, digest in hashes).encode()).hexdigest()


def _labels(model: CrossEncoder, shown: str) -> dict[int, str]:
    if model.model is None:
        raise ConfigError(f"cross-encoder {shown!r} holds no transformer; give a sequence classification model")
    return {int(index): str(name) for index, name in (model.model.config.id2label or {}).items()}


def _refuse_random_head(model: CrossEncoder, weights: Sequence[Path], shown: str) -> None:
    """Transformers fills weights that a file lacks with random ones and goes on; here that is an error."""
    from safetensors import safe_open

    stored: set[str] = set()
    for path in weights:
        with safe_open(path, framework="pt") as file:
            stored.update(file.keys())
    network = model.model
    body = f"{network.base_model_prefix}." if network is not None else ""
    names = network.state_dict().keys() if network is not None else ()
    lacking = sorted(name for name in names if not name.startswith(body) and name not in stored)
    if lacking:
        raise ConfigError(
            f"model {shown!r} has no weights for {lacking[0]!r}: it was not trained to classify; give "
            "a model that was trained on NLI or fact-checking pairs"
        )


def defining_files(folder: Path) -> list[Path]:
    """Configuration and vocabulary of a model folder, sorted."""
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in DEFINING and path.is_file()]
    return [path for path in files if path.name != "calibration.json"]


def _is_hub_id(name: str) -> bool:
    owner, _, rest = name.partition("/")
    return bool(owner and rest) and not name.startswith((".", "~", "/")) and "/" not in rest and "\\" not in name


def _load(folder: Path, shown: str) -> tuple[CrossEncoder, Path]:
    return _open(str(folder), shown, local=True), folder


def _fetch(name: str) -> tuple[CrossEncoder, Path]:
    """The model and the folder of the hub's cache that it was read from."""
    model = _open(name, name, local=False)
    from transformers.utils.hub import cached_file

    config = cached_file(name, "config.json", local_files_only=True)
    if config is None:
        raise BackendUnavailable(f"the files of cross-encoder {name!r} are not in the hub's cache; give its folder")
    return model, Path(config).parent


def _open(where: str, shown: str, *, local: bool) -> CrossEncoder:
    try:
        import torch
        from safetensors import SafetensorError
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise BackendUnavailable(f"cross-encoder {shown!r} cannot run ({error}); {install_line('models')}") from error
    try:
        model: CrossEncoder = CrossEncoder(
            where,
            device="cpu",
            local_files_only=local,
            trust_remote_code=False,
            model_kwargs={"dtype": torch.float32, "use_safetensors": True},
        )
        return model
    except (OSError, ValueError, RuntimeError, KeyError, SafetensorError) as error:
        mend = "check its files" if local else "download it and give its folder"
        raise BackendUnavailable(
            f"cross-encoder {shown!r} cannot be loaded ({type(error).__name__}: {str(error)[:300]}); {mend}"
        ) from error
