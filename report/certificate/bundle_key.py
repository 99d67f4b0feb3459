"""Reading a bundle within bounds: its sums, the public key that lies in it, and whether they are its certificate's."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from factdesk.kernel import InputError, sha256_bytes
from report.certificate.signing import PublicKey, key_of_pem
from report.types import Certificate

CERTIFICATE = "certificate.json"
PUBLIC_KEY = "public-key.pem"
SUMS = "SHA256SUMS"
MAX_MEMBER = 64 * 1024 * 1024
"""Bytes of one file of a bundle, unpacked."""
MAX_KEY = 100_000
MAX_MEMBERS = 200
MAX_WHOLE = 256 * 1024 * 1024
"""Bytes of all of them."""


def check_members(archive: zipfile.ZipFile) -> None:
    """Refuse a bundle by its list of files, before any is read. Raises ``InputError``."""
    entries = archive.infolist()
    if len(entries) > MAX_MEMBERS or len(entries) != len({e.filename for e in entries}):
        raise InputError("the bundle has too many files, or one twice")
    if any(e.flag_bits & 0x1 for e in entries):
        raise InputError("the bundle is encrypted; factdesk makes none such")
    if sum(e.file_size for e in entries) > MAX_WHOLE:
        raise InputError(f"the bundle holds more than {MAX_WHOLE >> 20} MB")


def offered_key(path: Path) -> PublicKey | None:
    """The public key that lies in a bundle; ``None``: none does. It proves nothing until somebody vouches.

    Raises ``InputError`` for one that is no key.
    """
    with zipfile.ZipFile(path) as archive:
        check_members(archive)
        if PUBLIC_KEY not in archive.namelist():
            return None
        data = read_member(archive, PUBLIC_KEY, MAX_KEY)
    if data is None:
        raise InputError(f"{PUBLIC_KEY} in {str(path)!r} is too large or damaged")
    return key_of_pem(data, f"{path}/{PUBLIC_KEY}")


def read_member(archive: zipfile.ZipFile, name: str, most: int = MAX_MEMBER) -> bytes | None:
    """The bytes of a file; ``None``: it is larger than ``most``, whatever its entry says, or damaged."""
    try:
        with archive.open(name) as file:
            data = file.read(most + 1)
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, ValueError, zlib.error):
        return None
    return data if len(data) <= most else None


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
