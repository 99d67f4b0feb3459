"""Export of trained weights: fp16 safetensors for the next stage, int8 ONNX for the wheel."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForSequenceClassification, PreTrainedModel
from transformers.models.auto.modeling_auto import MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES

from factdesk.kernel import sha256_bytes
from language.onnx_model import MODEL
from verifier.calibration.labelled_pairs import LABELS
from verifier.training.loop import padding_of
from verifier.training.models import Trained

LARGEST = 90 * 1000 * 1000
"""Bytes of a file from which on a model is written in parts: many hosts of code refuse 100 MB."""
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "vocab.txt", "special_tokens_map.json")


def save_checkpoint(weights: dict[str, torch.Tensor], base: Path, folder: Path) -> None:
    """Write weights as fp16 with configuration and tokenizer: a folder transformers can load."""
    folder.mkdir(parents=True, exist_ok=True)
    half = {n: (t.half() if t.is_floating_point() else t).contiguous() for n, t in weights.items()}
    save_file(half, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((base / "config.json").read_text())
    config.update(
        architectures=[MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES[config["model_type"]]],
        id2label={str(i): name for i, name in enumerate(LABELS)},
        label2id={name: i for i, name in enumerate(LABELS)},
        dtype="float16",
    )
    config.pop("_name_or_path", None)
    (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    for name in TOKENIZER_FILES:
        if (base / name).exists() and base.resolve() != folder.resolve():
            shutil.copyfile(base / name, folder / name)


def mixed(weights: dict[str, torch.Tensor], checkpoint: Path, share: float) -> dict[str, torch.Tensor]:
    """``share`` of the weights and the rest of a checkpoint they were trained from, tensor by tensor.

    The mean of two stages of one lineage keeps what the earlier one knew and the later one learnt.
    """
    old = load_file(checkpoint / "model.safetensors")
    return {
        name: share * tensor + (1 - share) * old[name].to(tensor.dtype)
        if tensor.is_floating_point() and name in old
        else tensor
        for name, tensor in weights.items()
    }


class _Logits(torch.nn.Module):
    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        token_type_ids: torch.Tensor | None = None,
    ) -> torch.Tensor:
        types = {} if token_type_ids is None else {"token_type_ids": token_type_ids}
        logits: torch.Tensor = self.model(input_ids=input_ids, attention_mask=attention_mask, **types).logits
        return logits


def export_onnx(checkpoint: Path, folder: Path, model: Trained, *, version: str) -> None:
    """Write ``model.onnx`` (dynamic int8, 7-bit weights per channel), tokenizer and manifest.

    Seven bits keep the products within the range of processors without VNNI, so that scores
    agree between machines.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    trained = AutoModelForSequenceClassification.from_pretrained(
        checkpoint, dtype=torch.float32, attn_implementation="eager"
    )
    trained.eval()
    folder.mkdir(parents=True, exist_ok=True)
    example = torch.full((1, 16), 5, dtype=torch.int64)
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if padding_of(trained).types else [])]
    arguments = (example, torch.ones_like(example), torch.zeros_like(example))[: len(names)]
    with tempfile.TemporaryDirectory() as temporary:
        plain = Path(temporary) / "fp32.onnx"
        torch.onnx.export(
            _Logits(trained),
            arguments,
            str(plain),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={n: {0: "pairs", 1: "tokens"} for n in names},
            opset_version=17,
            dynamo=False,
        )
        whole = Path(temporary) / MODEL
        quantize_dynamic(plain, whole, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
        write_parts(whole.read_bytes(), folder)
    shutil.copyfile(checkpoint / "tokenizer.json", folder / "tokenizer.json")
    write_manifest(folder, model, version=version)


def write_parts(model: bytes, folder: Path, *, largest: int = LARGEST) -> None:
    """Write a model as one file, or as numbered parts of equal size where it is larger than ``largest``."""
    for old in folder.glob(f"{MODEL}*"):
        old.unlink()
    count = -(-len(model) // largest)
    size = -(-len(model) // count)
    for i in range(count):
        name = MODEL if count == 1 else f"{MODEL}.{i + 1}"
        (folder / name).write_bytes(model[i * size : (i + 1) * size])


def write_manifest(folder: Path, model: Trained, *, version: str) -> None:
    """State labels, version and the sha256 of the files that loading verifies."""
    files = (*sorted(path.name for path in folder.glob(f"{MODEL}*")), "tokenizer.json")
    manifest = {
        "name": model.name,
        "version": version,
        "labels": list(LABELS),
        "licence": "Apache-2.0",
        "origin": f"fine-tuned by verifier/training from {model.base}",
        "sha256": {file: sha256_bytes((folder / file).read_bytes()) for file in files},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
