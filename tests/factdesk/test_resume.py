"""Runs that were stopped or killed go on from their checkpoint, and end as an unbroken run does."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent.types import Progress
from factdesk.check.pipeline import run_graph
from factdesk.kernel import InputError, Stopped
from store.runs import Order, Run, Runs
from tests.agent.shelf import COST, LIBRARY, Shelf, make_deps
from tests.factdesk.conftest import Run as Command

TEXT = f"{COST} Mayor Ada Quill opened the swimming pool of Harrowmere on 3 May 2021."
CLAIM = (
    "The Tollgate Library in Harrowmere reopened in March 2025. Its refurbishment was paid for by "
    "the Vale Heritage Fund alone, said Samir Oakes."
)


def order(run_id: str, text: str = TEXT) -> Order:
    return Order(run_id=run_id, text=text, settings={"method": "tree"})


def investigate(runs: Runs, run_id: str, known: bool, shelf: Shelf, method: str, stop_at: int) -> Any:
    """The whole investigation, or ``None`` where it was stopped at the given progress event."""
    seen = 0

    def progress(event: Progress) -> None:
        nonlocal seen
        seen += 1
        if seen == stop_at:
            raise KeyboardInterrupt

    deps = make_deps(TEXT, retriever=shelf, veracity="cove")
    found = None
    with contextlib.suppress(Stopped), runs.hold(run_id, known=known) as run:
        run.begin(order(run_id), ())
        found = run_graph(TEXT, deps, run, progress, method)
        run.end()
    return found


@pytest.mark.parametrize("method", ["tree", "chain", "subq"])
def test_a_run_stopped_anywhere_ends_as_if_it_had_not_been(tmp_path: Path, method: str) -> None:
    runs = Runs(tmp_path / "checkpoints.sqlite")
    whole_shelf = Shelf(LIBRARY)
    whole = investigate(runs, "whole", False, whole_shelf, method, stop_at=0)
    assert runs.list() == ()
    stopped = 0
    for stop_at in (1, 4, 9, 14, 20):
        run_id, shelf = f"run{stop_at}", Shelf(LIBRARY)
        found = investigate(runs, run_id, False, shelf, method, stop_at)
        if found is None:
            stopped += 1
            [info] = runs.list()
            assert (info.run_id, info.text, info.running) == (run_id, TEXT, False)
            found = investigate(runs, run_id, True, shelf, method, stop_at=0)
        assert found.model_dump_json() == whole.model_dump_json()
        again = Counter(q.text for q in shelf.queries) - Counter(q.text for q in whole_shelf.queries)
        assert sum(again.values()) <= 6, "more was asked again than the one step that was cut off"
    assert stopped >= 4
    assert runs.list() == ()


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    """Cut off in its fourth search, a chain makes that search again and no other."""

    class Cut(Shelf):
        cut_at = 4

        def retrieve(self, query: Any) -> Any:
            if len(self.queries) + 1 == self.cut_at:
                self.cut_at = 0
                raise KeyboardInterrupt
            return super().retrieve(query)

    runs = Runs(tmp_path / "checkpoints.sqlite")
    whole, cut = Shelf(LIBRARY), Cut(LIBRARY)
    expected = investigate(runs, "whole", False, whole, "chain", stop_at=0)
    assert investigate(runs, "cut", False, cut, "chain", stop_at=0) is None
    assert len(cut.queries) == 3
    found = investigate(runs, "cut", True, cut, "chain", stop_at=0)
    assert found.model_dump_json() == expected.model_dump_json()
    assert [q.text for q in cut.queries] == [q.text for q in whole.queries]


def test_time_used_before_the_stop_counts(tmp_path: Path) -> None:
    from factdesk.kernel import Caps

    runs = Runs(tmp_path / "checkpoints.sqlite")
    ticks = iter(range(1000))
    slow = make_deps(TEXT, caps=Caps(max_seconds=6), clock=lambda: float(next(ticks)))

    def go(known: bool, deps: Any, stop_at: int) -> Any:
        events: list[Progress] = []

        def progress(event: Progress) -> None:
            events.append(event)
            if len(events) == stop_at:
                raise KeyboardInterrupt

        with runs.hold("slow", known=known) as run:
            run.begin(order("slow"), ())
            return run_graph(TEXT, deps, run, progress, "chain")

    with pytest.raises(Stopped, match="factdesk resume slow") as stopped:
        go(False, slow, 8)
    assert stopped.value.exit_code == 6
    used = next(ticks)
    assert used >= 2
    fresh = make_deps(TEXT, caps=Caps(max_seconds=2), clock=lambda: 0.5)
    found = go(True, fresh, 0)
    assert any(f.kind == "budget" for f in found.failures), "the clock began anew"


def test_runs_are_held_by_one_process_and_known_by_their_beginning(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "checkpoints.sqlite")
    with runs.hold("abc1") as run:
        run.begin(order("abc1"), [("a.png", b"one"), ("b.png", b"two")])
        assert [r.running for r in runs.list()] == [True]
        with pytest.raises(InputError, match="still going on"), runs.hold("abc1", known=True):
            pass
    with runs.hold("abd2") as run:
        run.begin(order("abd2"), ())
    assert runs.find("abc") == "abc1"
    for wrong in ("ab", "zz", ""):
        with pytest.raises(InputError):
            runs.find(wrong)
    with runs.hold("abc1", known=True) as run:
        assert run.images() == (("a.png", b"one"), ("b.png", b"two"))
        changed = order("abc1").model_copy(update={"image_sha256": ("0",)})
        with pytest.raises(InputError, match="images"):
            run.begin(changed, ())
    with pytest.raises(InputError, match="not known"), runs.hold("nosuch", known=True):
        pass
    runs.forget("abc1")
    assert [r.run_id for r in runs.list()] == ["abd2"]
    assert not list((tmp_path / "running").iterdir())


def start(home: Path, *arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "FACTDESK_HOME": str(home)}
    command = [sys.executable, "-m", "factdesk", "check", *arguments]
    folder = Path(__file__).parents[2]
    return subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_steps(home: Path, steps: int, process: subprocess.Popen[bytes]) -> None:
    """Until the process has written so many steps of its run."""
    path, deadline = home / "checkpoints.sqlite", time.monotonic() + 600
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        if path.exists():
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
                try:
                    [count] = connection.execute("SELECT count(*) FROM checkpoints").fetchone()
                except sqlite3.OperationalError:
                    count = 0
            if count >= steps:
                return
        time.sleep(0.002)
    pytest.fail("the run did not get so far")


Killed = Callable[[int, int], str]


@pytest.fixture
def killed(home: Path, tmp_path: Path, articles: Path) -> Killed:
    """Kill a tree run over a folder after so many steps; gives the run's id."""

    def kill(steps: int, number: int) -> str:
        folder = tmp_path / "articles"
        if not folder.exists():
            shutil.copytree(articles, folder)
        process = start(home, CLAIM, "--corpus", str(folder), "--method", "tree", "--veracity", "cove", "--json")
        wait_for_steps(home, steps, process)
        process.send_signal(number)
        out, _ = process.communicate(timeout=600)
        assert process.returncode == (-9 if number == signal.SIGKILL else 6)
        assert out == b""
        return Runs(home / "checkpoints.sqlite").list()[-1].run_id

    return kill


