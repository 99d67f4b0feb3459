"""MiniCheck's sequence-to-sequence form as a verifier: a Flan-T5 whose first output word says 0 or 1.

The model reads ``predict: PREMISE </s> CLAIM``; the share of ``1`` against ``0`` is the probability of support. It has
no contradiction, so that in strict mode it needs a partner (``ensemble:minicheck:FOLDER+onnx:minilm-fact``). One pair
at a time in fp32 on the CPU, from safetensors alone.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from factdesk.kernel import BackendUnavailable, ConfigError, Fingerprint, install_line
from verifier.backends.calibrated import CalibratedVerifier
from verifier.backends.crossencoder import defining_files, sha256_of, weights_of
from verifier.backends.score_cache import ScoreCache, model_key
from verifier.types import NLIScores

MAX_TOKENS = 2048


class MiniCheckVerifier(CalibratedVerifier):
    """A verifier from the folder of a sequence-to-sequence model; nothing is downloaded.

    Raises:
        ConfigError: no such folder, pickled or missing weights, or a vocabulary that does not tell 0 from 1.
        BackendUnavailable: transformers is missing, or the model cannot be loaded.
    """

    can_contradict = False

    def __init__(self, name: str, *, cache: ScoreCache | None = None) -> None:
        folder = Path(name).expanduser()
        if not folder.is_dir():
            raise ConfigError(f"there is no folder {name!r}; give the folder of a MiniCheck model")
        weights, shown = weights_of(folder), folder.resolve().name
        self._tokenizer, self._model = _load(folder, shown)
        self._answers = [self._tokenizer.encode(word, add_special_tokens=False)[0] for word in ("0", "1")]
        if self._answers[0] == self._answers[1]:
            raise ConfigError(f"the vocabulary of {shown!r} begins 0 and 1 alike, so its answer cannot be read")
        self._lock = threading.Lock()
        digest, runtime = sha256_of(weights, folder), version("transformers")
        fingerprint = Fingerprint(name=f"verifier:minicheck:{shown}", version=runtime, sha256=digest)
        key = model_key("minicheck", digest, sha256_of(defining_files(folder), folder), runtime, version("torch"))
        super().__init__(folder, fingerprint, self._score_all, cache=cache, key=key)

    def _score_all(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        return [self._score(premise, claim) for premise, claim in pairs]

    def _score(self, premise: str, claim: str) -> NLIScores:
        import torch

        text = f"predict: {premise}{self._tokenizer.eos_token}{claim}"
        with self._lock, torch.inference_mode():  # a fast tokenizer is not safe for threads
            try:
                given = self._tokenizer(text, return_tensors="pt", truncation=True, max_length=MAX_TOKENS)
                start = torch.tensor([[self._model.config.decoder_start_token_id]])
                logits = self._model(
                    input_ids=given["input_ids"], attention_mask=given["attention_mask"], decoder_input_ids=start
                ).logits[0, 0]
            except RuntimeError as error:
                raise BackendUnavailable(f"the MiniCheck model failed on a pair ({error})") from error
        support = round(float(logits[self._answers].softmax(-1)[1]), 6)
        return NLIScores(entailment=support, neutral=round(1.0 - support, 6), contradiction=0.0)


def _load(folder: Path, shown: str) -> tuple[Any, Any]:
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
