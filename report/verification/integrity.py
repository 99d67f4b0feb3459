"""Integrity and completeness: hashes, signatures, schema, and the chain from a known head. No model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from factdesk.kernel import CertificateError, sha256_bytes
from report.certificate.canonical import canonical
from report.certificate.consistency import place_problems
from report.certificate.integrity import envelope_sha256, integrity_problems
from report.certificate.sealing import read
from report.certificate.signing import PublicKey, certificate_message, head_message, signature_state
from report.types import Certificate, Envelope, Head
from report.verification.findings import Completeness, Integrity, failed

_SAID = {
    "unsigned": "it is unsigned: nothing proves who made it",
    "unknown_key": "signed by a key you have not named: whose signature it is cannot be told; name the key (--key)",
    "invalid": "the signature is not that of the key over this certificate",
}


class Links(NamedTuple):
    """The envelopes of all certificates of a history, hashes recomputed, and what is no certificate."""

    links: tuple[Envelope, ...]
    problems: tuple[str, ...]


def verify_integrity(
    text: str, keys: Mapping[str, PublicKey], *, allow_unsigned: bool = False
) -> tuple[Certificate | None, Integrity]:
    """Schema, hashes, references and the signature, seen by somebody who knows ``keys``. Never raises."""
    try:
        certificate, body = read(text)
    except CertificateError as error:
        return None, Integrity(ok=False, signature="invalid", problems=(str(error),), intact=False)
    envelope = certificate.envelope
    problems = [*integrity_problems(certificate, body), *place_problems(certificate.body)]
    intact = not problems
    state = signature_state(envelope.key_id, envelope.signature, certificate_message(envelope), keys)
    ok: bool | None = not problems
    if state != "valid" and not (state == "unsigned" and allow_unsigned):
        ok = None if ok and state == "unknown_key" else False
        problems.append(_SAID[state])
    found = Integrity(
        ok=ok,
        signature=state,
        key_id=envelope.key_id,
        problems=tuple(problems),
        intact=intact and state != "invalid",
    )
    return certificate, found


def _envelope_of(text: str) -> Envelope:
    """The envelope of a stored certificate, its hashes recomputed. Raises ``CertificateError``."""
    try:
        data = json.loads(text)
        envelope = Envelope.model_validate(data["envelope"])
        body = sha256_bytes(canonical(data["body"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CertificateError(f"a line is no certificate: {error}") from error
    if body != envelope.body_sha256 or envelope_sha256(envelope) != envelope.envelope_sha256:
        raise CertificateError(f"certificate {envelope.certificate_id!r} does not have the hashes it states")
    return envelope


def read_links(texts: Iterable[str]) -> Links:
    """See :class:`Links`. Never raises."""
    links: list[Envelope] = []
    problems: list[str] = []
    for text in texts:
        try:
            links.append(_envelope_of(text))
        except CertificateError as error:
            problems.append(str(error))
    return Links(tuple(links), tuple(problems))


def verify_chain(
    texts: Iterable[str] | Links,
    *,
    head: Head | None,
    known: Sequence[Head],
    keys: Mapping[str, PublicKey],
    scope: str,
) -> Completeness:
    """Whether certificates 1 to n form one chain that ends at ``head`` and passes all ``known`` heads.

    ``head`` came with the history; ``known`` are heads the reader kept. Never raises.
    """
    links, broken = texts if isinstance(texts, Links) else read_links(texts)
    problems = [*broken, *_chain_problems(links)]
    if head is None:
        problems.append("there is no signed head, so nobody can tell whether certificates were cut off")
    for one, what in ([(head, "the head")] if head else []) + [(h, "a head kept before") for h in known]:
        problems += [f"{what}: {problem}" for problem in _head_problems(one, links, keys)]
    if head is not None and links and head.sequence != links[-1].sequence:
        problems.append(f"the head is at {head.sequence}, but the last certificate has number {links[-1].sequence}")
    newest = max((h.sequence for h in (*known, *([head] if head else []))), default=None)
    return Completeness(ok=not problems, scope=scope, certificates=len(links), head=newest, problems=tuple(problems))


def _chain_problems(links: Sequence[Envelope]) -> Iterator[str]:
    for number, (before, link) in enumerate(zip((None, *links), links, strict=False), start=1):
        name = f"number {link.sequence} ({link.certificate_id})"
        if link.sequence != number:
            what = "a gap" if link.sequence > number else "a fork, or one that was put in twice"
            yield f"place {number} is taken by {name}: {what}"
        if link.previous_sha256 != (before.envelope_sha256 if before else None):
            yield f"{name} does not follow on the one before it"
    ids = Counter(link.certificate_id for link in links)
    yield from (f"the id {name!r} stands twice in the history" for name, count in ids.items() if count > 1)


def _head_problems(head: Head, links: Sequence[Envelope], keys: Mapping[str, PublicKey]) -> list[str]:
    state = signature_state(head.key_id, head.signature, head_message(head), keys)
    problems = [] if state == "valid" else [_SAID[state]]
    if not links or links[0].envelope_sha256 != head.first_sha256:
        return [*problems, "it belongs to another history, or the beginning was replaced"]
    at = next((link for link in links if link.sequence == head.sequence), None)
    if at is None:
        problems.append(f"it is at number {head.sequence}, which is missing: the end was cut off")
    elif at.envelope_sha256 != head.envelope_sha256:
        problems.append(f"number {head.sequence} is another certificate than the head says")
    return problems


def verify_member(certificate: Certificate, history: Links, chain: Completeness) -> Completeness:
    """Whether a single certificate is the one at its place in a ``history``, whose answer is ``chain``.

    A certificate that the history does not have leaves the answer open.
    """
    envelope = certificate.envelope
    own = [link for link in history.links if link.certificate_id == envelope.certificate_id]
    if not own:
        why = f"the history has no certificate {envelope.certificate_id!r}"
        return Completeness(ok=None, scope="none", problems=(why,))
    if all(link.envelope_sha256 != envelope.envelope_sha256 for link in own):
        return failed(chain, f"certificate {envelope.certificate_id!r} is another in the history")
    return chain
