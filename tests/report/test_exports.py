"""Markdown, ClaimReview, CSV and the bundle, and the commands that give them."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import sys
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lxml import html as lxml_html
from markdown_it import MarkdownIt
from warcio.archiveiterator import ArchiveIterator

from evidence.types import Document
from factdesk.checker import open_ledger
from factdesk.cli import main
from factdesk.images.submitted import keep_pictures, open_pictures, picture_files
from factdesk.kernel import CertificateError, InputError, sha256_bytes, sha256_text
from factdesk.settings import load_settings
from report.certificate.sealing import load, to_text
from report.exports.bundle import Extras, bundle, pages_warc
from report.exports.claimreview import claimreview, claimreview_text
from report.exports.claims_csv import COLUMNS, cell, claims_csv
from report.render.markdown import render_markdown
from tests.report.builders import (
    CERTIFICATE_ID,
    REPORT,
    make_certificate,
    make_images,
    make_refuted_certificate,
)
from tests.report.hostile import MARKER, hostile_certificate, hostile_strings

HOSTILE = hostile_strings()[::8]
KEY = b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"
DOCUMENT = Document(
    doc_id="post-1",
    title="Tollgate library reopens",
    text=REPORT,
    sha256=sha256_text(REPORT),
    url="https://news.example/post-1",
    retrieved=date(2026, 1, 30),
)

TEXT = {"type": "string", "minLength": 1}
URL = {"type": "string", "pattern": r"^https?://[^\s<>\"]+$"}
DAY = {"type": "string", "pattern": r"^\d{4}(-\d\d(-\d\d)?)?$"}


def thing(kind: str, required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"@type": {"const": kind}, **properties},
        "required": ["@type", *required],
        "additionalProperties": False,
    }


ORGANIZATION = thing("Organization", ["name"], name=TEXT)
CLAIM_REVIEW = thing(
    "ClaimReview",
    ["@context", "claimReviewed", "datePublished", "author", "itemReviewed", "reviewRating"],
    **{"@context": {"const": "https://schema.org"}},
    claimReviewed=TEXT,
    datePublished=DAY,
    url=URL,
    author=ORGANIZATION,
    itemReviewed=thing("Claim", ["text"], text=TEXT, datePublished=DAY),
    reviewRating=thing(
        "Rating",
        ["alternateName"],
        alternateName=TEXT,
        ratingValue={"type": "integer", "minimum": 1, "maximum": 5},
        bestRating={"const": 5},
        worstRating={"const": 1},
    ),
    reviewBody=TEXT,
    identifier={"type": "array", "items": thing("PropertyValue", ["name", "value"], name=TEXT, value=TEXT)},
    citation={
        "type": "array",
        "minItems": 1,
        "items": thing("CreativeWork", ["name"], name=TEXT, url=URL, publisher=ORGANIZATION, datePublished=DAY),
    },
)
"""What schema.org's types allow of these properties, and what search engines require of a ClaimReview."""


# ClaimReview.


@pytest.mark.parametrize("certificate", [make_certificate(), make_refuted_certificate()])
def test_claimreview_fits_its_schema(certificate: Any) -> None:
    data = claimreview(certificate, author="Tollgate Post", url="https://post.example/check/1")
    jsonschema.Draft202012Validator(CLAIM_REVIEW).validate(json.loads(claimreview_text(data)))


def test_claimreview_rates_what_is_decided_and_nothing_else() -> None:
    refuted = claimreview(make_refuted_certificate(), author="Post")
    assert refuted["reviewRating"] == {
        "@type": "Rating",
        "alternateName": "Refuted",
        "ratingValue": 1,
        "bestRating": 5,
        "worstRating": 1,
    }
    assert refuted["reviewBody"] == "Refuted: The library never reopened."
    assert [c["url"] for c in refuted["citation"]] == ["https://news.example/post-1"]
    still_open = claimreview(make_certificate(), author="Post")
    assert still_open["reviewRating"] == {"@type": "Rating", "alternateName": "Not enough evidence"}
    assert "15,000" not in still_open["reviewBody"]


def test_claimreview_refuses_what_no_reader_should_follow() -> None:
    for url in ("javascript:alert(1)", "post.example/1", "https://a@b.example/"):
        with pytest.raises(InputError, match="no plain http"):
            claimreview(make_certificate(), author="Post", url=url)
    with pytest.raises(InputError, match="author"):
        claimreview(make_certificate(), author=" ")


@pytest.mark.parametrize("text", HOSTILE)
def test_claimreview_can_stand_in_a_page(text: str) -> None:
    written = claimreview_text(claimreview(hostile_certificate(text), author=text))
    assert not set("<>&") & set(written)
    assert json.loads(written)["@type"] == "ClaimReview"


# CSV.


