"""Mutated files of every format that is read: each is read or left out with a reason, in time and within memory.

``python -m evaluation.attacks.mutations [--files 300] [--seed 0] [FORMAT ...]``
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import resource
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from evidence.ingest.reader_process import ReaderProcess
from factdesk.kernel import FactdeskError, Record

SECONDS = 40.0
"""A file of a few kilobytes must be done with after so long."""
MEMORY = 1 << 30
"""Bytes that this process may have taken at most."""
SAID = "The Tollgate Library was refurbished in 2024 at a cost of 6.2 million pounds."
_HTML = f"<html><head><title>Works</title></head><body><article><h1>Works</h1><p>{SAID}</p></article></body></html>"


class Mutant(Record):
    """A mutated file: what was made of it, and what went wrong (``""``: nothing)."""

    name: str
    outcome: str
    trouble: str
    seconds: float


def _docx() -> bytes:
    import docx

    document = docx.Document()
    document.add_heading("Works", level=1)
    document.add_paragraph(SAID)
    return _saved(lambda file: document.save(file))


def _odt() -> bytes:
    import odfdo

    document = odfdo.Document("odt")
    document.body.clear()
    document.body.append(odfdo.Paragraph(SAID))
    return _saved(lambda file: document.save(file))


def _xlsx() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.create_sheet("Works", 0)
    sheet.append(["Year", "Note"])
    sheet.append([2024, SAID])
    return _saved(lambda file: book.save(file))


def _epub() -> bytes:
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a" href="one.xhtml" '
        'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf"/></rootfiles></container>'
    )
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": container,
        "book.opf": package,
        "one.xhtml": _HTML,
    }
    return _packed({name: text.encode() for name, text in files.items()})


def _pdf() -> bytes:
    text = f"BT /F1 12 Tf 40 700 Td ({SAID}) Tj ET".encode()
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>"
    stream = b"<</Length %d>>stream\n%s\nendstream" % (len(text), text)
    parts = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, stream, font)
    made, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(made))
        made += b"%d 0 obj%s endobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(made)
    return made + b"xref\n0 6\n0000000000 65535 f \n" + table + tail


def _eml() -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Date"] = "Works", "desk@example.org", "Mon, 03 Feb 2025 09:00:00 +0100"
    mail.set_content(SAID)
    mail.add_alternative(_HTML, subtype="html")
    return mail.as_bytes()


def _picture(form: str) -> bytes:
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (96, 24), "white")
    ImageDraw.Draw(picture).text((4, 6), "Tollgate 2024", fill="black")
    exif = Image.Exif()
    exif[0x010E], exif[0x0132] = "Tollgate", "2024:05:04 09:00:00"
    return _saved(lambda file: picture.save(file, form, exif=exif))


_LINE = f'{{"doc_id": "a", "title": "Works", "text": "{SAID}", "published": "2024-05-04"}}\n'.encode()
REVIEW = {
    "@type": "ClaimReview",
    "claimReviewed": SAID,
    "reviewBody": SAID,
    "author": {"@type": "Organization", "name": "Harrowmere Courier"},
    "reviewRating": {"@type": "Rating", "ratingValue": 5, "bestRating": 5, "alternateName": "True"},
}
FORMATS: dict[str, Callable[[], bytes]] = {
    "txt": lambda: f"Works\n\n{SAID}\n".encode(),
    "md": lambda: f"---\ntitle: Works\npublished: 2024-05-04\n---\n# Works\n\n- {SAID}\n".encode(),
    "html": _HTML.encode,
    "pdf": _pdf,
    "docx": _docx,
    "odt": _odt,
    "epub": _epub,
    "csv": lambda: f"Year;Note\n2024;{SAID}\n".encode(),
    "xlsx": _xlsx,
    "eml": _eml,
    "srt": lambda: f"1\n00:01:05,000 --> 00:01:07,000\n{SAID}\n".encode(),
    "vtt": lambda: f"WEBVTT\n\n00:01:05.000 --> 00:01:07.000\n{SAID}\n".encode(),
    "jsonl": lambda: _LINE,
    "jsonl.gz": lambda: gzip.compress(_LINE, mtime=0),
    "json": lambda: json.dumps(REVIEW).encode(),
    "png": lambda: _picture("PNG"),
    "jpg": lambda: _picture("JPEG"),
    "webp": lambda: _picture("WEBP"),
    "gif": lambda: _picture("GIF"),
    "tiff": lambda: _picture("TIFF"),
    "bmp": lambda: _picture("BMP"),
}
"""A whole sample of every format."""
PICTURES = ("png", "jpg", "webp", "gif", "tiff", "bmp")


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    file = io.BytesIO()
    save(file)
    return file.getvalue()


def _packed(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


_ODD = (
    b"\x00" * 40,
    b"9" * 5_000,
    b"(" * 3_000,
    b"<b>" * 3_000,
    b'{"a":' * 3_000,
    b" " * 20_000,
    b"\xff\xfe\x00\xd8",
    b"&#x10ffff;" * 200,
    "\u202e\u200b\u0301".encode() * 300,
    b"-99999999999999999999",
    b"\r\n" * 5_000,
    b"%s%n../../etc/passwd",
)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The file with one to six changes: bits, cuts, repetitions, odd pieces; of an archive, in its files too."""
    if data.startswith(b"PK") and rng.random() < 0.7:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        chosen = rng.choice(sorted(files))
        return _packed({**files, chosen: _changed(files[chosen], rng)})
    return _changed(data, rng)


