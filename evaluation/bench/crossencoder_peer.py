"""Peers for timing: cross-encoders in torch fp32 through sentence-transformers, with given or random weights.

Random weights take the same time as trained ones; what such a model says means nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from factdesk.kernel import BackendUnavailable, install_line

MINILM = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
ROBERTA_LARGE = {
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "intermediate_size": 4096,
    "max_position_embeddings": 514,
    "vocab_size": 50265,
    "type_vocab_size": 1,
}

FLAN_T5_LARGE = {
    "d_model": 1024,
    "d_kv": 64,
    "d_ff": 2816,
    "num_layers": 24,
    "num_heads": 16,
    "vocab_size": 32128,
    "feed_forward_proj": "gated-gelu",
}


class T5Peer:
    """An encoder-decoder with random weights that reads a pair and decodes one token, as MiniCheck does.

    Raises:
        BackendUnavailable: torch or transformers is missing.
    """

    def __init__(self, sizes: dict[str, Any], tokenizer: Path, *, threads: int) -> None:
        try:
            import torch
            from tokenizers import Tokenizer
            from transformers import T5Config, T5ForConditionalGeneration
        except ImportError as error:
            raise BackendUnavailable(
                f"the peer needs transformers and torch ({error}); {install_line('models')}"
            ) from error
        torch.set_num_threads(threads)
        torch.manual_seed(0)
        self._words = int(sizes["vocab_size"])
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._model = T5ForConditionalGeneration(T5Config(**sizes)).eval()

    def predict(self, pairs: Sequence[tuple[str, str]], *, batch_size: int = 32) -> int:
        """Score the pairs; returns how many there were."""
        import torch

        done = 0
        with torch.inference_mode():
            for start in range(0, len(pairs), batch_size):
                encoded = self._tokenizer.encode_batch(list(pairs[start : start + batch_size]))
                ids = torch.tensor([e.ids for e in encoded]) % self._words
                mask = torch.tensor([e.attention_mask for e in encoded])
                first = torch.zeros((len(encoded), 1), dtype=torch.long)
                done += len(self._model(input_ids=ids, attention_mask=mask, decoder_input_ids=first).logits)
        return done


class TorchPeer:
    """A three-class cross-encoder in fp32; ``predict`` with sentence-transformers' own batches.

    Raises:
        BackendUnavailable: torch or sentence-transformers is missing, or the folder cannot be loaded.
    """

    def __init__(self, folder: Path, *, threads: int) -> None:
        try:
            import torch
            from safetensors import SafetensorError
            from sentence_transformers import CrossEncoder
        except ImportError as error:
            raise BackendUnavailable(
                f"the peer needs sentence-transformers and torch ({error}); {install_line('models')}"
            ) from error
        torch.set_num_threads(threads)
        try:
            self._model = CrossEncoder(
                str(folder),
                device="cpu",
                local_files_only=True,
                max_length=128,
                model_kwargs={"dtype": torch.float32, "use_safetensors": True},
            )
        except (OSError, ValueError, RuntimeError, SafetensorError) as error:
            raise BackendUnavailable(f"the peer in {folder.name!r} cannot be loaded ({error})") from error

    def predict(self, pairs: Sequence[tuple[str, str]], *, batch_size: int = 32) -> int:
        """Score the pairs; returns how many there were."""
        found = self._model.predict(list(pairs), batch_size=batch_size, apply_softmax=True, show_progress_bar=False)
        return len(found)


class Shape(NamedTuple):
    """A kind of model (``"bert"`` or ``"roberta"``) and its sizes."""

    kind: str
    sizes: dict[str, int]


def write_random(folder: Path, shape: Shape, tokenizer: Path, *, max_tokens: int = 128) -> Path:
    """Save a cross-encoder with random weights and the words of ``tokenizer`` (a ``tokenizer.json``)."""
    import torch
    from transformers import (
        BertConfig,
        BertForSequenceClassification,
        PreTrainedTokenizerFast,
        RobertaConfig,
        RobertaForSequenceClassification,
    )

    fast = PreTrainedTokenizerFast(
        tokenizer_file=str(tokenizer),
        model_max_length=max_tokens,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_input_names=["input_ids", "attention_mask"],
    )
    sizes: dict[str, Any] = {**shape.sizes, "num_labels": 3}
    torch.manual_seed(0)
    if shape.kind == "roberta":
        model: torch.nn.Module = RobertaForSequenceClassification(RobertaConfig(**sizes))
    else:
        config = BertConfig(**{"vocab_size": len(fast), **sizes})
        model = BertForSequenceClassification(config)
    model.save_pretrained(folder)  # type: ignore[operator]
    fast.save_pretrained(folder)
    return folder


def is_checkpoint(folder: Path) -> bool:
    """Whether a folder holds a sequence classifier that transformers can load."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return "architectures" in config and (folder / "model.safetensors").is_file()
