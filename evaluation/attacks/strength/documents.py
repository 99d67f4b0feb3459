"""Points 5 and 6: documents that would end a check, or hold it up."""

from __future__ import annotations

import time
from contextlib import suppress

from evaluation.attacks.strength.flooding import COUNCIL, LISTED, TRUE
from evaluation.attacks.strength.trial import Check, Desk, Page, Trial, state_of

LIMIT = 45.0
"""Seconds for a small file."""
GOOD = "The Tollgate Library was refurbished in 2024 at a cost of £6.2 million."
BROKEN = {
    "digits.md": f"---\ntitle: {'9' * 5000}\n---\n{GOOD}".encode(),
    "day.md": f"---\ndate: 2024-13-45\n---\n{GOOD}".encode(),
    "charset.html": b'<meta charset="undefined"><p>' + GOOD.encode("latin-1") + b"</p>",
    "punycode.html": b'<meta charset="punycode"><p>' + b"\xe9a" * 30_000 + b"</p>",
    "damaged.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 8,
    "empty.html": b"<template><p>nothing</p></template>",
    "line.jsonl": b'{"doc_id": "n", "text": "t", "x": ' + b"9" * 5000 + b"}\n",
    "garbage.docx": b"PK\x03\x04" + bytes(range(256)) * 8,
}
SLOW = {
    "blanks.txt": b"x" + b" " * 2_000_000 + b"y",
    "blanks.html": b"<p>x" + b" " * 2_000_000 + b"y</p>",
    "attributes.html": ("<p " + " ".join(f"a{n}=1" for n in range(40_000)) + f">{GOOD}</p>").encode(),
    "word.txt": b"a" * 1_000_000,
    "ticks.md": b"`" * 200_000 + b" x " + b"*_" * 100_000,
    "nested.html": b"<div>" * 50_000 + GOOD.encode() + b"</div>" * 50_000,
    "quotes.md": b">" * 60_000 + GOOD.encode(),
    "row.csv": b"a,b\n" + b'"x"' * 200_000,
    "line.jsonl": b'{"text": "' + b"a" * 30_000_000 + b'"}\n',
}


def _digits(desk: Desk) -> str:
    pages = [COUNCIL, Page(f"The new tram depot at Ferry Lane cost the town £{'9' * 400} in all.", "blog.example")]
    state = state_of(desk.check(TRUE, pages, sources=LISTED))
    return "" if state.startswith("VERIFIED") else state


def _one_number(desk: Desk) -> str:
    state = state_of(desk.check(TRUE, [COUNCIL], sources=LISTED))
    return "" if state.startswith("VERIFIED") else state


def _broken(desk: Desk) -> str:
    from evidence.ingest import read_paths

    folder = desk.place()
    for name, data in {**BROKEN, "good.txt": GOOD.encode()}.items():
        (folder / name).write_bytes(data)
    deep = folder / "/".join(["d"] * 150)
    deep.mkdir(parents=True)
    (deep / "deep.txt").write_text(GOOD, encoding="utf-8")
    found = read_paths([folder])
    missing = "" if any(d.doc_id == "good" for d in found.documents) else "the good file was lost"
    return missing or ", ".join(name for name, why in found.skipped if not why or "Traceback" in why)


def _whole(desk: Desk) -> str:
    from evidence.ingest import read_paths

    path = desk.place() / "good.txt"
    path.write_text(GOOD, encoding="utf-8")
    return "" if read_paths([path]).documents[0].text == GOOD else "another text"


def _quickly(name: str) -> Check:
    def attack(desk: Desk) -> str:
        from evidence.ingest.reader_process import ReaderProcess
        from factdesk.kernel import InputError

        path = desk.place() / name
        path.write_bytes(SLOW[name])
        start = time.monotonic()
        with ReaderProcess() as reader, suppress(InputError):  # left out with a reason
            reader.read(path, path.suffix)
        took = time.monotonic() - start
        return "" if took < LIMIT else f"took {took:.0f} s"

    return attack


def _mutated(desk: Desk) -> str:
    from evaluation.attacks.mutations import FORMATS, mutate_and_read

    del desk
    found = [r for kind in FORMATS for r in mutate_and_read(kind, 3)]
    return ", ".join(f"{r.name}: {r.trouble}" for r in found if r.trouble)


def _samples(desk: Desk) -> str:
    from evaluation.attacks.mutations import FORMATS, read_sample

    del desk
    return ", ".join(kind for kind in FORMATS if "Tollgate" not in read_sample(kind))


TRIALS = (
    Trial(5, "a number of 400 digits in one page", _digits, _one_number, quick=True),
    Trial(5, f"{len(BROKEN)} broken files and a folder 150 deep beside a good one", _broken, _whole, quick=True),
    Trial(5, "3 mutated files of each of 21 formats", _mutated, _samples),
    *(Trial(6, f"a small file that takes long: {name}", _quickly(name), _whole) for name in SLOW),
)
"""Every document."""