def _changed(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 6)):
        at, end = sorted(rng.randint(0, len(data)) for _ in range(2))
        kind = rng.randrange(6)
        if kind == 0 and data:
            at = min(at, len(data) - 1)
            data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[min(end, at + 200) :]
        elif kind == 2:
            data = data[:at] + data[at : at + 300] * rng.randint(2, 40) + data[at:]
        elif kind == 3:
            data = data[:at] + rng.choice(_ODD) + data[at:]
        elif kind == 4:
            data = data[:end]
        else:
            data = data[:at] + rng.randbytes(rng.randint(1, 60)) + data[at:]
    return data


def mutate_and_read(kind: str, count: int, *, seed: int = 0) -> Iterator[Mutant]:
    """``count`` mutants of a format, each read as by ``factdesk corpus add``, pictures as by ``factdesk check``."""
    rng, sample = random.Random(f"{seed} {kind}"), FORMATS[kind]()
    with tempfile.TemporaryDirectory(prefix="factdesk-mutants-") as folder, ReaderProcess() as reader:
        for number in range(count):
            path = Path(folder) / f"m{number}.{kind}"
            path.write_bytes(mutated(sample, rng))
            yield _tried(path, kind, reader)
            path.unlink()


def peak_bytes() -> int:
    """Most memory that this process, or one that it started and that has ended, has taken so far."""
    return 1024 * max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _tried(path: Path, kind: str, reader: ReaderProcess) -> Mutant:
    start, before, trouble, outcome = time.monotonic(), peak_bytes(), "", "left out"
    try:
        said = _text(path, kind, reader)
        outcome = "read" if said.text else "left out"
        if any("Traceback" in why or not why.strip() for why in said.reasons):
            trouble = "left out without a sentence"
    except FactdeskError as error:
        trouble = "" if str(error) else "refused without a sentence"
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as error:
        trouble = f"{type(error).__name__}: {error}"[:200]
    seconds = time.monotonic() - start
    if seconds > SECONDS:
        trouble = f"took {seconds:.0f} s"
    if peak_bytes() - before > MEMORY:
        trouble = "took more than 1 GB"
    return Mutant(name=path.name, outcome=outcome, trouble=trouble, seconds=round(seconds, 3))


class _Said(NamedTuple):
    text: str
    reasons: tuple[str, ...] = ()


def _text(path: Path, kind: str, reader: ReaderProcess) -> _Said:
    """What the format's own loader reads of a file. Raises ``InputError``."""
    if kind in PICTURES:
        from evidence.images.reader import read_image

        return _Said(read_image(path).document.text or "a picture without text")
    if kind.startswith("json"):
        from evidence.ingest import read_paths

        found = read_paths([path])
        return _Said(" ".join(d.text for d in found.documents), tuple(why for _, why in found.skipped))
    return _Said(reader.read(path, f".{kind}").text)


def read_sample(kind: str) -> str:
    """The text of the whole sample of a format, as it is read."""
    with tempfile.TemporaryDirectory(prefix="factdesk-mutants-") as folder, ReaderProcess() as reader:
        path = Path(folder) / f"sample.{kind}"
        path.write_bytes(FORMATS[kind]())
        return _text(path, kind, reader).text


def main(arguments: Sequence[str] | None = None) -> int:
    """A line for each format, and one for each mutant that made trouble."""
    parser = argparse.ArgumentParser(description="Read mutated files of every format.")
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=f"one of {', '.join(FORMATS)} (default: all)")
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    bad = 0
    for kind in given.formats or FORMATS:
        found = list(mutate_and_read(kind, given.files, seed=given.seed))
        troubles = [m for m in found if m.trouble]
        read = sum(m.outcome == "read" for m in found)
        slowest = max((m.seconds for m in found), default=0.0)
        sys.stdout.write(f"{kind:8} {read} read, {len(found) - read} left out, slowest {slowest:.2f} s")
        sys.stdout.write(f", {len(troubles)} in trouble\n")
        sys.stdout.flush()
        sys.stdout.writelines(f"  {m.name} (seed {given.seed}): {m.trouble}\n" for m in troubles)
        bad += len(troubles)
    sys.stdout.write(f"largest process {peak_bytes() / 1e6:.0f} MB\n")
    return 5 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
