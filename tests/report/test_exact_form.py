"""The quick comparison of a record with its JSON says what the canonical bytes say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from factdesk.kernel import CertificateError, Record, sha256_bytes
from report.certificate.canonical import canonical, canonical_record, dump, in_exact_form
from report.certificate.sealing import parse, read, to_text
from report.verification.integrity import read_links, verify_chain, verify_member
from tests.report.builders import make_certificate


class Sample(Record):
    """Fields of each type that a certificate has."""

    score: float
    count: int
    flag: bool
    word: str | None = None
    items: tuple[float, ...] = ()
    rest: Any = None


NUMBERS = st.one_of(
    st.sampled_from([0, 1, 1.0, -0.0, True, False, 0.5, 0.1234567, 1e-7, 2e-5, 1e16, 2**53, 2**60, 1e999]),
    st.floats(allow_nan=False),
    st.integers(),
)
VALUES = st.recursive(
    NUMBERS | st.none() | st.text(max_size=4) | st.just("\ud800") | st.just("1.0,"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def by_bytes(record: Record, data: Any) -> bool | str:
    """As it is defined, with every canonical form written out."""
    try:
        return canonical(dump(record)) == canonical(data) and canonical_record(record) == canonical(data)
    except CertificateError:
        return "refused"


@settings(max_examples=400)
@given(
    st.fixed_dictionaries(
        {"score": NUMBERS, "count": NUMBERS, "flag": st.sampled_from([True, False, 0, 1, 1.0])},
        optional={"word": st.text(max_size=3) | st.none(), "items": st.lists(NUMBERS), "rest": VALUES},
    )
)
@example({"score": 1, "count": 1.0, "flag": True, "word": None, "items": [0], "rest": {"a": [1.0, True]}})
@example({"score": True, "count": 1, "flag": True, "word": None, "items": [], "rest": None})
@example({"score": 0.5, "count": 1, "flag": 1, "word": None, "items": [], "rest": None})
@example({"score": 0.5, "count": 1, "flag": True, "word": None, "items": [], "rest": -0.0})
def test_values_and_bytes_agree(data: Any) -> None:
    try:
        record = Sample.model_validate(data)
    except ValueError:
        return
    expected = by_bytes(record, data)
    try:
        found: bool | str = in_exact_form(record, data)
        canonical(data)  # as ``read`` does, which needs the bytes
    except CertificateError:
        found = "refused"
    assert found == expected or {found, expected} == {False, "refused"}


def test_a_certificate_read_comes_with_the_bytes_that_are_hashed() -> None:
    certificate = make_certificate(settings={"whole": 1.0, "small": 0.00002, "\U0001f600": "\u2028"})
    again, body = read(to_text(certificate))
    assert again == certificate == parse(to_text(certificate))
    assert sha256_bytes(body) == sha256_bytes(canonical_record(certificate.body)) == certificate.envelope.body_sha256


@pytest.mark.parametrize("place", ["body", "envelope"])
def test_what_has_no_canonical_form_is_refused(place: str) -> None:
    data = json.loads(to_text(make_certificate()))
    if place == "body":
        data["body"]["settings"] = {"x": 2**60}
    else:
        data["envelope"]["sequence"] = 2**60
    with pytest.raises(CertificateError, match="cannot hold"):
        parse(json.dumps(data))


def test_a_history_read_once_gives_the_same_answers() -> None:
    certificate = make_certificate()
    texts = [to_text(certificate), "{}"]
    links = read_links(texts)
    chains = [verify_chain(t, head=None, known=(), keys={}, scope="export") for t in (texts, links)]
    assert chains[0] == chains[1]
    assert len(links.problems) == 1
    assert verify_member(certificate, links, chains[0]) == chains[0]
    assert verify_member(certificate, read_links([]), chains[0]).ok is None
    changed = certificate.envelope.model_copy(update={"envelope_sha256": "0" * 64})
    other = certificate.model_copy(update={"envelope": changed})
    assert verify_member(other, links, chains[0]).ok is False
