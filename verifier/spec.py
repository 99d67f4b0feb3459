"""Choosing a verifier by a short spec: ``onnx:NAME_OR_DIR``, ``crossencoder:PATH_OR_ID``, ``ensemble:A+B``."""

from __future__ import annotations

from pathlib import Path

from factdesk.kernel import ConfigError
from verifier.types import Verifier

MODELS = Path(__file__).parent / "models"
DEFAULT = "onnx:minilm-fact"
KNOWN = "onnx:NAME_OR_DIR (shipped: minilm-fact)"


def make_verifier(spec: str = DEFAULT) -> Verifier:
    """Make the verifier a spec names.

    Raises:
        ConfigError: the spec is unknown; the message names the known ones.
        BackendUnavailable: its files are missing or broken.
    """
    kind, _, rest = spec.partition(":")
    if kind == "onnx" and rest:
        from verifier.onnx import OnnxVerifier

        shipped = MODELS / rest
        return OnnxVerifier(shipped if shipped.is_dir() and "/" not in rest else Path(rest))
    raise ConfigError(f"unknown verifier {spec!r}; known: {KNOWN}")
