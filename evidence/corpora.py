"""Corpora as the facade uses them: names, and a key for folders that are read on the fly."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from evidence.ingest import INGEST_VERSION, walk
from factdesk.kernel import InputError

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


def check_corpus_name(name: str) -> str:
    """The name, if it is one: at most 64 letters, digits, ``-``, ``_``, ``.``; starts with no ``-`` or ``.``. Raises
    ``InputError``: it is not.
    """
    if _NAME.fullmatch(name) is None or name.endswith("."):
        raise InputError(
            f"corpus name {name[:80]!r} is not allowed: use 1 to 64 of A-Z a-z 0-9 - _ . "
            "and start with a letter, digit or _"
        )
    return name


def corpus_key(paths: Sequence[Path]) -> str:
    """A key for the content of paths: hex SHA-256 over relative names, sizes and bytes of all files. The same files
    give the same key wherever they lie; any change of a file that would be read gives another, and so does a file that
    cannot be. Raises ``InputError``: a path does not exist, or a file cannot be read.
    """
    total = hashlib.sha256(f"ingest {INGEST_VERSION}\n".encode())
    for found in walk(paths):
        if found.reason:
            total.update(f"not read {found.relative}: {found.reason}\n".encode())
            continue
        try:
            with found.path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = found.path.stat().st_size
        except OSError as error:
            raise InputError(f"{str(found.path)!r} cannot be read: {error.strerror}") from error
        total.update(f"{len(found.relative.encode())} {found.relative} {size} {digest}\n".encode())
    return total.hexdigest()
