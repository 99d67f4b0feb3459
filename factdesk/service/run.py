"""Starting and stopping the service: address, token, signals, and connections within bounds."""

from __future__ import annotations

import asyncio
import socket
import stat
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from types import FrameType
from typing import Any

import click
import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from factdesk.kernel import ConfigError, InputError
from factdesk.service.app import build_app
from factdesk.service.check_queue import CheckQueue
from factdesk.service.guard import LOOPBACK, address_of
from factdesk.settings import Settings

LEAST_TOKEN = 16
HEADER_SECONDS = 10.0
"""Time for the first headers of a connection."""
MAX_PER_ADDRESS = 100
"""Connections of one address at the same time; all together are bounded by ``limit_concurrency``."""
_open: Counter[str] = Counter()


class BoundedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """uvicorn's HTTP, which itself bounds neither."""

    header_seconds = HEADER_SECONDS
    max_per_address = MAX_PER_ADDRESS

    def connection_made(self, transport: Any) -> None:
        """Count the connection, close it where its address has too many, and watch for its headers."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if isinstance(peer, tuple) else ""
        _open[self._address] += 1
        if _open[self._address] > self.max_per_address:
            transport.close()
            return
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(
            self.header_seconds, self._close_where_silent
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        _open[self._address] -= 1
        if not _open[self._address]:
            del _open[self._address]
        if (timer := getattr(self, "_timer", None)) is not None:
            timer.cancel()
        super().connection_lost(exc)

    def _close_where_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def read_token(settings: Settings) -> str | None:
    """The token from the environment or a file. Raises ``ConfigError`` for a weak or readable one."""
    given, path = settings.serve.token, settings.serve.token_file
    if given is not None and path is not None:
        raise ConfigError("serve.token and serve.token_file are both set; leave one out")
    token = given.get_secret_value() if given is not None else None
    if path is not None:
        try:
            if stat.S_IMODE(path.stat().st_mode) & 0o077:
                raise ConfigError(f"the token file {str(path)!r} can be read by others; chmod 600 it")
            token = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError) as error:
            raise ConfigError(f"the token file {str(path)!r} cannot be read ({error}); give another") from error
    if token is not None and (len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable()):
        raise ConfigError(
            f"the token must have at least {LEAST_TOKEN} plain characters; "
            "make one: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )
    return token


def is_loopback(host: str) -> bool:
    """Whether an address is reachable from this machine only."""
    address = address_of(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def names_of(host: str, settings: Settings, token: str | None) -> frozenset[str]:
    """Host names the service answers to, against DNS rebinding: local ones, its own with a token, and ``serve.hosts``;
    with a token it also answers to addresses, which no name can be turned to.
    """
    own = {socket.gethostname().lower()} if token is not None else set()
    return LOOPBACK | {host.lower()} | own | {name.lower() for name in settings.serve.hosts}


def serve(settings: Settings, host: str, port: int, *, commands: bool = False) -> int:
    """Serve until a signal, over HTTP and, where asked to, to the command line; returns how many checks are left.
    Raises ``ConfigError`` for an address that others can reach without a token, and where the command line cannot be
    answered, ``InputError`` for an unusable address.
    """
    token = read_token(settings)
    if token is None and not is_loopback(host):
        raise ConfigError(
            f"{host!r} can be reached by others, so a token is needed: set FACTDESK_SERVE__TOKEN, "
            "or give --token-file; it never stands in the command"
        )
    queue = CheckQueue(settings)
    _ = queue.checker.verifier  # a model that is missing is said now, not at the first check
    app = build_app(queue, token, names_of(host, settings, token))
    listener = _listen(host, port)

    class Server(uvicorn.Server):
        """Stops on a signal without raising it again; streams watch ``queue.closing``."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            del sig, frame
            queue.closing = True
            self.force_exit = self.should_exit
            self.should_exit = True

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                _say(queue, listener)

    config = uvicorn.Config(
        app,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=10,
        limit_concurrency=512,
        ws="none",
        http=BoundedProtocol,
    )
    try:
        with _commands(settings) if commands else nullcontext():
            Server(config).run([listener])
    finally:
        left = queue.close(0.0)  # a second signal skips the shutdown of the application
        listener.close()
    return left


def _commands(settings: Settings) -> AbstractContextManager[None]:
    """Answers the command line. Raises ``ConfigError`` on a system without such sockets."""
    try:
        from factdesk.service.commands import answering_commands
    except ImportError as error:
        raise ConfigError("this system has no sockets for commands; leave out --commands") from error
    return answering_commands(settings)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        why = error.strerror or error
        raise InputError(f"{host!r} port {port} cannot be listened on ({why}); give another") from error


def _say(queue: CheckQueue, listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"http://{shown}:{port}/")
    if queue.waiting:
        click.echo(f"factdesk: {queue.waiting} check(s) of earlier go on", err=True)
