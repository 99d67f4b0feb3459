from __future__ import annotations

import copy
import json
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factdesk.kernel import CertificateError, sha256_bytes
from report.certificate.canonical import canonical, canonical_record, round_floats, rounded
from report.certificate.integrity import integrity_problems
from report.certificate.sealing import SigningCodec, load, new_certificate_id, parse, seal, to_text
from report.policy.reasons import verdict_of
from report.types import Certificate, CertificateBody, Envelope
from tests.report.builders import (
    CREATED,
    DECISIONS,
    make_answer,
    make_body,
    make_certificate,
    make_claims,
    make_decision,
    make_documents,
    make_images,
    make_refuted_certificate,
)
from tests.report.forging import leaves

GOLDEN_BODY_SHA256 = "4fb352b8d2ac2aea8cda418dcd4cfe54f78a15253f0c4b8da8b4b71bf13a0287"


def altered(value: Any) -> Any:
    """Another value, of the same type where there is one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    return {"was": "empty"} if value == {} else ["was empty"] if value == [] else "was null"


def with_leaf(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    result = copy.deepcopy(data)
    place = result
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return result


def shuffled(data: Any, rng: random.Random) -> Any:
    if isinstance(data, dict):
        keys = list(data)
        rng.shuffle(keys)
        return {key: shuffled(data[key], rng) for key in keys}
    return [shuffled(item, rng) for item in data] if isinstance(data, list) else data


def envelope_with(certificate: Certificate, **changes: Any) -> Certificate:
    return certificate.model_copy(update={"envelope": certificate.envelope.model_copy(update=changes)})


def with_body(body: CertificateBody) -> Certificate:
    """A certificate over any body, correctly hashed: only what is recomputed can find fault with it."""
    return seal(body, created=CREATED, certificate_id="test-0001")


def test_bytes_are_the_same_in_every_run() -> None:
    assert sha256_bytes(canonical_record(make_body())) == GOLDEN_BODY_SHA256


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_order_of_fields_does_not_matter(rng: random.Random) -> None:
    body = make_body()
    other = CertificateBody.model_validate(shuffled(body.model_dump(mode="json"), rng))
    assert canonical_record(other) == canonical_record(body)


@given(st.recursive(st.floats(allow_nan=False, allow_infinity=False) | st.text(), st.lists))
def test_rounding_is_idempotent(value: Any) -> None:
    assert round_floats(round_floats(value)) == round_floats(value)


@settings(max_examples=40)
@given(st.floats(min_value=-1e6, max_value=1e6))
def test_seal_and_parse_agree_on_any_score(value: float) -> None:
    certificate = make_certificate(settings={"x": value})
    assert parse(to_text(certificate)) == certificate
    assert to_text(parse(to_text(certificate))) == to_text(certificate)
    assert math.isclose(float(certificate.body.settings["x"]), value, abs_tol=5.1e-7)


def test_last_digits_do_not_change_the_bytes() -> None:
    assert canonical_record(make_body(settings={"x": 0.1 + 0.2})) == canonical_record(make_body(settings={"x": 0.3}))
    assert b'"x":0}' in canonical_record(make_body(settings={"x": -0.0}))


def test_rounded_record_is_what_the_certificate_holds() -> None:
    noisy = make_body(settings={"x": 0.123456789})
    assert rounded(noisy) == make_certificate(settings={"x": 0.123456789}).body
    assert rounded(rounded(noisy)) == rounded(noisy)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 2**53, object(), {"a": "\ud800"}])
def test_what_canonical_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(CertificateError, match="cannot hold"):
        seal(make_body(settings={"x": value}), created=CREATED, certificate_id="test-0001")


def test_every_single_leaf_is_covered_by_the_hash() -> None:
    certificate = make_certificate()
    data = json.loads(to_text(certificate))
    paths = list(leaves(data["body"]))
    assert len(paths) > 250
    for path in paths:
        place = data["body"]
        for key in path:
            place = place[key]
        tampered = with_leaf(data, ("body", *path), altered(place))
        with pytest.raises(CertificateError):
            load(json.dumps(tampered))


def test_every_field_of_the_envelope_is_covered() -> None:
    data = json.loads(to_text(SigningCodec().reseal(make_certificate(), sequence=2, previous="0a" * 32)))
    for name, value in data["envelope"].items():
        with pytest.raises(CertificateError):
            load(json.dumps(with_leaf(data, ("envelope", name), altered(value))))


@pytest.mark.parametrize("name", sorted(json.loads(to_text(make_certificate()))["body"]))
def test_no_field_can_be_left_out(name: str) -> None:
    data = json.loads(to_text(make_certificate()))
    del data["body"][name]
    with pytest.raises(CertificateError):
        parse(json.dumps(data))


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("body", "schema_version"), "factdesk.certificate/2", "schema 'factdesk.certificate/2' is unknown"),
        (("body", "extra"), 1, "'body.extra': Extra inputs are not permitted"),
        (("envelope", "note"), "x", "'envelope.note': Extra inputs are not permitted"),
        (("body", "trimmed_claims"), "1", "exact form"),
        (("body", "claims", 0, "spans", 0, "trust"), 0.6200000001, "exact form"),
        (("body", "verdict"), "true", "'body.verdict'"),
        (("body",), [], "two parts"),
    ],
)
def test_parse_is_strict(path: tuple[str | int, ...], value: object, reason: str) -> None:
    data = json.loads(to_text(make_certificate()))
    with pytest.raises(CertificateError, match=reason):
        parse(json.dumps(with_leaf(data, path, value)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("[]", "two parts"),
        ("{", "not JSON"),
        ('{"body": {}, "body": {}}', "twice"),
        ('{"body": NaN}', "finite"),
        ("[" * 200_000, "nested too deeply"),
        ('{"body": {"a": ' + "9" * 5000 + "}}", "not JSON"),
        ("\x00", "not JSON"),
    ],
)
def test_garbage_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(CertificateError, match=reason):
        parse(text)


@given(st.text())
def test_any_text_is_refused_as_a_certificate_error(text: str) -> None:
    with pytest.raises(CertificateError):
        parse(text)


def test_white_space_and_order_are_free() -> None:
    certificate = make_certificate()
    pretty = json.dumps(shuffled(json.loads(to_text(certificate)), random.Random(1)), indent=4)
    assert load(pretty) == certificate


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"created": "yesterday"}, "not ISO 8601"),
        ({"created": "2026-01-31T12:00:00+02:00"}, "not ISO 8601"),
        ({"certificate_id": "a b"}, "certificate id"),
        ({"certificate_id": "abcd\x1b[0m"}, "certificate id"),
        ({"sequence": -1}, "negative"),
        ({"sequence": 1, "previous": "0a" * 32}, "cannot have a previous hash"),
        ({"sequence": 2}, "not a SHA-256"),
        ({"sequence": 2, "previous": "zz"}, "not a SHA-256"),
    ],
)
def test_seal_refuses_a_malformed_envelope(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(CertificateError, match=reason):
        seal(make_body(), **{"created": CREATED, "certificate_id": "test-0001", **changes})


def test_a_place_in_the_ledger_changes_the_envelope_only() -> None:
    first = make_certificate()
    placed = SigningCodec().reseal(first, sequence=2, previous="0a" * 32)
    assert placed.body == first.body
    assert placed.envelope.body_sha256 == first.envelope.body_sha256
    assert placed.envelope.envelope_sha256 != first.envelope.envelope_sha256
    assert not integrity_problems(placed)


def test_a_tampered_certificate_gets_no_fresh_seal() -> None:
    forged = make_certificate().model_copy(update={"body": make_body(claim_text="Something else.")})
    with pytest.raises(CertificateError, match="body hash"):
        SigningCodec().reseal(forged, sequence=1, previous=None)


def test_ids_differ() -> None:
    ids = {new_certificate_id() for _ in range(100)}
    assert len(ids) == 100
    assert all(seal(make_body(), created=CREATED, certificate_id=i) for i in ids)


def _claims_with_span(**changes: Any) -> tuple[Any, ...]:
    first, *others = make_claims()
    record = first.spans[0]
    record = record.model_copy(update={"span": record.span.model_copy(update=changes)})
    return (first.model_copy(update={"spans": (record, *first.spans[1:])}), *others)


def _image_claims_with_span(**changes: Any) -> tuple[Any, ...]:
    *others, last = make_claims()
    record = last.spans[0]
    record = record.model_copy(update={"span": record.span.model_copy(update=changes)})
    return (*others, last.model_copy(update={"spans": (record,)}))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"claims": _claims_with_span(end=45)}, "its text has 44 characters"),
        ({"claims": _claims_with_span(start=-1, end=43)}, "its text has 44 characters"),
        (
            {"claims": _claims_with_span(doc_sha256="00" * 32), "documents": make_documents()},
            "say different things of their document",
        ),
        (
            {"claims": _claims_with_span(doc_id="other"), "documents": make_documents()},
            "the list of documents is not that of the spans",
        ),
        ({"claims": _image_claims_with_span(start=1, end=13)}, "not what the image's text says"),
        ({"claims": _image_claims_with_span(doc_sha256="00" * 32)}, "not in the certificate"),
        ({"images": ({**make_images()[0], "document": {"text": "x", "sha256": "00"}},)}, "recorded hash"),
        ({"images": ({"name": "no document"},)}, "recorded hash"),
        ({"documents": make_documents() * 2}, "the list of documents is not that of the spans"),
        ({"documents": ()}, "the list of documents is not that of the spans"),
        (
            {"claims": make_claims()[:1] * 2, "decisions": DECISIONS[:1], "questions": (), "answers": ()},
            "occurs 2",
        ),
        ({"decisions": DECISIONS[:2]}, "claim 'c3' has no decision"),
        ({"decisions": (*DECISIONS, DECISIONS[0])}, "decision for claim id 'c1' occurs 2 times"),
        ({"decisions": (*DECISIONS, make_decision("c9", "UNVERIFIED", 0.1))}, "unknown claim 'c9'"),
        ({"decisions": (make_decision("c1", "VERIFIED", 0.9, "nope"), *DECISIONS[1:])}, "unknown spans"),
        ({"decisions": (make_decision("c1", "VERIFIED", 0.9), *DECISIONS[1:])}, "VERIFIED without a span"),
        (
            {
                "decisions": (
                    make_decision("c1", "VERIFIED", 0.9, "post-1#0.0", label="contradicted"),
                    *DECISIONS[1:],
                )
            },
            "VERIFIED with the label 'contradicted'",
        ),
        (
            {
                "decisions": (
                    make_decision("c1", "VERIFIED", 0.9, "post-1#0.0", conflicting=True),
                    *DECISIONS[1:],
                )
            },
            "its evidence conflicts",
        ),
        ({"verdict": "supported"}, "the decisions give 'not_enough_evidence'"),
        ({"schema_version": "factdesk.certificate/9"}, "schema version"),
        ({"questions": ()}, "unknown question 'q1'"),
        ({"answers": (make_answer("", "no id", ()),)}, "unknown question ''"),
        ({"answers": (make_answer("q1", "x", ("elsewhere#0.0",)),)}, "'q1' cites unknown sentences"),
        ({"answers": (make_answer("q1", "x", (), found=False, trust=0.1),)}, "'q1' has another trust"),
        ({"answers": (make_answer("q1", "x", (), grounding=None),)}, "'q1' and its grounding do not go"),
    ],
)
def test_integrity_finds_what_a_correct_hash_covers(changes: dict[str, Any], problem: str) -> None:
    problems = integrity_problems(with_body(make_body(**changes)))
    assert any(problem in p for p in problems), problems


def test_integrity_finds_unrounded_numbers() -> None:
    certificate = make_certificate()
    body = certificate.body.model_copy(update={"settings": {**certificate.body.settings, "x": 0.12345678}})
    problems = integrity_problems(Certificate(body=body, envelope=certificate.envelope))
    assert any("six decimals" in p for p in problems)


def test_integrity_never_raises_on_what_cannot_be_hashed() -> None:
    certificate = make_certificate()
    body = certificate.body.model_copy(update={"settings": {"x": math.nan}})
    assert integrity_problems(Certificate(body=body, envelope=certificate.envelope))


def test_integrity_finds_a_wrong_envelope_hash() -> None:
    forged = envelope_with(make_certificate(), created="2020-01-01T00:00:00Z")
    assert any("envelope hash" in p for p in integrity_problems(forged))


def test_the_examples_hold() -> None:
    for certificate in (make_certificate(), make_refuted_certificate()):
        assert integrity_problems(certificate) == ()
        assert isinstance(certificate.envelope, Envelope)


@pytest.mark.parametrize(
    ("states", "verdict"),
    [
        ((), "not_enough_evidence"),
        (("VERIFIED",), "supported"),
        (("VERIFIED", "UNVERIFIED"), "not_enough_evidence"),
        (("VERIFIED", "CONFLICT"), "conflicting"),
        (("BLOCKED", "CONFLICT"), "refuted"),
        (("BLOCKED", "VERIFIED"), "refuted"),
    ],
)
def test_verdict(states: tuple[str, ...], verdict: str) -> None:
    decisions = [
        make_decision("c1", "UNVERIFIED", 0.9, conflicting=True) if s == "CONFLICT" else make_decision("c1", s, 0.9)
        for s in states
    ]
    assert verdict_of(decisions) == verdict


def test_canonical_refuses_deep_nesting() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(CertificateError, match="deeply"):
        canonical(deep)
