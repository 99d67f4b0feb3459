"""Bad input: one clear sentence, exit code 2 or 3, no traceback, and the history as it was."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.factdesk.conftest import Outcome, Run

SHORT = "The Tollgate Library cost £6.2 million."


def refused(outcome: Outcome, *said: str, codes: tuple[int, ...] = (2, 3)) -> None:
    """One sentence on stderr that says what is wrong, and nothing else."""
    assert outcome.code in codes, outcome
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    lines = [line for line in outcome.err.splitlines() if line.strip()]
    assert lines, "nothing was said"
    assert len(lines) == 1, lines
    assert len(lines[0]) < 900
    for word in said:
        assert word in lines[0]


@pytest.fixture
def history(run: Run, home: Path) -> Callable[[], None]:
    """One certificate in the history; call it to see that it is still there and nothing else came."""
    run("check", SHORT, "--retriever", "none", "--json").json()
    before = run("history", "list", "--json").json()
    assert len(before) == 1
    files = sorted(p.relative_to(home).as_posix() for p in home.rglob("*"))

    def unchanged() -> None:
        assert run("history", "list", "--json").json() == before
        assert run("history", "show", before[0]["certificate_id"]).code == 0
        assert sorted(p.relative_to(home).as_posix() for p in home.rglob("*")) == files

    return unchanged


@pytest.mark.parametrize("text", ["", "   \n\t", "\u200b", "...", "?!"])
def test_an_empty_claim(run: Run, history: Callable[[], None], text: str) -> None:
    refused(run("check", text, "--retriever", "none"))
    history()


def test_an_endless_claim(run: Run, history: Callable[[], None]) -> None:
    refused(run("check", "word " * 20_000), "100000", "20000")
    refused(run("check", "-", stdin=b"x" * 100_000), "100000")
    history()


def test_a_lone_surrogate(run: Run, history: Callable[[], None]) -> None:
    refused(run("check", "The library \ud800 cost 6 pounds."), "Unicode")
    history()


def huge_header(path: Path) -> Path:
    """A PNG that says it is 60,000 by 60,000 pixels and holds next to none."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    return path


