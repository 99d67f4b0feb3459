"""Verifiers by spec."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from factdesk.kernel import BackendUnavailable, ConfigError
from verifier.backends.factory import DEFAULT, MODELS, SMALL, make_verifier


@pytest.mark.parametrize("spec", ["", "onnx", "onnx:", "gpt:5", "minilm-fact", ":x", "crossencoder:", "ensemble:"])
def test_an_unknown_spec_names_the_known_ones(spec: str) -> None:
    with pytest.raises(ConfigError, match="onnx:NAME_OR_DIR") as caught:
        make_verifier(spec)
    assert repr(spec) in str(caught.value)


def test_absent_files_are_said(tmp_path: Path) -> None:
    for spec in ("onnx:no-such-model", f"onnx:{tmp_path}"):
        with pytest.raises(BackendUnavailable):
            make_verifier(spec)


def test_the_default_is_shipped_and_a_folder_does_as_well(tmp_path: Path) -> None:
    shipped = make_verifier(DEFAULT)
    assert shipped.can_contradict
    copy = tmp_path / "elsewhere"
    shutil.copytree(MODELS / "minilm-fact", copy)
    assert make_verifier(f"onnx:{copy}").fingerprint == make_verifier(SMALL).fingerprint
