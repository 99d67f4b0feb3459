"""What may be loaded, and what must never be written down."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.llm_server import serve
from tests.factdesk.conftest import CLAIM, Run
from tests.factdesk.test_llm_check import MODEL, SECRET, clever, configured
from tests.test_layering import dotted, imports_of, shipped

__all__ = ["configured"]

RUNS_CODE = frozenset(
    {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "jsonpickle"}
)
SAFE_NAMES = frozenset({"pickle.UnpicklingError"})
"""An error to catch is no loader."""


def test_nothing_is_ever_unpickled() -> None:
    """No module that runs code from data, and no loader that may do so in secret."""
    wrong = []
    for file, tree in shipped():
        wrong += [
            str(item) for item in imports_of(file, tree)
            if item.top in RUNS_CODE and item.module not in SAFE_NAMES
        ]  # fmt: skip
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = dotted(node.func)
            given = {k.arg: getattr(k.value, "value", None) for k in node.keywords}
            if name == "torch.load" and given.get("weights_only") is not True:
                wrong.append(f"{file}:{node.lineno} torch.load without weights_only=True")
            if name in ("np.load", "numpy.load") and given.get("allow_pickle") is not False:
                wrong.append(f"{file}:{node.lineno} np.load without allow_pickle=False")
            if name in ("yaml.load", "yaml.unsafe_load", "eval", "exec"):
                wrong.append(f"{file}:{node.lineno} {name}")
    assert not wrong, "\n".join(wrong)


def test_a_secret_is_in_no_file_of_a_batch_or_a_recording(
    run: Run, home: Path, tmp_path: Path, configured: Any
) -> None:
    """The key goes to the model's server and nowhere else: not to disk, not to the screen."""
    claims, out, recording = tmp_path / "claims.jsonl", tmp_path / "out", tmp_path / "run.zst"
    claims.write_text(json.dumps({"claim": CLAIM}) + "\n", encoding="utf-8")
    with serve(clever) as server:
        configured(server.url)
        batch = run("batch", claims, "--out", out, "--workers", "1", "--json", *MODEL)
        recorded = run("check", CLAIM, *MODEL, "--record", recording, "--json")
        used = [value for request in server.requests for value in request.headers.values()]
    assert batch.json()["completed"] == 1
    assert any(SECRET in value for value in used), "the model was asked with the key"
    for path in (p for folder in (home, out, tmp_path) for p in folder.rglob("*") if p.is_file()):
        data = path.read_bytes()
        if path == recording:
            import zstandard

            data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
        assert SECRET.encode() not in data, path
    for outcome in (batch, recorded):
        assert SECRET not in outcome.out + outcome.err
    doctor = run("doctor")
    assert SECRET not in doctor.out + doctor.err
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FACTDESK_LLM__TIMEOUT", "never")
        broken = run("check", CLAIM)
    assert broken.code == 2
    assert SECRET not in broken.err
