"""The tables as SQLModel classes: the one description of the schema, for SQLite and PostgreSQL. A class with
``table=True`` does not validate what it is given: the stores make rows from domain records and validate on the way
back. Triggers, word index and version are in ``store.schema``.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, Integer, MetaData, String, Text
from sqlalchemy.orm import declared_attr
from sqlmodel import AutoString, Field, SQLModel

from evidence.types import KnownImage
from store.types import StoredClaim, StoredDocument, StoredRelation

TEXT = String().with_variant(Text(collation="C"), "postgresql")
"""Compared byte by byte in both databases, whatever the server's language."""


class Table(SQLModel):
    """Base of the tables, apart from those of other programs in the same process."""

    model_config: ClassVar[Any] = {"frozen": False}
    metadata: ClassVar[MetaData] = MetaData()

    @declared_attr.directive
    @classmethod
    def __tablename__(cls) -> str:
        """``LedgerLinkRow`` is a row of ``ledger_link``."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Row")).lower()


def _number() -> Any:
    """A primary key that is given and never counted by the database."""
    return Field(primary_key=True, sa_column_kwargs={"autoincrement": False})


def _corpus() -> Any:
    return Field(primary_key=True, foreign_key="corpus.name", ondelete="CASCADE")


def _reference(columns: tuple[str, ...], target: str, names: tuple[str, ...]) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(columns, [f"{target}.{name}" for name in names], ondelete="CASCADE")


class CorpusRow(Table, table=True):
    """A corpus; ``span_count`` is told by the index."""

    name: str = Field(primary_key=True)
    span_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    updated: str


class DocumentRow(Table, table=True):
    """A document of a corpus; days are ISO text."""

    corpus: str = _corpus()
    doc_id: str = Field(primary_key=True)
    row_sha256: str
    """Over text and metadata, see :func:`store.documents.document_hash`."""
    sha256: str
    title: str
    url: str | None = None
    publisher: str | None = None
    published: str | None = None
    retrieved: str | None = None
    source: str | None = None
    media_type: str
    locators: str = "[]"
    """JSON: offset and place of each."""
    text: str


class LedgerRow(Table, table=True):
    """A certificate in the history, and what lists need of it. Append-only."""

    sequence: int = _number()
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


class LedgerLinkRow(Table, table=True):
    """Who signed a certificate of the history, and what it replaces. Append-only."""

    sequence: int = Field(primary_key=True, foreign_key="ledger.sequence")
    key_id: str | None = None
    supersedes: str | None = Field(default=None, index=True)


class LedgerHeadRow(Table, table=True):
    """The signed head: one row, which only moves forward."""

    __table_args__ = (CheckConstraint("one = 1"),)

    one: int = _number()
    sequence: int
    head_json: str


class SnapshotRow(Table, table=True):
    """A web page that a certificate cites, by the hash that certificates name. Never changed."""

    sha256: str = Field(primary_key=True)
    doc_id: str = Field(primary_key=True)
    url: str
    retrieved: str | None = None
    body_sha256: str = Field(index=True)
    charset: str | None = None
    document_json: str
    body_zlib: bytes


class KnownImageRow(Table, KnownImage, table=True):
    """A known image."""

    image_id: str = Field(primary_key=True)


class KnownImageChangeRow(Table, table=True):
    """Counts the changes of the known images: one row. Tells when hashes held in memory are out of date."""

    __table_args__ = (CheckConstraint("one = 1"),)

    one: int = _number()
    revision: int


class TrustDocumentRow(Table, StoredDocument, table=True):
    """A document whose claims were drawn."""

    __table_args__ = (_reference(("corpus", "doc_id"), "document", ("corpus", "doc_id")),)

    corpus: str = Field(primary_key=True)
    doc_id: str = Field(primary_key=True)
    paired: bool = Field(default=False, sa_type=Integer, sa_column_kwargs={"server_default": "0"})


class TrustClaimRow(Table, StoredClaim, table=True):
    """A claim of a document with its vector."""

    __table_args__ = (
        _reference(("corpus", "doc_id"), "trust_document", ("corpus", "doc_id")),
        Index("trust_claim_document", "corpus", "doc_id"),
    )

    corpus: str = Field(primary_key=True)
    claim_id: str = Field(primary_key=True)


class TrustRelationRow(Table, StoredRelation, table=True):
    """How a claim bears on another."""

    __table_args__ = (
        _reference(("corpus", "source"), "trust_claim", ("corpus", "claim_id")),
        _reference(("corpus", "target"), "trust_claim", ("corpus", "claim_id")),
        Index("trust_relation_target", "corpus", "target"),
    )

    corpus: str = Field(primary_key=True)
    source: str = Field(primary_key=True)
    target: str = Field(primary_key=True)


class TrustSeedRow(Table, table=True):
    """A document or publisher that the user trusts."""

    __table_args__ = (CheckConstraint("kind IN ('document', 'publisher')"),)

    corpus: str = _corpus()
    kind: str = Field(primary_key=True)
    name: str = Field(primary_key=True)


class GraphDocumentRow(Table, table=True):
    """A document whose triples are stored, and what they were made of."""

    corpus: str = _corpus()
    doc_id: str = Field(primary_key=True)
    row_sha256: str
    extractor: str


class GraphTripleRow(Table, table=True):
    """A triple; ``number`` counts from 0 in its document."""

    __table_args__ = (_reference(("corpus", "doc_id"), "graph_document", ("corpus", "doc_id")),)

    corpus: str = Field(primary_key=True)
    doc_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    triple_json: str


class GraphEntityRow(Table, table=True):
    """A merged entity."""

    corpus: str = _corpus()
    entity_id: str = Field(primary_key=True)
    entity_json: str


for _table in Table.metadata.tables.values():
    for _column in _table.columns:
        if isinstance(_column.type, AutoString):
            _column.type = TEXT
