"""What ``factdesk serve --commands`` and the command line say to each other over a socket in the home folder.

One line of JSON asks; lines of progress and one with the outcome answer. The socket belongs to the user, as the home
folder does. The service answers where its own file and environment give the settings that the command has; what it
does not answer the command works out by itself, to the same certificate. Light, since a command imports it first.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date as Date
from pathlib import Path
from typing import Any, Literal, TextIO

from pydantic import ValidationError

from factdesk import __version__
from factdesk.kernel import BackendUnavailable, FactdeskError, Record, sha256_text
from factdesk.settings import Settings

CONNECTING = 2.0
"""Seconds for a service to take a command."""
Form = Literal["json", "text", "colour"]


class CommandAsked(Record):
    """A check or a question, as the command line was given it."""

    version: str = __version__
    state: str
    """:func:`state_of` the command's settings."""
    overrides: Mapping[str, Any]
    """Arguments of ``load_settings``."""
    text: str
    asked: bool = False
    images: tuple[Path, ...] = ()
    """Absolute."""
    image_urls: tuple[str, ...] = ()
    date: Date | None = None
    as_of: Date | None = None
    form: Form = "text"


class CommandAnswer(Record):
    """The outcome in the form that was asked for. It stands in for a ``Report`` where that is printed."""

    verdict: str
    shown: str
    told: tuple[str, ...] = ()

    def json(self) -> Any:  # type: ignore[override]
        """The report's public JSON, where that was asked for."""
        return json.loads(self.shown)

    def notes(self) -> tuple[str, ...]:
        """As those of the report."""
        return self.told

    def print(self, stream: TextIO) -> None:
        """Write it to a stream."""
        stream.write(self.shown)


class CommandReply(Record):
    """One line of the service: a step, or how it ended. Without either the command is to do it by itself."""

    step: tuple[str, str] | None = None
    """Stage and message."""
    answer: CommandAnswer | None = None
    error: str = ""
    code: int = 0
    """Exit code of the error."""


class CommandError(FactdeskError):
    """An error of the service's check, with its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]


def socket_path(settings: Settings) -> Path:
    """Where the service of a home folder listens."""
    return settings.paths.home / "commands.sock"


def state_of(settings: Settings) -> str:
    """Sha256 of the settings without those of the service, and of the folder where a corpus is a relative path."""
    relative = any(Path(name).exists() and not Path(name).is_absolute() for name in settings.corpus)
    where = str(Path.cwd()) if relative else ""
    return sha256_text(settings.model_dump_json(exclude={"serve"}) + where)


def is_answered(path: Path) -> bool:
    """Whether a service listens there."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(CONNECTING)
        return line.connect_ex(str(path)) == 0


def ask_service(path: Path, asked: CommandAsked, on_step: Callable[[str, str], None]) -> CommandAnswer | None:
    """The answer of the service that listens at ``path``; ``None`` without one, and where it leaves the check to the
    command. Raises ``CommandError``: the check ended so, ``BackendUnavailable``: the service ended amid it.
    """
    if not hasattr(socket, "AF_UNIX") or not path.is_socket() or path.stat().st_uid != os.getuid():
        return None
    with socket.socket(socket.AF_UNIX) as line, suppress(ConnectionRefusedError, FileNotFoundError, TimeoutError):
        line.settimeout(CONNECTING)
        line.connect(str(path))
        line.settimeout(None)
        line.sendall(asked.model_dump_json().encode() + b"\n")
        with line.makefile("rb") as lines:
            for said in lines:
                reply = _read(said)
                if reply.step is None:
                    if reply.error:
                        raise CommandError(reply.error, reply.code)
                    return reply.answer
                on_step(*reply.step)
        raise BackendUnavailable(
            "the running service ended amid the check; its log may say why. Give the command again"
        )
    return None


def _read(said: bytes) -> CommandReply:
    try:
        return CommandReply.model_validate_json(said)
    except ValidationError as error:
        raise BackendUnavailable("the running service is of another version; start it anew") from error
