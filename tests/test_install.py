"""What is installed: the base without torch, messages whose command works, an image built offline."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from factdesk.kernel import install_line

HEAVY = ("torch", "torchvision", "transformers", "sentence-transformers", "open-clip-torch")


def extras(repository: Path) -> dict[str, list[str]]:
    table = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {"": table["dependencies"], **table["optional-dependencies"]}


def test_models_are_an_extra_that_tests_and_training_include(repository: Path) -> None:
    groups = {name: " ".join(lines) for name, lines in extras(repository).items()}
    lock = (repository / "requirements.lock").read_text(encoding="utf-8")
    for name in HEAVY:
        assert name not in groups[""]
        assert not re.search(rf"^{name}==", lock, re.M)
        assert name in groups["models"]
    for name in ("test", "train", "local-llm", "bench"):
        assert "factdesk[models]" in groups[name]


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (None, "pip install '{here}[models]'"),
        ({"url": "file://{folder}", "dir_info": {}}, "pip install '{folder}[models]'"),
        ({"url": "file:///no/such/folder", "dir_info": {}}, "pip install 'factdesk[models]'"),
        (
            {"url": "https://git.example/factdesk", "vcs_info": {"vcs": "git", "commit_id": "ab"}},
            "pip install '{here}[models]'",
        ),
    ],
)
def test_an_extra_is_added_from_where_factdesk_came(
    monkeypatch: pytest.MonkeyPatch, repository: Path, tmp_path: Path, origin: object, expected: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    text = json.dumps(origin).replace("{folder}", str(tmp_path)) if origin else None
    found = SimpleNamespace(read_text=lambda name: text if name == "direct_url.json" else None)
    monkeypatch.setattr(metadata, "distribution", lambda name: found)
    assert install_line("models") == expected.format(here=repository, folder=tmp_path)


def test_an_extra_of_an_installed_package_comes_from_git_or_the_index(tmp_path: Path) -> None:
    """The kernel alone, as it lies in a folder of packages: no checkout beside it."""
    source = Path(sys.modules["factdesk.kernel"].__file__ or "")
    (tmp_path / "factdesk").mkdir()
    (tmp_path / "factdesk" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "factdesk" / "kernel.py").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    info = tmp_path / "factdesk-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: factdesk\nVersion: 0.1.0\n")
    code = "from factdesk.kernel import install_line; import sys; sys.stdout.write(install_line('llm'))"

    def said() -> str:
        return subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert said() == "pip install 'factdesk[llm]'"
    origin = {"url": "https://git.example/factdesk", "vcs_info": {"vcs": "git", "commit_id": "ab"}}
    (info / "direct_url.json").write_text(json.dumps(origin))
    assert said() == "pip install 'factdesk[llm] @ git+https://git.example/factdesk'"


def test_no_message_names_a_package_that_is_on_no_index(repository: Path) -> None:
    wrong = [
        f"{path.relative_to(repository)}: {line.strip()}"
        for room in ("agent", "evaluation", "evidence", "factdesk", "report", "store", "trust", "verifier")
        for path in (repository / room).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "pip install 'factdesk[" in line and path.name != "kernel.py"
    ]
    assert not wrong, "\n".join(wrong)


def test_the_image_is_built_offline_from_the_lock_and_runs_without_rights(repository: Path) -> None:
    text = (repository / "Dockerfile").read_text(encoding="utf-8")
    installs = re.findall(r"pip install[^&\n]*", text)
    assert all("--no-index" in line for line in installs)
    assert any("--require-hashes" in line and "requirements.lock" in line for line in installs)
    before, after = text.split("\nUSER desk\n")
    assert "useradd" in before
    assert "USER" not in after
    assert "RUN" not in after
    for word in ("apt-get", "curl", "http:", "https:"):
        assert word not in text


def test_nothing_that_the_image_is_built_from_is_left_out(repository: Path) -> None:
    lines = (repository / ".dockerignore").read_text(encoding="utf-8").split()
    built = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    wheel, project = built["tool"]["hatch"]["build"]["targets"]["wheel"], built["project"]
    packed = [Path(name) for name in (*wheel["packages"], *wheel["force-include"])]
    inside = [found.relative_to(repository) for path in packed for found in (repository / path).rglob("*")]
    plain = ["pyproject.toml", "requirements.lock", "wheels/a-1.0-py3-none-any.whl", "wheels/a-1.0.tar.gz"]
    needed = [*packed, *inside, *map(Path, (project["readme"], *project["license-files"], *plain))]

    def left_out(path: Path, line: str) -> bool:
        anywhere = line.removeprefix("**/")
        return (
            anywhere in path.parts
            if anywhere != line
            else any(fnmatch(str(at), line) for at in (path, *path.parents[:-1]))
        )

    assert not [path for path in needed for line in lines if line != "**/__pycache__" and left_out(path, line)]
