"""Cited documents as a WARC file: the very texts whose hashes and offsets the certificate names."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from io import BytesIO
from urllib.parse import quote

from evidence.types import Document
from factdesk.kernel import CertificateError, sha256_text
from report.render.safe import link
from report.types import Certificate

_NAMESPACE = uuid.UUID("6f2b8a52-0b52-5c39-9d2e-4f6f0a7d1c11")


def pages_warc(certificate: Certificate, documents: Sequence[Document]) -> bytes:
    """A gzipped WARC 1.1 file with one ``conversion`` record a document (its text as it was read).

    Deterministic. Raises ``CertificateError`` for a document the certificate does not cite, or whose text
    has another hash.
    """
    from warcio.warcwriter import WARCWriter

    cited = {(d.get("doc_id"), d.get("sha256")) for d in certificate.body.documents}
    out = BytesIO()
    writer = WARCWriter(out, gzip=True, warc_version="1.1")
    created = certificate.envelope.created[:19] + "Z"
    for document in documents:
        if (document.doc_id, document.sha256) not in cited or sha256_text(document.text) != document.sha256:
            raise CertificateError(f"document {document.doc_id!r} is not the one the certificate cites")
        retrieved = f"{document.retrieved.isoformat()}T00:00:00Z" if document.retrieved else created
        identity = uuid.uuid5(_NAMESPACE, f"{document.sha256} {document.doc_id}")
        record = writer.create_warc_record(
            _address(document),
            "conversion",
            payload=BytesIO(document.text.encode("utf-8")),
            warc_content_type="text/plain; charset=utf-8",
            warc_headers_dict={
                "WARC-Record-ID": f"<urn:uuid:{identity}>",
                "WARC-Date": retrieved,
                "WARC-Factdesk-SHA256": document.sha256,
                "WARC-Factdesk-Document": quote(document.doc_id, safe="/#"),
            },
        )
        writer.write_record(record)
        record.raw_stream.close()  # the library's own temporary file
    return out.getvalue()


def _address(document: Document) -> str:
    found = link(document.url)
    if found is not None and found.href:
        return found.href
    return f"urn:factdesk:document:{quote(document.doc_id, safe='/')}"
