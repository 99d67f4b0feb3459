"""A certificate from wherever it is: the history, a file, or a recording."""

from __future__ import annotations

from pathlib import Path

from factdesk.kernel import InputError
from factdesk.settings import Settings
from report.certificate import sealing as codec
from report.types import Certificate

MAX_BYTES = 100_000_000
_ZSTD = b"\x28\xb5\x2f\xfd"


def load_certificate(name: str, settings: Settings) -> Certificate:
    """By the path of a certificate or recording, or by an id (or its beginning) in the history.

    Raises:
        InputError: there is none, several, or the file cannot be read.
        CertificateError: it does not hold.
    """
    path = Path(name)
    if not path.is_file():
        from factdesk.checker import open_ledger

        return open_ledger(settings).get(name)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{name!r} cannot be read ({error.strerror})") from error
    if data.startswith(_ZSTD):
        from factdesk.rerun.replay import recorded_certificate

        return recorded_certificate(path)
    if len(data) > MAX_BYTES:
        raise InputError(f"{name!r} is larger than {MAX_BYTES} bytes and is no certificate")
    try:
        return codec.load(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{name!r} is neither a certificate (UTF-8 JSON) nor a recording") from error