def test_csv_has_a_line_for_each_claim() -> None:
    rows = list(csv.DictReader(io.StringIO(claims_csv(make_certificate()))))
    assert [(r["claim_id"], r["state"]) for r in rows] == [
        ("c1", "VERIFIED"),
        ("c2", "UNVERIFIED"),
        ("c3", "VERIFIED"),
    ]
    assert tuple(rows[0]) == COLUMNS
    assert rows[0]["evidence"] == "The Tollgate library reopened on 4 May 2024."
    assert rows[0]["url"] == "https://news.example/post-1"
    assert rows[1]["evidence"] == ""
    assert {r["certificate_id"] for r in rows} == {CERTIFICATE_ID}


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r\n=1", " =1", "\u200b=1", '"=1', "'=1", "\uff1d1"]
)
def test_no_cell_is_a_formula(text: str) -> None:
    assert cell(text).startswith("'")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_of_a_certificate_is_a_formula(text: str) -> None:
    for row in csv.reader(io.StringIO(claims_csv(hostile_certificate(text)))):
        assert len(row) == len(COLUMNS)
        assert not any(value.startswith(("=", "+", "-", "@", "\t", "\r")) for value in row)


def test_ordinary_cells_stay_as_they_are() -> None:
    assert cell("35 percent - or more") == "35 percent - or more"


# Markdown.


def test_markdown_has_badges_and_footnotes() -> None:
    text = render_markdown(make_certificate(), "strict")
    assert re.findall(r"^## `(.*)`$", text, re.MULTILINE) == [
        f"[VERIFIED {CERTIFICATE_ID}/c1]",
        f"[VERIFIED {CERTIFICATE_ID}/c3]",
    ]
    assert "The library reopened in May 2024.[^1]" in text
    assert "“The library reopened in May 2024.”" not in text, "a statement of ours stands as a quotation"
    assert "[^1]: “The Tollgate library reopened on 4 May 2024.” *Tollgate library reopens*" in text
    assert "<https://news.example/post-1>" in text
    assert "15,000 books" not in text.split("Checked", 1)[1]
    assert "- c2: " in text
    used = set(re.findall(r"\[\^(\d+)\](?!:)", text))
    assert used == set(re.findall(r"^\[\^(\d+)\]:", text, re.MULTILINE))


def test_markdown_in_the_other_modes() -> None:
    mixed = render_markdown(make_certificate(), "mixed")
    assert "Not verified: It lends 15,000 books a month. Closest evidence, which does not decide:" in mixed
    for mode in ("strict", "mixed", "debug"):
        assert f"`[BLOCKED {CERTIFICATE_ID}/c1]`" in render_markdown(make_refuted_certificate(), mode)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", hostile_strings()[::3])
def test_markdown_of_hostile_text_is_plain_text(text: str) -> None:
    written = render_markdown(hostile_certificate(text), "debug")
    shown = lxml_html.fromstring(f"<div>{MarkdownIt('commonmark', {'html': True}).render(written)}</div>")
    assert {e.tag for e in shown.iter()} <= {
        "div",
        "h1",
        "h2",
        "p",
        "blockquote",
        "em",
        "strong",
        "code",
        "ul",
        "li",
        "a",
    }
    for anchor in shown.iter("a"):
        assert anchor.get("href", "").startswith(("http://", "https://"))
        assert anchor.text_content() == anchor.get("href") or "%" in anchor.get("href", "")
    assert [c.text for c in shown.xpath("//h2/code")] == [
        f"[{word} {CERTIFICATE_ID}/{claim}]"
        for word, claim in (("VERIFIED", "c1"), ("NOT VERIFIED", "c2"), ("BLOCKED", "c3"), ("VERIFIED", "c4"))
    ]
    assert MARKER in shown.text_content()


# Bundle.


