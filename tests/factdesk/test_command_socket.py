"""A running service that answers the command line: the same outcome, and nothing where anything differs."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from factdesk.checker import open_ledger
from factdesk.command_socket import CommandAsked, ask_service, socket_path, state_of
from factdesk.kernel import BackendUnavailable, ConfigError
from factdesk.service.commands import CommandServer, answering_commands
from factdesk.service.run import _commands
from factdesk.settings import load_settings
from tests.factdesk.conftest import CLAIM, Outcome, Run

pytestmark = [
    pytest.mark.usefixtures("home"),
    pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no such sockets"),
]


@pytest.fixture
def service(home: Path) -> Iterator[Path]:
    """One that answers the commands of the test's home; gives the socket."""
    del home
    settings = load_settings()
    with answering_commands(settings):
        yield socket_path(settings)
    assert not socket_path(settings).exists()


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that works a check out by itself fails."""

    def refuse(*_: Any, **__: Any) -> None:
        pytest.fail("the command checked by itself")

    monkeypatch.setattr("factdesk.cli.check._worked_out", refuse)


def asked(text: str = CLAIM, **more: Any) -> CommandAsked:
    return CommandAsked(**{"state": state_of(load_settings()), "overrides": {}, "text": text, **more})


def body(outcome: Outcome) -> dict[str, Any]:
    """What a check printed, without what differs from one to the next."""
    found: dict[str, Any] = outcome.json()
    return {key: value for key, value in found.items() if key not in ("certificate_id", "created", "sequence")}


def test_it_gives_the_same_certificate(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    own = run("check", CLAIM, "--json", "--method", "subq")
    with answering_commands(load_settings()), monkeypatch.context() as patch:
        patch.setattr("factdesk.cli.check._worked_out", None)
        answered = run("check", CLAIM, "--json", "--method", "subq")
        shown = run("check", CLAIM, "--fail-on", own.json()["verdict"])
    assert body(answered) == body(own)
    assert "Certificate" in shown.out
    assert shown.code == 1
    assert open_ledger(load_settings()).count() == 3


@pytest.mark.usefixtures("service", "alone")
def test_questions_and_pictures_by_a_relative_path(run: Run, repository: Path) -> None:
    assert "Question" in run("ask", "How much did the Tollgate Library cost?").out
    picture = os.path.relpath(repository / "examples" / "images" / "sign.png", Path.cwd())
    assert "sign.png" in run("check", CLAIM, "--image", picture).out


@pytest.mark.usefixtures("service", "alone")
@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ((" ",), 3, "the claim is empty"),
        ((CLAIM, "--corpus", "nowhere"), 3, "there is no corpus"),
        ((CLAIM, "--image", "none.png"), 3, "none.png"),
    ],
)
def test_errors_are_those_of_a_check(run: Run, arguments: tuple[str, ...], code: int, says: str) -> None:
    found = run("check", *arguments)
    assert found.code == code
    assert says in found.err
    assert found.err.startswith("factdesk: ")


def test_it_leaves_alone_what_would_come_out_otherwise(
    service: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other settings, another version, a corpus that is a path of another folder."""
    steps: list[str] = []
    assert ask_service(service, asked(state="other"), lambda *_: steps.append("")) is None
    assert ask_service(service, asked(version="0"), lambda *_: steps.append("")) is None
    assert not steps
    before = state_of(load_settings())
    monkeypatch.setenv("FACTDESK_THRESHOLDS__TAU_ENTAIL", "0.95")
    assert state_of(load_settings()) != before
    named = load_settings(corpus=("here",))
    places = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        (folder / "here").mkdir(parents=True)
        monkeypatch.chdir(folder)
        places.append(state_of(named))
    assert places[0] != places[1]


def test_without_a_service_the_command_goes_on(run: Run, home: Path) -> None:
    """A socket that nobody listens at, or a file in its place."""
    path = socket_path(load_settings())
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    assert run("check", CLAIM, "--json").json()["certificate_id"]
    assert ask_service(home, asked(), lambda *_: None) is None
    with answering_commands(load_settings()):
        with pytest.raises(ConfigError, match="another service"):
            CommandServer(load_settings())
        assert path.stat().st_mode & 0o777 == 0o600


def test_a_home_whose_name_is_too_long_for_a_socket(tmp_path: Path) -> None:
    home = tmp_path / ("x" * 100)
    home.mkdir()
    with pytest.raises(ConfigError, match="no socket can be made"):
        CommandServer(load_settings(home=home))


def test_a_system_without_such_sockets_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("socketserver.ThreadingUnixStreamServer")
    monkeypatch.delitem(sys.modules, "factdesk.service.commands")
    with pytest.raises(ConfigError, match="leave out --commands"):
        _commands(load_settings())


@pytest.mark.parametrize(
    ("said", "why"), [(b"", "ended amid"), (b'{"step": ["verify", "x"]}\n', "ended amid"), (b"{}x\n", "version")]
)
def test_a_service_that_ends_amid_a_check_is_no_verdict(tmp_path: Path, said: bytes, why: str) -> None:
    path = tmp_path / "s"

    def answer(listener: socket.socket) -> None:
        line, _ = listener.accept()
        with line:
            line.recv(1 << 20)
            line.sendall(said)

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        threading.Thread(target=answer, args=(listener,), daemon=True).start()
        with pytest.raises(BackendUnavailable, match=why):
            ask_service(path, asked(), lambda *_: None)


@pytest.mark.usefixtures("service")
def test_words_that_are_no_command_get_no_answer() -> None:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(socket_path(load_settings())))
        line.sendall(json.dumps({"text": CLAIM}).encode() + b"\n")
        assert line.recv(100) == b""


@pytest.mark.usefixtures("service", "alone")
def test_an_error_inside_factdesk_is_in_the_log_and_no_verdict(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("factdesk.checker.FactChecker.run", broken)
    found = run("check", CLAIM)
    assert found.code == 4
    assert "ended amid the check" in found.err
    assert "a command's check failed" in caplog.text
