"""Reading files and folders: every format, and every kind of bad input."""

from __future__ import annotations

import gzip
import json
import unicodedata
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from evidence.ingest import read_paths, walk
from evidence.ingest.pdf import join_lines
from evidence.ingest.text import normalise, parse_date
from factdesk.kernel import InputError, sha256_text

MARKDOWN = """---
title: "Tram opens"
publisher: City News
published: 2024-03-05
url: https://city.example/tram
author: A. Writer
---

# Tram line four opens

The **tram** carries [12,000 riders](https://x.example) a day,
says the *operator*.

## Costs

- Track: 200 million
- Stops: 50 million

| Year | Riders |
|------|--------|
| 2023 | 3 million |

<script>evil()</script>
"""
PAGE = """<html><head><title>Tram opens</title><meta property="og:site_name" content="City News">
<meta property="article:published_time" content="2024-03-05T10:00:00Z">
<link rel="canonical" href="https://city.example/tram"></head><body><nav>Home About</nav><article>
<h1>Tram line four opens</h1><p>The tram line four opened on 3 May 2023. It carries <b>12,000</b> riders
a day, the <a href="/x">operator</a> said.</p><h2>Costs</h2><p>It cost 310 million euros, far more than
planned.</p>
<ul><li>Track: 200 million</li></ul></article><script>var x=1</script></body></html>"""


