"""From an image file to its record: a document of what was read, spans with exact offsets and boxes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from evidence.images.barcodes import read_codes
from evidence.images.credentials import read_credentials
from evidence.images.exif import parse_exif
from evidence.images.field_table import exif_fields, text_fields
from evidence.images.files import OpenedImage, decode, read_bytes
from evidence.images.layout import Run, runs_of, union
from evidence.images.metadata import parse_iptc, parse_xmp
from evidence.images.metadata_findings import file_facts, file_findings
from evidence.images.ocr import ocr_fingerprint, read_text
from evidence.segmentation.spans import leans_back
from evidence.types import (
    Box,
    Document,
    FileFacts,
    FileField,
    FindingKind,
    ImageFinding,
    ImageRecord,
    Span,
    SpanKind,
)
from factdesk.kernel import ConfigError, sha256_bytes, sha256_text

MAX_BYTES = 30_000_000
MAX_PIXELS = 50_000_000
MAX_OCR_SPANS = 60
_MAX_LINES = 400
_FINDING: dict[SpanKind, FindingKind] = {
    "ocr": "text",
    "chart": "chart",
    "code": "code",
    "exif": "exif",
    "metadata": "metadata",
    "credentials": "credentials",
}


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
    place = Path(path)
    name = _clean_name(place)
    data = read_bytes(place, max_bytes)
    opened = decode(data, name, max_pixels)
    digest = sha256_bytes(data)
    builder = _Builder(f"image:{digest[:12]}", f"Image {name}")
    if opened.frames > 1:
        builder.note(f"Only the first frame of this {opened.format} file was read.")
    _add_text(builder, opened)
    facts = _add_file_data(builder, data, opened)
    if not builder.has_readings:
        builder.note("No text and no EXIF data could be read from this image.")
    return _record(builder, opened, name, digest, facts)


def _add_text(builder: _Builder, opened: OpenedImage) -> None:
    reading = read_text(opened.pixels)
    if reading.turned:
        builder.note(f"The picture was turned by {reading.turned} degrees to read its text.")
    if reading.unread:
        lines = "one line" if reading.unread == 1 else f"{reading.unread} lines"
        builder.note(f"Text in a script that cannot be read here stands in the picture ({lines}).")
        builder.has_readings = True
    for run in runs_of(reading.lines[:_MAX_LINES]):
        builder.add_run(run, lambda box: reading.place(box, opened.pixels.size))
    for code in read_codes(opened.pixels):
        builder.add_sentence("code", code.sentence, code.box)


def _add_file_data(builder: _Builder, data: bytes, opened: OpenedImage) -> FileFacts:
    exif, iptc, xmp = parse_exif(opened.exif), parse_iptc(opened.iptc), parse_xmp(opened.xmp)
    credentials = read_credentials(data, opened.format)
    fields = (
        *exif_fields(opened.exif),
        *text_fields("IPTC", iptc.fields),
        *text_fields("XMP", xmp.fields),
        *text_fields("Text", opened.texts),
        *text_fields("C2PA", credentials.table),
    )
    facts = file_facts(exif, iptc, xmp, credentials, opened.texts, fields)
    for told, sentence in exif.sentences():
        builder.add_sentence("exif", sentence, told=told)
    if facts.latitude is not None and facts.place is not None:
        block = "EXIF" if exif.place is not None else "XMP"
        builder.add_sentence("exif", f"The place in the image's {block} data lies {facts.place}.", told="place")
    for field, sentence in (*iptc.sentences(), *xmp.sentences()):
        builder.add_sentence("metadata", sentence, told=field)
    for sentence in credentials.sentences():
        builder.add_sentence("credentials", sentence)
    for text in file_findings(facts, exif, iptc, xmp):
        builder.findings.append(ImageFinding(kind="contradiction", text=text))
    return facts


def _record(builder: _Builder, opened: OpenedImage, name: str, digest: str, facts: FileFacts) -> ImageRecord:
    text = builder.text
    document = Document(
        doc_id=builder.doc_id,
        title=builder.title,
        text=text,
        sha256=sha256_text(text),
        source=name,
        media_type=f"image/{opened.format.lower()}",
    )
    spans = tuple(span.model_copy(update={"doc_sha256": document.sha256}) for span in builder.spans)
    return ImageRecord(
        sha256=digest,
        name=name,
        format=opened.format,
        width=opened.pixels.width,
        height=opened.pixels.height,
        document=document,
        spans=spans,
        findings=tuple(f.model_copy(update={"image": digest}) for f in builder.findings),
        file=facts,
    )


def _clean_name(path: Path) -> str:
    """The file's name without folders, printable and valid as UTF-8."""
    name = path.name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in name)[:200] or "image"


