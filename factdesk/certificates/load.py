"""A certificate from wherever it is (the history, a file, a recording), and whether it may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from factdesk.checker import Report, open_ledger
from factdesk.kernel import CertificateError, InputError
from factdesk.settings import Settings
from report.certificate import sealing as codec
from report.certificate.keys import Keyring, read_keys
from report.types import Certificate, Mode

MAX_BYTES = 100_000_000
_ZSTD = b"\x28\xb5\x2f\xfd"


def load_certificate(name: str, settings: Settings) -> Certificate:
    """By the path of a certificate or recording, or by an id (or its beginning) in the history. Raises ``InputError``
    where there is none, several, or the file cannot be read, ``CertificateError`` where it does not hold.
    """
    path = Path(name)
    if not path.is_file():
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


def known_doubt(certificate: Certificate, settings: Settings, key_files: Sequence[Path] = ()) -> str:
    """See ``report.verification.rerun.doubt_of``, by the keys of this home folder and ``key_files``."""
    from report.verification.rerun import doubt_of

    return doubt_of(certificate, {**Keyring(settings.paths.keys).known(), **read_keys(*key_files)})


def load_report(name: str, settings: Settings, mode: Mode = "strict", key_files: Sequence[Path] = ()) -> Report:
    """The report on what :func:`load_certificate` finds; where no known key signed it, nothing is shown as
    verified, and why. Raises like that, and ``CertificateError`` for an altered one.
    """
    certificate = load_certificate(name, settings)
    return Report(certificate, mode, known_doubt(certificate, settings, key_files))


def load_signed(name: str, settings: Settings, key_files: Sequence[Path] = ()) -> Certificate:
    """A certificate to be handed on: signed by a known key. Raises ``CertificateError`` for any other."""
    return signed(load_report(name, settings, key_files=key_files))


def signed(found: Report) -> Certificate:
    """The certificate of a report that may be handed on. Raises ``CertificateError`` where it is doubted."""
    if found.doubt:
        raise CertificateError(
            f"certificate {found.certificate.envelope.certificate_id!r} is not verified, {found.doubt}, and "
            "not handed on; give the public key of who made it with --key"
        )
    return found.certificate
