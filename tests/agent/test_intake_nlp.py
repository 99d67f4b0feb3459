"""The pipeline's loader: torch stays out, others can import it, and the guard ends with the block."""

from __future__ import annotations

import importlib
import subprocess
import sys
import threading

import pytest

from language.nlp.pipeline import KEPT_OUT, load_nlp, look_absent, nlp_fingerprint

_PROBE = """
import sys
from agent.intake import compile_claims
from language.nlp.pipeline import load_nlp
assert not {"spacy", "torch"} & set(sys.modules), "importing must load nothing"
compile_claims("Anna Berg opened the bridge in 2019.")
heavy = {"torch", "transformers", "tensorflow", "cupy", "sentence_transformers"} & set(sys.modules)
print("heavy:", sorted(heavy), "guards:", [f for f in sys.meta_path if type(f).__name__ == "_Absent"])
import importlib.util
print("torch can be found:", importlib.util.find_spec("torch") is not None)
"""


def test_a_parse_does_not_load_torch() -> None:
    done = subprocess.run([sys.executable, "-c", _PROBE], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert "heavy: [] guards: []" in done.stdout
    assert "torch can be found" in done.stdout


def test_the_guard_hides_and_lets_go(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("fake")
    (folder / "mxnet.py").write_text("value = 1\n", encoding="utf-8")
    sys.path.insert(0, str(folder))
    seen: list[int] = []

    def elsewhere() -> None:
        seen.append(importlib.import_module("mxnet").value)

    try:
        with look_absent(KEPT_OUT):
            with pytest.raises(ModuleNotFoundError, match="kept out"):
                importlib.import_module("mxnet")
            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
        assert seen == [1]
        sys.modules.pop("mxnet")
        assert importlib.import_module("mxnet").value == 1
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("mxnet", None)


def test_the_pipeline_is_shared_between_threads() -> None:
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(load_nlp())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(n) for n in found}) == 1


def test_the_fingerprint_names_the_model() -> None:
    mark = nlp_fingerprint()
    assert mark.name.startswith("spacy:en_")
    assert mark.version
    assert mark.sha256 is not None
    assert len(mark.sha256) == 64
