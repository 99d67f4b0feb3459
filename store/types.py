"""What other rooms may know of the store: claims with their relations, and how a ledger reads certificates."""

from __future__ import annotations

from typing import Protocol

from factdesk.kernel import Record
from report.types import Certificate, Head, ListedCertificate


class StoredDocument(Record):
    """A document whose claims were drawn, from which state of it and by which rules."""

    doc_id: str
    row_sha256: str
    extraction: str
    dropped: int
    paired: bool = False
    """Its claims have looked for their neighbours."""


class StoredClaim(Record):
    """A claim of a document with its vector (float32, little endian)."""

    claim_id: str
    doc_id: str
    start: int
    end: int
    source: str
    text: str
    vector: bytes


class StoredRelation(Record):
    """How a claim bears on another: ``weight`` -1 to 1, by the verifier ``model`` (sha256 of its weights; ``""``: near
    each other, and not scored yet).
    """

    source: str
    target: str
    similarity: float
    weight: float
    model: str


class CertificateCodec(Protocol):
    """Seals and (de)serialises certificates: ``report.certificate.sealing.SigningCodec``."""

    def reseal(self, certificate: Certificate, *, sequence: int, previous: str | None) -> Certificate:
        """The certificate at its place in the ledger. Raises ``CertificateError`` when it does not hold."""
        ...

    def head(self, certificate: Certificate, first_sha256: str) -> Head:
        """The head of a history that ends with ``certificate``; it began with ``first_sha256``."""
        ...

    def to_text(self, certificate: Certificate) -> str:
        """Canonical JSON text."""
        ...

    def load(self, text: str) -> Certificate:
        """Read a text back. Raises ``CertificateError`` when it does not hold."""
        ...

    def listed(self, text: str) -> ListedCertificate:
        """What a list shows of a stored text. Raises ``CertificateError`` for what is no certificate."""
        ...
