"""A bundle looked at as a whole: its sums, and that key and pictures are those of its certificate."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from factdesk.kernel import InputError, sha256_bytes
from report.certificate.bundle_key import offered_key, read_member
from report.types import Certificate

SUMS = "SHA256SUMS"
MAX_MEMBERS = 200
_SUM = re.compile(r"([0-9a-f]{64})  ([^\n]+)")


def bundle_problems(path: Path, certificate: Certificate | None) -> Iterator[str]:
    """What in a bundle is not as its own sums and its certificate say."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        if len(names) > MAX_MEMBERS or len(names) != len(set(names)):
            yield "the bundle has too many files, or one twice"
            return
        found = {name: read_member(archive, name) for name in names}
    listed = (found.get(SUMS) or b"").decode("utf-8", "replace")
    sums = {name: digest for digest, name in _SUM.findall(listed)}
    if SUMS not in found and len(found) > 1:
        yield f"the bundle has no {SUMS}"
    for name in sorted(found.keys() | sums.keys()):
        data = found.get(name)
        if name != SUMS and SUMS in found and (data is None or sha256_bytes(data) != sums.get(name)):
            yield f"the file {name!r} of the bundle is not the one that was packed"
    wanted = {str(image.get("sha256")) for image in certificate.body.images} if certificate else set()
    for name, data in sorted(found.items()):
        if name.startswith("pictures/") and (data is None or sha256_bytes(data) not in wanted):
            yield f"the picture {name!r} of the bundle is not one of the certificate"
    yield from _key_problems(path, certificate)


def _key_problems(path: Path, certificate: Certificate | None) -> Iterator[str]:
    try:
        key = offered_key(path)
    except InputError as error:
        yield str(error)
        return
    if key is not None and certificate is not None and certificate.envelope.key_id != key.key_id:
        yield "the public key in the bundle is not the one that signed the certificate"
