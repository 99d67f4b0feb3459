"""Answering the command line over a socket (``factdesk serve --commands``), with the models that are loaded."""

from __future__ import annotations

import io
import json
import logging
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingUnixStreamServer
from threading import Lock, Semaphore, Thread

from pydantic import ValidationError

from agent.types import Progress
from factdesk import __version__
from factdesk.check.context import CheckRequest
from factdesk.checker import FactChecker, Report
from factdesk.command_socket import CommandAnswer, CommandAsked, CommandReply, Form, is_answered, socket_path, state_of
from factdesk.kernel import BackendUnavailable, ConfigError, FactdeskError, Stopped
from factdesk.service.check_queue import at_once
from factdesk.settings import Settings, load_settings
from language.nlp.pipeline import load_nlp

LOG = logging.getLogger(__name__)
MOST = 1 << 20
"""Bytes of a line that asks."""
KEPT = 4
"""Checkers of different settings that are kept; those with the same weights share their models."""


class _Answering(StreamRequestHandler):
    """One command."""

    server: CommandServer

    def handle(self) -> None:
        """Read what is asked, check, and say how it ended."""
        try:
            asked = CommandAsked.model_validate_json(self.rfile.readline(MOST))
        except ValidationError:
            return  # another version's words: its command goes on by itself
        try:
            self._say(self._reply(asked))
        except OSError:
            LOG.info("a command went away before its check ended")

    def _reply(self, asked: CommandAsked) -> CommandReply:
        try:
            checker = self.server.checker(asked)
            if checker is None:
                return CommandReply()
            with self.server.room:
                report = checker.run(_request(asked), self._step)
            return CommandReply(answer=_answer(report, asked.form))
        except FactdeskError as error:
            return CommandReply(error=str(error), code=error.exit_code)

    def _step(self, event: Progress) -> None:
        try:
            self._say(CommandReply(step=(event.stage, event.message)))
        except OSError as error:
            raise Stopped("the command went away") from error

    def _say(self, reply: CommandReply) -> None:
        self.wfile.write(reply.model_dump_json().encode() + b"\n")


class CommandServer(ThreadingUnixStreamServer):
    """Listens at the socket of a home folder, for its user alone. Raises ``ConfigError``: it cannot."""

    daemon_threads = True

    def __init__(self, settings: Settings) -> None:
        path = socket_path(settings)
        try:
            if is_answered(path):
                raise ConfigError(f"another service answers at {str(path)!r}; stop it, or leave out --commands")
            path.unlink(missing_ok=True)
            super().__init__(str(path), _Answering)
            path.chmod(0o600)
        except OSError as error:
            raise ConfigError(f"no socket can be made at {str(path)!r} ({error}); leave out --commands") from error
        self.room = Semaphore(at_once(settings))
        self._checkers: OrderedDict[str, FactChecker] = OrderedDict()
        self._lock = Lock()

    def handle_error(self, request: object, client_address: object) -> None:
        """An error inside factdesk stands in the log; the command sees that there is no answer."""
        del request, client_address
        LOG.exception("a command's check failed")

    def checker(self, asked: CommandAsked) -> FactChecker | None:
        """One with the settings of the command; ``None``: here they would be others."""
        if asked.version != __version__:
            return None
        settings = load_settings(**asked.overrides)
        if state_of(settings) != asked.state:
            return None
        with self._lock:
            found = self._checkers.pop(asked.state, None) or FactChecker(settings)
            self._checkers[asked.state] = found
            while len(self._checkers) > KEPT:
                self._checkers.popitem(last=False)
        return found


@contextmanager
def answering_commands(settings: Settings) -> Iterator[None]:
    """Answer the command line for the block's time."""
    server = CommandServer(settings)
    for work in (server.serve_forever, _load_ahead):
        Thread(target=work, name="factdesk-commands", daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        Path(str(server.server_address)).unlink(missing_ok=True)


def _load_ahead() -> None:
    """What the first command would wait for; errors come up there."""
    with suppress(BackendUnavailable):
        load_nlp()


def _request(asked: CommandAsked) -> CheckRequest:
    return CheckRequest(asked.text, asked.images, asked.image_urls, asked.date, asked.as_of, asked=asked.asked)


def _answer(report: Report, form: Form) -> CommandAnswer:
    if form == "json":
        shown = json.dumps(report.json(), ensure_ascii=False)
    else:
        stream = _Terminal() if form == "colour" else io.StringIO()
        report.print(stream)
        shown = stream.getvalue()
    return CommandAnswer(verdict=report.verdict, shown=shown, told=report.notes())


class _Terminal(io.StringIO):
    """What is written as to the command's terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True