@pytest.mark.parametrize("case", ["text", "truncated", "huge", "missing", "folder", "empty"])
def test_images_that_cannot_be_read(
    run: Run, history: Callable[[], None], tmp_path: Path, repository: Path, case: str
) -> None:
    path = tmp_path / "picture.png"
    if case == "text":
        path.write_text("I am no picture.", encoding="utf-8")
    elif case == "truncated":
        whole = (repository / "examples" / "images" / "chart.png").read_bytes()
        path.write_bytes(whole[: len(whole) // 3])
    elif case == "huge":
        huge_header(path)
    elif case == "folder":
        path.mkdir()
    elif case == "empty":
        path.touch()
    refused(run("check", SHORT, "--image", path), "picture.png")
    history()


def encrypted_pdf(path: Path) -> None:
    import pypdf

    writer = pypdf.PdfWriter()
    writer.add_blank_page(200, 200)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(path)


def test_a_messy_folder_is_taken_for_what_it_has(run: Run, home: Path, tmp_path: Path, articles: Path) -> None:
    """Binaries, broken encodings, an encrypted PDF, links out of the folder: skipped with their reasons."""
    folder = tmp_path / "messy"
    shutil.copytree(articles, folder)
    outside = tmp_path / "outside.txt"
    outside.write_text("A secret that must not be read.", encoding="utf-8")
    (folder / "link.txt").symlink_to(outside)
    (folder / "program.exe").write_bytes(os.urandom(300))
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 20)
    (folder / "page.html").write_bytes(b"\xff\xfe\x00<html>" + os.urandom(200))
    (folder / "broken.jsonl").write_bytes(b'{"doc_id": "x"\n\xff\xfe\n')
    (folder / "latin.txt").write_bytes("Das Café in Zürich öffnete 2019 für alle Gäste.".encode("latin-1"))
    encrypted_pdf(folder / "secret.pdf")
    added = run("corpus", "add", folder, "--name", "messy", "--json").json()
    skipped = dict(added["skipped"])
    assert added["added"] >= 6
    assert "leads out" in skipped["link.txt"]
    assert {"program.exe", "secret.pdf"} <= set(skipped)
    assert all(skipped.values())
    hits = run("corpus", "search", "secret must not be read", "--name", "messy", "--json").json()
    assert not [h for h in hits if "secret that must" in h["span"]["text"]]
    assert run("check", SHORT, "--corpus", folder, "--json").json()["claims"]


@pytest.mark.parametrize("name", ["secret.pdf", "program.exe", "empty"])
def test_a_corpus_with_nothing_usable(run: Run, history: Callable[[], None], tmp_path: Path, name: str) -> None:
    folder = tmp_path / "useless"
    folder.mkdir()
    if name == "secret.pdf":
        encrypted_pdf(folder / name)
    elif name == "program.exe":
        (folder / name).write_bytes(os.urandom(100))
    refused(run("corpus", "add", folder, "--name", "useless"), "useless")
    refused(run("check", SHORT, "--corpus", folder), "useless")
    assert "useless" not in {c["name"] for c in run("corpus", "list", "--json").json()}
    assert len(run("history", "list", "--json").json()) == 1


def database(home: Path) -> Path:
    return home / "factdesk.sqlite"


def test_a_read_only_database(run: Run, history: Callable[[], None], home: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write to read-only files")
    database(home).chmod(0o444)
    home.chmod(0o555)
    try:
        refused(run("check", SHORT), "read-only")
    finally:
        home.chmod(0o755)
        database(home).chmod(0o644)
    history()


def test_a_home_that_is_a_file(run: Run, factdesk_home: Path) -> None:
    factdesk_home.write_text("I am a file.", encoding="utf-8")
    for arguments in (["check", SHORT], ["history", "list"], ["corpus", "list"]):
        refused(run(*arguments), factdesk_home.name)
    assert factdesk_home.read_text(encoding="utf-8") == "I am a file."


def test_a_home_below_a_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FACTDESK_HOME", str(tmp_path / "file" / "home"))
    refused(run("check", SHORT), "file")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["factdesk.sqlite", "checkpoints.sqlite"])
def test_a_garbage_database_is_refused_and_left_as_it_is(run: Run, home: Path, name: str) -> None:
    garbage = b"This is no database at all. " * 100
    (home / name).unlink(missing_ok=True)
    (home / name).write_bytes(garbage)
    refused(run("check", SHORT), name)
    assert (home / name).read_bytes() == garbage
    if name == "checkpoints.sqlite":
        assert run("history", "list", "--json").json() == []


def test_a_garbage_cache_is_refused(run: Run, history: Callable[[], None], home: Path, articles: Path) -> None:
    cache = home / "cache"
    cache.mkdir()
    (cache / "corpora.sqlite").write_bytes(b"no database" * 100)
    refused(run("check", SHORT, "--corpus", articles), "corpora.sqlite")
    shutil.rmtree(cache)
    history()


def test_a_locked_database(run: Run, history: Callable[[], None], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from store import engine

    shortly = engine.open_engine
    monkeypatch.setattr(engine, "open_engine", lambda path: shortly(path, busy_timeout=0.2))
    with closing(sqlite3.connect(database(home), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused(run("check", SHORT, "--retriever", "none"), "locked")
        other.execute("ROLLBACK")
    history()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with 2 MB, where this machine lets us mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("mounting needs root")
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("this machine lets nobody mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


@pytest.mark.parametrize("left", [0, 16_000, 40_000, 100_000, 200_000])
def test_a_full_disk(run: Run, small_disk: Path, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    """Wherever the disk runs full, a check is recorded whole or refused, and the history stays readable."""
    home = small_disk / "home"
    home.mkdir()
    monkeypatch.setenv("FACTDESK_HOME", str(home))
    ballast = small_disk / "ballast"
    ballast.touch()
    first = run("check", SHORT, "--retriever", "none", "--json").json()
    fill(ballast, left)
    outcome = run("check", SHORT, "--retriever", "none", "--json")
    if outcome.code != 0:
        refused(outcome)
    ballast.unlink()
    listed = run("history", "list", "--json").json()
    assert len(listed) == (2 if outcome.code == 0 else 1)
    assert listed[-1]["certificate_id"] == first["certificate_id"]
    assert run("check", SHORT, "--retriever", "none", "--json").json()["body_sha256"] == first["body_sha256"]


def fill(ballast: Path, left: int) -> None:
    """Use up the disk by a file, but for ``left`` bytes."""
    with ballast.open("ab", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
    os.truncate(ballast, max(0, ballast.stat().st_size - left))


def test_errors_of_a_real_process_leave_no_traceback(tmp_path: Path, repository: Path) -> None:
    """The same through ``python -m factdesk``, with a name that is no valid text."""
    done = subprocess.run(
        [sys.executable, "-m", "factdesk", "check", SHORT, "--corpus", b"nowhere-\xff"],
        cwd=repository,
        env={**os.environ, "FACTDESK_HOME": str(tmp_path / "h")},
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert done.returncode in (2, 3)
    assert b"nowhere" in done.stderr
    assert b"Traceback" not in done.stderr
