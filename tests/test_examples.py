"""The scripts beside the examples say that the examples are whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import PIL
import pytest


def run(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(repository / "examples" / arguments[0]), *arguments[1:]],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.skipif(PIL.__version__ != "13.0.0", reason="the pictures were made with Pillow 13.0.0")
def test_the_shipped_pictures_are_what_the_script_makes(repository: Path) -> None:
    done = run(repository, "make_images.py", "--check")
    assert (done.returncode, done.stdout) == (0, "8 images equal a fresh run\n"), done.stderr


def test_articles_claims_and_questions_are_whole(repository: Path) -> None:
    done = run(repository, "check_examples.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("60 articles")
