"""Ed25519 over certificates and heads: what is signed, and how a signature is checked.

A certificate's covers its envelope hash, which covers all else. What is signed begins with a line that says what it
is, so that a signature of one kind cannot be passed off as another.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import Literal

from factdesk.kernel import InputError, Record, sha256_bytes
from report.certificate.canonical import canonical, dump
from report.types import Envelope, Head

SignatureState = Literal["valid", "unsigned", "unknown_key", "offered_key", "invalid"]
"""``offered_key``: right by a key that came along with it, and that nobody vouched for."""

_CERTIFICATE = b"factdesk.certificate.signature/1\n"
_HEAD = b"factdesk.head.signature/1\n"
_KEY = b"factdesk.key.endorsement/1\n"


class PublicKey(Record):
    """A public key, and who vouches for it: the key that was in use before."""

    key_id: str
    public_key: str
    """The 32 raw bytes, base64."""
    created: str
    previous_key_id: str | None = None
    endorsement: str | None = None
    """Signature of the previous key over ``key_id`` of this one."""

    @property
    def raw(self) -> bytes:
        """The 32 bytes of the key. Raises ``InputError`` where they do not fit the key id."""
        try:
            raw = base64.b64decode(self.public_key, validate=True)
        except (binascii.Error, ValueError) as error:
            raise InputError(f"the public key {self.key_id!r} is no base64") from error
        if len(raw) != 32 or key_id_of(raw) != self.key_id:
            raise InputError(f"the public key {self.key_id!r} does not have that id")
        return raw


def key_id_of(raw: bytes) -> str:
    """Fingerprint of a public key: hex SHA-256 of its 32 bytes."""
    return sha256_bytes(raw)


def certificate_message(envelope: Envelope) -> bytes:
    """What the signature of a certificate covers."""
    return _CERTIFICATE + envelope.envelope_sha256.encode("utf-8", "replace")


def head_message(head: Head) -> bytes:
    """What the signature of a head covers: all its other fields."""
    fields = dump(head)
    del fields["signature"]
    return _HEAD + canonical(fields)


def endorsement_message(key_id: str) -> bytes:
    """What a key signs to vouch for the next one."""
    return _KEY + key_id.encode("ascii")


def verified(key: PublicKey, message: bytes, signature: str) -> bool:
    """Whether ``signature`` (base64) over ``message`` was made with the key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        raw = base64.b64decode(signature, validate=True)
        Ed25519PublicKey.from_public_bytes(key.raw).verify(raw, message)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return base64.b64encode(raw).decode("ascii") == signature


def signature_state(
    key_id: str | None, signature: str | None, message: bytes, keys: Mapping[str, PublicKey]
) -> SignatureState:
    """What the signature says, seen by somebody who knows ``keys``."""
    if key_id is None and signature is None:
        return "unsigned"
    if key_id is None or signature is None:
        return "invalid"
    if key_id not in keys:
        return "unknown_key"
    return "valid" if verified(keys[key_id], message, signature) else "invalid"


def with_endorsed(keys: Mapping[str, PublicKey], offered: Iterable[PublicKey]) -> dict[str, PublicKey]:
    """The known keys, and those of ``offered`` for which a known one vouches, directly or through others."""
    known = dict(keys)
    rest = [key for key in offered if key.key_id not in known]
    while rest:
        found = [key for key in rest if _vouched(key, known)]
        if not found:
            break
        known.update({key.key_id: key for key in found})
        rest = [key for key in rest if key.key_id not in known]
    return known


def _vouched(key: PublicKey, known: Mapping[str, PublicKey]) -> bool:
    previous = known.get(key.previous_key_id or "")
    if previous is None or key.endorsement is None:
        return False
    try:
        key.raw  # noqa: B018 - the id must be that of the bytes
    except InputError:
        return False
    return verified(previous, endorsement_message(key.key_id), key.endorsement)


def key_of_pem(data: bytes, name: str) -> PublicKey:
    """The public key of PEM data; ``name`` says where it comes from. Raises ``InputError``."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    if b"PRIVATE KEY" in data:
        raise InputError(f"{name!r} holds a private key; give the public one (factdesk keys export)")
    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise InputError(f"{name!r} is no public key in PEM; make one with: factdesk keys export") from error
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(f"{name!r} is no Ed25519 key; factdesk signs with those only")
    raw = key.public_bytes_raw()
    return PublicKey(key_id=key_id_of(raw), public_key=base64.b64encode(raw).decode("ascii"), created="")
