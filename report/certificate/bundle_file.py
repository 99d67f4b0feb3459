"""Reading a bundle within bounds: its sums, the public key that lies in it, and whether they are its certificate's."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from factdesk.kernel import InputError, Record, sha256_bytes
from report.certificate.canonical import MAX_TEXT
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
_MOST = {CERTIFICATE: MAX_TEXT, PUBLIC_KEY: MAX_KEY}
_END_OF_ZIP = 22
"""Bytes of the record that a zip file without a comment ends with."""
_SUM = re.compile(r"([0-9a-f]{64})  ([^\n]+)")


class BundleFile(Record):
    """A bundle, read but not checked."""

    path: str
    digests: dict[str, str]
    """Hex SHA-256 of each file; empty where it cannot be read, or is larger than it may be."""
    texts: dict[str, bytes]
    """Certificate, public key and sums, as far as they are there."""

    @property
    def key(self) -> PublicKey | None:
        """The public key that lies in it; ``None``: none does. It proves nothing until somebody vouches.

        Raises ``InputError`` for one that is no key.
        """
        if PUBLIC_KEY not in self.digests:
            return None
        if PUBLIC_KEY not in self.texts:
            raise InputError(f"{PUBLIC_KEY} in {self.path!r} is too large or damaged")
        return key_of_pem(self.texts[PUBLIC_KEY], f"{self.path}/{PUBLIC_KEY}")


def read_bundle(path: Path) -> BundleFile | None:
    """The bundle; ``None`` for a file that is no zip file.

    Raises ``InputError`` for one with something before or behind it, which no sum covers, and for one that is
    encrypted or too large; ``OSError`` and ``BadZipFile`` where it cannot be read.
    """
    if not zipfile.is_zipfile(path):
        return None
    digests, texts = dict[str, str](), dict[str, bytes]()
    with path.open("rb") as file, zipfile.ZipFile(file) as archive:
        file.seek(0)
        first, entries = file.read(4), archive.infolist()
        file.seek(-_END_OF_ZIP, 2)
        last = file.read(4)
        if first != b"PK\x03\x04" or last != b"PK\x05\x06" or min(e.header_offset for e in entries) != 0:
            raise InputError(f"{str(path)!r} is a bundle with something else before or behind it; give one alone")
        if len(entries) > MAX_MEMBERS or len(entries) != len({e.filename for e in entries}):
            raise InputError("the bundle has too many files, or one twice")
        if any(e.flag_bits & 0x1 for e in entries):
            raise InputError("the bundle is encrypted; factdesk makes none such")
        if sum(e.file_size for e in entries) > MAX_WHOLE:
            raise InputError(f"the bundle holds more than {MAX_WHOLE >> 20} MB")
        for name in archive.namelist():
            data = _member(archive, name)
            digests[name] = "" if data is None else sha256_bytes(data)
            if data is not None and name in (CERTIFICATE, PUBLIC_KEY, SUMS):
                texts[name] = data
    return BundleFile(path=str(path), digests=digests, texts=texts)


def _member(archive: zipfile.ZipFile, name: str) -> bytes | None:
    """The bytes of a file; ``None``: it is larger than it may be, whatever its entry says, or damaged."""
    most = _MOST.get(name, MAX_MEMBER)
    try:
        with archive.open(name) as file:
            data = file.read(most + 1)
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, ValueError, zlib.error):
        return None
    return data if len(data) <= most else None


def bundle_problems(bundle: BundleFile, certificate: Certificate | None) -> Iterator[str]:
    """What in a bundle is not as its own sums and its certificate say."""
    found = {name: digest for name, digest in bundle.digests.items() if name != SUMS}
    listed = bundle.texts.get(SUMS, b"").decode("utf-8", "replace")
    sums = {name: digest for digest, name in _SUM.findall(listed)}
    if SUMS not in bundle.digests and found.keys() != {CERTIFICATE}:
        yield f"the bundle has no {SUMS}"
    for name in sorted(found.keys() | sums.keys()) if SUMS in bundle.digests else ():
        if found.get(name, "") != sums.get(name):
            yield f"the file {name!r} of the bundle is not the one that was packed"
    wanted = {str(image.get("sha256")) for image in certificate.body.images} if certificate else set()
    for name, digest in sorted(found.items()):
        if name.startswith("pictures/") and digest not in wanted:
            yield f"the picture {name!r} of the bundle is not one of the certificate"
    try:
        key = bundle.key
    except InputError as error:
        yield str(error)
        return
    if key is not None and certificate is not None and certificate.envelope.key_id != key.key_id:
        yield "the public key in the bundle is not the one that signed the certificate"
