"""``factdesk serve`` as a process: what it refuses to start with, and stopping without losing anything."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from factdesk.checker import open_ledger
from factdesk.cli import cli
from factdesk.corpora.stored import Corpora
from factdesk.kernel import ConfigError
from factdesk.service.run import is_loopback, names_of, read_token
from tests.service.conftest import ARTICLE, CLAIM, TOKEN, settings_in
from verifier.backends.factory import SMALL

PATIENCE = 600.0
"""Seconds, for a machine that has much else to do; it takes ten."""
Start = Callable[[Path], tuple[subprocess.Popen[str], str]]


@pytest.fixture
def start(repository: Path) -> Iterator[Start]:
    """Starts the service; gives its address once it listens. Nothing of it outlives the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(home: Path) -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "factdesk", "serve", "--port", "0", "--retriever", "bm25"],
            cwd=repository,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                "PATH": "/usr/bin:/bin",
                "FACTDESK_HOME": str(home),
                "FACTDESK_SERVE__GRACE": "0",
                "FACTDESK_VERIFIER": SMALL,
            },
        )
        started.append(process)
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        assert line.startswith("http://127.0.0.1:"), line
        return process, line

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def stop(process: subprocess.Popen[str], with_signal: int) -> tuple[int, str]:
    process.send_signal(with_signal)
    _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, errors


def test_stopped_and_killed_it_loses_nothing(tmp_path: Path, start: Start) -> None:
    """Asked to stop, with checks waiting: exit code 6. Killed at work. Started again: each is done, once."""
    (tmp_path / "library.md").write_text(ARTICLE, encoding="utf-8")
    settings = settings_in(tmp_path / "home")
    Corpora(settings).add("default", [tmp_path / "library.md"])
    process, url = start(settings.home)
    ids = [httpx.post(f"{url}checks", json={"text": CLAIM}, timeout=PATIENCE).json()["id"] for _ in range(3)]
    code, errors = stop(process, signal.SIGTERM)
    left = 3 - open_ledger(settings).count()
    assert code == (6 if left else 0)
    assert not left or f"{left} check(s) go on at the next start" in errors
    process, url = start(settings.home)
    stop(process, signal.SIGKILL)
    process, url = start(settings.home)
    deadline, states = time.monotonic() + PATIENCE, [""]
    while set(states) != {"done"} and time.monotonic() < deadline:
        time.sleep(0.1)
        states = [httpx.get(f"{url}checks/{i}", timeout=PATIENCE).json()["state"] for i in ids]
    assert set(states) == {"done"}
    assert stop(process, signal.SIGINT)[0] == 0
    ledger = open_ledger(settings)
    assert sorted(e.certificate_id for e in ledger.list()) == sorted(ids), "none lost, none twice"
    assert len({json.dumps(ledger.get(i).body.model_dump(mode="json")) for i in ids}) == 1


def test_other_addresses_need_a_token(environment: Any) -> None:
    found = CliRunner().invoke(cli, ["serve", "--host", "0.0.0.0"])
    assert isinstance(found.exception, ConfigError)
    assert "FACTDESK_SERVE__TOKEN" in str(found.exception)
    assert "--token " not in CliRunner().invoke(cli, ["serve", "--help"]).output
    assert "--image" not in CliRunner().invoke(cli, ["serve", "--help"]).output


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("127.8.0.1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("desk.example", False),
        ("127.0.0.1.evil.example", False),
    ],
)
def test_what_counts_as_loopback(host: str, local: bool) -> None:
    assert is_loopback(host) is local


def test_names(tmp_path: Path) -> None:
    plain, named = settings_in(tmp_path), settings_in(tmp_path, hosts=("Desk.example",))
    assert names_of("127.0.0.1", plain, None) == {"localhost", "127.0.0.1", "::1"}
    assert "elsewhere.example" not in names_of("0.0.0.0", plain, TOKEN)
    assert socket.gethostname().lower() in names_of("0.0.0.0", plain, TOKEN)
    assert "desk.example" in names_of("0.0.0.0", named, TOKEN)


def test_tokens(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)
    assert read_token(settings_in(tmp_path, token_file=file)) == TOKEN
    assert read_token(settings_in(tmp_path, token=TOKEN)) == TOKEN
    assert read_token(settings_in(tmp_path)) is None
    assert TOKEN not in repr(settings_in(tmp_path, token=TOKEN))
    file.chmod(0o640)
    for wrong, why in (
        ({"token_file": file}, "can be read by others"),
        ({"token": "short"}, "at least 16"),
        ({"token_file": tmp_path / "none"}, "cannot be read"),
        ({"token": "ünïcode" * 5}, "plain characters"),
        ({"token": TOKEN, "token_file": file}, "both set"),
    ):
        with pytest.raises(ConfigError, match=why) as caught:
            read_token(settings_in(tmp_path, **wrong))
        assert "short" not in str(caught.value)
