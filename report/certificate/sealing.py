"""Making and reading certificates: body bytes, sealing, strict parsing, integrity."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from factdesk.kernel import CERTIFICATE_SCHEMA, CertificateError, sha256_bytes
from report.certificate.canonical import MAX_TEXT, canonical, canonical_record, in_exact_form
from report.certificate.integrity import envelope_problems, envelope_sha256, integrity_problems, listed
from report.certificate.signing import certificate_message, head_message
from report.types import Certificate, CertificateBody, Envelope, Head, ListedCertificate

if TYPE_CHECKING:
    from report.certificate.keys import Keyring, PrivateKey

MAX_DEPTH = 40
"""Lists and objects in each other in a certificate."""


def new_certificate_id() -> str:
    """A fresh random id: 16 hex digits."""
    return secrets.token_hex(8)


def seal(
    body: CertificateBody,
    *,
    created: str,
    certificate_id: str,
    sequence: int = 0,
    previous: str | None = None,
    supersedes: str | None = None,
) -> Certificate:
    """Put a body into its envelope, unsigned (a history signs what is appended to it), with all floats rounded.

    ``created`` is ISO 8601 in UTC (``"2026-01-31T12:00:00Z"``); ``previous`` is the envelope hash of the certificate
    before it, ``None`` up to sequence 1. Raises ``CertificateError`` for values that cannot be held.
    """
    data = canonical_record(body)
    draft = Envelope(
        certificate_id=certificate_id,
        created=created,
        sequence=sequence,
        previous_sha256=previous,
        body_sha256=sha256_bytes(data),
        envelope_sha256="",
        supersedes=supersedes,
    )
    return _sealed(CertificateBody.model_validate_json(data), draft, None)


def _sealed(body: CertificateBody, draft: Envelope, signer: PrivateKey | None) -> Certificate:
    """The body in that envelope, which is hashed and signed. Raises ``CertificateError``."""
    draft = draft.model_copy(update={"key_id": signer.key_id if signer else None})
    if problem := next(envelope_problems(draft), None):
        raise CertificateError(problem)
    envelope = draft.model_copy(update={"envelope_sha256": envelope_sha256(draft)})
    if signer is not None:
        envelope = envelope.model_copy(update={"signature": signer.sign(certificate_message(envelope))})
    return Certificate(body=body, envelope=envelope)


def to_text(certificate: Certificate) -> str:
    """The certificate as canonical JSON text: the form that is stored and exported."""
    return canonical_record(certificate).decode("utf-8")


def parse(text: str) -> Certificate:
    """Read a certificate strictly: white space and order are free, all else must be as written by us. Hashes are not
    checked here. Raises ``CertificateError`` with the reason.
    """
    return read(text)[0]


def read(text: str) -> tuple[Certificate, bytes]:
    """:func:`parse`, and the canonical bytes of the body. Raises ``CertificateError``."""
    data = _read_json(text)
    body = data.get("body") if isinstance(data, dict) else None
    if not isinstance(body, dict) or not isinstance(data.get("envelope"), dict):
        raise CertificateError("this is no certificate: it needs the two parts 'body' and 'envelope'")
    version = body.get("schema_version")
    if version != CERTIFICATE_SCHEMA:
        raise CertificateError(f"certificate schema {version!r} is unknown; this version reads {CERTIFICATE_SCHEMA!r}")
    try:
        certificate = Certificate.model_validate(data)
    except ValidationError as error:
        raise CertificateError(f"the certificate does not fit its schema: {_reasons(error)}") from error
    if not in_exact_form(certificate, data):
        raise CertificateError(
            "the certificate is not in its exact form: a field is left out, is of another type, "
            "or is a number with more than six decimals"
        )
    canonical(data["envelope"])  # refused where it has none; the values alone do not show it
    return certificate, canonical(body)


def load(text: str) -> Certificate:
    """:func:`parse`, and refuse a certificate whose integrity does not hold. Raises ``CertificateError``."""
    certificate, body = read(text)
    _refuse_broken(certificate, body)
    return certificate


class SigningCodec:
    """The ``CertificateCodec`` port of ``store``, which signs with the desk's key; the key is read, or made, at the
    first signature. Without a keyring it signs nothing and knows no key.
    """

    to_text = staticmethod(to_text)
    load = staticmethod(load)

    def __init__(self, keyring: Keyring | None = None) -> None:
        self._keyring = keyring

    @property
    def _signer(self) -> PrivateKey | None:
        return self._keyring.signer if self._keyring else None

    def reseal(self, certificate: Certificate, *, sequence: int, previous: str | None) -> Certificate:
        """The certificate at its place in the ledger: same body, id and time; new envelope hash and signature.

        Raises ``CertificateError`` when it does not hold as it is: nothing tampered gets a fresh seal;
        ``ConfigError`` when the key cannot be used.
        """
        _refuse_broken(certificate)
        place = {"sequence": sequence, "previous_sha256": previous, "envelope_sha256": "", "signature": None}
        return _sealed(certificate.body, certificate.envelope.model_copy(update=place), self._signer)

    def head(self, certificate: Certificate, first_sha256: str) -> Head:
        """The head of a history that ends with ``certificate`` and began with ``first_sha256``."""
        signer = self._signer
        key_id = signer.key_id if signer else None
        found = Head.taken_from(certificate.envelope, first_sha256=first_sha256, key_id=key_id, signature=None)
        return found.model_copy(update={"signature": signer.sign(head_message(found))}) if signer else found

    def listed(self, text: str) -> ListedCertificate:
        """What a list shows of a stored certificate, by the keys that are known here."""
        return listed(text, self._keyring.known() if self._keyring else {})


def _refuse_broken(certificate: Certificate, body: bytes | None = None) -> None:
    if problems := integrity_problems(certificate, body):
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise CertificateError(
            f"certificate {certificate.envelope.certificate_id!r} does not hold: {problems[0]}{more}"
        )


def _read_json(text: str) -> Any:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) != len(items):
            raise CertificateError(f"the certificate names a field twice: {sorted(key for key, _ in items)!r}")
        return result

    def constant(name: str) -> Any:
        raise CertificateError(f"the certificate holds the number {name}; numbers must be finite")

    if len(text) > MAX_TEXT:
        raise CertificateError(f"the certificate has more than {MAX_TEXT} characters")
    try:
        data = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
        depth = _depth(data)
    except RecursionError as error:
        raise CertificateError("the certificate is nested too deeply") from error
    except ValueError as error:
        raise CertificateError(f"the certificate is not JSON: {error}") from error
    if depth > MAX_DEPTH:
        raise CertificateError("the certificate is nested too deeply")
    return data


def _depth(data: Any) -> int:
    """How many lists and objects stand in each other."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)


def _reasons(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False, include_context=False)
    shown = [f"{'.'.join(str(part) for part in e['loc'])!r}: {e['msg']}" for e in found[:3]]
    return "; ".join(shown) + (f" (and {len(found) - 3} more)" if len(found) > 3 else "")
