"""A bundle looked at as a whole: its sums, and that key and pictures are those of its certificate."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from factdesk.kernel import InputError, sha256_bytes
from report.certificate.bundle_key import check_members, offered_key, read_member
from report.types import Certificate

SUMS = "SHA256SUMS"
_SUM = re.compile(r"([0-9a-f]{64})  ([^\n]+)")


def bundle_problems(path: Path, certificate: Certificate | None) -> Iterator[str]:
    """What in a bundle is not as its own sums and its certificate say."""
    with zipfile.ZipFile(path) as archive:
        check_members(archive)
        names = archive.namelist()
        listed = (read_member(archive, SUMS) or b"").decode("utf-8", "replace") if SUMS in names else ""
        found = {name: _digest(archive, name) for name in names if name != SUMS}
    sums = {name: digest for digest, name in _SUM.findall(listed)}
    if SUMS not in names and len(names) > 1:
        yield f"the bundle has no {SUMS}"
    for name in sorted(found.keys() | sums.keys()) if SUMS in names else ():
        if found.get(name, "") != sums.get(name):
            yield f"the file {name!r} of the bundle is not the one that was packed"
    wanted = {str(image.get("sha256")) for image in certificate.body.images} if certificate else set()
    for name, digest in sorted(found.items()):
        if name.startswith("pictures/") and digest not in wanted:
            yield f"the picture {name!r} of the bundle is not one of the certificate"
    yield from _key_problems(path, certificate)


def _digest(archive: zipfile.ZipFile, name: str) -> str:
    """Hex SHA-256 of a file, of which one at a time is held; empty where it cannot be read."""
    data = read_member(archive, name)
    return "" if data is None else sha256_bytes(data)


def _key_problems(path: Path, certificate: Certificate | None) -> Iterator[str]:
    try:
        key = offered_key(path)
    except InputError as error:
        yield str(error)
        return
    if key is not None and certificate is not None and certificate.envelope.key_id != key.key_id:
        yield "the public key in the bundle is not the one that signed the certificate"
