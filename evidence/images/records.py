"""The record of a known image as a document with spans: what somebody published, and when."""

from __future__ import annotations

import re

from evidence.images.days import day_words
from evidence.images.metadata import clean
from evidence.images.staged_captions import shows_no_event
from evidence.segmentation.framing import Framed, frames_of
from evidence.segmentation.spans import sentence_ranges
from evidence.types import Document, Frame, KnownImage, Span
from factdesk.kernel import sha256_text

TAKEN_IN = "The picture was taken in "
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
        lines.append(f"The picture was published on {day_words(known.published)}{by}.")
    if known.taken is not None:
        lines.append(f"The picture was taken on {day_words(known.taken)}.")
    if known.place:
        lines.append(f"{TAKEN_IN}{clean(known.place)}.")
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


def record_spans(document: Document) -> tuple[Span, ...]:
    """One span a line of the record. Where its caption says that the picture shows no event, or its words are
    those of a rumour, no line vouches for what the picture shows (``Span.frame``).
    """
    spans, start = [], 0
    frame = _frame(document)
    for number, line in enumerate(document.text.split("\n")):
        spans.append(
            Span(
                span_id=f"{document.doc_id}#0.{number}",
                chunk_id=f"{document.doc_id}#0",
                doc_id=document.doc_id,
                doc_sha256=document.sha256,
                start=start,
                end=start + len(line),
                text=line,
                kind="record",
                frame=frame,
                title=document.title,
                url=document.url,
                publisher=document.publisher,
                published=document.published,
            )
        )
        start += len(line) + 1
    return tuple(spans)


def _frame(document: Document) -> Frame:
    caption = document.text.split("\n")[0]
    told = [Framed(caption[start:end], "", 0) for start, end in sentence_ranges(caption, 0, len(caption))]
    frames = [frame for frame in frames_of("", document.publisher or "", told) if frame]
    return "made_up" if shows_no_event(caption) else frames[0] if frames else ""


def text_differs(here: str, there: str) -> str | None:
    """How the text read in a picture differs from that of the known one; ``None`` where it does not.

    The submitted picture may be a part, so only what stands here and not there counts: a number, or more
    than a fifth of the words.
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
