"""A document that is broken, or made to take too long, fails alone and with a sentence."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evidence.ingest import read_paths
from evidence.ingest.mail import read_mail
from evidence.ingest.reader_process import ReaderProcess
from evidence.ingest.text import LONGEST_WORD, decode_as, normalise, parse_date
from evidence.types import Document
from factdesk.kernel import InputError
from language.quantities.mentions import find_slots
from verifier.guard import check

GOOD = "The Tollgate Library was refurbished in 2024 at a cost of £6.2 million."


@pytest.fixture(autouse=True)
def a_process_for_each_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user has it, and no process that other tests read with."""
    monkeypatch.setattr("evidence.ingest.ReaderProcess", ReaderProcess)


def read(folder: Path) -> tuple[dict[str, Document], dict[str, str]]:
    found = read_paths([folder])
    return {d.doc_id: d for d in found.documents}, dict(found.skipped)


BROKEN = {
    "digits.md": f"---\ntitle: {'9' * 5000}\n---\n{GOOD}".encode(),
    "day.md": f"---\ndate: 2024-13-45\n---\n{GOOD}".encode(),
    "charset.html": b'<meta charset="undefined"><p>' + GOOD.encode("latin-1") + b"</p>",
    "puny.html": b'<meta charset="punycode"><p>' + b"\xe9a" * 30_000 + b"</p>",
    "damaged.pdf": b"%PDF-1.7\n" + os.urandom(2_000),
    "empty.html": b"<template><p>nothing</p></template>",
    "line.jsonl": b'{"doc_id": "n", "text": "t", "x": ' + b"9" * 5000 + b"}\n",
}


def test_broken_files_leave_the_others_alone(tmp_path: Path) -> None:
    for name, data in BROKEN.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "good.txt").write_text(GOOD, encoding="utf-8")
    documents, skipped = read(tmp_path)
    assert documents["good"].text == GOOD
    assert "damaged.pdf" in skipped
    assert "line.jsonl:1" in skipped
    for reason in skipped.values():
        assert reason
        assert "Traceback" not in reason


def test_a_folder_of_endless_depth_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text(GOOD, encoding="utf-8")
    deep = tmp_path / "/".join(["d"] * 150)
    deep.mkdir(parents=True)
    (deep / "deep.txt").write_text(GOOD, encoding="utf-8")
    documents, skipped = read(tmp_path)
    assert set(documents) == {"good"}
    [reason] = skipped.values()
    assert "folders deep" in reason


def test_what_takes_too_long_or_too_much_is_ended_and_the_next_is_read(tmp_path: Path) -> None:
    slow, good = tmp_path / "slow.html", tmp_path / "good.txt"
    slow.write_text(f"<p {' '.join(f'a{i}=1' for i in range(40_000))}>{GOOD}</p>" * 5, encoding="utf-8")
    good.write_text(GOOD, encoding="utf-8")
    with ReaderProcess(seconds=-100.0) as reader, pytest.raises(InputError, match="took longer than"):
        reader.read(good, ".txt")
    with ReaderProcess() as reader:
        assert reader.read(good, ".txt").text == GOOD
        with pytest.raises(InputError, match=r"its reader broke off|is no|cannot be read"):
            reader.read(tmp_path, ".txt")
        assert reader.read(good, ".txt").text == GOOD


@pytest.mark.parametrize("odd", ['"', " ", "(", "a;b="])
def test_a_mail_with_a_header_without_end_is_refused(odd: str) -> None:
    mail = f'From: a@b.example\nSubject: x\nContent-Type: text/plain; name="{odd * 20_000}"\n\nIt opened.'
    with pytest.raises(InputError, match=r"'Content-Type' has \d+ characters; at most 2000"):
        read_mail(mail.encode())
    assert read_mail(b"From: a@b.example\nSubject: x\n\nIt opened.").text.strip() == "It opened."


@pytest.mark.parametrize("text", ["9" * 400, "£" + "9" * 5000, "1," * 300, "0." + "1" * 400, "9" * 310 + "%"])
def test_a_number_of_many_digits_is_no_amount(text: str) -> None:
    assert all(len(slot.text) < 100 for slot in find_slots(f"The bill came to {text} in all."))
    assert not check("The bill came to £5 million.", f"The bill came to {text} in all.", "").agrees


def test_a_number_of_a_few_digits_is_one() -> None:
    [slot] = find_slots("There are 123,456,789,012 of them.")
    assert slot.value == "123456789012"


def seconds(work: Callable[[], object]) -> float:
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("unit", [" ", "\t", "a", "\u200b", "\u00a0", "a ", "\n", "\n ", "é", "\u2028"])
def test_normalising_takes_linear_time(unit: str) -> None:
    short, long = (f"x{unit * n}y" for n in (50_000, 200_000))
    assert seconds(lambda: normalise(long)) < 12 * seconds(lambda: normalise(short)) + 0.05


def test_a_run_without_a_blank_is_cut_and_words_are_not() -> None:
    assert len(normalise("a" * 1_000_000)) == LONGEST_WORD
    assert normalise(GOOD) == GOOD
    assert normalise("two  blanks \n here\t") == "two  blanks\n here"


@pytest.mark.parametrize("charset", ["undefined", "punycode", "unicode_escape", "no-such", "rot13", "hex"])
def test_codecs_that_are_no_character_set_are_not_used(charset: str) -> None:
    assert decode_as(b"abc\xe9", charset) is None


def test_character_sets_are_used_and_days_out_of_range_are_none() -> None:
    assert decode_as(b"caf\xe9", "latin-1") == "café"
    assert parse_date("Mon, 01 Jan 0001 00:00:00 +9999999999") is None
    assert str(parse_date("12 March 2024")) == "2024-03-12"
