"""Tiny NLI models with random weights, made on the spot and loaded by the shipped code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

MakeModel = Callable[..., Path]
NLI = ("contradiction", "entailment", "neutral")
WORDS = """
the a bridge library reopened closed in may june 2024 2023 rents rose fell by 4 3 percent roof new has . ,
"""


def tiny_model(folder: Path, *labels: str, seed: int = 7) -> Path:
    """Save a two-layer BERT with random weights and these labels; returns its folder."""
    if folder.is_dir():
        return folder
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS.split()]))
    tokenizer = BertTokenizer(vocab=str(folder / "vocab.txt"), model_max_length=64)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    names: dict[str, Any] = {"num_labels": len(labels), "id2label": dict(enumerate(labels))}
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.6,
        **names,
    )
    BertForSequenceClassification(config).half().save_pretrained(folder)
    return folder
