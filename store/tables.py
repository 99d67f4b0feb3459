"""SQLModel tables. They mirror ``migrations.py``, which alone creates them.

A class with ``table=True`` does not validate what it is given, so rows are made from and
turned into domain records by the functions here and nowhere else.
"""

from __future__ import annotations

import json
from datetime import date
from typing import get_args

from sqlmodel import Field, SQLModel

from evidence.types import Document, KnownImage
from factdesk.kernel import CertificateError, sha256_text
from report.types import Certificate, LedgerEntry, Verdict


class CorpusRow(SQLModel, table=True):
    """A corpus; ``span_count`` is told by the index."""

    __tablename__ = "corpus"

    name: str = Field(primary_key=True)
    span_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    updated: str


class DocumentRow(SQLModel, table=True):
    """A document of a corpus; days are ISO text."""

    __tablename__ = "document"

    corpus: str = Field(primary_key=True, foreign_key="corpus.name", ondelete="CASCADE")
    doc_id: str = Field(primary_key=True)
    row_sha256: str
    """Over text and metadata, see :func:`document_hash`."""
    sha256: str
    title: str
    url: str | None = None
    publisher: str | None = None
    published: str | None = None
    retrieved: str | None = None
    source: str | None = None
    media_type: str
    text: str


class LedgerRow(SQLModel, table=True):
    """A certificate in the history, and what lists need of it."""

    __tablename__ = "ledger"

    sequence: int = Field(primary_key=True)
    certificate_id: str = Field(unique=True)
    created: str = Field(index=True)
    claim_text: str
    verdict: str
    verified: int
    unverified: int
    blocked: int
    body_sha256: str
    previous_sha256: str | None = None
    envelope_sha256: str
    certificate_json: str


class LinkRow(SQLModel, table=True):
    """Who signed a certificate of the history, and what it replaces."""

    __tablename__ = "ledger_link"

    sequence: int = Field(primary_key=True, foreign_key="ledger.sequence")
    key_id: str | None = None
    supersedes: str | None = Field(default=None, index=True)


class HeadRow(SQLModel, table=True):
    """The signed head: one row."""

    __tablename__ = "ledger_head"

    one: int = Field(default=1, primary_key=True)
    sequence: int
    head_json: str


class GraphDocumentRow(SQLModel, table=True):
    """A document whose triples are stored, and what they were made of."""

    __tablename__ = "graph_document"

    corpus: str = Field(primary_key=True, foreign_key="corpus.name", ondelete="CASCADE")
    doc_id: str = Field(primary_key=True)
    row_sha256: str
    extractor: str


class GraphTripleRow(SQLModel, table=True):
    """A triple; ``number`` counts from 0 in its document."""

    __tablename__ = "graph_triple"

    corpus: str = Field(primary_key=True)
    doc_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    triple_json: str


class GraphEntityRow(SQLModel, table=True):
    """A merged entity."""

    __tablename__ = "graph_entity"

    corpus: str = Field(primary_key=True, foreign_key="corpus.name", ondelete="CASCADE")
    entity_id: str = Field(primary_key=True)
    entity_json: str


class KnownImageRow(SQLModel, table=True):
    """A known image; days are ISO text."""

    __tablename__ = "known_image"

    image_id: str = Field(primary_key=True)
    name: str
    caption: str
    published: str | None = None
    source: str | None = None
    url: str | None = None
    taken: str | None = None
    place: str | None = None
    width: int
    height: int
    text: str
    hashes: bytes
    thumbnail: bytes
    vector: bytes


class KnownChangeRow(SQLModel, table=True):
    """Counts the changes of the known images: one row."""

    __tablename__ = "known_image_change"

    one: int = Field(default=1, primary_key=True)
    revision: int


def known_row(known: KnownImage) -> dict[str, str | int | bytes | None]:
    """Column values of a known image."""
    fields = known.model_dump()
    for name in ("published", "taken"):
        fields[name] = fields[name].isoformat() if fields[name] else None
    return fields


def to_known(row: KnownImageRow) -> KnownImage:
    """The domain record of a row, validated."""
    return KnownImage.model_validate(row.model_dump())


def document_hash(document: Document) -> str:
    """Hex SHA-256 over text and metadata, without the day of retrieval: fetched again is not changed."""
    fields = document.model_dump(mode="json", exclude={"retrieved"})
    return sha256_text(json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":")))


def document_row(corpus: str, document: Document) -> dict[str, str | None]:
    """Column values of a document."""
    return {
        "corpus": corpus,
        "doc_id": document.doc_id,
        "row_sha256": document_hash(document),
        "sha256": document.sha256,
        "title": document.title,
        "url": document.url,
        "publisher": document.publisher,
        "published": document.published.isoformat() if document.published else None,
        "retrieved": document.retrieved.isoformat() if document.retrieved else None,
        "source": document.source,
        "media_type": document.media_type,
        "text": document.text,
    }


def to_document(row: DocumentRow) -> Document:
    """The domain record of a row, validated."""
    return Document(
        doc_id=row.doc_id,
        title=row.title,
        text=row.text,
        sha256=row.sha256,
        url=row.url,
        publisher=row.publisher,
        published=date.fromisoformat(row.published) if row.published else None,
        retrieved=date.fromisoformat(row.retrieved) if row.retrieved else None,
        source=row.source,
        media_type=row.media_type,
    )


def ledger_row(certificate: Certificate, text: str) -> dict[str, str | int | None]:
    """Column values of a sealed certificate whose canonical text is ``text``."""
    body, envelope = certificate.body, certificate.envelope
    states = [d.state for d in body.decisions]
    return {
        "sequence": envelope.sequence,
        "certificate_id": envelope.certificate_id,
        "created": envelope.created,
        "claim_text": body.asked.question if body.asked is not None else body.claim_text,
        "verdict": body.verdict,
        "verified": states.count("VERIFIED"),
        "unverified": states.count("UNVERIFIED"),
        "blocked": states.count("BLOCKED"),
        "body_sha256": envelope.body_sha256,
        "previous_sha256": envelope.previous_sha256,
        "envelope_sha256": envelope.envelope_sha256,
        "certificate_json": text,
    }


def verdict_from(value: str) -> Verdict:
    """A stored verdict, validated. Raises ``CertificateError``."""
    known: tuple[Verdict, ...] = get_args(Verdict)
    for verdict in known:
        if verdict == value:
            return verdict
    raise CertificateError(f"the history holds the unknown verdict {value!r}; known are {', '.join(known)}")


def to_entry(row: LedgerRow, link: LinkRow | None = None, superseded_by: str | None = None) -> LedgerEntry:
    """The line of the history of a row, validated."""
    return LedgerEntry(
        certificate_id=row.certificate_id,
        sequence=row.sequence,
        created=row.created,
        claim_text=row.claim_text,
        verdict=verdict_from(row.verdict),
        body_sha256=row.body_sha256,
        verified=row.verified,
        unverified=row.unverified,
        blocked=row.blocked,
        key_id=link.key_id if link else None,
        supersedes=link.supersedes if link else None,
        superseded_by=superseded_by,
    )
