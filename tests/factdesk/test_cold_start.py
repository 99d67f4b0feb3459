"""What a start loads: seconds differ from machine to machine, the list of modules does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factdesk.conftest import CLAIM

HEAVY = {"torch", "transformers", "sentence_transformers", "open_clip", "torchvision", "tensorflow"}
LATE = {
    "langgraph",
    "langchain_core",
    "numpy",
    "spacy",
    "onnxruntime",
    "sqlmodel",
    "sqlalchemy",
    "rich",
    "PIL",
}
TYPES = {"trust", "trust.types"}
"""Records alone: the options of the ranking stand in the settings."""
ROOMS = {"agent", "evidence", "language", "report", "store", "trust", "verifier"}

REPORTER = """
import atexit, json, runpy, sys
out = sys.argv.pop(1)
def tell():
    with open(out, "w", encoding="utf-8") as file:
        json.dump(sorted(sys.modules), file)
atexit.register(tell)
sys.argv[0] = "factdesk"
runpy.run_module("factdesk", run_name="__main__", alter_sys=False)
"""


def modules_after(home: Path, out: Path, repository: Path, *arguments: str) -> set[str]:
    """All modules that a run of the command line had loaded when it ended."""
    done = subprocess.run(
        [sys.executable, "-c", REPORTER, str(out), *arguments],
        cwd=repository,
        env={**os.environ, "FACTDESK_HOME": str(home), "PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    return set(json.loads(out.read_text(encoding="utf-8")))


def tops(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(factdesk_home: Path, tmp_path: Path, repository: Path, arguments: list[str]) -> None:
    loaded = modules_after(factdesk_home, tmp_path / "modules.json", repository, *arguments)
    assert not tops(loaded - TYPES) & (HEAVY | LATE | ROOMS)
    assert not factdesk_home.exists()


def test_a_whole_check_loads_no_training_framework(home: Path, tmp_path: Path, repository: Path) -> None:
    image = str(repository / "examples" / "images" / "sign.png")
    arguments = ["check", CLAIM, "--image", image, "--json"]
    loaded = modules_after(home, tmp_path / "modules.json", repository, *arguments)
    assert {"onnxruntime", "langgraph"} <= tops(loaded)
    assert not tops(loaded) & HEAVY


def test_a_check_of_text_reads_claims_beside_and_loads_no_image_reader(
    home: Path, tmp_path: Path, repository: Path
) -> None:
    loaded = tops(modules_after(home, tmp_path / "modules.json", repository, "check", CLAIM, "--json"))
    assert "spacy" not in loaded
    assert not loaded & (HEAVY | {"rapidocr", "cv2", "trafilatura", "pdfminer", "langchain_community"})
    code = (
        "import io, json, sys; from agent.intake.parsing_process import leave_out_commands, serve\n"
        "leave_out_commands()\n"
        'question = ["agent.intake.decompose:compile_claims", [sys.argv[1]], {}]\n'
        "serve(io.BytesIO(json.dumps(question).encode()), io.BytesIO())\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, CLAIM], cwd=repository, capture_output=True, text=True, check=True
    )
    there = tops(set(json.loads(done.stdout)))
    assert "spacy" in there
    assert not there & (HEAVY | {"langgraph", "sqlalchemy", "onnxruntime", "requests", "typer", "weasel"})


def test_what_terminals_and_hosted_services_need_stays_out(home: Path, tmp_path: Path, repository: Path) -> None:
    loaded = modules_after(home, tmp_path / "modules.json", repository, "check", CLAIM, "--quiet")
    assert "langgraph_sdk.auth.types" in loaded
    assert not {"langgraph_sdk.client", "langsmith.types.snapshot_response"} & loaded
    assert not tops(loaded) & {"httpx", "websockets", "pygments", "rich"}


def test_a_command_ends_without_a_search_for_garbage(repository: Path) -> None:
    code = (
        "import atexit, gc, sys; atexit.register(lambda: print(gc.get_freeze_count()))\n"
        "from factdesk.cli import main; sys.argv = ['factdesk', '--version']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repository, capture_output=True, text=True, check=True, timeout=600
    )
    assert int(done.stdout.splitlines()[-1]) > 1000


def test_importing_the_package_loads_nothing_else_of_ours(repository: Path) -> None:
    code = "import sys, json, factdesk; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repository, capture_output=True, text=True, check=True, timeout=600
    )
    loaded = set(json.loads(done.stdout))
    assert not tops(loaded) & (HEAVY | LATE | ROOMS | {"pydantic", "click"})
    assert {name for name in loaded if name.startswith("factdesk")} == {"factdesk"}
