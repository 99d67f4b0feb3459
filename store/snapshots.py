"""Web pages as they were when they were read, so that no certificate refers to something that is gone."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from pydantic import ValidationError
from sqlalchemy.engine import Engine
from sqlmodel import col, select

from evidence.types import Document
from factdesk.kernel import CertificateError, InputError, Record, sha256_bytes, sha256_text
from store.engine import fetched, store_rows
from store.tables import SnapshotRow


class Snapshot(Record):
    """A document made of a page, and the bytes it was made of."""

    document: Document
    body: bytes
    charset: str | None = None

    @property
    def body_sha256(self) -> str:
        """Hex SHA-256 of the bytes."""
        return sha256_bytes(self.body)


class SnapshotStore:
    """Keeps and finds snapshots on an engine of :func:`store.engine.open_engine`. Nothing is ever changed."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def keep(self, snapshots: Sequence[Snapshot]) -> None:
        """Add snapshots, all or nothing; one that is there (same text, same id) stays as it is. Raises ``InputError``
        when a hash is not that of its text, or the database cannot serve.
        """
        store_rows(self._engine, SnapshotRow, [_row(snapshot) for snapshot in snapshots], replace=False)

    def find(self, sha256: str) -> tuple[Snapshot, ...]:
        """Snapshots whose text or bytes have this hash, or one that begins so (at least 8 digits). Raises
        ``InputError`` for a hash that is too short, ``CertificateError`` for a snapshot that is not what was stored.
        """
        if len(sha256) < 8:
            raise InputError(f"{sha256!r} is too short for a hash; give at least 8 of its digits")
        text, body = col(SnapshotRow.sha256), col(SnapshotRow.body_sha256)
        statement = select(SnapshotRow).where(
            text.startswith(sha256, autoescape=True) | body.startswith(sha256, autoescape=True)
        )
        rows = fetched(self._engine, statement.order_by(SnapshotRow.sha256, SnapshotRow.doc_id))
        return tuple(_snapshot(row) for row in rows)


def _row(snapshot: Snapshot) -> dict[str, str | bytes | None]:
    document = snapshot.document
    if sha256_text(document.text) != document.sha256:
        raise InputError(f"document {document.doc_id!r} has a hash that is not its text's")
    return {
        "sha256": document.sha256,
        "doc_id": document.doc_id,
        "url": document.url or "",
        "retrieved": document.retrieved.isoformat() if document.retrieved else None,
        "body_sha256": snapshot.body_sha256,
        "charset": snapshot.charset,
        "document_json": document.model_dump_json(),
        "body_zlib": zlib.compress(snapshot.body, 9),
    }


def _snapshot(row: SnapshotRow) -> Snapshot:
    try:
        snapshot = Snapshot(
            document=Document.model_validate_json(row.document_json),
            body=zlib.decompress(row.body_zlib),
            charset=row.charset,
        )
    except (ValidationError, zlib.error) as error:
        raise CertificateError(f"the snapshot of {row.url!r} is damaged") from error
    if snapshot.body_sha256 != row.body_sha256 or sha256_text(snapshot.document.text) != row.sha256:
        raise CertificateError(f"the snapshot of {row.url!r} is not what was stored")
    return snapshot
