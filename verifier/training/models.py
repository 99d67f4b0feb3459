"""The models that this recipe trains: name, base, and what their cards say of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Trained:
    """One of our models."""

    name: str
    base: str
    """Name of the weights it starts from."""
    about: str
    """First lines of its card."""
    keep: bool
    """Whether its fp16 weights stay in the repository, where the next stage starts."""

    @property
    def folder(self) -> Path:
        """Where its ONNX, calibration and card lie."""
        return HERE.parent / "models" / self.name

    def checkpoint(self, run: Path) -> Path:
        """Where its fp16 weights go."""
        return HERE / "checkpoint" if self.keep else run / "checkpoint"


MINILM = Trained(
    "minilm-fact",
    "all-MiniLM-L6-v2 (Apache-2.0)",
    "A three-class NLI cross-encoder (entailment, neutral, contradiction) of 22.7 million parameters,\n"
    "fine-tuned from all-MiniLM-L6-v2 (Apache-2.0) by `python -m verifier.training`, shipped as int8\n"
    "ONNX. English.",
    keep=True,
)
MPNET = Trained(
    "mpnet-fact",
    "all-mpnet-base-v2 (Apache-2.0)",
    "A three-class NLI cross-encoder (entailment, neutral, contradiction) of 109 million parameters,\n"
    "fine-tuned from all-mpnet-base-v2 (Apache-2.0) by `python -m verifier.training`, as int8\n"
    "ONNX. English. Its place is behind `minilm-fact`, in a cascade.",
    keep=False,
)
DUET = Trained(
    "duet",
    "minilm-fact and mpnet-fact",
    "Two three-class NLI cross-encoders (entailment, neutral, contradiction) as one\n"
    "(`verifier/backends/screening.py`):\n"
    "`minilm-fact` screens all pairs, and what it finds worth a look is judged by it and `mpnet-fact`\n"
    "(109 million parameters, from all-mpnet-base-v2, Apache-2.0) together. English.",
    keep=False,
)
"""Nothing to train or export; it has a calibration of its own."""
TRAINED = {model.name: model for model in (MINILM, MPNET, DUET)}
