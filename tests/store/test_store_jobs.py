"""The list of jobs: order, states, files, and what a file that cannot be used says."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from factdesk.kernel import InputError, Record
from store.jobs import JobList


class Asked(Record):
    text: str


class Ended(Record):
    verdict: str


def jobs_in(folder: Path) -> JobList[Asked, Ended]:
    return JobList(folder / "deep" / "jobs.sqlite", Asked, Ended, "file of the test")


def test_a_job_goes_from_queue_to_end(tmp_path: Path) -> None:
    jobs = jobs_in(tmp_path)
    jobs.put("a", Asked(text="one"), files=[("x.png", b"\0x"), ("y.png", b"")])
    jobs.put("b", Asked(text="two"))
    assert [(j.job_id, j.state, j.payload.text) for j in jobs.list()] == [
        ("a", "queued", "one"),
        ("b", "queued", "two"),
    ]
    assert jobs.files("a") == (("x.png", b"\0x"), ("y.png", b""))
    assert (jobs.count_files("a"), jobs.count_files("b")) == (2, 0)
    jobs.start("a")
    assert [j.job_id for j in jobs.list("running")] == ["a"]
    jobs.end("a", "done", Ended(verdict="supported"))
    found = jobs.get("a")
    assert found is not None
    assert (found.state, found.result, found.created[-1]) == ("done", Ended(verdict="supported"), "Z")
    assert jobs.files("a") == ()
    assert [j.job_id for j in jobs_in(tmp_path).list("queued", "running")] == ["b"]
    jobs.remove("b")
    assert jobs.get("b") is None


def test_a_job_that_is_put_again_goes_to_the_end(tmp_path: Path) -> None:
    with jobs_in(tmp_path) as jobs:
        for name in "abc":
            jobs.put(name, Asked(text=name), files=[("f", b"1")])
        jobs.put("a", Asked(text="again"), state="done", result=Ended(verdict="x"))
        assert [(j.job_id, j.payload.text) for j in jobs.iterate()] == [
            ("b", "b"),
            ("c", "c"),
            ("a", "again"),
        ]
        assert jobs.files("a") == ()


def test_the_oldest_ended_jobs_are_forgotten(tmp_path: Path) -> None:
    with jobs_in(tmp_path) as jobs:
        for number in range(6):
            jobs.put(str(number), Asked(text="t"))
            if number != 1:
                jobs.end(str(number), "done", Ended(verdict="x"))
        jobs.remove_ended(kept=3)
        assert [j.job_id for j in jobs.list()] == ["1", "3", "4", "5"], "what is open stays"


def test_checkpoints_go_with_their_job(tmp_path: Path) -> None:
    with jobs_in(tmp_path) as jobs:
        jobs.put("a", Asked(text="t"))
        jobs.connection.execute("CREATE TABLE checkpoints (thread_id TEXT)")
        jobs.connection.execute("INSERT INTO checkpoints VALUES ('a'), ('b')")
        jobs.connection.commit()
        jobs.remove("a")
        assert jobs.connection.execute("SELECT thread_id FROM checkpoints").fetchall() == [("b",)]


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    def put(number: int) -> None:
        jobs_in(tmp_path).put(str(number), Asked(text="t"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(put, range(40)))
    assert {j.job_id for j in jobs_in(tmp_path).list()} == {str(n) for n in range(40)}


def test_records_of_another_version_are_refused(tmp_path: Path) -> None:
    jobs = jobs_in(tmp_path)
    jobs.put("a", Asked(text="t"))
    with closing(sqlite3.connect(jobs.path)) as connection, connection:
        connection.execute("UPDATE jobs SET payload = '{\"other\": 1}'")
    found = jobs.get("a")
    assert found is not None
    with pytest.raises(InputError, match="another version"):
        _ = found.payload


def test_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    jobs = jobs_in(tmp_path)
    jobs.path.parent.mkdir()
    jobs.path.write_bytes(b"no database" * 1000)
    with pytest.raises(InputError, match=r"the file of the test, .*jobs\.sqlite', cannot be used .*; mend it"):
        jobs.put("a", Asked(text="t"))
    assert jobs.path.read_bytes() == b"no database" * 1000
    jobs.remove_damaged()
    jobs.put("a", Asked(text="t"))
    jobs.remove_damaged()
    assert [j.job_id for j in jobs.list()] == ["a"], "a sound one stays"


def test_a_file_that_is_only_locked_is_not_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.jobs.BUSY_TIMEOUT_SECONDS", 0.1)
    jobs = jobs_in(tmp_path)
    jobs.put("a", Asked(text="t"))
    with closing(sqlite3.connect(jobs.path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match="locked"):
            jobs.remove_damaged()
    assert [j.job_id for j in jobs.list()] == ["a"]
