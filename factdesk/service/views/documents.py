"""Documents and their places for the pages."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, urlencode

from evidence.types import AddResult, Document

MOST_CHARACTERS = 200_000
"""Of one document that its page shows."""


def corpus_address(corpus: str, part: str = "", **query: str) -> str:
    """The page of a corpus, or a part of it."""
    path = f"/corpora/{quote(corpus, safe='')}" + (f"/{part}" if part else "")
    return f"{path}?{urlencode(query)}" if query else path


def text_address(corpus: str, doc_id: str, start: int = 0, end: int = 0) -> str:
    """The page with a document's text, at a sentence."""
    place = {"start": str(start), "end": str(end)} if end else {}
    return corpus_address(corpus, "text", id=doc_id, **place) + ("#here" if end else "")


def document_row(document: Document, corpus: str) -> dict[str, str]:
    """One document in a list."""
    about = (
        document.publisher or "",
        document.published.isoformat() if document.published else "no date",
        document.source or "",
    )
    return {
        "id": document.doc_id,
        "title": document.title or document.doc_id,
        "about": " · ".join(part for part in about if part),
        "address": text_address(corpus, document.doc_id),
    }


def text_pieces(text: str, start: int, end: int) -> list[tuple[bool, list[str]]]:
    """A text cut round a sentence: whether a piece is that sentence, and its lines."""
    cut = text[:MOST_CHARACTERS]
    if not 0 <= start < end <= len(cut):
        return [(False, cut.split("\n"))]
    pieces = ((False, cut[:start]), (True, cut[start:end]), (False, cut[end:]))
    return [(marked, part.split("\n")) for marked, part in pieces if part]


def told(outcome: AddResult) -> Iterator[tuple[str, str, str]]:
    """Tone, file and reason of all that was not read, or was kept with a doubt."""
    for name, why in outcome.skipped:
        yield "bad", name, why
    for name, why in outcome.notes:
        yield "warn", name, why