class _Builder:
    """Collects lines of text and the spans that stand in them."""

    def __init__(self, doc_id: str, title: str) -> None:
        self.doc_id = doc_id
        self.title = title
        self.spans: list[Span] = []
        self.findings: list[ImageFinding] = []
        self.text = ""
        self.has_readings = False
        self._chunk = -1
        self._block: object = None
        self._number = 0

    def note(self, sentence: str) -> None:
        """A remark of ours: in the text, but no evidence."""
        self._append(sentence)

    def add_run(self, run: Run, place: Callable[[Box], Box]) -> None:
        """Lines that belong together stand in one line of the text; their sentences are the spans."""
        self.has_readings = True
        base = self._append(run.text)
        kind: SpanKind = "chart" if run.chart else "ocr"
        self._open_chunk((kind, run.block))
        before = ""
        for start, end in _sentence_ranges(run):
            if sum(span.kind in ("ocr", "chart") for span in self.spans) >= MAX_OCR_SPANS:
                return
            confidence = min(line.confidence for line in run.lines)
            region = place(_region(run, start, end))
            context = run.context or (before if leans_back(run.text[start:end]) else "")
            self._span(kind, base + start, base + end, region, confidence, context)
            before = run.text[start:end]

    def add_sentence(
        self, kind: SpanKind, sentence: str, region: Box | None = None, told: FileField | None = None
    ) -> None:
        """One finding in a sentence of ours around words of the file's; ``told``: what it tells of."""
        self.has_readings = True
        base = self._append(sentence)
        self._open_chunk((kind, 0))
        self._span(kind, base, base + len(sentence), region, None, told=told)

    def _append(self, line: str) -> int:
        base = len(self.text) + 1 if self.text else 0
        self.text = f"{self.text}\n{line}" if self.text else line
        return base

    def _open_chunk(self, block: tuple[str, int]) -> None:
        if block != self._block:
            self._block, self._chunk, self._number = block, self._chunk + 1, 0

    def _span(
        self,
        kind: SpanKind,
        start: int,
        end: int,
        region: Box | None,
        confidence: float | None,
        context: str = "",
        told: FileField | None = None,
    ) -> None:
        chunk_id = f"{self.doc_id}#{self._chunk}"
        self.findings.append(
            ImageFinding(
                kind=_FINDING[kind],
                text=self.text[start:end],
                region=region,
                span_id=f"{chunk_id}.{self._number}",
                confidence=None if confidence is None else round(confidence, 3),
            )
        )
        self.spans.append(
            Span(
                span_id=f"{chunk_id}.{self._number}",
                chunk_id=chunk_id,
                doc_id=self.doc_id,
                doc_sha256="",
                start=start,
                end=end,
                text=self.text[start:end],
                context=context,
                kind=kind,
                file_field=told,
                region=region,
                title=self.title,
            )
        )
        self._number += 1


def _sentence_ranges(run: Run) -> list[tuple[int, int]]:
    """A line on its own and a table's row are one span; lines that belong together are cut into sentences."""
    text = run.text
    if len(run.lines) == 1 or run.row:
        return [(0, len(text))]
    from evidence.segmentation.spans import sentence_ranges

    return list(sentence_ranges(text, 0, len(text), whole=False)) or [(0, len(text))]


def _region(run: Run, start: int, end: int) -> Box:
    """Around all lines the range touches."""
    boxes = []
    place = 0
    for line in run.lines:
        if place < end and start < place + len(line.text):
            boxes.append(line.box)
        place += len(line.text) + 1
    return union(boxes)


__all__ = ["MAX_BYTES", "MAX_OCR_SPANS", "MAX_PIXELS", "ocr_fingerprint", "read_image"]