@pytest.mark.parametrize(("steps", "number"), [(3, signal.SIGKILL), (9, signal.SIGKILL), (6, signal.SIGTERM)])
def test_a_killed_process_is_resumed_to_the_same_certificate(
    run: Command, home: Path, tmp_path: Path, killed: Killed, steps: int, number: int
) -> None:
    run_id = killed(steps, number)
    assert run("history", "list", "--json").json() == []
    [listed] = run("resume", "--json").json()
    assert (listed["run_id"], listed["running"], listed["method"]) == (run_id, False, "tree")
    assert run_id in run("resume").out
    folder = tmp_path / "articles"
    shutil.rmtree(folder)  # resuming needs nothing but what lies beside the checkpoint
    resumed = run("resume", run_id[:8], "--json").json()
    assert run("resume", "--json").json() == []
    shutil.copytree(Path(__file__).parents[2] / "examples" / "corpus" / "local", folder)
    flags = ("--corpus", folder, "--method", "tree", "--veracity", "cove", "--json")
    whole = run("check", CLAIM, *flags).json()
    assert resumed["body_sha256"] == whole["body_sha256"]
    assert len(resumed["claims"]) >= 2
    assert resumed["certificate_id"] == run_id
    first, second = (
        run("history", "show", r["certificate_id"], "--certificate").json()["body"] for r in (resumed, whole)
    )
    assert json.dumps(first) == json.dumps(second)
    assert run("resume", run_id).code == 3


