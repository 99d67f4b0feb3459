"""From an image file to its record: a document of what was read, spans with exact offsets and boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal

from evidence.images.barcodes import read_codes
from evidence.images.boxes import union
from evidence.images.credentials import read_credentials
from evidence.images.file_data import exif_fields, parse_exif, parse_iptc, parse_xmp, table_of
from evidence.images.file_findings import file_facts, file_findings
from evidence.images.files import MAX_BYTES, MAX_PIXELS, OpenedImage, decode, read_bytes
from evidence.images.layout import Run, runs_of
from evidence.images.ocr import read_text
from evidence.segmentation.spans import leans_back, sentence_ranges
from evidence.types import Box, Document, FileFacts, FileField, ImageFinding, ImageRecord, Span
from factdesk.kernel import ConfigError, sha256_bytes, sha256_text

MAX_OCR_SPANS = 60
_MAX_LINES = 400
Kind = Literal["ocr", "chart", "code", "exif", "metadata", "credentials"]


def read_image(path: Path | str, *, max_bytes: int = MAX_BYTES, max_pixels: int = MAX_PIXELS) -> ImageRecord:
    """Read an image file; see :func:`read_picture`. Raises ``InputError`` also for one with more than ``max_bytes``."""
    if max_bytes < 1 or max_pixels < 1:
        raise ConfigError(f"max_bytes is {max_bytes!r} and max_pixels {max_pixels!r}; give 1 or more")
    return read_picture(read_bytes(Path(path), max_bytes), Path(path).name, max_pixels)


def read_picture(data: bytes, file_name: str, max_pixels: int = MAX_PIXELS) -> ImageRecord:
    """Read an image: its text (one span a line, or a sentence where it runs over lines), chart values with their
    labels, QR and bar codes, EXIF, IPTC and XMP data, and content credentials. Of files with several frames only the
    first is read, and the document says so. Boxes are in pixels of the upright picture. At most 60 spans come from
    text; ``document.text`` holds all that was read. Deterministic. Raises ``InputError`` for what is no readable image
    (PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF, BMP), is damaged, or has more than ``max_pixels`` pixels;
    ``BackendUnavailable`` without RapidOCR.
    """
    name = _clean_name(file_name)
    opened = decode(data, name, max_pixels)
    digest = sha256_bytes(data)
    lines = _Lines()
    if opened.frames > 1:
        lines.note(f"Only the first frame of this {opened.format} file was read.")
    told = _add_text(lines, opened)
    facts, contradictions = _add_file_data(lines, data, opened)
    if not lines.read and not told:
        lines.note("No text and no EXIF data could be read from this image.")
    document = Document(
        doc_id=f"image:{digest[:12]}",
        title=f"Image {name}",
        text=lines.text,
        sha256=sha256_text(lines.text),
        source=name,
        media_type=f"image/{opened.format.lower()}",
    )
    spans = tuple(lines.spans(document))
    findings = [
        ImageFinding(
            kind="text" if read.kind == "ocr" else read.kind,
            text=span.text,
            region=span.region,
            span_id=span.span_id,
            image=digest,
            confidence=read.confidence,
        )
        for span, read in zip(spans, lines.read, strict=True)
    ]
    findings += [ImageFinding(kind="contradiction", text=text, image=digest) for text in contradictions]
    return ImageRecord(
        sha256=digest,
        name=name,
        format=opened.format,
        width=opened.pixels.width,
        height=opened.pixels.height,
        document=document,
        spans=spans,
        findings=tuple(findings),
        file=facts,
    )


def _add_text(lines: _Lines, opened: OpenedImage) -> bool:
    """What stands in the picture; whether there is anything, read or not."""
    reading = read_text(opened.pixels)
    if reading.turned:
        lines.note(f"The picture was turned by {reading.turned} degrees to read its text.")
    if reading.unread:
        many = "one line" if reading.unread == 1 else f"{reading.unread} lines"
        lines.note(f"Text in a script that cannot be read here stands in the picture ({many}).")
    for run in runs_of(reading.lines[:_MAX_LINES]):
        lines.add_run(run)
    for sentence, box in read_codes(opened.pixels):
        lines.add("code", sentence, region=box)
    return reading.unread > 0


def _add_file_data(lines: _Lines, data: bytes, opened: OpenedImage) -> tuple[FileFacts, list[str]]:
    """What the file's data says; the facts, and contradictions in it."""
    exif, iptc, xmp = parse_exif(opened.exif), parse_iptc(opened.iptc), parse_xmp(opened.xmp)
    credentials = read_credentials(data, opened.format)
    fields = (
        *exif_fields(opened.exif),
        *table_of("IPTC", iptc.fields.items()),
        *table_of("XMP", xmp.fields.items()),
        *table_of("Text", opened.texts.items()),
        *table_of("C2PA", credentials.table.items()),
    )
    facts = file_facts(exif, iptc, xmp, credentials, opened.texts, fields)
    for told, sentence in exif.sentences():
        lines.add("exif", sentence, told=told)
    if facts.latitude is not None and facts.place is not None:
        block = "EXIF" if exif.place is not None else "XMP"
        lines.add("exif", f"The place in the image's {block} data lies {facts.place}.", told="place")
    for told, sentence in (*iptc.sentences(), *xmp.sentences()):
        lines.add("metadata", sentence, told=told)
    for sentence in credentials.sentences():
        lines.add("credentials", sentence)
    return facts, list(file_findings(facts, exif, iptc, xmp))


