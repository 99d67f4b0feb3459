"""What a loader hands back: labelled claims, the evidence that came with them, and what was left out."""

from __future__ import annotations

from datetime import date as Date
from typing import Literal

from pydantic import Field

from evidence.types import Document
from factdesk.kernel import Record, sha256_text

EvalLabel = Literal["supported", "refuted", "conflicting", "not_enough_evidence"]
LABELS: tuple[EvalLabel, ...] = ("supported", "refuted", "conflicting", "not_enough_evidence")
Evidence = Literal["given", "corpus"]
"""``given``: each claim is held against the texts that came with it, and nothing is looked for. ``corpus``:
the whole check, over a corpus."""


class Gold(Record):
    """A sentence that annotators named as evidence; without ``quote`` the document as a whole."""

    doc_id: str
    quote: str = ""


class Answered(Record):
    """A question that annotators asked about a claim, with their answer."""

    question: str
    answer: str


class EvalRow(Record):
    """One labelled claim."""

    id: str
    claim: str
    label: EvalLabel
    date: Date | None = None
    """Day on which it was made."""
    images: tuple[str, ...] = ()
    """Paths of pictures that belong to the claim."""
    given: tuple[Document, ...] = ()
    """Texts that came with the claim."""
    gold: tuple[tuple[Gold, ...], ...] = ()
    """Sets of sentences, each of which is enough."""
    group: str = ""
    """Sub-set, task or kind of error, by which figures are given too."""
    asked: tuple[Answered, ...] = ()
    speaker: str = ""


class Dataset(Record):
    """What a file in one of the formats holds."""

    format: str
    rows: tuple[EvalRow, ...]
    documents: tuple[Document, ...] = ()
    """The corpus that came with the format, or that was made of all texts given with its claims."""
    binary: bool = False
    """Labels only say supported or not: then ``refuted`` counts as not supported."""
    skipped: dict[str, int] = Field(default_factory=dict)
    """How many lines were left out, by reason."""
    sha256: str
    """Over the bytes of all files that were read."""


def document(
    doc_id: str,
    text: str,
    *,
    title: str = "",
    published: Date | None = None,
    url: str | None = None,
    publisher: str | None = None,
) -> Document:
    """A document of a format. ``text`` must have words."""
    return Document(
        doc_id=doc_id,
        title=" ".join(title.split()),
        text=text,
        sha256=sha256_text(text),
        published=published,
        url=url,
        publisher=publisher,
    )


def corpus_of(rows: tuple[EvalRow, ...]) -> tuple[Document, ...]:
    """All texts given with any of the rows, each once, by id."""
    return tuple(sorted({d.doc_id: d for r in rows for d in r.given}.values(), key=lambda d: d.doc_id))
