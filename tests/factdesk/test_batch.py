"""``factdesk batch`` as a user meets it: real models, several processes, killed at any moment."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from factdesk.batch.output_folder import JOBS, Folder, Identity, hold
from factdesk.batch.read import MAX_LINE_BYTES, Reader
from factdesk.batch.run import Batch, Standing, account
from factdesk.batch.types import Bad, Item, Line, LineState, Orders, Outcome, place
from factdesk.batch.worker import Worker
from factdesk.checker import open_ledger
from factdesk.cli.batch import words
from factdesk.kernel import ConfigError, InputError
from factdesk.parallel.worker_pool import Ended, Processes
from factdesk.settings import load_settings
from store.jobs import JobList
from store.runs import Run as StoredRun
from store.runs import Runs
from tests.factdesk.conftest import Run

COST = "The refurbishment of the Tollgate Library cost £6.2 million."
REFUTED = "The refurbishment of the Tollgate Library cost £9.8 million."
DESIGNED = "Two ghosts haunt the Tollgate Library every night."
SMALL = ("--verifier", "onnx:minilm-fact")
QUICK = ("--retriever", "none", *SMALL)
"""No evidence, and the smaller model: what is tested is the batch."""
ROWS = [
    {"id": "a", "claim": COST},
    {"id": "b", "claim": REFUTED},
    {"id": "again", "claim": f" {COST} "},
    {"id": "c", "claim": DESIGNED, "date": "2025-04-01"},
]


def write(path: Path, *rows: object) -> Path:
    """A JSON Lines file; strings go in as they are."""
    text = "\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows)
    path.write_text(text + "\n", encoding="utf-8", errors="surrogatepass")
    return path


def results(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "results.jsonl").read_text(encoding="utf-8").splitlines()]


def test_claims_go_in_and_certificates_come_out(run: Run, home: Path, tmp_path: Path) -> None:
    """Every line has its result, one that fails stops nothing, and a second start checks nothing again."""
    picture = tmp_path / "broken.png"
    picture.write_bytes(b"no picture")
    bad = ["{broken", "[1]", '{"claim": ""}', '{"claim": 7}', '{"claim": "A.", "question": "B?"}']
    file = write(
        tmp_path / "claims.jsonl",
        *ROWS,
        "",
        *bad,
        {"claim": "It cost 6 million.", "image": "broken.png"},
        '{"claim": "The library \\ud800 cost 6 pounds."}',
        {"question": "How much did it cost?", "id": "q"},
    )
    out = tmp_path / "out"
    arguments = ("batch", file, "--out", out, "--workers", "1", *SMALL, "--json")
    made = run(*arguments)
    assert (made.code, "7 line(s) failed" in made.err) == (3, True)
    summary = json.loads(made.out)
    assert (summary["submitted"], summary["completed"], summary["duplicates"]) == (12, 4, 1)
    assert (summary["failed"], summary["lost"], summary["waiting"], summary["resumed"]) == (7, 0, 0, 0)
    assert (summary["chain_ok"], summary["stopped"]) == (True, False)
    assert summary["rss_peak_mb"] > 100
    rows = results(out)
    assert [r["line"] for r in rows] == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13]
    assert [r["status"] for r in rows] == [
        "completed",
        "completed",
        "duplicate",
        "completed",
        *["failed"] * 7,
        "completed",
    ]
    assert [r.get("verdict") for r in rows[:4]] == [
        "supported",
        "refuted",
        "supported",
        "not_enough_evidence",
    ]
    assert rows[2]["same_as_line"] == 1
    assert rows[2]["certificate_id"] == rows[0]["certificate_id"]
    assert all(r["reason"] for r in rows if r["status"] == "failed")
    assert "broken.png" in rows[9]["reason"]
    assert "Unicode" in rows[10]["reason"]
    for row in rows[:4]:
        assert run("verify", out / row["certificate"], "--json").json()["integrity"]["ok"] is True
    history = run("history", "list", "--json").json()
    assert {e["certificate_id"] for e in history} == {r["certificate_id"] for r in rows if "verdict" in r}
    assert len(history) == 4
    single = run("check", COST, *SMALL, "--json").json()
    assert single["body_sha256"] == next(e for e in history if e["claim_text"] == COST)["body_sha256"]
    again = json.loads(run(*arguments).out)
    assert (again["completed"], again["resumed"], again["failed"], again["lost"]) == (0, 4, 7, 0)
    assert len(run("history", "list", "--json").json()) == 5
    assert run("resume", "--json").json() == [], "no check is left half done"
    refused = run(*arguments, "--mode", "debug")
    assert refused.code == 2
    assert "'mode' ('strict', not 'debug')" in refused.err


def start(home: Path, *arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "factdesk", "batch", *map(str, arguments)]
    return subprocess.Popen(
        command,
        env={**os.environ, "FACTDESK_HOME": str(home)},
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def certificates(out: Path) -> int:
    return len(list(out.glob("certificates/*/*.json")))


def wait_for(out: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 600
    while certificates(out) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)


def many(count: int) -> list[dict[str, str]]:
    return [{"claim": f"The Tollgate Library has {n} reading rooms.", "id": str(n)} for n in range(2, 2 + count)]


def test_kill_9_loses_nothing_and_doubles_nothing(run: Run, home: Path, tmp_path: Path) -> None:
    """The whole batch killed twice at odd moments, once with its list of jobs destroyed as well."""
    file, out = write(tmp_path / "claims.jsonl", *many(10)), tmp_path / "out"
    arguments = (file, "--out", out, "--workers", "1", *QUICK, "--json")
    rng = random.Random(4)
    for kill, after in enumerate((2, 5)):
        process = start(home, *arguments)
        wait_for(out, after, process)
        time.sleep(rng.random() / 5)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        process.communicate()
        if kill:
            (out / JOBS).write_bytes(b"no list any more" * 100)
    before = certificates(out)
    assert before >= 5
    summary = run("batch", *arguments).json()
    assert (summary["submitted"], summary["lost"], summary["failed"]) == (10, 0, 0)
    assert summary["completed"] + summary["resumed"] == 10
    assert summary["resumed"] >= before
    assert summary["chain_ok"] is True
    history = run("history", "list", "--limit", "100", "--json").json()
    assert sorted(e["claim_text"] for e in history) == sorted(r["claim"] for r in many(10))
    assert {r["certificate_id"] for r in results(out)} == {e["certificate_id"] for e in history}
    assert run("resume", "--json").json() == [], "the runs of killed workers are forgotten"


def test_being_asked_to_stop_finishes_what_was_begun(run: Run, home: Path, tmp_path: Path) -> None:
    file, out = write(tmp_path / "claims.jsonl", *many(300)), tmp_path / "out"
    process = start(home, file, "--out", out, "--workers", "1", *QUICK, "--json")
    wait_for(out, 1, process)
    taken = run("batch", file, "--out", out, *QUICK)
    assert (taken.code, "another process is working" in taken.err) == (3, True)
    process.send_signal(signal.SIGTERM)
    printed, said = process.communicate(timeout=600)
    assert process.returncode == 6, said
    summary = json.loads(printed)
    assert summary["stopped"] is True
    assert (summary["failed"], summary["lost"], summary["waiting"]) == (0, 0, 0)
    assert summary["completed"] == certificates(out) == len(run("history", "list", "--limit", "1000", "--json").json())


# The rest needs no models: the driver with an engine of the test's own, and the parts.


class Scripted:
    """An engine that does what it is told for each text: ``ok``, ``die``, ``die once``, ``bug``."""

    def __init__(self, room: int = 1) -> None:
        self.room, self.busy, self.given = room, list[Item](), list[str]()

    def free(self) -> bool:
        return len(self.busy) < self.room

    def submit(self, item: Item) -> None:
        self.busy.append(item)
        self.given.append(item.text)
        assert len(self.busy) <= self.room

    def wait(self, seconds: float) -> list[Ended[Item, Outcome]]:
        item = self.busy.pop(0)
        if item.text.startswith("die") and (item.text == "die" or self.given.count(item.text) == 1):
            return [Ended(item, died=True)]
        if item.text == "bug":
            return [Ended(item, error=ZeroDivisionError("division by zero"))]
        return [Ended(item, Outcome(key=item.key, status="completed", certificate_id=item.key, verdict="supported"))]

    def close(self) -> None:
        self.busy.clear()


def drive(
    tmp_path: Path, texts: list[str], engine: Scripted, stop_after: int = 10**9
) -> tuple[Batch, list[dict[str, Any]]]:
    orders = Orders(settings=load_settings(), out=tmp_path / "out", corpus=())
    stream = io.BytesIO("".join(json.dumps({"claim": t}) + "\n" for t in texts).encode())
    with hold(orders) as folder:
        reader = Reader(tmp_path, folder.identity.fingerprint, folder.identity.batch_id)
        batch = Batch(
            folder,
            engine,
            orders,
            lambda: len(engine.given) >= stop_after,
            lambda _: None,
            Standing(total=len(texts)),
        )
        batch.run(stream, reader)
        return batch, list(folder.results())


def test_a_worker_that_dies_takes_one_claim_with_it_at_most(tmp_path: Path) -> None:
    texts = ["one", "die", "two", "die once", "bug", "three"]
    engine = Scripted(room=2)
    batch, rows = drive(tmp_path, texts, engine)
    ends = "completed failed completed completed failed completed".split()
    assert [r["status"] for r in rows] == ends
    assert engine.given.count("die") == 2, "tried twice, not for ever"
    assert engine.given.count("die once") == 2
    assert "worker process ended" in rows[1]["reason"]
    assert "ZeroDivisionError" in rows[4]["reason"]
    assert batch.standing.ended == {"completed": 4, "failed": 2}


def test_the_input_is_not_read_ahead_of_the_workers(tmp_path: Path) -> None:
    engine = Scripted(room=3)
    batch, rows = drive(tmp_path, [f"claim {n}" for n in range(50)], engine, stop_after=10)
    assert batch.stopped
    assert len(engine.given) <= 13
    assert batch.standing.read <= 14
    assert all(r["status"] == "completed" for r in rows[: len(engine.given)])


def test_a_certificate_that_is_nowhere_counts_as_lost(tmp_path: Path) -> None:
    """The account looks at history and folder and does not believe the list of jobs."""
    orders = Orders(settings=load_settings(), out=tmp_path / "out", corpus=())
    with hold(orders) as folder:
        batch = Batch(folder, Scripted(), orders, lambda: False, lambda _: None, Standing())
        batch.run(io.BytesIO(b'{"claim": "one"}\n'), Reader(tmp_path, "f", "b"))
        summary = account(batch, orders.settings, "local", 1)
        assert (summary.submitted, summary.completed, summary.lost) == (1, 0, 1)
        assert "not in the history" in next(folder.results())["reason"]


def test_lines_are_read_one_by_one_and_keyed_by_content(tmp_path: Path) -> None:
    reader = Reader(tmp_path, "settings", "batch")
    (tmp_path / "a.png").write_bytes(b"1")
    (tmp_path / "b.png").write_bytes(b"1")
    (tmp_path / "c.png").write_bytes(b"2")
    rows = [
        {"claim": "A.", "id": 1},
        {"id": "x", "claim": " A. ", "label": "supported"},
        {"claim": "A.", "date": "2024-05-31"},
        {"question": "A."},
        {"claim": "A.", "image": "a.png"},
        {"claim": "A.", "image": "b.png"},
        {"claim": "A.", "image": "c.png"},
        {"claim": "A.", "image": "gone.png"},
        {"claim": "A.", "date": "31.5."},
    ]
    stream = io.BytesIO("".join(json.dumps(r) + "\n" for r in rows).encode() + b"x" * (3 * MAX_LINE_BYTES) + b"\n\n{}")
    found = list(reader.read(stream))
    assert [type(f) for f in found] == [*[Item] * 8, Bad, Bad, Bad]
    assert [f.line for f in found] == [*range(1, 11), 12]
    keys = [f.key for f in found]
    assert keys[0] == keys[1]
    assert keys[4] == keys[5]
    assert len(set(keys)) == len(keys) - 2
    assert isinstance(found[9], Bad)
    assert "longer" in found[9].reason
    other = next(iter(Reader(tmp_path, "other settings", "batch").read(io.BytesIO(b'{"claim": "A."}'))))
    assert other.key != keys[0]
    twin = next(iter(Reader(tmp_path, "settings", "another batch").read(io.BytesIO(b'{"claim": "A."}'))))
    assert isinstance(twin, Item)
    assert isinstance(found[0], Item)
    assert (twin.key, twin.certificate_id == found[0].certificate_id) == (keys[0], False)


def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    """A generator of a million lines is read a line at a time."""

    class Endless(io.RawIOBase):
        given = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            line = json.dumps({"claim": f"Claim number {self.given}."}).encode() + b"\n"
            self.given += 1
            buffer[: len(line)] = line
            return len(line)

    source = Endless()
    rows: Iterator[Item | Bad] = Reader(tmp_path, "s", "b").read(io.BufferedReader(source, 4096))
    assert [row.line for row, _ in zip(rows, range(1000), strict=False)] == list(range(1, 1001))
    assert source.given < 1200


def test_the_folder_of_a_batch_holds_nothing_else(tmp_path: Path) -> None:
    orders = Orders(settings=load_settings(), out=tmp_path / "out", corpus=())
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="something else"), hold(orders):
        pass
    (tmp_path / "out" / "letter.txt").unlink()
    with hold(orders) as folder:
        first = folder.identity
    with hold(orders) as folder:
        assert folder.identity == first
    other = Orders(settings=load_settings(caps={"max_pairs": 7}), out=tmp_path / "out", corpus=())
    with pytest.raises(ConfigError, match="'caps'"), hold(other):
        pass
    (tmp_path / "out" / "batch.json").write_bytes(b"{")
    with pytest.raises(InputError, match="keep this one"), hold(orders):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(InputError), hold(Orders(settings=load_settings(), out=tmp_path / "file", corpus=())):
        pass


@pytest.mark.parametrize(("owner", "last"), [(StoredRun, "end"), (Worker, "_put")])
def test_a_worker_finds_what_a_killed_one_had_appended(
    home: Path, tmp_path: Path, monkeypatch: Any, owner: type, last: str
) -> None:
    """Killed between history and folder, before or after the end of its run: the certificate is taken from the history,
    not made again, and no run is left half done.
    """
    orders = Orders(settings=load_settings(), out=tmp_path / "out", corpus=("default",))
    worker = Worker(orders)
    item = Item(line=1, id="a", text=COST, key="ab" * 32, certificate_id="c" * 32)

    def killed(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(owner, last, killed)
        with pytest.raises(SystemExit):
            worker.check(item)
    assert open_ledger(orders.settings).count() == 1
    runs = Runs(orders.settings.paths.checkpoints)
    assert len(runs.list()) == (last == "end")
    found = worker.check(item)
    assert (found.status, found.certificate_id, found.verdict) == ("resumed", "c" * 32, "supported")
    assert runs.list() == ()
    assert open_ledger(orders.settings).count() == 1
    assert (orders.out / place(item.key)).is_file()
    twin = item.model_copy(update={"text": REFUTED, "certificate_id": "c" * 32})
    monkeypatch.setattr(Worker, "_certified", lambda self, item: None)
    assert "already has a certificate" in worker.check(twin).reason, "the history itself refuses a second one"
    assert runs.list() == ()


def hang(item: Item) -> Outcome:
    """Stands in for a library that never comes back, in a worker process."""
    from factdesk.batch.worker import _patience

    with _patience(0.3):
        while True:
            time.sleep(0.01)


def hanging() -> Callable[[Item], Outcome]:
    return hang


def test_a_worker_that_hangs_is_ended(tmp_path: Path) -> None:
    orders = Orders(settings=load_settings(), out=tmp_path / "out", corpus=(), patience=0.3)
    engine: Processes[Item, Outcome] = Processes(hanging, 1)
    try:
        with hold(orders) as folder:
            batch = Batch(folder, engine, orders, lambda: False, lambda _: None, Standing())
            batch.run(io.BytesIO(b'{"claim": "one"}\n'), Reader(tmp_path, "f", "b"))
            [row] = folder.results()
    finally:
        engine.close()
    assert (row["status"], "no answer within" in row["reason"]) == ("failed", True)


def test_progress_in_words() -> None:
    ended: Counter[LineState] = Counter(completed=100, resumed=20, failed=2)
    standing = Standing(total=5000, read=130, ended=ended, started=time.monotonic() - 60)
    assert words(standing).startswith(
        "122 of 5,000 lines done, 20 from before, 2 failed, 100.0 claims a minute, about 48 min"
    )
    assert words(Standing()) == "0 lines done"


def test_a_damaged_list_is_begun_anew(tmp_path: Path) -> None:
    orders = Orders(settings=load_settings(), out=tmp_path / "out", corpus=())
    item = Item(line=1, id="a", text=COST, key="ab" * 32, certificate_id="c" * 32)
    finished = Outcome(key=item.key, status="completed", certificate_id="c" * 32, verdict="supported")
    states = []
    for damage in (False, False, True):
        if damage:
            (orders.out / JOBS).write_bytes(b"\xff" * 9000)
        with hold(orders) as folder:
            states.append(folder.enter(item))
            states.append(folder.enter(item.model_copy(update={"line": 2})))
            folder.end(finished)
        (orders.out / place(item.key)).parent.mkdir(parents=True, exist_ok=True)
        (orders.out / place(item.key)).write_text("{}", encoding="utf-8")
    assert states == ["waiting", "duplicate", "resumed", "duplicate", "waiting", "duplicate"]


def test_lines_of_an_earlier_run_do_not_count(tmp_path: Path) -> None:
    jobs = JobList(tmp_path / JOBS, Line, Outcome, "list of the batch")
    rows = [Item(line=n, id=str(n), text=COST, key=k, certificate_id=k) for n, k in enumerate("abac", 1)]
    identity = Identity(batch_id="b", created="", settings={})
    first, second = (Folder(tmp_path, identity, jobs, run) for run in ("first", "second"))
    assert [first.enter(row) for row in rows] == ["waiting", "waiting", "duplicate", "waiting"]
    first.end(Outcome(key="a", status="failed", reason="no answer"))
    assert second.enter(rows[1].model_copy(update={"line": 1})) == "waiting"
    assert [r["id"] for r in first.results()] == ["1", "3", "4"]
    assert list(second.results()) == [{"line": 1, "id": "2", "status": "waiting"}]
    second.end(Outcome(key="b", status="lost", reason="gone"))
    assert [state for _, state, _ in second.lines()] == ["lost"]