def pdf_bytes(lines: list[str], password: str | None = None) -> bytes:
    """A one-page PDF with these lines of text, made by pypdf."""
    writer = PdfWriter()
    page = writer.add_blank_page(300, 300)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
    )
    stream = DecodedStreamObject()
    shown = " T* ".join(f"({line}) Tj" for line in lines)
    stream.set_data(f"BT /F1 12 Tf 14 TL 20 250 Td {shown} ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    if password is not None:
        writer.encrypt(password, algorithm="RC4-128")
    from io import BytesIO

    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def test_markdown_becomes_plain_text_with_metadata(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "tram.md").write_text(MARKDOWN, encoding="utf-8")
    (read,) = read_paths([tmp_path]).documents
    assert (read.doc_id, read.title, read.publisher) == ("news/tram", "Tram opens", "City News")
    assert (read.published, read.url) == (date(2024, 3, 5), "https://city.example/tram")
    assert read.source == "news/tram.md"
    assert read.sha256 == sha256_text(read.text)
    assert read.text == (
        "# Tram line four opens\n\nThe tram carries 12,000 riders a day, says the operator.\n\n## Costs\n\n"
        "- Track: 200 million\n- Stops: 50 million\n\nYear: 2023; Riders: 3 million"
    )


def test_front_matter_that_is_no_yaml_is_noted_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: [broken\n---\n\nThe text stands.\n", encoding="utf-8")
    read = read_paths([tmp_path])
    assert read.documents[0].text == "The text stands."
    assert "not valid YAML" in read.notes[0][1]


def test_html_gives_main_text_and_metadata(tmp_path: Path) -> None:
    (tmp_path / "tram.html").write_text(PAGE, encoding="utf-8")
    (read,) = read_paths([tmp_path]).documents
    assert (read.title, read.publisher, read.published) == (
        "Tram line four opens",
        "City News",
        date(2024, 3, 5),
    )
    assert "It carries 12,000 riders a day, the operator said." in read.text.replace("\n", " ")
    assert "## Costs\n\nIt cost 310 million euros" in read.text
    assert "- Track: 200 million" in read.text
    assert "var x" not in read.text
    assert "Home About" not in read.text


def test_html_charset_is_honoured(tmp_path: Path) -> None:
    head = '<html><head><meta charset="windows-1252"></head>'
    page = f"{head}<body><p>Caf\u00e9 \u20ac5 in Z\u00fcrich opened.</p></body></html>"
    (tmp_path / "a.htm").write_bytes(page.encode("windows-1252"))
    assert "Caf\u00e9 \u20ac5 in Z\u00fcrich" in read_paths([tmp_path]).documents[0].text


def test_pdf_text_layer(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(
        pdf_bytes(["The library opened in 2021 after a long exam-", "ination of its roof."])
    )
    assert (
        read_paths([tmp_path]).documents[0].text == "The library opened in 2021 after a long examination of its roof."
    )


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("locked.pdf", pdf_bytes(["secret"], password="x"), "encrypted with a password"),
        ("empty.pdf", pdf_bytes([]), "no text layer"),
        ("broken.pdf", b"%PDF-1.4\n% nothing more", "damaged"),
        ("binary.txt", b"abc\x00\x01\x02def", "binary file"),
        ("empty.txt", b" \n\t\n", "has no text"),
        ("picture.png", b"\x89PNG", "'.png' is not one of"),
        ("blank.html", b"<html><body></body></html>", "no text"),
        (
            "cut.jsonl.gz",
            gzip.compress(b'{"doc_id": "a", "text": "b"}\n' * 500, mtime=0)[:40],
            "gzip data are damaged",
        ),
        ("plain.jsonl.gz", b"not gzip at all", "cannot be read"),
    ],
)
def test_unusable_file_is_skipped_with_a_reason(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match="can be used") as alone:
        read_paths([tmp_path])
    assert reason in str(alone.value)
    (tmp_path / "good.txt").write_text("It rained.", encoding="utf-8")
    beside = read_paths([tmp_path])
    assert [d.doc_id for d in beside.documents] == ["good"]
    assert [(n, reason in r) for n, r in beside.skipped] == [(name, True)]


def test_file_over_the_size_limit_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evidence.ingest.files.MAX_FILE_BYTES", 1_000_000)
    (tmp_path / "big.txt").write_bytes(b"word " * 300_000)
    (tmp_path / "good.txt").write_text("It rained.", encoding="utf-8")
    assert read_paths([tmp_path]).skipped == (("big.txt", "is 1.5 MB; at most 1 MB are read"),)


@pytest.mark.parametrize(
    "data",
    [
        "Zürich said no — twice.".encode("utf-8-sig"),
        "Zürich said no — twice.".encode("utf-16"),
        "Zürich said no \u2014 twice.".encode("windows-1252"),
    ],
    ids=["utf-8-sig", "utf-16", "windows-1252"],
)
def test_encodings(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    assert read_paths([tmp_path]).documents[0].text == "Zürich said no — twice."


def test_jsonl_lines_and_broken_ones_by_number(tmp_path: Path) -> None:
    lines = [
        json.dumps(
            {
                "doc_id": "a",
                "title": "A",
                "text": "One.",
                "url": "https://a.example",
                "published": "2024-02-01",
            }
        ),
        "{broken",
        json.dumps({"title": "no id", "text": "x"}),
        "",
        json.dumps({"doc_id": "b", "title": "B", "text": "  "}),
        json.dumps(["no", "object"]),
        json.dumps({"doc_id": "c", "title": "C", "text": "Two.", "published": "03/04/2024"}),
        json.dumps({"doc_id": "a", "title": "A", "text": "One."}),
        json.dumps({"doc_id": "a", "title": "A", "text": "Another text."}),
    ]
    for name, data in (
        ("d.jsonl", "\n".join(lines).encode()),
        ("d.jsonl.gz", gzip.compress("\n".join(lines).encode())),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).write_bytes(data)
        read = read_paths([folder])
        assert [(d.doc_id, d.text) for d in read.documents] == [
            ("a", "One."),
            ("c", "Two."),
            ("a~2", "Another text."),
        ]
        assert read.documents[0].published == date(2024, 2, 1)
        assert [where for where, _ in read.skipped] == [f"{name}:{n}" for n in (8, 2, 3, 5, 6)]
        assert [where for where, _ in read.notes] == [f"{name}:7", f"{name}:9"]
        assert "'03/04/2024' is not understood" in read.notes[0][1]


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("Secret.", encoding="utf-8")
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_text("It rained.", encoding="utf-8")
    (folder / "file.txt").symlink_to(outside / "secret.txt")
    (folder / "dir").symlink_to(outside, target_is_directory=True)
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "gone.txt").symlink_to(folder / "nothing.txt")
    (folder / "same.txt").symlink_to(folder / "a.txt")
    read = read_paths([folder])
    assert [d.text for d in read.documents] == ["It rained."]
    assert dict(read.skipped) == {
        "file.txt": "is a link that leads out of the folder",
        "dir": "is a link that leads out of the folder",
        "loop": "is a link to a folder that is read anyway",
        "gone.txt": "is a link to nothing",
    }


def test_hidden_files_stay_out_and_order_is_that_of_names(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", ".hidden.txt", ".git/x.txt", "C.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"Text of {name}.", encoding="utf-8")
    assert [found.relative for found in walk([tmp_path])] == ["C.txt", "a/z.txt", "b.txt"]
    assert read_paths([tmp_path]) == read_paths([tmp_path])


def test_same_id_never_overwrites(tmp_path: Path) -> None:
    for root, name in (("x", "a.txt"), ("x", "a.md"), ("y", "a.txt"), ("z/x", "a.txt"), ("w/x", "a.txt")):
        (tmp_path / root).mkdir(parents=True, exist_ok=True)
        (tmp_path / root / name).write_text(f"Text of {root}/{name}.", encoding="utf-8")
    read = read_paths([tmp_path / "x", tmp_path / "y", tmp_path / "z/x", tmp_path / "w/x"])
    assert {d.doc_id: d.text for d in read.documents} == {
        "a": "Text of x/a.md.",
        "a.txt": "Text of x/a.txt.",
        "y/a.txt": "Text of y/a.txt.",
        "x/a.txt": "Text of z/x/a.txt.",
        "a~2": "Text of w/x/a.txt.",
    }
    assert len(read.notes) == 4


def test_overlapping_paths_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("It rained.", encoding="utf-8")
    assert len(read_paths([tmp_path, tmp_path / "a.txt"]).documents) == 1


@pytest.mark.parametrize("make", [False, True], ids=["missing", "empty folder"])
def test_path_with_nothing_is_an_input_error(tmp_path: Path, make: bool) -> None:
    path = tmp_path / "corpus"
    if make:
        path.mkdir()
    with pytest.raises(InputError, match="corpus"):
        read_paths([path])


@given(st.text())
def test_normalised_text_is_stable_and_clean(text: str) -> None:
    clean = normalise(text)
    assert normalise(clean) == clean
    assert unicodedata.is_normalized("NFC", clean)
    assert not {c for c in clean if unicodedata.category(c) in ("Cc", "Cs")} - {"\n", "\t"}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-03-05", date(2024, 3, 5)),
        ("2024-03-05T10:00:00Z", date(2024, 3, 5)),
        ("5 March 2024", date(2024, 3, 5)),
        ("March 5, 2024", date(2024, 3, 5)),
        ("Tue, 05 Mar 2024 10:00:00 +0000", date(2024, 3, 5)),
        ("03/04/2024", None),
        ("last week", None),
        ("", None),
    ],
)
def test_dates_are_never_guessed(text: str, day: date | None) -> None:
    assert parse_date(text) == day


def test_pdf_lines_are_joined_into_paragraphs() -> None:
    lines = (
        "A first line that runs to the edge",
        "of the page and ends.",
        "A second one starts on its own",
        "line.",
    )
    assert join_lines(lines) == [
        "A first line that runs to the edge of the page and ends.",
        "A second one starts on its own line.",
    ]
