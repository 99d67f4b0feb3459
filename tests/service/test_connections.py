"""Connections that never say what they want are closed, and an address cannot take them all."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

import httpx
import uvicorn
from fastapi import FastAPI

from factdesk.service.guard import LOOPBACK, Guard
from factdesk.service.run import BoundedProtocol
from factdesk.settings_parts import ServeSettings
from tests.service.conftest import TOKEN


class Hasty(BoundedProtocol):
    header_seconds = 0.5
    max_per_address = 5


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    """A service with short bounds, on loopback."""
    app = FastAPI()
    app.add_api_route("/health", lambda: {"ok": True})
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, http=Hasty, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + 600
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()
    finally:
        server.should_exit = True
        thread.join()


def closed(connection: socket.socket) -> bool:
    connection.settimeout(120)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def answered(url: str) -> bool:
    """Whether the service answers once it has seen that connections were closed."""
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError):
            return httpx.get(url).status_code == 200
        time.sleep(0.05)
    return False


def test_unfinished_headers_are_closed_and_requests_answered(address: tuple[str, int]) -> None:
    slow = [socket.create_connection(address) for _ in range(4)]
    for connection in slow:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
    url = f"http://{address[0]}:{address[1]}/health"
    assert httpx.get(url).status_code == 200
    assert all(map(closed, slow))
    with httpx.Client() as client:
        assert client.get(url).status_code == 200
        time.sleep(0.7)
        assert client.get(url).status_code == 200
    for connection in slow:
        connection.close()


def test_an_address_has_so_many_connections_and_gets_them_back(address: tuple[str, int]) -> None:
    held = [socket.create_connection(address) for _ in range(5)]
    time.sleep(0.1)
    more = socket.create_connection(address)
    assert closed(more)
    for connection in (*held, more):
        connection.close()
    assert answered(f"http://{address[0]}:{address[1]}/health")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"referer": "http://evil.example/page"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({}, 200),
    ],
)
def test_a_foreign_page_starts_no_re_run(headers: dict[str, str], status: int) -> None:
    from starlette.testclient import TestClient

    app = FastAPI()
    app.add_api_route("/verify/{name}", lambda name: {"name": name})
    app.add_middleware(Guard, limits=ServeSettings(), token=None, names=LOOPBACK)
    client = TestClient(app, base_url="http://localhost")
    assert client.get("/verify/abcd?rerun=true", headers=headers).status_code == status
    assert client.get("/verify/abcd", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost", 200), ("10.1.2.3:8000", 200), ("[::1]:8000", 200), ("evil.example", 400)],
)
def test_a_token_does_not_open_every_name(host: str, status: int) -> None:
    from starlette.testclient import TestClient

    app = FastAPI()
    app.add_api_route("/health", lambda: {"ok": True})
    app.add_middleware(Guard, limits=ServeSettings(), token=TOKEN, names=LOOPBACK)
    headers = {"host": host, "authorization": f"Bearer {TOKEN}"}
    assert urlsplit(f"//{host}").hostname
    assert TestClient(app).get("/health", headers=headers).status_code == status
