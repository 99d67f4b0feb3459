"""What a list shows of a stored certificate, and whether its bytes and signature vouch for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from factdesk.kernel import CertificateError, sha256_bytes
from report.certificate.canonical import canonical
from report.certificate.integrity import envelope_sha256
from report.certificate.signing import PublicKey, certificate_message, signature_state
from report.types import Envelope, ListedCertificate

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
