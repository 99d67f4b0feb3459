"""Faults: after each, nothing certified is lost, nothing false is certified, and the next start works.

``docs/faults.md`` lists all faults, also those that other tests hold (kills of a check, a full disk, a locked
or garbage database, broken pictures, a language model that talks nonsense).
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agent.reasoners.chat_model import ChatError
from agent.tools.web.fetch import Limits, Pacer, PageFetcher
from agent.tools.web.ssrf_guard import AddressGuard
from agent.web_ports import DIRECT
from factdesk.batch.types import Item, Orders
from factdesk.batch.worker import Worker
from factdesk.checker import open_ledger
from factdesk.corpora.stored import Corpora
from factdesk.settings import load_settings
from report.certificate.keys import Keyring
from report.verification.integrity import verify_chain
from tests.agent.llm_server import Server
from tests.agent.test_llm_chat import ask as ask_model
from tests.agent.test_llm_chat import make_chat
from tests.factdesk.conftest import Run

COST = "The refurbishment of the Tollgate Library cost £6.2 million."
FALSE = "The refurbishment of the Tollgate Library cost £9.8 million."


@pytest.fixture
def history(run: Run, home: Path) -> Callable[[int], list[dict[str, Any]]]:
    """One certificate in the history; call it with how many came since: all there, one unbroken chain."""
    first = run("check", COST, "--retriever", "none", "--json").json()["certificate_id"]

    def holds(more: int) -> list[dict[str, Any]]:
        settings = load_settings()
        ledger = open_ledger(settings)
        chain = verify_chain(
            ledger.texts(),
            head=ledger.head(),
            known=(),
            keys=Keyring(settings.paths.keys).known(),
            scope="all",
        )
        assert chain.ok is True, chain.problems
        entries: list[dict[str, Any]] = run("history", "list", "--json").json()
        assert len(entries) == 1 + more
        assert entries[-1]["certificate_id"] == first
        return entries

    return holds


INDEX = Path("index", "default", "index.sqlite")


def doctor(run: Run, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("doctor", "--json", *arguments).out)
    return found


def status(found: dict[str, Any], name: str) -> str:
    return next(str(c["status"]) for c in found["checks"] if c["name"] == name)


@pytest.mark.parametrize("column", ["text", "context"])
def test_an_index_that_was_altered_certifies_nothing(
    run: Run, home: Path, history: Callable[[int], Any], column: str
) -> None:
    """Valid SQLite, the same size, other words: each sentence is compared with its document."""
    with closing(sqlite3.connect(home / INDEX)) as index, index:
        if column == "text":
            index.execute("UPDATE spans SET text = replace(text, '6.2 million', '9.8 million')")
        else:
            index.execute("UPDATE spans SET context = replace(context, 'Tollgate', 'Zollgate')")
    result = run("check", FALSE, "--json").json()
    assert [c["state"] for c in result["claims"]] == ["UNVERIFIED"]
    assert any("factdesk doctor --fix" in f["message"] for f in result["failures"])
    assert status(doctor(run), "search indexes") == "warn"
    fixed = doctor(run, "--fix")
    assert "made anew" in fixed["fixed"][0]
    assert status(fixed, "search indexes") == "ok"
    assert run("check", COST, "--json").json()["verdict"] == "supported"
    history(2)


def test_garbage_vectors_certify_nothing_false(run: Run, home: Path, history: Callable[[int], Any]) -> None:
    with closing(sqlite3.connect(home / INDEX)) as index, index:
        index.execute("UPDATE vectors SET vector = randomblob(length(vector))")
    assert run("check", FALSE, "--json").json()["verdict"] != "supported"
    assert status(doctor(run), "search indexes") == "warn"
    assert status(doctor(run, "--fix"), "search indexes") == "ok"
    assert run("check", COST, "--json").json()["verdict"] == "supported"
    history(2)


def test_killed_between_documents_and_index(run: Run, home: Path, articles: Path, tmp_path: Path) -> None:
    """What is stored is found, although the process that stored it never came to the index."""
    from evidence.types import Document, Query
    from factdesk.kernel import sha256_text
    from store.documents import SqlDocumentStore
    from store.engine import open_engine

    def put(text: str) -> None:
        document = Document(doc_id="late", title="Lighthouse", text=text, sha256=sha256_text(text))
        SqlDocumentStore(open_engine(home / "factdesk.sqlite")).put_documents("default", [document])

    text = "The Marlow Lighthouse was painted green in June 2021."
    put(text)
    assert status(doctor(run), "search indexes") == "warn"
    hits = Corpora(load_settings()).open(["default"], "hybrid")
    assert hits.size() == 7
    result = run("check", text, "--json").json()
    assert result["verdict"] == "supported"
    assert status(doctor(run), "search indexes") == "ok"
    put(text.replace("green", "red"))  # as many documents as before
    found = Corpora(load_settings()).open(["default"], "bm25").retrieve(Query(text="Marlow Lighthouse painted"))
    assert found[0].span.text == text.replace("green", "red")


def test_damaged_caches_are_made_anew(run: Run, home: Path, articles: Path, history: Callable[[int], Any]) -> None:
    arguments = ("check", COST, "--corpus", articles, "--json")
    before = run(*arguments).json()["body_sha256"]
    (home / "cache" / "corpora.sqlite").write_bytes(b"no database" * 1000)
    (home / "checkpoints.sqlite").write_bytes(b"no database" * 1000)
    assert run(*arguments).code == 3
    assert status(doctor(run), "caches") == "warn"
    fixed = doctor(run, "--fix")
    assert len(fixed["fixed"]) == 2
    assert status(fixed, "caches") == "ok"
    assert (home / "checkpoints.sqlite.damaged").is_file()
    assert run(*arguments).json()["body_sha256"] == before
    assert doctor(run, "--fix")["fixed"] == []
    history(2)


def test_a_damaged_checkpoint_says_what_to_do(
    run: Run, home: Path, history: Callable[[int], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("agent.graphs.qa_pairs.best_label", interrupted)
        patch.setattr("agent.graphs.qa_pairs.best_label", interrupted)
        assert run("check", COST, "--json").code == 6
    [stopped] = run("resume", "--json").json()
    with closing(sqlite3.connect(home / "checkpoints.sqlite")) as file, file:
        file.execute("UPDATE checkpoints SET checkpoint = substr(checkpoint, 1, length(checkpoint) / 2)")
    resumed = run("resume", stopped["run_id"], "--json")
    assert resumed.code == 3, resumed
    assert "Traceback" not in resumed.err
    assert "check its claim anew" in resumed.err
    assert run("resume", stopped["run_id"], "--forget").code == 0
    assert run("check", COST, "--json").json()["verdict"] == "supported"
    history(1)


def flip(path: Path) -> None:
    """Alter one byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def test_a_damaged_model_file_stops_all(
    run: Run, home: Path, history: Callable[[int], Any], repository: Path, tmp_path: Path
) -> None:
    """One byte of the weights altered: no check, no batch; with the right file the same batch goes on."""
    model = tmp_path / "model"
    shutil.copytree(repository / "verifier" / "models" / "minilm-fact", model)
    flip(model / "model.onnx")
    claims = tmp_path / "claims.jsonl"
    claims.write_text(json.dumps({"claim": COST}) + "\n", encoding="utf-8")
    verifier = ("--verifier", f"onnx:{model}")
    batch = ("batch", claims, "--out", tmp_path / "out", "--workers", "1", "--json", *verifier)
    for arguments in (("check", COST, *verifier), batch):
        outcome = run(*arguments)
        assert (outcome.code, outcome.out) == (4, "")
        assert "sha256" in outcome.err
        assert "Traceback" not in outcome.err
    history(0)
    flip(model / "model.onnx")
    assert run(*batch).json()["completed"] == 1
    history(1)


