"""Submitted pictures: kept beside the history by their hash, and opened again for a report."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from factdesk.kernel import InputError, private_file, sha256_bytes

if TYPE_CHECKING:
    from PIL.Image import Image

    from evidence.types import ImageRecord
    from factdesk.settings import Settings
    from report.types import Certificate


def read_pictures(
    images: Sequence[Path], addresses: Sequence[str]
) -> tuple[tuple[ImageRecord, ...], list[tuple[str, bytes]], list[str]]:
    """Records, names with bytes, and public addresses of pictures, a video's key frames in its place.

    Raises ``InputError`` for a file that is neither.
    """
    if not images:
        return (), [], []
    from evidence.images.key_frames import with_key_frames
    from evidence.images.reader import read_image

    with with_key_frames(images, addresses) as (paths, places):
        return tuple(read_image(path) for path in paths), [(path.name, path.read_bytes()) for path in paths], places


def keep_pictures(folder: Path, files: Iterable[bytes], records: Sequence[ImageRecord]) -> None:
    """Write the files' bytes into ``folder``, each under its SHA-256, so that a report can show them later.

    A file that changed since it was read is not kept. Raises ``InputError`` when the folder cannot be used.
    """
    for data, record in zip(files, records, strict=True):
        place = folder / record.sha256
        try:
            if sha256_bytes(data) == record.sha256 and not place.exists():
                part = folder / f".{record.sha256}.{os.getpid()}"
                private_file(part)
                part.write_bytes(data)
                part.replace(place)
        except OSError as error:
            raise InputError(
                f"picture {record.name!r} cannot be kept in {str(folder)!r} ({error.strerror}); "
                "make the folder writable"
            ) from error


def picture_files(certificate: Certificate, folder: Path, given: Sequence[Path] = ()) -> dict[str, bytes]:
    """The files of the certificate's pictures by SHA-256: those ``given``, and those kept in ``folder``.

    Raises ``InputError`` for a given file that is none of the certificate's pictures.
    """
    from evidence.images.files import read_bytes

    wanted = {str(image.get("sha256", "")): str(image.get("name", "")) for image in certificate.body.images}
    found = {}
    for path in given:
        data = read_bytes(path)
        if (digest := sha256_bytes(data)) not in wanted:
            raise InputError(
                f"{str(path)!r} is none of the pictures of certificate "
                f"{certificate.envelope.certificate_id!r}; give the very file that was checked"
            )
        found[digest] = data
    for digest in wanted.keys() - found.keys():
        place = folder / digest
        if digest.isalnum() and place.is_file():
            data = read_bytes(place)
            if sha256_bytes(data) == digest:
                found[digest] = data
    return {digest: found[digest] for digest in wanted if digest in found}


def open_pictures(certificate: Certificate, folder: Path, given: Sequence[Path] = ()) -> dict[str, Image]:
    """The certificate's pictures that are at hand, decoded and upright, by SHA-256.

    Raises ``InputError`` like :func:`picture_files`, and for a file that cannot be decoded.
    """
    from evidence.images.files import decode

    files = picture_files(certificate, folder, given)
    return {digest: decode(data, digest[:12]).pixels for digest, data in files.items()}


def shown_pictures(settings: Settings, certificate: Certificate, given: Sequence[Path] = ()) -> dict[str, Image]:
    """What a page shows: :func:`open_pictures`, and the thumbnails of known pictures that the certificate
    names and that are still known.
    """
    from io import BytesIO

    from PIL import Image as module

    from report.render.html.pictures import KNOWN

    found = open_pictures(certificate, settings.paths.pictures, given)
    uses = certificate.body.image_report.earlier_uses if certificate.body.image_report else ()
    if not uses:
        return found
    from factdesk.images.known import KnownImages

    known = KnownImages(settings)
    for use in uses if known.exists else ():
        there = known.store.get(use.known)
        if there is not None:
            with module.open(BytesIO(there.thumbnail)) as image:
                found[KNOWN + use.known] = image.convert("RGB")
    return found
