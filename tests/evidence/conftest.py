from __future__ import annotations

import pytest

from evidence.retrieval.embedder import OnnxEmbedder


@pytest.fixture(scope="session")
def onnx() -> OnnxEmbedder:
    """The shipped embedder, loaded once."""
    return OnnxEmbedder()
