"""The record of a known image as a document with spans: what somebody published, and when."""

from __future__ import annotations

import re

from evidence.images.file_data import clean
from evidence.images.places import scene_place
from evidence.segmentation.framing import Framed, frames_of
from evidence.segmentation.spans import sentence_ranges
from evidence.types import Document, Frame, KnownImage, Span, SpanKind
from factdesk.kernel import sha256_text
from language.calendar import in_words
from language.scenes import PlaceName, place_in
from language.wordlists import read_table

_TAKEN_IN = "The picture was taken in "
_CAPTIONS = read_table("evidence.images", "data/captions.toml")
_WORDS = {
    name: "|".join(word.replace("_", r"[\s-]+") for word in words.split()) for name, words in _CAPTIONS["words"].items()
}
_NO_EVENT = [
    re.compile(expression.format(**_WORDS), re.IGNORECASE | re.VERBOSE)
    for expression in _CAPTIONS["expressions"].values()
]
_NUMBER = re.compile(r"\d[\d.,:]*")
_WORD = re.compile(r"[^\W\d_]{3,}")


def record_document(known: KnownImage) -> Document:
    """One sentence a line: caption, publication, time and place as recorded."""
    lines = []
    caption = " ".join(known.caption.split())
    if caption:
        lines.append(caption if caption[-1] in ".!?" else f"{caption}.")
    source = clean(known.source or "")
    if known.published is not None:
        by = f" by {source}" if source else ""
        lines.append(f"The picture was published on {in_words(known.published.isoformat())}{by}.")
    if known.taken is not None:
        lines.append(f"The picture was taken on {in_words(known.taken.isoformat())}.")
    if known.place:
        lines.append(f"{_TAKEN_IN}{clean(known.place)}.")
    text = "\n".join(lines) or "The picture is known, without caption and date."
    return Document(
        doc_id=f"known:{known.image_id[:16]}",
        title=f"Known image {known.name}",
        text=text,
        sha256=sha256_text(text),
        url=known.url,
        publisher=known.source,
        published=known.published,
        source=known.name,
        media_type="text/plain",
    )


def record_spans(known: KnownImage) -> tuple[Span, ...]:
    """One span a line of the record. Where its caption says that the picture shows no event, or its words are
    those of a rumour, no line vouches for what the picture shows (``Span.frame``), and it was taken nowhere.
    """
    document = record_document(known)
    lines = document.text.split("\n")
    frame = _frame(lines[0], document.publisher or "")
    place = None if frame else scene_place(_scene(lines))
    return tuple(
        span.model_copy(update={"frame": frame, "place": place}) for span in line_spans(document, kind="record")
    )


def line_spans(document: Document, kind: SpanKind) -> tuple[Span, ...]:
    """One span a line of a document."""
    spans, start = [], 0
    for number, line in enumerate(document.text.split("\n")):
        place = {"start": start, "end": start + len(line), "text": line}
        chunk = f"{document.doc_id}#0"
        ids = {"span_id": f"{chunk}.{number}", "chunk_id": chunk, "doc_sha256": document.sha256}
        spans.append(Span.taken_from(document, **ids, **place, kind=kind))
        start += len(line) + 1
    return tuple(spans)


def _scene(lines: list[str]) -> PlaceName | None:
    """Where the picture was taken, by the record's own line or by the caption."""
    told = next((line.removeprefix(_TAKEN_IN) for line in lines if line.startswith(_TAKEN_IN)), None)
    if told is None:
        return place_in(lines[0])
    town, _, within = told.strip(" .").partition(",")
    return PlaceName(town, within.rsplit(",", 1)[-1].strip())


def _frame(caption: str, publisher: str) -> Frame:
    if shows_no_event(caption):
        return "made_up"
    told = [Framed(caption[start:end], "", 0) for start, end in sentence_ranges(caption, 0, len(caption))]
    return next((frame for frame in frames_of("", publisher, told) if frame), "")


def shows_no_event(caption: str) -> bool:
    """Whether a caption says that its picture is no record of what it seems to show."""
    return any(expression.search(caption) for expression in _NO_EVENT)


def text_differs(here: str, there: str) -> str | None:
    """How the text read in a picture differs from that of the known one; ``None`` where it does not. The submitted
    picture may be a part, so only what stands here and not there counts: a number, or more than a fifth of the words.
    """
    if not here:
        return None
    numbers = sorted(set(_NUMBER.findall(here)) - set(_NUMBER.findall(there)))
    if numbers:
        return f"The picture has the number {numbers[0]!r} in it, which the known picture has not."
    words = [w.lower() for w in _WORD.findall(here)]
    known = {w.lower() for w in _WORD.findall(there)}
    new = [w for w in words if w not in known]
    if len(new) > max(1, len(words) // 5):
        return f"The picture has words in it that the known picture has not: {', '.join(new[:5])}."
    return None
