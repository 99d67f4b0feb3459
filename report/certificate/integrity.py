"""What can be recomputed of a certificate without a model: hashes, spans, references, verdict.

It trusts no field that it can recompute. It does not prove who made the certificate, nor
that the scores are the verifier's: a signature and a re-run do that.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evidence.types import of_document
from factdesk.kernel import CERTIFICATE_SCHEMA, CertificateError, Record, sha256_bytes, sha256_text
from report.certificate.canonical import canonical, canonical_exact, canonical_record, dump
from report.certificate.derived import derived_problems
from report.certificate.signing import PublicKey, certificate_message, signature_state
from report.policy.reasons import verdict_of
from report.types import (
    Certificate,
    CertificateBody,
    ClaimRecord,
    Decision,
    Envelope,
    ListedCertificate,
    SpanRecord,
    State,
)
from verifier.types import Label

ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{3,63}")
CREATED_PATTERN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)")
SHA256_PATTERN = re.compile(r"[0-9a-f]{64}")

SIGNATURE_PATTERN = re.compile(r"[A-Za-z0-9+/]{86}==")

_LABEL_OF_STATE: dict[State, Label] = {"VERIFIED": "entailed", "BLOCKED": "contradicted"}


class IntegrityResult(Record):
    """Outcome of :func:`check_integrity`; ``problems`` in words, empty when ``ok``."""

    ok: bool
    problems: tuple[str, ...] = ()


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


def check_integrity(certificate: Certificate, exact: bytes | None = None) -> IntegrityResult:
    """Recompute all that needs no model. Never raises: what fails is named in ``problems``.

    ``exact``: the canonical bytes of the body, where the certificate was just read from them.
    """
    body = certificate.body
    problems = [*envelope_problems(certificate.envelope), *_hash_problems(certificate, exact)]
    problems += _signing_problems(certificate.envelope)
    if body.schema_version != CERTIFICATE_SCHEMA:
        problems.append(f"schema version is {body.schema_version!r}, known is {CERTIFICATE_SCHEMA!r}")
    problems += _duplicates("claim", (c.claim.claim_id for c in body.claims))
    problems += _duplicates("question", (q.question_id for q in body.questions))
    problems += _duplicates("document", (_text(d, "doc_id") for d in body.documents))
    problems += _duplicates("decision for claim", (d.claim_id for d in body.decisions))
    problems += _question_problems(body)
    problems += _span_problems(body)
    problems += _decision_problems(body)
    try:
        problems += derived_problems(body)
    except CertificateError as error:  # what cannot be hashed
        problems.append(str(error))
    if (expected := verdict_of(body.decisions)) != body.verdict:
        problems.append(f"verdict is {body.verdict!r}, but the decisions give {expected!r}")
    return IntegrityResult(ok=not problems, problems=tuple(problems))


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


def _duplicates(what: str, ids: Iterable[str]) -> Iterator[str]:
    for value, count in Counter(ids).items():
        if count > 1:
            yield f"{what} id {value!r} occurs {count} times"


def _question_problems(body: CertificateBody) -> Iterator[str]:
    claims = {c.claim.claim_id for c in body.claims}
    questions = {q.question_id for q in body.questions}
    for question in body.questions:
        if question.claim_id not in claims:
            yield f"question {question.question_id!r} is about the unknown claim {question.claim_id!r}"
    for answer in body.answers:
        if answer.question_id not in questions:
            yield f"an answer refers to the unknown question {answer.question_id!r}"


def _span_problems(body: CertificateBody) -> Iterator[str]:
    documents = {(_text(d, "doc_id"), _text(d, "sha256")) for d in body.documents}
    images: dict[str, str] = {}
    for image in body.images:
        document = image.get("document")
        text, sha256 = _text(document, "text"), _text(document, "sha256")
        images[sha256] = text
        if _sha256_of(text) != sha256:
            yield f"text read from image {_text(image, 'name')!r} does not have the recorded hash {sha256!r}"
    seen: dict[str, SpanRecord] = {}
    for claim in body.claims:
        yield from _duplicates(f"in claim {claim.claim.claim_id!r}, span", (s.span.span_id for s in claim.spans))
        for record in claim.spans:
            yield from _one_span_problems(record, documents, images)
            first = seen.setdefault(record.span.span_id, record)
            if first.span != record.span:
                yield f"span {record.span.span_id!r} differs between claims"


def _one_span_problems(record: SpanRecord, documents: set[tuple[str, str]], images: dict[str, str]) -> Iterator[str]:
    span = record.span
    if span.start < 0 or span.end - span.start != len(span.text) or not span.text:
        place, length = f"{span.start}:{span.end}", len(span.text)
        yield f"span {span.span_id!r} says {place}, but its text has {length} characters"
    if not of_document(span.kind):
        if span.doc_sha256 not in images:
            yield f"span {span.span_id!r} was read from an image that is not in the certificate"
        elif images[span.doc_sha256][span.start : span.end] != span.text:
            yield f"span {span.span_id!r} is not what the image's text says at {span.start}:{span.end}"
    elif (span.doc_id, span.doc_sha256) not in documents:
        yield f"span {span.span_id!r} cites {span.doc_id!r} with a hash that is not among the documents"


def _decision_problems(body: CertificateBody) -> Iterator[str]:
    claims = {c.claim.claim_id: c for c in body.claims}
    for claim_id in claims.keys() - {d.claim_id for d in body.decisions}:
        yield f"claim {claim_id!r} has no decision"
    for claim in body.claims:
        spans = {s.span.span_id for s in claim.spans}
        for joint in claim.joint:
            if unknown := sorted(set(joint.span_ids) - spans):
                yield f"a joint premise of claim {claim.claim.claim_id!r} refers to unknown spans {unknown!r}"
    for decision in body.decisions:
        if (record := claims.get(decision.claim_id)) is None:
            yield f"a decision refers to the unknown claim {decision.claim_id!r}"
        else:
            yield from _one_decision_problems(decision, record)


def _one_decision_problems(decision: Decision, record: ClaimRecord) -> Iterator[str]:
    name = f"decision on claim {decision.claim_id!r}"
    if unknown := sorted(set(decision.span_ids) - {s.span.span_id for s in record.spans}):
        yield f"{name} refers to unknown spans {unknown!r}"
    if (label := _LABEL_OF_STATE.get(decision.state)) is None:
        return
    if decision.label != label:
        yield f"{name} is {decision.state} with the label {decision.label!r}"
    if not decision.span_ids:
        yield f"{name} is {decision.state} without a span"
    if decision.conflicting:
        yield f"{name} is {decision.state} although its evidence conflicts"


def _text(mapping: Any, key: str) -> str:
    """A text of free-form JSON, or ``""``: a missing field never matches anything."""
    value = mapping.get(key) if isinstance(mapping, dict) else None
    return value if isinstance(value, str) else ""


def _sha256_of(text: str) -> str:
    try:
        return sha256_text(text)
    except UnicodeEncodeError:
        return ""


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
