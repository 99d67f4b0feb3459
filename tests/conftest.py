"""What every test gets: a home of its own, no network, reproducible hypothesis, models asked once."""

from __future__ import annotations

import gc
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

REPOSITORY = Path(__file__).resolve().parent.parent

# Two processes share the cores: threads of numerical libraries would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_collection_finish() -> None:
    """Tests and libraries stay; no search for garbage need look through them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def models_asked_once() -> Iterator[None]:
    """Each input of the shipped models is computed once in a process (``tests/remembered.py``)."""
    from tests.remembered import remember_models

    with pytest.MonkeyPatch.context() as patch:
        remember_models(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def one_reader() -> Iterator[None]:
    """One process reads the files of all tests; a process for each: ``tests/evidence/test_hostile_files.py``."""
    from tests.remembered import OneReader

    with pytest.MonkeyPatch.context() as patch:
        kept = OneReader()
        patch.setattr("evidence.ingest.ReaderProcess", lambda: kept)
        yield
        kept.close()


@pytest.fixture
def models_run_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped models are run each time: for tests of what they say twice."""
    from tests.remembered import forget_models

    forget_models(monkeypatch)


@pytest.fixture(autouse=True)
def factdesk_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ``FACTDESK_HOME`` of the test's own; no setting of the developer's leaks in."""
    for variable in [name for name in os.environ if name.upper().startswith("FACTDESK_")]:
        monkeypatch.delenv(variable)
    home = tmp_path.with_name(f"{tmp_path.name}-home")
    monkeypatch.setenv("FACTDESK_HOME", str(home))
    monkeypatch.setenv("FACTDESK_VERIFIER", "onnx:minilm-fact")  # a third of the time; see default_verifier
    return home


@pytest.fixture
def default_verifier(factdesk_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verifier that a user gets, instead of the smaller one of the shipped two."""
    monkeypatch.delenv("FACTDESK_VERIFIER")


@pytest.fixture(autouse=True)
def no_name_lookups(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest-socket refuses connections beyond loopback; this refuses the name lookup before them."""
    real = socket.getaddrinfo

    def guarded(host: object, *arguments: object, **options: object) -> object:
        if host not in (None, "", "localhost", "127.0.0.1", "::1"):
            pytest.fail(f"a test looked up {host!r}; only loopback is allowed")
        return real(host, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", guarded)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """An empty working folder; call it to set variables, given without ``FACTDESK_``."""
    monkeypatch.chdir(tmp_path)

    def put(**variables: str) -> None:
        for name, value in variables.items():
            monkeypatch.setenv(f"FACTDESK_{name}", value)

    return put


@pytest.fixture(scope="session")
def repository() -> Path:
    """Top folder of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The large public sets beside the checkout; tests that use them skip where they are absent."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("../shared/data is not here")
    return folder


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a real PostgreSQL; skips where there is none (``tests/postgres.py``)."""
    from tests.postgres import server

    with server() as url:
        yield url


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The address of an empty database of the test's own."""
    from store.postgres import close_pools
    from tests.postgres import fresh

    with fresh(postgres_server) as url:
        yield url
        close_pools()