def _clean_name(name: str) -> str:
    """Printable and valid as UTF-8."""
    valid = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in valid)[:200] or "image"


@dataclass(frozen=True)
class _Read:
    """What becomes a span: where it begins in the text, its place in the picture, and what it tells of. Neighbours of
    one kind and ``block`` are a chunk.
    """

    kind: Kind
    start: int
    text: str
    region: Box | None
    block: int = 0
    confidence: float | None = None
    context: str = ""
    told: FileField | None = None


class _Lines:
    """Collects lines of text, and what stands in them."""

    def __init__(self) -> None:
        self.text = ""
        self.read: list[_Read] = []

    def note(self, line: str) -> int:
        """A remark of ours: in the text, but no evidence. Returns where it begins."""
        self.text += f"\n{line}" if self.text else line
        return len(self.text) - len(line)

    def add_run(self, run: Run) -> None:
        """Lines that belong together stand in one line of the text; their sentences are the spans."""
        base = self.note(run.text)
        kind: Kind = "chart" if run.chart else "ocr"
        confidence = round(min(line.confidence for line in run.lines), 3)
        before = ""
        for start, end in _sentence_ranges(run):
            if len(self.read) >= MAX_OCR_SPANS:
                return
            text = run.text[start:end]
            context = run.context or (before if leans_back(text) else "")
            region = _region(run, start, end)
            self.read.append(_Read(kind, base + start, text, region, run.block, confidence, context))
            before = text

    def add(self, kind: Kind, sentence: str, region: Box | None = None, told: FileField | None = None) -> None:
        """One finding in a sentence of ours around words of the file's; ``told``: what it tells of."""
        self.read.append(_Read(kind, self.note(sentence), sentence, region, told=told))

    def spans(self, document: Document) -> Iterator[Span]:
        """The spans of the whole document."""
        chunks = groupby(self.read, key=lambda read: (read.kind, read.block))
        for chunk, (_, group) in enumerate(chunks):
            for number, read in enumerate(group):
                yield Span.taken_from(
                    document,
                    span_id=f"{document.doc_id}#{chunk}.{number}",
                    chunk_id=f"{document.doc_id}#{chunk}",
                    doc_sha256=document.sha256,
                    start=read.start,
                    end=read.start + len(read.text),
                    text=read.text,
                    context=read.context,
                    kind=read.kind,
                    file_field=read.told,
                    region=read.region,
                )


def _sentence_ranges(run: Run) -> list[tuple[int, int]]:
    """A line on its own and a table's row are one span; lines that belong together are cut into sentences."""
    text = run.text
    if len(run.lines) == 1 or run.row:
        return [(0, len(text))]
    return list(sentence_ranges(text, 0, len(text))) or [(0, len(text))]


def _region(run: Run, start: int, end: int) -> Box:
    """Around all lines the range touches."""
    boxes, place = [], 0
    for line in run.lines:
        if place < end and start < place + len(line.text):
            boxes.append(line.place or line.box)
        place += len(line.text) + 1
    return union(boxes)
