"""Models that are made for the tests of the verifier."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verifier.tiny import MakeModel, tiny_model


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def make_model(models: Path) -> MakeModel:
    """Makes a model with these labels under a name, once; returns its folder."""

    def make(name: str, *labels: str, seed: int = 7) -> Path:
        return tiny_model(models / name, *labels, seed=seed)

    return make
