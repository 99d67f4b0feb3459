"""The command line as a user meets it: real models, a small corpus of the shipped articles."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from factdesk.cli import main
from language.nlp.pipeline import load_nlp
from verifier.backends.factory import SMALL

TOPIC = "local"
CLAIM = "The refurbishment of the Tollgate Library cost £6.2 million."


@dataclass(frozen=True)
class Outcome:
    """What a run of the command line left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Standard output as JSON; the run must have ended well."""
        assert self.code in (0, 1), self.err
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture(scope="session", autouse=True)
def pipeline() -> None:
    """spaCy in this process: no command needs one beside it, whose own tests are ``tests/agent/test_beside.py``."""
    load_nlp()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``factdesk`` with arguments, and with bytes on stdin where given."""

    def call(*arguments: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["factdesk", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        shown = capsys.readouterr()
        return Outcome(int(stopped.value.code or 0), shown.out, shown.err)

    return call


@pytest.fixture(scope="session")
def articles(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the six shipped articles on one topic."""
    folder = tmp_path_factory.mktemp("articles") / TOPIC
    shutil.copytree(repository / "examples" / "corpus" / TOPIC, folder)
    return folder


@pytest.fixture(scope="session")
def stocked_home(articles: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the articles as the corpus ``default``; made once, copied for each test."""
    home = tmp_path_factory.mktemp("stocked")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FACTDESK_HOME", str(home))
        from factdesk.corpora.stored import Corpora
        from factdesk.settings import load_settings

        Corpora(load_settings()).add("default", [articles])
    return home


@pytest.fixture(scope="session")
def checked_home(stocked_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the corpus ``default`` and, in its history, the certificate of ``CLAIM``; made once."""
    home = tmp_path_factory.mktemp("checked") / "home"
    shutil.copytree(stocked_home, home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FACTDESK_HOME", str(home))
        patch.setenv("FACTDESK_VERIFIER", SMALL)
        from factdesk.checker import FactChecker

        FactChecker.from_config().check(CLAIM)
    return home


@pytest.fixture
def home(stocked_home: Path, factdesk_home: Path) -> Path:
    """The test's own home, with the corpus ``default`` in it."""
    shutil.copytree(stocked_home, factdesk_home)
    return factdesk_home