def test_a_bundle_holds_what_a_stranger_needs() -> None:
    certificate = make_certificate()
    data = bundle(certificate, Extras(public_key=KEY, documents=(DOCUMENT,)))
    assert data == bundle(certificate, Extras(public_key=KEY, documents=(DOCUMENT,)))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert set(files) == {
        "certificate.json",
        "public-key.pem",
        "report.html",
        "report.md",
        "claims.csv",
        "pages.warc.gz",
        "HOWTO.txt",
        "SHA256SUMS",
    }
    assert load(files["certificate.json"].decode()) == certificate
    howto = files["HOWTO.txt"].decode()
    assert "factdesk-verify THIS-FILE.zip --rerun --key THIS-FILE.zip" in howto
    assert "1 of 2 cited documents in full" in howto
    assert "1 of 1 submitted pictures" in howto
    for line in files["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(files[name]).hexdigest() == digest
    [record] = ArchiveIterator(io.BytesIO(files["pages.warc.gz"]))
    assert record.rec_headers.get_header("WARC-Target-URI") == "https://news.example/post-1"
    assert record.rec_headers.get_header("WARC-Factdesk-SHA256") == DOCUMENT.sha256


def test_a_bundle_takes_no_private_key_no_other_document_no_other_picture() -> None:
    certificate = make_certificate()
    for key in (b"-----BEGIN " + b"PRIVATE KEY-----\n", KEY + b"-----BEGIN " + b"PRIVATE KEY-----\n", b"x"):
        with pytest.raises(CertificateError, match="public key"):
            bundle(certificate, Extras(public_key=key))
    changed = DOCUMENT.model_copy(update={"text": REPORT + "!"})
    for document in (changed, DOCUMENT.model_copy(update={"doc_id": "other"})):
        with pytest.raises(CertificateError, match="is not the one the certificate cites"):
            pages_warc(certificate, (document,))
    with pytest.raises(CertificateError, match="picture"):
        bundle(certificate, Extras(pictures={"ab" * 32: b"not it"}))


@pytest.mark.parametrize("text", HOSTILE[::3])
def test_names_in_a_bundle_are_ours(text: str) -> None:
    with zipfile.ZipFile(io.BytesIO(bundle(hostile_certificate(text), Extras()))) as archive:
        assert all(re.fullmatch(r"[A-Za-z0-9.-]+", name) for name in archive.namelist())


# Pictures and the commands.


@pytest.fixture
def pictured(repository: Path, factdesk_home: Path, tmp_path: Path) -> Path:
    """A history with one certificate about a picture that is kept here; its file."""
    source = repository / "examples" / "images" / "sign.png"
    [image] = make_images()
    image = {**image, "sha256": sha256_bytes(source.read_bytes()), "width": 960, "height": 640}
    certificate = open_ledger(load_settings()).append(make_certificate(images=(image,)))
    file = tmp_path / "certificate.json"
    file.write_text(to_text(certificate), encoding="utf-8")
    return file


def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: object
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["factdesk", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    shown = capsys.readouterr()
    return int(stopped.value.code or 0), shown.out, shown.err


def test_report_in_every_format(
    pictured: Path, repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (CERTIFICATE_ID[:6], pictured):
        _, text, _ = run(capsys, monkeypatch, "report", name, "--mode", "mixed")
        assert f"[NOT VERIFIED {CERTIFICATE_ID}/c2]" in text
    _, text, _ = run(capsys, monkeypatch, "report", CERTIFICATE_ID, "--format", "json")
    assert json.loads(text)["certificate_id"] == CERTIFICATE_ID
    _, text, _ = run(capsys, monkeypatch, "report", CERTIFICATE_ID, "--format", "md")
    assert text.startswith("# Not enough evidence\n")
    out = pictured.with_name("report.html")
    sign = repository / "examples" / "images" / "sign.png"
    _, text, _ = run(capsys, monkeypatch, "report", CERTIFICATE_ID, "--format", "html", "--out", out, "--image", sign)
    assert text == ""
    assert "data:image/jpeg;base64," in out.read_text(encoding="utf-8")
    code, _, err = run(capsys, monkeypatch, "report", CERTIFICATE_ID, "--format", "html", "--image", pictured)
    assert code == 3
    assert "none of the pictures" in err
    assert run(capsys, monkeypatch, "report", "feed")[0] == 3
    pictured.write_text(pictured.read_text(encoding="utf-8").replace("12,000", "13,000"), encoding="utf-8")
    assert run(capsys, monkeypatch, "report", pictured)[0] == 5


def test_export_commands(pictured: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _, text, _ = run(capsys, monkeypatch, "export", CERTIFICATE_ID, "--claimreview", "--author", "Post")
    jsonschema.Draft202012Validator(CLAIM_REVIEW).validate(json.loads(text))
    _, text, _ = run(capsys, monkeypatch, "export", pictured, "--csv")
    assert text.count("\n") == 4
    out = pictured.with_name("out.zip")
    code, _, err = run(capsys, monkeypatch, "export", CERTIFICATE_ID, "--bundle", out)
    assert code == 0, err
    assert zipfile.is_zipfile(out)
    for wrong in ((), ("--csv", "--claimreview"), ("--bundle", out, "--out", out)):
        assert run(capsys, monkeypatch, "export", CERTIFICATE_ID, *wrong)[0] == 2
    assert run(capsys, monkeypatch, "export", CERTIFICATE_ID, "--csv", "--out", pictured / "x")[0] == 3


def test_pictures_are_kept_by_their_hash_and_found_again(pictured: Path, repository: Path, tmp_path: Path) -> None:
    from evidence.images.reader import read_image

    source = repository / "examples" / "images" / "sign.png"
    certificate = load(pictured.read_text(encoding="utf-8"))
    folder = tmp_path / "kept"
    assert picture_files(certificate, folder) == {}
    record = read_image(source)
    keep_pictures(folder, [source.read_bytes()], [record])
    [name] = [p.name for p in folder.iterdir()]
    assert name == record.sha256
    [picture] = open_pictures(certificate, folder).values()
    assert picture.size == (960, 640)
    (folder / name).write_bytes(b"changed")
    assert picture_files(certificate, folder) == {}
    keep_pictures(folder / "other", [(tmp_path / "certificate.json").read_bytes()], [record])
    assert not (folder / "other").exists()
