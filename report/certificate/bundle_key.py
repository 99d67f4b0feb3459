"""Reading a bundle within bounds, and the public key that lies in it."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from factdesk.kernel import InputError
from report.certificate.signing import PublicKey

PUBLIC_KEY = "public-key.pem"
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
    from report.certificate.signing import key_of_pem

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
