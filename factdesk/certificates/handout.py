"""Handing a certificate out: what belongs to it on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from evidence.types import Document
from factdesk.kernel import InputError
from factdesk.settings import Settings

if TYPE_CHECKING:
    from report.types import Certificate, Mode
    from store.documents import SqlDocumentStore
    from store.location import Place


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
    from factdesk.images.submitted import picture_files, shown_pictures
    from report.exports.bundle import Extras, bundle

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
    for store in _stores(settings):
        for info in store.list_corpora():
            for entry in certificate.body.documents:
                doc_id, sha256 = str(entry.get("doc_id", "")), entry.get("sha256")
                if doc_id in found:
                    continue
                document = store.get_document(info.name, doc_id)
                if document is not None and document.sha256 == sha256:
                    found[doc_id] = document
    return tuple(found[key] for key in sorted(found))


def write_file(path: Path, parts: Iterable[bytes], mode: int = 0o666) -> None:
    """Write a file whole or not at all. Raises ``InputError`` when it cannot be written."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(part, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.writelines(parts)
        part.replace(path)
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be written ({error.strerror}); give another place") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def signing_key(settings: Settings, certificate: Certificate) -> bytes | None:
    """The public key (PEM) that signed a certificate; ``None``: not here. Raises ``ConfigError`` for a damaged key
    file.
    """
    from report.certificate.keys import Keyring, to_pem

    key = Keyring(settings.paths.keys).known().get(certificate.envelope.key_id or "")
    return to_pem(key).encode("ascii") if key is not None else None


def read_key(path: Path) -> bytes:
    """The bytes of a key file. Raises ``InputError`` when it cannot be read."""
    try:
        return path.read_bytes()[:100_000]
    except OSError as error:
        raise InputError(f"the key {str(path)!r} cannot be read ({error.strerror}); check the path") from error


def _stores(settings: Settings) -> Iterator[SqlDocumentStore]:
    from store.documents import SqlDocumentStore
    from store.engine import open_engine
    from store.location import exists

    places: Sequence[Place] = (settings.store, settings.paths.cache / "corpora.sqlite")
    for place in places:
        if exists(place):
            yield SqlDocumentStore(open_engine(place))
