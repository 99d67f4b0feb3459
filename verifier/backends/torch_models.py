"""Other people's models as verifiers, run by PyTorch in fp32 on the CPU: NLI cross-encoders, and MiniCheck.

Weights are read from safetensors alone: a pickled checkpoint can run code when it is opened, and what decides about
badges has no business doing so. One pair at a time needs no padding, so that a score depends on nothing but its pair.
"""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
MAX_TOKENS = 2048
"""Of a premise and a claim that MiniCheck reads."""


class TorchVerifier(CalibratedVerifier, ABC):
    """A verifier that PyTorch runs, one pair at a time; ``kind``: of model, ``libraries``: that run it.

    ``calibration.json`` in the folder is used when it is there; otherwise the scores are not calibrated and the
    default thresholds hold.
    """

    def __init__(self, kind: str, shown: str, folder: Path, libraries: Sequence[str], cache: ScoreCache | None) -> None:
        self._lock = threading.Lock()
        versions = [version(library) for library in libraries]
        digest, rest = sha256_of(weights_of(folder), folder), sha256_of(defining_files(folder), folder)
        fingerprint = Fingerprint(name=f"verifier:{kind}:{shown}", version=versions[0], sha256=digest)
        key = model_key(kind, digest, rest, *versions)
        super().__init__(folder, fingerprint, self._score_all, cache=cache, key=key)

    def _score_all(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        scores = []
        for premise, claim in pairs:
            with self._lock:  # a fast tokenizer is not safe for threads
                try:
                    scores.append(self._score(premise, claim))
                except RuntimeError as error:
                    raise BackendUnavailable(f"{self.fingerprint.name} failed on a pair ({error})") from error
        return scores

    @abstractmethod
    def _score(self, premise: str, claim: str) -> NLIScores:
        """Probabilities of one pair; raises ``RuntimeError`` where the model fails on it."""


class CrossEncoderVerifier(TorchVerifier):
    """A verifier from a folder (never looks beyond it) or a hub id (downloads what is not cached).

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
        _refuse_random_head(self._model, weights_of(folder), shown)
        self._heads = heads_of(_labels(self._model, shown), shown)
        super().__init__("crossencoder", shown, folder, ("sentence-transformers", "transformers", "torch"), cache)

    @property
    def can_contradict(self) -> bool:
        """Whether the model has a contradiction class."""
        return self._heads.can_contradict

    def _score(self, premise: str, claim: str) -> NLIScores:
        from torch.nn import Identity

        logits = self._model.predict([(premise, claim)], activation_fn=Identity(), show_progress_bar=False)
        return self._heads.scores(np.ravel(logits).tolist())


class MiniCheckVerifier(TorchVerifier):
    """A verifier from the folder of a sequence-to-sequence model whose first output word says 0 or 1.

    The model reads ``predict: PREMISE </s> CLAIM``; the share of ``1`` against ``0`` is the probability of support.
    It has no contradiction, so that in strict mode it needs a partner
    (``ensemble:minicheck:FOLDER+onnx:minilm-fact``). Nothing is downloaded.

    Raises:
        ConfigError: no such folder, pickled or missing weights, or a vocabulary that does not tell 0 from 1.
        BackendUnavailable: transformers is missing, or the model cannot be loaded.
    """

    can_contradict = False

    def __init__(self, name: str, *, cache: ScoreCache | None = None) -> None:
        folder = Path(name).expanduser()
        if not folder.is_dir():
            raise ConfigError(f"there is no folder {name!r}; give the folder of a MiniCheck model")
        weights_of(folder)
        shown = folder.resolve().name
        self._tokenizer, self._model = _load_seq2seq(folder, shown)
        self._answers = [self._tokenizer.encode(word, add_special_tokens=False)[0] for word in ("0", "1")]
        if self._answers[0] == self._answers[1]:
            raise ConfigError(f"the vocabulary of {shown!r} begins 0 and 1 alike, so its answer cannot be read")
        super().__init__("minicheck", shown, folder, ("transformers", "torch"), cache)

    def _score(self, premise: str, claim: str) -> NLIScores:
        import torch

        text = f"predict: {premise}{self._tokenizer.eos_token}{claim}"
        with torch.inference_mode():
            given = self._tokenizer(text, return_tensors="pt", truncation=True, max_length=MAX_TOKENS)
            start = torch.tensor([[self._model.config.decoder_start_token_id]])
            logits = self._model(
                input_ids=given["input_ids"], attention_mask=given["attention_mask"], decoder_input_ids=start
            ).logits[0, 0]
        support = round(float(logits[self._answers].softmax(-1)[1]), 6)
        return NLIScores(entailment=support, neutral=round(1.0 - support, 6), contradiction=0.0)


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


def _load_seq2seq(folder: Path, shown: str) -> tuple[Any, Any]:
    try:
        import torch
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model, report = AutoModelForSeq2SeqLM.from_pretrained(
            folder, dtype=torch.float32, use_safetensors=True, local_files_only=True, output_loading_info=True
        )
    except ImportError as error:
        raise BackendUnavailable(f"MiniCheck model {shown!r} cannot run ({error}); {install_line('models')}") from error
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        why = f"{type(error).__name__}: {str(error)[:300]}"
        raise BackendUnavailable(f"MiniCheck model {shown!r} cannot be loaded ({why}); check its files") from error
    if report["missing_keys"]:
        raise ConfigError(f"model {shown!r} has no weights for {sorted(report['missing_keys'])[0]!r}; give whole ones")
    return tokenizer, model.eval()
