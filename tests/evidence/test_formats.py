"""Office files, books, tables, mails and subtitles: what is read, where it stands, and what is refused."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime
from email.message import EmailMessage
from pathlib import Path

import docx
import odfdo
import openpyxl
import pytest

from evidence.ingest import SUFFIXES, read_file, read_paths
from evidence.segmentation.spans import spans_of
from evidence.types import Document
from factdesk.kernel import InputError


def make_docx(path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "Ferry report"
    document.add_heading("Passengers", level=1)
    document.add_paragraph("The Ondrell ferry carried 84,300 passengers in 2024.")
    document.add_paragraph("Two boats were repaired.", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        [c for row in table.rows for c in row.cells], ["Year", "Trips", "2024", "1,910"], strict=True
    ):
        cell.text = text
    deleted = document.add_paragraph("The fare is 4 euros.")
    run = deleted.runs[0]._r
    run.replace(run.t_lst[0], run.makeelement(run.t_lst[0].tag.replace("}t", "}delText"), {}))
    document.save(str(path))


def make_odt(path: Path) -> None:
    document = odfdo.Document("odt")
    document.body.clear()
    document.body.append(odfdo.Header(1, "Passengers"))
    document.body.append(odfdo.Paragraph("The Ondrell ferry carried 84,300 passengers in 2024."))
    document.body.append(odfdo.List(["Two boats were repaired."]))
    table = odfdo.Table("Trips")
    table.set_values([["Year", "Trips"], ["2024", "1,910"]])
    document.body.append(table)
    document.meta.title = "Ferry report"
    document.save(path)


def make_epub(path: Path) -> None:
    chapter = "<html><head><title>x</title></head><body><h1>{0}</h1><p>{1}</p></body></html>"
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:title>Ferry report</dc:title><dc:publisher>Ondrell Press</dc:publisher>"
        "<dc:date>2025-02-03</dc:date></metadata><manifest>"
        '<item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        )
        archive.writestr("OEBPS/book.opf", package)
        archive.writestr("OEBPS/one.xhtml", chapter.format("Boats", "Two boats were repaired."))
        said = "The Ondrell ferry carried 84,300 passengers in 2024."
        archive.writestr("OEBPS/two b.xhtml", chapter.format("Passengers", said))


def make_csv(path: Path) -> None:
    path.write_text("Year;Trips;Note\n2023;1,870;\n\n2024;1,910;two boats\n", encoding="utf-8")


def make_xlsx(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Ferry"
    sheet.append(["Year", "Trips", "Opened"])
    sheet.append([2024, 1910.0, datetime(2024, 3, 1)])
    book.create_sheet("Empty")
    book.save(path)


def make_eml(path: Path) -> None:
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "Ferry numbers", "Ondrell Harbour Office <office@ondrell.example>"
    mail["Date"] = "Mon, 03 Feb 2025 09:00:00 +0100"
    mail.set_content("The Ondrell ferry carried 84,300 passengers in 2024.\n> The ferry sank.\n")
    mail.add_attachment(b"x", maintype="application", subtype="octet-stream", filename="table.bin")
    path.write_bytes(mail.as_bytes())


SRT = (
    "1\n00:01:05,000 --> 00:01:07,000\nThe Ondrell ferry carried\n\n"
    "2\n00:01:07,100 --> 00:01:09,000\n<i>84,300 passengers</i> in 2024.\n\n"
    "3\n00:01:30,000 --> 00:01:32,000\n[applause]\n\n"
    "4\n01:02:03,000 --> 01:02:05,000\nTwo boats were repaired.\n"
)


def make_srt(path: Path) -> None:
    path.write_text(SRT, encoding="utf-8")


def make_vtt(path: Path) -> None:
    path.write_text(
        "WEBVTT\n\nNOTE nobody says this\n\n01:05.000 --> 01:09.000\n<v Ann>The Ondrell ferry carried 84,300 "
        "passengers in 2024.\n\n01:09.500 --> 01:11.000\n<v Bo>Two boats were repaired.\n",
        encoding="utf-8",
    )


MAKERS = {name[5:]: make for name, make in globals().items() if name.startswith("make_") and f".{name[5:]}" in SUFFIXES}


def read(tmp_path: Path, ending: str) -> Document:
    path = tmp_path / f"ferry.{ending}"
    MAKERS[ending](path)
    [document] = read_paths([path]).documents
    return document


@pytest.mark.parametrize(
    ("ending", "sentence", "place"),
    [
        ("docx", "The Ondrell ferry carried 84,300 passengers in 2024.", "paragraph 2"),
        ("docx", "Year: 2024; Trips: 1,910", "paragraph 5"),
        ("odt", "The Ondrell ferry carried 84,300 passengers in 2024.", "paragraph 2"),
        ("odt", "Year: 2024; Trips: 1,910", "paragraph 4"),
        ("epub", "The Ondrell ferry carried 84,300 passengers in 2024.", "chapter 2"),
        ("csv", "Year: 2024; Trips: 1,910; Note: two boats", "row 4"),
        ("xlsx", "Year: 2024; Trips: 1910; Opened: 2024-03-01", "Ferry, row 2"),
        ("eml", "The Ondrell ferry carried 84,300 passengers in 2024.", ""),
        ("srt", "The Ondrell ferry carried 84,300 passengers in 2024.", "0:01:05"),
        ("srt", "Two boats were repaired.", "1:02:03"),
        ("vtt", "Two boats were repaired.", "0:01:09"),
    ],
)
def test_a_sentence_is_read_with_its_exact_place(tmp_path: Path, ending: str, sentence: str, place: str) -> None:
    document = read(tmp_path, ending)
    [span] = [span for span in spans_of(document) if span.text == sentence]
    assert document.text[span.start : span.end] == sentence
    assert document.place_at(span.start) == place
    assert [locator.start for locator in document.locators] == sorted({x.start for x in document.locators})


def test_every_format_that_can_be_read_is_tried() -> None:
    tried = {f".{ending}" for ending in MAKERS}
    elsewhere = {".txt", ".md", ".markdown", ".html", ".htm", ".pdf", ".json", ".jsonl", ".jsonl.gz"}
    assert tried | elsewhere == set(SUFFIXES)


def test_what_a_file_says_of_itself(tmp_path: Path) -> None:
    book, mail = read(tmp_path, "epub"), read(tmp_path, "eml")
    assert (book.title, book.publisher, book.published) == ("Ferry report", "Ondrell Press", date(2025, 2, 3))
    assert (mail.title, mail.publisher) == ("Ferry numbers", "Ondrell Harbour Office")
    assert mail.published == date(2025, 2, 3)
    assert "sank" not in mail.text, "what is quoted of another mail"
    assert read(tmp_path, "docx").title == "Ferry report"
    assert "fare" not in read(tmp_path, "docx").text, "deleted with tracked changes"
    assert "nobody says this" not in read(tmp_path, "vtt").text
    assert "applause" not in read(tmp_path, "srt").text
    make_eml(tmp_path / "m.eml")
    assert "table.bin" in read_paths([tmp_path / "m.eml"]).notes[0][1]


@pytest.mark.parametrize("ending", ["docx", "odt", "epub", "xlsx"])
def test_a_damaged_archive_is_refused_with_a_reason(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    MAKERS[ending](path)
    data = path.read_bytes()
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("a.txt", "x")
    for broken in (b"not a zip", data[: len(data) // 2], empty.getvalue()):
        path.write_bytes(broken)
        with pytest.raises(InputError, match="damaged"):
            read_paths([path])


def test_an_archive_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_docx(tmp_path / "a.docx")
    monkeypatch.setattr("evidence.ingest.archives.MAX_UNPACKED", 1000)
    with pytest.raises(InputError, match="unpacks to more"):
        read_file(tmp_path / "a.docx", ".docx")


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.srt", b"plain words", "no subtitles"),
        ("a.vtt", b"WEBVTT\n", "subtitles"),
        ("a.eml", b"plain words", "no mail"),
        ("a.csv", b"\x00\x01", "binary"),
        ("a.csv", b"", "no text"),
    ],
)
def test_other_files_that_hold_nothing_are_refused(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=why):
        read_paths([tmp_path / name])
