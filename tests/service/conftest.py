"""A service on a small corpus: a real one on loopback, and applications of their own for limits."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")

import httpx
import uvicorn
from fastapi import FastAPI

from factdesk.service.app import build_app
from factdesk.service.check_queue import CheckQueue
from factdesk.service.guard import LOOPBACK
from factdesk.settings import Settings
from factdesk.settings_parts import ServeSettings
from tests.factdesk.conftest import pipeline
from verifier.backends.factory import SMALL

ARTICLE = """---
title: Tollgate library reopens
publisher: Tollgate Post
published: 2024-05-05
---
The Tollgate Library reopened in May 2024. The refurbishment cost 6.2 million pounds.
It holds 48,000 books, said the librarian Samir Oakes.
"""
CLAIM = "The refurbishment of the Tollgate Library cost 6.2 million pounds."
TOKEN = "a-token-of-some-length-0123456789"
__all__ = ["pipeline"]  # fixtures of the command line's tests, here too
Make = Callable[..., tuple[CheckQueue, FastAPI]]


def settings_in(home: Path, **serve: Any) -> Settings:
    """With the smaller verifier, for fixtures of a session too."""
    return Settings(home=home, retriever="bm25", verifier=SMALL, serve=ServeSettings(**serve))


@contextmanager
def running(app: FastAPI) -> Iterator[str]:
    """The application on a real port of loopback, in a thread."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="on", log_config=None, access_log=False, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + 600
    while not server.started and thread.is_alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    try:
        assert server.started
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)


@pytest.fixture(scope="session")
def queue(tmp_path_factory: pytest.TempPathFactory) -> CheckQueue:
    """The queue of the service below, with a stored corpus ``default``."""
    home, articles = tmp_path_factory.mktemp("service"), tmp_path_factory.mktemp("articles")
    (articles / "library.md").write_text(ARTICLE, encoding="utf-8")
    made = CheckQueue(settings_in(home, checks_per_minute=1000, requests_per_minute=10_000))
    made.checker.corpora.add("default", [articles])
    return made


@pytest.fixture(scope="session")
def address(queue: CheckQueue) -> Iterator[str]:
    """The service, for the whole session."""
    with running(build_app(queue, None, LOOPBACK)) as url:
        yield url


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=600) as made:
        yield made


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A queue with limits of its own that was not started, and its application."""
    made: list[CheckQueue] = []

    def build(token: str | None = None, **serve: Any) -> tuple[CheckQueue, FastAPI]:
        queue = CheckQueue(settings_in(tmp_path / "home", **serve))
        made.append(queue)
        return queue, build_app(queue, token, LOOPBACK if token is None else frozenset())

    yield build
    for queue in made:
        queue.close(0.0)


def ask(app: FastAPI, method: str, path: str, **options: Any) -> httpx.Response:
    """One request straight into an application."""

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, path, **options)

    return asyncio.run(send())


def ended(client: httpx.Client, check_id: str) -> dict[str, Any]:
    """A check once it has ended."""
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        state: dict[str, Any] = client.get(f"/checks/{check_id}").json()
        if state["state"] in ("done", "failed"):
            return state
        time.sleep(0.05)
    pytest.fail(f"check {check_id} did not end")
