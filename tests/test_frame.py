"""The frame: the wheel, the README's commands, CI, what the repository may hold."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import factdesk

ROOMS = ("agent", "evaluation", "evidence", "language", "report", "store", "trust", "verifier")


def project(repository: Path) -> dict[str, dict[str, object]]:
    return tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))


def light(source: str, target: str) -> None:
    """A copy for a wheel of which the names are looked at: of large files their beginning."""
    Path(target).write_bytes(Path(source).read_bytes()[:100_000])


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The wheel as it would be installed, from a copy in which things lie about that must not ship."""
    copy = tmp_path_factory.mktemp("wheel") / "factdesk"
    ignore = shutil.ignore_patterns(".*", "__pycache__", "dist", "build", "*.egg-info")
    shutil.copytree(repository, copy, ignore=ignore, copy_function=light)
    checkpoint = copy / "verifier" / "training" / "checkpoint"
    checkpoint.mkdir(exist_ok=True)
    (checkpoint / "weights.safetensors").write_bytes(b"large")
    (copy / "scratch.py").write_text("", encoding="utf-8")
    (copy / "verifier" / "models" / "some-model").mkdir(parents=True, exist_ok=True)
    (copy / "verifier" / "models" / "some-model" / "model.onnx").write_bytes(b"weights")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [path] = (copy / "dist").glob("*.whl")
    assert path.name == f"factdesk-{factdesk.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_holds_the_rooms_and_nothing_else(wheel: dict[str, bytes]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert tops == {*ROOMS, "factdesk", f"factdesk-{factdesk.__version__}.dist-info"}
    kept = ("verifier/training/", "notebooks")
    assert not [n for n in wheel if any(k in n for k in kept) or n.startswith("tests")]


def test_the_wheel_holds_data_and_examples(wheel: dict[str, bytes], repository: Path) -> None:
    assert wheel["verifier/models/some-model/model.onnx"] == b"weights"
    data = {
        path.relative_to(repository).as_posix()
        for room in ("agent", "evidence", "verifier")
        for pattern in ("prompts/*.md", "models/**/*.onnx", "models/**/*.json", "models/**/*.txt")
        for path in (repository / room).glob(pattern)
    }
    examples = {
        f"factdesk/{path.relative_to(repository).as_posix()}"
        for path in (repository / "examples").rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"} and "plugin" not in path.parts
    }
    pages = {
        path.relative_to(repository).as_posix()
        for folder in ("service/static", "service/templates", "cli/templates")
        for path in (repository / "factdesk" / folder).iterdir()
    }
    assert len(examples) > 50
    assert "factdesk/service/static/cytoscape.LICENSE.txt" in pages
    assert sorted((data | examples | pages) - set(wheel)) == []


def test_what_is_installed_needs_no_network_at_build_or_run_time(wheel: dict[str, bytes]) -> None:
    """Every requirement is a plain name with a bound: no address, no pinned file."""
    [metadata] = [text.decode() for name, text in wheel.items() if name.endswith(".dist-info/METADATA")]
    needs = [line.removeprefix("Requires-Dist: ") for line in metadata.splitlines() if line[:14] == "Requires-Dist:"]
    assert len(needs) > 30
    assert not [need for need in needs if "://" in need or " @ " in need]


def readme_block(repository: Path, name: str) -> str:
    text = (repository / "README.md").read_text(encoding="utf-8")
    [block] = re.findall(rf"^<!-- ci: {name} -->\n```sh\n(.*?)\n```$", text, flags=re.M | re.S)
    return str(block)


def test_the_readme_has_the_two_commands_and_ci_runs_them_word_for_word(repository: Path) -> None:
    main, test = readme_block(repository, "main"), readme_block(repository, "test")
    assert len(main.splitlines()) == len(test.splitlines()) == 1
    assert main.endswith("pip install . && factdesk demo")
    assert test.endswith("pip install '.[test]' && python -m pytest")
    script = (repository / ".ci" / "run").read_text(encoding="utf-8")
    function = script[script.index("readme_block()") : script.index("\nstep()")]
    for name, command in (("main", main), ("test", test)):
        done = subprocess.run(
            ["bash", "-c", f"{function}\nreadme_block {name}"],
            cwd=repository,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == command


def test_ci_is_well_formed_and_executable(repository: Path) -> None:
    script = repository / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True)
    assert "set -euo pipefail" in script.read_text(encoding="utf-8")


def test_warnings_are_errors_and_each_exception_has_its_reason(repository: Path) -> None:
    text = (repository / "pyproject.toml").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.split("filterwarnings = [")[1].split("\n]")[0].splitlines() if line.strip()]
    assert lines[0] == '"error",'
    for before, line in pairwise(lines):
        if line.startswith('"'):
            assert before.startswith("#"), f"say why {line} is excepted"
            assert re.match(r'"ignore:[^:]{10,}:\w', line), f"name the message and the category: {line}"


def test_the_changelog_knows_this_version(repository: Path) -> None:
    assert f"## [{factdesk.__version__}]" in (repository / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_hashes_of_shipped_models_stand_in_the_documentation(repository: Path) -> None:
    text = (repository / "docs" / "models.md").read_text(encoding="utf-8")
    for manifest in sorted(repository.glob("*/models/*/manifest.json")):
        content = json.loads(manifest.read_text(encoding="utf-8"))
        for file, sha256 in (content.get("files") or content["sha256"]).items():
            if file.startswith("model.onnx"):
                path = manifest.parent.relative_to(repository) / file
                assert sha256 in text, f"docs/models.md lacks: | `{path.as_posix()}` | `{sha256}` |"


def texts(repository: Path) -> Iterator[tuple[Path, str]]:
    """Every text file that git knows or would add; all visible ones where there is no git."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=repository, capture_output=True, check=False) if shutil.which("git") else None
    if listed and listed.returncode == 0:
        files = [repository / name for name in listed.stdout.decode().split("\0") if name]
    else:
        hidden = {".venv", ".git", "__pycache__", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
        files = []
        for folder, folders, names in os.walk(repository):
            folders[:] = [name for name in folders if name not in hidden]
            files += [Path(folder) / name for name in names if name not in hidden]
    for path in files:
        if path.is_file() and path.stat().st_size < 2_000_000:
            data = path.read_bytes()
            if b"\0" not in data[:4096]:
                yield path, data.decode("utf-8", errors="replace")


def test_no_secret_no_machine_path_and_no_registry_in_the_repository(repository: Path) -> None:
    """The patterns are put together here so that this file does not match itself."""
    slash = "/"
    patterns = {
        "secret": r"sk-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30,}|hf_[A-Za-z]{30,}"
        + r"|BEGIN [A-Z ]*PRIVATE "
        + "KEY",
        "machine path": rf"(?<![\w.~/-]){slash}(?:work|root|home{slash}\w+|Users{slash}\w+){slash}",
        "registry": "|".join(
            re.escape(host + "." + end)
            for host, end in (
                ("pypi", "org"),
                ("pythonhosted", "org"),
                ("npmjs", "org"),
                ("npmjs", "com"),
                ("deb.debian", "org"),
                ("crates", "io"),
                ("anaconda", "org"),
                ("download.pytorch", "org"),
            )
        ),
    }
    wrong = [
        f"{path.relative_to(repository)}: {kind} {match.group()!r}"
        for path, text in texts(repository)
        for kind, pattern in patterns.items()
        for match in re.finditer(pattern, text)
    ]
    assert not wrong, "\n".join(wrong)
