"""What other rooms may know of the store: the port through which a ledger writes and reads certificates."""

from __future__ import annotations

from typing import Protocol

from report.types import Certificate, Head, ListedCertificate


class CertificateCodec(Protocol):
    """Seals and (de)serialises certificates; the module ``report.certificate.sealing`` fits, unsigned."""

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
