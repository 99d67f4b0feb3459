"""Files that are zip archives (.docx, .xlsx, .odt, .epub): bounds before they are unpacked."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from evidence.ingest.text import BROKEN
from factdesk.kernel import InputError

MAX_UNPACKED = 200_000_000
"""Bytes of all members together."""
MAX_MEMBERS = 20_000


@contextmanager
def unpacked(data: bytes, what: str, *errors: type[Exception]) -> Iterator[io.BytesIO]:
    """The archive as a stream, when it unpacks to a reasonable size; what reading it raises (``errors`` too) says that
    it is damaged. Raises ``InputError``: it is damaged, encrypted, or unpacks to more than ``MAX_UNPACKED`` bytes.
    """
    broken = (*BROKEN, *errors)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
        if any(member.flag_bits & 1 for member in members):
            raise InputError(f"the {what} is encrypted; save a copy without a password and add that")
        if len(members) > MAX_MEMBERS or sum(member.file_size for member in members) > MAX_UNPACKED:
            raise InputError(f"the {what} unpacks to more than {MAX_UNPACKED // 1_000_000} MB; split it")
        yield io.BytesIO(data)
    except InputError:
        raise
    except broken as error:
        raise InputError(f"the {what} is damaged and cannot be read ({type(error).__name__})") from error
