"""From an image file to its record: a document of what was read, spans with exact offsets and boxes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from evidence.images.barcodes import read_codes
from evidence.images.boxes import union
from evidence.images.credentials import read_credentials
from evidence.images.exif import exif_fields, parse_exif
from evidence.images.file_findings import file_facts, file_findings
from evidence.images.files import MAX_BYTES, MAX_PIXELS, OpenedImage, decode, read_bytes
from evidence.images.layout import Run, runs_of
from evidence.images.metadata import parse_iptc, parse_xmp, table_of
from evidence.images.ocr import read_text
from evidence.segmentation.spans import leans_back, sentence_ranges
from evidence.types import Box, Document, FileFacts, FileField, FindingKind, ImageFinding, ImageRecord, Span
from factdesk.kernel import ConfigError, sha256_bytes, sha256_text

MAX_OCR_SPANS = 60
_MAX_LINES = 400
Kind = Literal["ocr", "chart", "code", "exif", "metadata", "credentials"]


def read_image(path: Path | str, *, max_bytes: int = MAX_BYTES, max_pixels: int = MAX_PIXELS) -> ImageRecord:
    """Read an image: its text (one span a line, or a sentence where it runs over lines), chart values with
    their labels, QR and bar codes, EXIF, IPTC and XMP data, and content credentials.

    Of files with several frames only the first is read, and the document says so. Boxes are in pixels of the
    upright picture. At most 60 spans come from text; ``document.text`` holds all that was read.
    Deterministic.
    Raises ``InputError`` for what is no readable image (PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF, BMP), is
    damaged, or has more than ``max_bytes`` bytes or ``max_pixels`` pixels; ``BackendUnavailable`` without RapidOCR.
    """
    if max_bytes < 1 or max_pixels < 1:
        raise ConfigError(f"max_bytes is {max_bytes!r} and max_pixels {max_pixels!r}; give 1 or more")
    return read_picture(read_bytes(Path(path), max_bytes), Path(path).name, max_pixels)


def read_picture(data: bytes, file_name: str, max_pixels: int = MAX_PIXELS) -> ImageRecord:
    """:func:`read_image` of a file's bytes."""
    name = _clean_name(file_name)
    opened = decode(data, name, max_pixels)
    digest = sha256_bytes(data)
    lines = _Lines(f"image:{digest[:12]}", f"Image {name}", digest)
    if opened.frames > 1:
        lines.note(f"Only the first frame of this {opened.format} file was read.")
    told = _add_text(lines, opened)
    facts = _add_file_data(lines, data, opened)
    if not lines.spans and not told:
        lines.note("No text and no EXIF data could be read from this image.")
    document = Document(
        doc_id=lines.doc_id,
        title=lines.title,
        text=lines.text,
        sha256=sha256_text(lines.text),
        source=name,
        media_type=f"image/{opened.format.lower()}",
    )
    return ImageRecord(
        sha256=digest,
        name=name,
        format=opened.format,
        width=opened.pixels.width,
        height=opened.pixels.height,
        document=document,
        spans=tuple(span.model_copy(update={"doc_sha256": document.sha256}) for span in lines.spans),
        findings=tuple(lines.findings),
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
        lines.add_run(run, lambda box: reading.place(box, opened.pixels.size))
    for code in read_codes(opened.pixels):
        lines.add("code", code.sentence, region=code.box)
    return reading.unread > 0


def _add_file_data(lines: _Lines, data: bytes, opened: OpenedImage) -> FileFacts:
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
    for text in file_findings(facts, exif, iptc, xmp):
        lines.findings.append(ImageFinding(kind="contradiction", text=text, image=lines.digest))
    return facts


def _clean_name(name: str) -> str:
    """Printable and valid as UTF-8."""
    name = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in name)[:200] or "image"


class _Lines:
    """Collects lines of text, and the spans and findings that stand in them."""

    def __init__(self, doc_id: str, title: str, digest: str) -> None:
        self.doc_id = doc_id
        self.title = title
        self.digest = digest
        self.spans: list[Span] = []
        self.findings: list[ImageFinding] = []
        self.text = ""
        self._chunk = -1
        self._block: tuple[Kind, int] | None = None
        self._number = 0

    def note(self, line: str) -> int:
        """A remark of ours: in the text, but no evidence. Returns where it begins."""
        self.text += f"\n{line}" if self.text else line
        return len(self.text) - len(line)

    def add_run(self, run: Run, place: Callable[[Box], Box]) -> None:
        """Lines that belong together stand in one line of the text; their sentences are the spans."""
        base = self.note(run.text)
        kind: Kind = "chart" if run.chart else "ocr"
        self._open_chunk((kind, run.block))
        before = ""
        for start, end in _sentence_ranges(run):
            if sum(span.kind in ("ocr", "chart") for span in self.spans) >= MAX_OCR_SPANS:
                return
            text = run.text[start:end]
            context = run.context or (before if leans_back(text) else "")
            confidence = round(min(line.confidence for line in run.lines), 3)
            self._span(kind, base + start, text, place(_region(run, start, end)), confidence, context=context)
            before = text

    def add(self, kind: Kind, sentence: str, region: Box | None = None, told: FileField | None = None) -> None:
        """One finding in a sentence of ours around words of the file's; ``told``: what it tells of."""
        start = self.note(sentence)
        self._open_chunk((kind, 0))
        self._span(kind, start, sentence, region, told=told)

    def _open_chunk(self, block: tuple[Kind, int]) -> None:
        if block != self._block:
            self._block, self._chunk, self._number = block, self._chunk + 1, 0

    def _span(
        self,
        kind: Kind,
        start: int,
        text: str,
        region: Box | None,
        confidence: float | None = None,
        *,
        context: str = "",
        told: FileField | None = None,
    ) -> None:
        span = Span(
            span_id=f"{self.doc_id}#{self._chunk}.{self._number}",
            chunk_id=f"{self.doc_id}#{self._chunk}",
            doc_id=self.doc_id,
            doc_sha256="",
            start=start,
            end=start + len(text),
            text=text,
            context=context,
            kind=kind,
            file_field=told,
            region=region,
            title=self.title,
        )
        self.spans.append(span)
        found: FindingKind = "text" if kind == "ocr" else kind
        self.findings.append(
            ImageFinding(
                kind=found,
                text=text,
                region=region,
                span_id=span.span_id,
                image=self.digest,
                confidence=confidence,
            )
        )
        self._number += 1


def _sentence_ranges(run: Run) -> list[tuple[int, int]]:
    """A line on its own and a table's row are one span; lines that belong together are cut into sentences."""
    text = run.text
    if len(run.lines) == 1 or run.row:
        return [(0, len(text))]
    return list(sentence_ranges(text, 0, len(text), whole=False)) or [(0, len(text))]


def _region(run: Run, start: int, end: int) -> Box:
    """Around all lines the range touches."""
    boxes, place = [], 0
    for line in run.lines:
        if place < end and start < place + len(line.text):
            boxes.append(line.box)
        place += len(line.text) + 1
    return union(boxes)
