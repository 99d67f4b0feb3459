"""Whether what a certificate says may be shown as verified: by its hashes, its signature and the policy."""

from __future__ import annotations

from collections.abc import Mapping

from factdesk.kernel import CertificateError
from report.certificate.integrity import ALTERED, check_integrity, signature_doubt
from report.certificate.signing import PublicKey
from report.policy.fingerprints import policy_record
from report.types import Certificate
from report.verification.findings import Findings
from report.verification.rerun import decide_again


def doubt_of(certificate: Certificate, keys: Mapping[str, PublicKey]) -> str:
    """Why nothing of a certificate may be shown as verified: unsigned, or by an unknown key. Empty: it may.

    Raises ``CertificateError`` for one that was altered: by its hashes, its signature, or decisions that do
    not follow from its own scores.
    """
    problems = [*check_integrity(certificate).problems, *_policy_problems(certificate)]
    doubt = signature_doubt(certificate.envelope, keys)
    if doubt == ALTERED:
        problems.append("the signature is not that of the key over this certificate")
    if problems:
        name = certificate.envelope.certificate_id
        raise CertificateError(f"certificate {name!r} is not verified, {ALTERED}: {problems[0]}")
    return doubt


def _policy_problems(certificate: Certificate) -> list[str]:
    """Decisions that do not follow from the recorded scores; none where another policy made them."""
    body, found = certificate.body, Findings()
    if body.policy != policy_record():
        return []
    decide_again(certificate.envelope.certificate_id, body, body.claims, found, how="policy")
    return found.problems
