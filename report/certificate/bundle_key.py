"""The public key that lies in a bundle."""

from __future__ import annotations

import zipfile
from pathlib import Path

from factdesk.kernel import InputError
from report.certificate.signing import PublicKey

PUBLIC_KEY = "public-key.pem"
MAX_MEMBER = 256 * 1024 * 1024


def offered_key(path: Path) -> PublicKey | None:
    """The public key that lies in a bundle; ``None``: none does. It proves nothing until somebody vouches.

    Raises ``InputError`` for one that is no key.
    """
    from report.certificate.signing import key_of_pem

    with zipfile.ZipFile(path) as archive:
        if PUBLIC_KEY not in archive.namelist():
            return None
        data = read_member(archive, PUBLIC_KEY)
    if data is None:
        raise InputError(f"{PUBLIC_KEY} in {str(path)!r} is too large")
    return key_of_pem(data, f"{path}/{PUBLIC_KEY}")


def read_member(archive: zipfile.ZipFile, name: str) -> bytes | None:
    """The bytes of a file; ``None``: it is too large or damaged."""
    if archive.getinfo(name).file_size > MAX_MEMBER:
        return None
    try:
        return archive.read(name)
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError):
        return None
