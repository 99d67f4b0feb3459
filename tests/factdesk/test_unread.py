"""Files that a check was given and could not read are told: on stderr, in report and certificate."""

from __future__ import annotations

from pathlib import Path

import pytest

from factdesk.check.evidence_source import unread_failures
from tests.factdesk.conftest import CLAIM, Run

pytestmark = pytest.mark.usefixtures("factdesk_home")
ARTICLE = "# The library\n\nThe refurbishment of the Tollgate Library cost £6.2 million.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "desk"
    made.mkdir()
    (made / "library.md").write_text(ARTICLE, encoding="utf-8")
    return made


def test_a_file_that_cannot_be_read_is_told_the_first_time_and_from_the_cache(run: Run, folder: Path) -> None:
    (folder / "minutes.pdf").write_bytes(b"%PDF-1.7 broken")
    (folder / "empty.txt").write_text("  \n", encoding="utf-8")
    first = run("check", CLAIM, "--corpus", folder, "--json")
    again = run("check", CLAIM, "--corpus", folder, "--json")
    for outcome in (first, again):
        failures = [f for f in outcome.json()["failures"] if f["where"] == "evidence.ingest"]
        assert {f["message"].split("'")[1] for f in failures} == {"minutes.pdf", "empty.txt"}
        assert not any(f["deciding"] for f in failures)
        assert "minutes.pdf" in outcome.err
        assert outcome.json()["verdict"] == "supported"
    assert first.json()["body_sha256"] == again.json()["body_sha256"]
    text = " ".join(run("check", CLAIM, "--corpus", folder).out.split())
    assert "'empty.txt' was not read: has no text" in text


def test_a_folder_that_is_read_wholly_tells_nothing(run: Run, folder: Path) -> None:
    outcome = run("check", CLAIM, "--corpus", folder, "--json")
    assert outcome.json()["failures"] == []
    assert "was not read" not in outcome.err


def test_a_file_that_joins_later_is_told_too(run: Run, folder: Path) -> None:
    run("check", CLAIM, "--corpus", folder)
    (folder / "table.xyz").write_bytes(b"\x00\x01")
    assert "table.xyz" in run("check", CLAIM, "--corpus", folder).err
    (folder / "table.xyz").unlink()
    assert "table.xyz" not in run("check", CLAIM, "--corpus", folder).err


def test_a_file_that_was_kept_with_a_doubt_is_not_called_unread() -> None:
    day = "kept with the date 2023-04-09, which is guessed from its address"
    kept, lost = unread_failures([("a.html", day), ("b.txt", "has no text")])
    assert kept.message == f"'a.html' was {day}"
    assert lost.message == "'b.txt' was not read: has no text"
