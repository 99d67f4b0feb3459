"""What can be recomputed of a certificate without a model: hashes, form, and what follows within the body.

Who made it, and whether the scores are the verifier's, a signature and a re-run prove.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from factdesk.kernel import CertificateError, sha256_bytes
from report.certificate.canonical import canonical, canonical_exact, canonical_record, dump
from report.certificate.consistency import body_problems
from report.certificate.signing import PublicKey, certificate_message, signature_state
from report.types import Certificate, Envelope, ListedCertificate

ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{3,63}")
CREATED_PATTERN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)")
SHA256_PATTERN = re.compile(r"[0-9a-f]{64}")
SIGNATURE_PATTERN = re.compile(r"[A-Za-z0-9+/]{86}==")


def envelope_sha256(envelope: Envelope) -> str:
    """Hex SHA-256 over all other fields of the envelope save the signature, canonical."""
    fields = dump(envelope)
    del fields["envelope_sha256"]
    fields.pop("signature", None)
    return sha256_bytes(canonical(fields))


def envelope_problems(envelope: Envelope) -> Iterator[str]:
    """What is malformed in id, time, sequence and previous hash; nothing about the hashes themselves."""
    if not ID_PATTERN.fullmatch(envelope.certificate_id):
        yield f"certificate id {envelope.certificate_id!r} is not 4 to 64 letters, digits, '.', '_' or '-'"
    if not CREATED_PATTERN.fullmatch(envelope.created):
        yield f"creation time {envelope.created!r} is not ISO 8601 in UTC, such as 2026-01-31T12:00:00Z"
    if envelope.sequence < 0:
        yield f"sequence {envelope.sequence!r} is negative"
    if envelope.sequence <= 1 and envelope.previous_sha256 is not None:
        yield f"a certificate with sequence {envelope.sequence!r} cannot have a previous hash"
    if envelope.sequence > 1 and not SHA256_PATTERN.fullmatch(envelope.previous_sha256 or ""):
        previous = envelope.previous_sha256
        yield f"previous hash {previous!r} is not a SHA-256, but sequence is {envelope.sequence!r}"


def _signing_problems(envelope: Envelope) -> Iterator[str]:
    """What is malformed in a signature. Whether it is right, ``report.verification.integrity`` says."""
    if envelope.supersedes is not None and not ID_PATTERN.fullmatch(envelope.supersedes):
        yield f"the superseded certificate {envelope.supersedes!r} is no id"
    if envelope.key_id is None and envelope.signature is None:
        return
    if not SHA256_PATTERN.fullmatch(envelope.key_id or ""):
        yield f"key id {envelope.key_id!r} is not the SHA-256 of a key"
    if not SIGNATURE_PATTERN.fullmatch(envelope.signature or ""):
        yield "the signature is not 64 bytes of base64"


def integrity_problems(certificate: Certificate, exact: bytes | None = None) -> tuple[str, ...]:
    """What does not hold of all that needs no model, in words. Never raises.

    ``exact``: the canonical bytes of the body, where the certificate was just read from them.
    """
    envelope = certificate.envelope
    problems = [*envelope_problems(envelope), *_hash_problems(certificate, exact), *_signing_problems(envelope)]
    try:
        problems += body_problems(certificate.body)
    except CertificateError as error:  # what cannot be hashed
        problems.append(str(error))
    return tuple(problems)


def _hash_problems(certificate: Certificate, exact: bytes | None) -> Iterator[str]:
    envelope = certificate.envelope
    try:
        data = canonical_exact(certificate.body) if exact is None else exact
        if data is None:
            yield "the body holds numbers with more than six decimals"
            data = canonical_record(certificate.body)
        if (found := sha256_bytes(data)) != envelope.body_sha256:
            yield f"body hash is {found}, but the envelope says {envelope.body_sha256!r}"
        if (found := envelope_sha256(envelope)) != envelope.envelope_sha256:
            yield f"envelope hash is {found}, but the envelope says {envelope.envelope_sha256!r}"
    except CertificateError as error:
        yield str(error)


UNSIGNED = "unsigned"
UNKNOWN_KEY = "signed by a key that is not known here"
ALTERED = "altered"


def signature_doubt(envelope: Envelope, keys: Mapping[str, PublicKey]) -> str:
    """Why the signature vouches for nothing; empty where a key that is known made it."""
    state = signature_state(envelope.key_id, envelope.signature, certificate_message(envelope), keys)
    return {"valid": "", "unsigned": UNSIGNED, "unknown_key": UNKNOWN_KEY}.get(state, ALTERED)


def listed(text: str, keys: Mapping[str, PublicKey]) -> ListedCertificate:
    """What a list shows of a stored certificate. The body's bytes are hashed as they are stored and not read
    as records, so a page of a history costs little. Raises ``CertificateError`` for what is no certificate.
    """
    try:
        data = json.loads(text)
        body, envelope = data["body"], Envelope.model_validate(data["envelope"])
        asked = body.get("asked")
        claim_text = str(asked["question"] if asked else body["claim_text"])
        verdict, states = str(body["verdict"]), tuple(str(d["state"]) for d in body["decisions"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CertificateError(f"a certificate of the history cannot be read: {error}") from error
    intact = _body_sha256(text, data["envelope"]) == envelope.body_sha256
    intact = intact and envelope_sha256(envelope) == envelope.envelope_sha256
    return ListedCertificate(
        envelope=envelope,
        claim_text=claim_text,
        verdict=verdict,
        states=states,
        doubt=signature_doubt(envelope, keys) if intact else ALTERED,
    )


def _body_sha256(text: str, envelope: Any) -> str:
    """Of the body in a stored text, which has the form ``{"body":…,"envelope":…}``; else of nothing."""
    head, tail = b'{"body":', b',"envelope":' + canonical(envelope) + b"}"
    data = text.encode("utf-8")
    if not data.startswith(head) or not data.endswith(tail):
        return ""
    return sha256_bytes(data[len(head) : -len(tail)])
