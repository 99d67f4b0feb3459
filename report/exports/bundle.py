"""Everything a stranger needs to check a certificate, in one zip file."""

from __future__ import annotations

import uuid
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import quote

from evidence.types import Document
from factdesk.kernel import CertificateError, sha256_bytes, sha256_text
from report.certificate.bundle_file import CERTIFICATE, PUBLIC_KEY, SUMS
from report.certificate.sealing import to_text
from report.exports.claims_csv import claims_csv
from report.render.html.page import render_html
from report.render.markdown import render_markdown
from report.render.templates import environment
from report.sanitize import link
from report.types import Certificate, Mode

if TYPE_CHECKING:
    from PIL.Image import Image


_KEY_HEAD = b"-----BEGIN PUBLIC KEY-----"
_SUFFIXES = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif", "TIFF": "tif", "BMP": "bmp"}


@dataclass(frozen=True)
class Extras:
    """What goes into a bundle besides the certificate, where it is at hand."""

    public_key: bytes | None = None
    """PEM; never a private key."""
    documents: Sequence[Document] = ()
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """Files of submitted pictures by SHA-256."""
    opened: Mapping[str, Image] = field(default_factory=dict)
    """The same, decoded and upright, for the report."""


def bundle(certificate: Certificate, extras: Extras, mode: Mode = "strict") -> bytes:
    """The zip file. Deterministic: same certificate and extras, same bytes.

    Raises ``CertificateError`` when a key, document or picture is not what it should be.
    """
    files = {CERTIFICATE: to_text(certificate).encode("utf-8")}
    notes = [(CERTIFICATE, "the certificate: every sentence, score, threshold and model")]
    if extras.public_key is not None:
        files[PUBLIC_KEY] = _public(extras.public_key)
        notes.append((PUBLIC_KEY, "the key to check its signature with; ask its owner whether it is theirs"))
    files["report.html"] = render_html(certificate, mode, extras.opened).encode("utf-8")
    files["report.md"] = render_markdown(certificate, mode).encode("utf-8")
    files["claims.csv"] = claims_csv(certificate).encode("utf-8")
    notes += [
        ("report.html, report.md", f"the report, {mode} mode, made from the certificate and its pictures"),
        ("claims.csv", "the statements as a table"),
    ]
    if extras.documents:
        files["pages.warc.gz"] = pages_warc(certificate, extras.documents)
        notes.append(("pages.warc.gz", f"{len(extras.documents)} of the cited documents, as they were read"))
    for name, data in _pictures(certificate, extras.pictures):
        files[name] = data
        notes.append((name, "a submitted picture"))
    files["HOWTO.txt"] = _howto(certificate, extras, notes).encode("utf-8")
    sums = "".join(f"{sha256_bytes(data)}  {name}\n" for name, data in sorted(files.items()))
    files[SUMS] = sums.encode("ascii")
    return _zip(files, certificate.envelope.created)


def _public(key: bytes) -> bytes:
    if b"PRIVATE" in key or not key.lstrip().startswith(_KEY_HEAD):
        raise CertificateError(
            "what was given as public key is none (PEM, 'BEGIN PUBLIC KEY'); a private key never goes into a bundle"
        )
    return key


def _pictures(certificate: Certificate, pictures: Mapping[str, bytes]) -> list[tuple[str, bytes]]:
    formats = {str(i.get("sha256", "")): str(i.get("format", "")) for i in certificate.body.images}
    found = []
    for digest, data in sorted(pictures.items()):
        if digest not in formats or sha256_bytes(data) != digest:
            raise CertificateError(f"the picture {digest!r} is not one the certificate names")
        found.append((f"pictures/{digest}.{_SUFFIXES.get(formats[digest], 'bin')}", data))
    return found


def _howto(certificate: Certificate, extras: Extras, notes: Sequence[tuple[str, str]]) -> str:
    return (
        environment(str, package="report.exports")
        .get_template("howto.txt.j2")
        .render(
            certificate=certificate,
            key=extras.public_key is not None,
            documents=len(extras.documents),
            pictures=len(extras.pictures),
            notes=notes,
        )
    )


def _zip(files: Mapping[str, bytes], created: str) -> bytes:
    year, month, day = (int(part) for part in created[:10].split("-"))
    out = BytesIO()
    with zipfile.ZipFile(out, "w", compression=zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, date_time=(max(year, 1980), month, day, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


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
