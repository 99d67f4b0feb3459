"""The weights of a shipped int8 ONNX model as a checkpoint, where those it was made from are not kept.

What training adds is larger than what quantising took: seven bits a weight are a start for the next stage.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForSequenceClassification, PretrainedConfig

from factdesk.kernel import InputError
from language.onnx_model import MODEL
from verifier.training.export import save_checkpoint

if TYPE_CHECKING:
    from onnx import GraphProto

_MODEL = "model."
"""What ``export`` puts before the names of the weights."""


def recover(shipped: Path, config: PretrainedConfig, checkpoint: Path) -> None:
    """Write the weights of the model in ``shipped`` as a checkpoint that ``train --base`` starts from.

    ``config`` is that of the base model. Raises ``InputError`` where the weights are not those it has.
    """
    import onnx

    files = sorted(shipped.glob(f"{MODEL}*"))
    graph = onnx.load_from_string(b"".join(path.read_bytes() for path in files)).graph
    found = dict(_weights(graph))
    wanted = AutoModelForSequenceClassification.from_config(config).state_dict()
    wrong = [n for n, t in wanted.items() if n not in found or found[n].shape != tuple(t.shape)]
    if wrong or found.keys() - wanted.keys():
        name = (wrong or sorted(found.keys() - wanted.keys()))[0]
        raise InputError(f"the weights in {shipped.name!r} do not fit the configuration: {name!r}")
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        config.save_pretrained(base)
        shutil.copyfile(shipped / "tokenizer.json", base / "tokenizer.json")
        save_checkpoint({n: torch.tensor(found[n]) for n in wanted}, base, checkpoint)


def _weights(graph: GraphProto) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Name and values of every weight, as ``transformers`` has them."""
    from onnx import numpy_helper

    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}

    def plain(name: str) -> NDArray[np.float32]:
        steps = stored[f"{name}_quantized"].astype(np.float32) - stored[f"{name}_zero_point"].astype(np.float32)
        return np.ascontiguousarray(steps * stored[f"{name}_scale"])

    products = [node for node in graph.node if node.op_type == "MatMulInteger"]
    multiplied = {node.input[1] for node in products}
    for name in stored.keys() - multiplied:
        if not name.startswith(_MODEL) or name.endswith(("_scale", "_zero_point")):
            continue
        table = name.removesuffix("_quantized")
        yield table.removeprefix(_MODEL), plain(table) if table != name else stored[name]
    for node in products:  # named as "/model/.../attn/q/MatMul_quant"
        path = node.name.strip("/").split("/")[1:-1]
        yield f"{'.'.join(path)}.weight", plain(node.input[1].removesuffix("_quantized")).T.copy()