def test_a_run_is_not_finished_with_another_corpus(run: Command, home: Path, articles: Path) -> None:
    process = start(home, CLAIM, "--method", "tree", "--json")
    wait_for_steps(home, 4, process)
    process.kill()
    process.communicate()
    [listed] = run("resume", "--json").json()
    time.sleep(1.1)  # the time of a corpus' last change has seconds
    hits = run("corpus", "search", "cost of the refurbishment", "--json").json()
    run("corpus", "remove", "default", hits[0]["span"]["doc_id"])
    refused = run("resume", listed["run_id"])
    assert refused.code == 3
    assert "'default' was changed" in refused.err
    assert run("resume", listed["run_id"], "--forget").code == 0
    assert run("resume", "--json").json() == []


def test_images_are_kept_with_the_run(
    run: Command, home: Path, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "sign.png"
    shutil.copy(repository / "examples" / "images" / "sign.png", picture)
    text = "The sign says that 18,740 people live in Harrowmere."
    arguments = ("check", text, "--image", picture, "--json", "--as-of", "2025-05-01", "--date", "2025-04-01")
    whole = run(*arguments).json()

    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("agent.graphs.qa_pairs.best_label", interrupted)
        stopped = run(*arguments)
    assert stopped.code == 6
    [listed] = run("resume", "--json").json()
    assert listed["images"] == 1
    assert f"factdesk resume {listed['run_id']}" in stopped.err
    picture.unlink()
    assert run("resume", listed["run_id"], "--json").json()["body_sha256"] == whole["body_sha256"]


def test_settings_of_the_run_count_and_not_those_of_today(
    run: Command, home: Path, environment: Callable[..., None]
) -> None:
    process = start(home, CLAIM, "--method", "tree", "--mode", "mixed", "--json")
    wait_for_steps(home, 4, process)
    process.kill()
    process.communicate()
    environment(METHOD="chain", MODE="debug", CAPS__MAX_PAIRS="9", HOME=str(home))
    [listed] = run("resume", "--json").json()
    resumed = run("resume", listed["run_id"], "--json").json()
    assert resumed["mode"] == "mixed"
    body = run("history", "show", listed["run_id"], "--certificate").json()["body"]
    assert body["settings"]["method"] == "tree"
    assert body["caps"]["max_pairs"] == 240


def test_a_certificate_that_was_appended_is_not_appended_twice(run: Command, home: Path) -> None:
    """Killed between the history and the end of the run."""
    with pytest.MonkeyPatch.context() as patch:

        def interrupted(self: Run) -> None:
            raise KeyboardInterrupt

        patch.setattr(Run, "end", interrupted)
        assert run("check", COST, "--json").code == 6
    [entry] = run("history", "list", "--json").json()
    resumed = run("resume", entry["certificate_id"], "--json").json()
    assert resumed["certificate_id"] == entry["certificate_id"]
    assert run("history", "list", "--json").json() == [entry]
    assert run("resume", "--json").json() == []
