"""What may be loaded, and what must never be written down."""

from __future__ import annotations

import ast
import json
import logging
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.agent.llm_server import serve
from tests.factdesk.conftest import CLAIM, Run
from tests.factdesk.test_llm_check import MODEL, SECRET, clever, configured
from tests.test_layering import dotted, imports_of, shipped

__all__ = ["configured"]

RUNS_CODE = frozenset({"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "jsonpickle"})
TRAINING = "verifier/training/*.py"
"""Loads what the recipe itself has just written; on nobody's path who checks claims."""
SAFE_NAMES = frozenset({"pickle.UnpicklingError"})
"""An error to catch is no loader."""


def safe_weights(file: PurePosixPath, name: str, call: ast.Call) -> bool:
    """Whether weights come from safetensors or GGUF; a tokenizer has none."""
    given = {k.arg: getattr(k.value, "value", None) for k in call.keywords}
    if name.startswith("AutoTokenizer.") or file.match(TRAINING):
        return True
    if file == PurePosixPath("agent/adapters/gguf.py"):
        return None in given  # **where, which names the GGUF file
    return given.get("use_safetensors") is True or given.get("weights_only") is True


@pytest.mark.parametrize(
    ("source", "safe"),
    [
        ("AutoModel.from_pretrained(place)", False),
        ("AutoModel.from_pretrained(place, use_safetensors=False)", False),
        ("AutoModel.from_pretrained(place, use_safetensors=True)", True),
        ("AutoTokenizer.from_pretrained(place)", True),
    ],
)
def test_the_rule_sees_what_it_should(source: str, safe: bool) -> None:
    call = ast.parse(source, mode="eval").body
    assert isinstance(call, ast.Call)
    assert safe_weights(PurePosixPath("agent/x.py"), dotted(call.func), call) is safe


def test_nothing_is_ever_unpickled() -> None:
    """No module that runs code from data, and no loader that may do so in secret."""
    wrong = []
    for file, tree in shipped():
        wrong += [
            str(item) for item in imports_of(file, tree) if item.top in RUNS_CODE and item.module not in SAFE_NAMES
        ]
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = dotted(node.func)
            given = {k.arg: getattr(k.value, "value", None) for k in node.keywords}
            if name == "torch.load" and given.get("weights_only") is not True:
                wrong.append(f"{file}:{node.lineno} torch.load without weights_only=True")
            if name in ("np.load", "numpy.load") and given.get("allow_pickle") is not False:
                wrong.append(f"{file}:{node.lineno} np.load without allow_pickle=False")
            if name.split(".")[-1] in ("from_pretrained", "create_model_and_transforms"):
                wrong += [f"{file}:{node.lineno} {name}"] * (not safe_weights(file, name, node))
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


def test_a_secret_is_in_no_log_and_no_certificate(
    run: Run, home: Path, configured: Any, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """Not even where everything is logged, by every library, and the server refuses the key."""
    caplog.set_level(logging.DEBUG)
    with serve(clever) as server:
        configured(server.url)
        plain = run("check", CLAIM, *MODEL, "--json")
        asked = len(server.requests)
    assert asked, "the model was asked"
    gone = run("check", "The Tollgate Library has two cafés.", *MODEL, "--json")
    assert caplog.records, "something was logged"
    assert SECRET not in caplog.text
    for outcome in (plain, gone):
        assert SECRET not in outcome.out + outcome.err
        kept = run("history", "show", outcome.json()["certificate_id"], "--certificate").out
        assert SECRET not in kept
        report = tmp_path / "report.html"
        run("report", outcome.json()["certificate_id"], "--format", "html", "--out", report)
        assert SECRET not in report.read_text(encoding="utf-8")
