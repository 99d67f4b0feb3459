"""A package of somebody else, built and installed from its folder; and factdesk as a part of LangChain."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.factdesk.conftest import CLAIM


@pytest.fixture(scope="module")
def installed(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the plugin's wheel unpacked, as pip leaves it."""
    folder = tmp_path_factory.mktemp("plugin")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")],
        cwd=repository / "examples" / "plugin",
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert built.returncode == 0, built.stderr
    [wheel] = (folder / "dist").glob("factdesk_words-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, repository: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "factdesk", *arguments],
        env={**os.environ, "PYTHONPATH": f"{repository}:{installed}", "FACTDESK_HOME": str(home)},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_an_installed_package_adds_a_verifier_that_the_certificate_names(
    installed: Path, repository: Path, tmp_path: Path
) -> None:
    corpus = str(repository / "examples" / "corpus" / "local")
    told = run(installed, repository, tmp_path, "doctor").stdout
    assert "verifier words (factdesk-words 0.1.0)" in told
    given = ("check", CLAIM, "--corpus", corpus, "--verifier", "words:0.9", "--json")
    strict = run(installed, repository, tmp_path, *given)
    assert (strict.returncode, "no contradiction class" in strict.stderr) == (2, True), strict.stderr
    done = run(installed, repository, tmp_path, *given, "--mode", "mixed")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    name = found["certificate_id"]
    body = json.loads(run(installed, repository, tmp_path, "history", "show", name, "--certificate").stdout)["body"]
    assert "verifier:words:0.9" in {print_["name"] for print_ in body["fingerprints"]}
    assert body["thresholds"]["calibration_sha256"] is None
    told = run(installed, repository, tmp_path, "export", name, "--format", "lines", "--author", "Us").stdout
    assert told.splitlines() == [f"# {name}, by Us", f"{found['claims'][0]['state']}\t{CLAIM}"]
    other = run(installed, repository, tmp_path, "export", name, "--format", "line")
    assert (other.returncode, "did you mean 'lines'?" in other.stderr) == (2, True), other.stderr
    wrong = run(installed, repository, tmp_path, *given[:-2], "words:7")
    assert (wrong.returncode, "share from 0 to 1" in wrong.stderr) == (2, True)


def test_a_rule_of_factdesk_stands_behind_it(installed: Path, repository: Path, tmp_path: Path) -> None:
    corpus = str(repository / "examples" / "corpus" / "local")
    done = run(
        installed,
        repository,
        tmp_path,
        "check",
        CLAIM.replace("6.2", "9.7"),
        "--corpus",
        corpus,
        "--verifier",
        "words:0.5",
        "--mode",
        "mixed",
        "--json",
    )
    assert json.loads(done.stdout)["claims"][0]["state"] != "VERIFIED", "another amount is no support"


def test_without_the_package_its_name_is_unknown(repository: Path, tmp_path: Path) -> None:
    done = run(tmp_path, repository, tmp_path, "check", CLAIM, "--verifier", "words:0.9")
    assert (done.returncode, "unknown verifier" in done.stderr) == (2, True)


@pytest.mark.usefixtures("factdesk_home")
def test_langchain_takes_it_as_a_tool_and_as_a_runnable(repository: Path) -> None:
    from factdesk import FactChecker
    from factdesk.langchain import check_runnable, check_tool

    checker = FactChecker.from_config(corpus=(str(repository / "examples" / "corpus" / "local"),))
    report = check_runnable(checker).invoke(CLAIM)
    assert report["verdict"] == "supported"
    tool = check_tool(checker)
    assert "not that it is false" in tool.description
    assert tool.invoke({"claim": CLAIM})["body_sha256"] == report["body_sha256"]
    assert "Nothing was decided" in tool.invoke({"claim": "https://news.example/story"})