def test_a_locked_database_in_a_batch(
    run: Run, home: Path, history: Callable[[int], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from store import engine

    shortly = engine.open_engine
    monkeypatch.setattr(engine, "open_engine", lambda path: shortly(path, busy_timeout=0.2))
    worker = Worker(Orders(settings=load_settings(retriever="none"), out=tmp_path / "out", corpus=()))
    item = Item(line=1, id="a", text=COST, key="ab" * 32, certificate_id="c" * 32)
    with closing(sqlite3.connect(home / "factdesk.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        failed = worker.check(item)
        other.execute("ROLLBACK")
    assert (failed.status, "locked" in failed.reason, failed.certificate_id) == ("failed", True, None)
    assert worker.check(item).status == "completed"
    assert run("resume", "--json").json() == []
    history(1)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A file system of its own with 1 MB, where this machine lets us mount one."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("this machine lets nobody mount")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def test_a_full_disk_under_a_batch(run: Run, home: Path, history: Callable[[int], Any], tmp_path: Path) -> None:
    """The folder of the batch runs full on the way; freed, the same command ends it."""
    claims, disk = tmp_path / "claims.jsonl", tmp_path / "disk"
    rows = [json.dumps({"claim": f"The library has {n} rooms."}) + "\n" for n in range(2, 6)]
    claims.write_text("".join(rows), encoding="utf-8")
    with small_disk(disk):
        arguments = (
            "batch",
            claims,
            "--out",
            disk / "out",
            "--workers",
            "1",
            "--retriever",
            "none",
            "--json",
        )
        ballast = disk / "ballast"
        ballast.write_bytes(b"\0" * 930_000)
        outcome = run(*arguments)
        assert outcome.code in (0, 3), outcome
        assert "Traceback" not in outcome.err
        if outcome.code == 0:
            assert outcome.json()["failed"] > 0, "the disk was not full"
        ballast.unlink()
        summary = run(*arguments).json()
        assert (summary["submitted"], summary["failed"], summary["lost"]) == (4, 0, 0)
        assert summary["completed"] + summary["resumed"] == 4
        assert summary["chain_ok"] is True
    history(4)


def limited(home: Path, repository: Path, kind: int, limit: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A real process under a limit of the system."""
    return subprocess.run(
        [sys.executable, "-m", "factdesk", "check", *arguments],
        cwd=repository,
        capture_output=True,
        text=True,
        env={**os.environ, "FACTDESK_HOME": str(home)},
        check=False,
        timeout=400,
        preexec_fn=lambda: resource.setrlimit(kind, (limit, limit)),
    )


def test_files_that_may_not_grow(run: Run, home: Path, history: Callable[[int], Any], repository: Path) -> None:
    """The limit on the size of files stands for a full disk where nothing can be mounted."""
    size = (home / "factdesk.sqlite").stat().st_size
    done = limited(home, repository, resource.RLIMIT_FSIZE, size // 4096 * 4096, COST, "--json")
    assert done.returncode == 3, done
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert run("check", COST, "--json").json()["verdict"] == "supported"
    history(1)


def test_a_memory_budget(run: Run, home: Path, history: Callable[[int], Any], repository: Path) -> None:
    """Out of memory anywhere: no certificate or an honest one, never a torn history."""
    done = limited(home, repository, resource.RLIMIT_AS, 600_000_000, COST, "--json")
    more = len(run("history", "list", "--json").json()) - 1
    assert more in (0, 1)
    if done.returncode == 0:
        assert more == 1
        assert json.loads(done.stdout)["verdict"] in ("supported", "not_enough_evidence")
    assert FALSE not in done.stdout
    history(more)
    assert run("check", COST, "--json").json()["verdict"] == "supported"
    history(more + 1)


def test_a_clock_that_jumps(
    run: Run, home: Path, history: Callable[[int], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of the history is its numbers; deadlines do not look at the clock on the wall."""
    before = run("check", COST, "--json").json()
    for jump in (timedelta(days=-9000), timedelta(days=9000)):

        class Jumped(datetime):
            @classmethod
            def now(cls, tz: Any = None, by: timedelta = jump) -> Any:
                return datetime.now(tz) + by

        with monkeypatch.context() as patch:
            for module in ("factdesk.checker", "store.jobs", "report.certificate.keys"):
                patch.setattr(f"{module}.datetime", Jumped)
            patch.setattr(time, "time", lambda by=jump: datetime.now(UTC).timestamp() + by.total_seconds())
            jumped = run("check", COST, "--json", "--max-seconds", "60").json()
        assert jumped["verdict"] == before["verdict"]
        assert not jumped["failures"]
    entries = history(3)
    assert [e["sequence"] for e in entries] == [4, 3, 2, 1]
    assert entries[0]["created"] > entries[2]["created"] > entries[1]["created"]


@contextmanager
def cutting_off(answer: bytes) -> Iterator[int]:
    """A server on loopback that closes the connection in the middle of its answer; gives its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with contextlib.suppress(OSError):  # closed: the test is over
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        asked = connection.recv(65536)
                        robots = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
                        connection.sendall(robots if b"/robots.txt" in asked else answer)

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: 4000\r\n\r\n"


def test_a_language_model_that_is_cut_off_in_the_middle() -> None:
    """Half an answer is a failure, although it would be mended easily."""
    body = b'{"choices": [{"message": {"role": "assistant", "content": "{\\"question\\": \\"q?\\", \\"why\\"'
    with cutting_off(HEAD % b"application/json" + body) as port:
        chat = make_chat(Server(f"http://127.0.0.1:{port}/v1", []), timeout=2.0)
        with pytest.raises(ChatError) as failed:
            ask_model(chat)
    assert failed.value.kind in ("unavailable", "bad_output")


def test_a_web_page_that_is_cut_off_in_the_middle() -> None:
    """Half a page could be the half that says "it is not so that"."""
    with cutting_off(HEAD % b"text/html" + b"<html><body><p>The bridge was closed on Monday") as port:
        guard = AddressGuard(resolve=lambda host, port: ["127.0.0.1"], test_servers=frozenset({("127.0.0.1", port)}))
        fetcher = PageFetcher(
            DIRECT,
            lambda _: False,
            guard=guard,
            pacer=Pacer(sleep=lambda _: None),
            limits=Limits(max_bytes=100_000, seconds=5.0, host_seconds=0.0),
        )
        outcome = fetcher.fetch(f"http://news.example:{port}/story")
    assert outcome.page is None
    assert outcome.failure is not None
    assert outcome.failure.kind == "network"
