"""The notebooks run from top to bottom, and what is kept of their outputs is fit to be read by others."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
BOOKS = sorted(FOLDER.glob("*.ipynb"))
LARGEST = 300_000
"""Bytes of a notebook with its outputs."""
MACHINE = re.compile(
    r"(?<![\w.:/-])/(?:home|root|work|tmp|usr|opt|var|Users|private)/|[A-Z]:\\\\|\d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d"
)
"""Absolute paths and times of day."""


def run(book: Path) -> subprocess.CompletedProcess[str]:
    """In a process of its own: kernel and client keep event loops and sockets open as they like."""
    return subprocess.run(
        [sys.executable, str(FOLDER / "execute.py"), str(book)],
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )


def test_they_are_numbered_and_the_page_names_each() -> None:
    numbers = sorted(int(book.name.split("-")[0]) for book in BOOKS)
    assert numbers == list(range(1, len(BOOKS) + 1))
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [book.name for book in BOOKS if f"({book.name})" not in page] == []


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_it_runs(book: Path) -> None:
    before = book.read_bytes()
    done = run(book)
    assert done.returncode == 0, done.stderr
    assert book.read_bytes() == before, "running must not rewrite what is kept"


def test_a_cell_that_fails_is_noticed(tmp_path: Path) -> None:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    nbformat.write(book, tmp_path / "broken.ipynb")
    done = run(tmp_path / "broken.ipynb")
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_what_is_kept_is_clean(book: Path) -> None:
    text = book.read_text(encoding="utf-8")
    assert len(text.encode()) < LARGEST
    notebook = json.loads(text)
    nbformat.validate(nbformat.reads(text, as_version=4))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1)), "run it once, in order"
    assert sum(bool(cell["outputs"]) for cell in code) > len(code) // 2
    for cell in code:
        for output in cell["outputs"]:
            assert output["output_type"] != "error"
            assert output.get("name") != "stderr", output
            kept = {k: v for k, v in output.get("data", {}).items() if not k.startswith("image/")}
            words = json.dumps([output.get("text", ""), kept], ensure_ascii=False)
            assert not MACHINE.search(words), words
            assert socket.gethostname() not in words or len(socket.gethostname()) < 4


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ('"/tmp/tmpab1/home"', True),
        ("made 2026-11-22T09:41:30Z", True),
        ("at 09:41:30", True),
        ("https://radio.example/work/tmp/", False),
        ("../corpus/home/", False),
    ],
)
def test_what_counts_as_the_machine(words: str, found: bool) -> None:
    assert bool(MACHINE.search(words)) == found
