"""Handing a certificate out: what belongs to it on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evidence.types import Document
from factdesk.images.submitted import picture_files, shown_pictures
from factdesk.kernel import InputError
from factdesk.settings import Settings
from report.certificate.keys import Keyring, to_pem
from report.exports.bundle import Extras, bundle
from report.types import Certificate, Mode
from store.documents import SqlDocumentStore
from store.engine import open_engine
from store.location import Place, exists


def bundle_of(
    settings: Settings,
    certificate: Certificate,
    mode: Mode = "strict",
    *,
    key: bytes | None = None,
    images: Sequence[Path] = (),
    pages: bool = True,
) -> bytes:
    """The zip file with all that a stranger needs to check a certificate. ``key``: the public key (PEM) that signed it,
    if it is not one of this home folder; ``images``: pictures not kept here; ``pages``: with the cited documents.
    Raises ``InputError``.
    """
    extras = Extras(
        public_key=key if key is not None else signing_key(settings, certificate),
        documents=cited_documents(settings, certificate) if pages else (),
        pictures=picture_files(certificate, settings.paths.pictures, images),
        opened=shown_pictures(settings, certificate, images),
    )
    return bundle(certificate, extras, mode)


def cited_documents(settings: Settings, certificate: Certificate) -> tuple[Document, ...]:
    """The documents a certificate cites, as far as a corpus here still has the very same text."""
    found: dict[str, Document] = {}
    places: tuple[Place, ...] = (settings.store, settings.paths.cache / "corpora.sqlite")
    for store in (SqlDocumentStore(open_engine(place)) for place in places if exists(place)):
        for info in store.list_corpora():
            for entry in certificate.body.documents:
                document = store.get_document(info.name, str(entry.get("doc_id", "")))
                if document is not None and document.sha256 == entry.get("sha256"):
                    found.setdefault(document.doc_id, document)
    return tuple(found[key] for key in sorted(found))


def signing_key(settings: Settings, certificate: Certificate) -> bytes | None:
    """The public key (PEM) that signed a certificate; ``None``: not here. Raises ``ConfigError`` for a damaged key
    file.
    """
    key = Keyring(settings.paths.keys).known().get(certificate.envelope.key_id or "")
    return to_pem(key).encode("ascii") if key is not None else None


def read_key(path: Path) -> bytes:
    """The bytes of a key file. Raises ``InputError`` when it cannot be read."""
    try:
        return path.read_bytes()[:100_000]
    except OSError as error:
        raise InputError(f"the key {str(path)!r} cannot be read ({error.strerror}); check the path") from error
