"""The quick forge makes what the plain functions make."""

from __future__ import annotations

from report.certificate.keys import _new_key
from report.certificate.sealing import to_text
from tests.report.builders import make_certificate
from tests.report.forging import (
    Forge,
    altered,
    at,
    leaves,
    pattern,
    read,
    rehashed,
    resigned,
    text_of,
    unsigned,
    with_leaf,
)


def test_the_quick_forge_makes_the_same_bytes() -> None:
    key = _new_key()
    data = read(to_text(make_certificate(settings={"\U0001f600": 1.5, "\uffff": [{}, []], "a": None})))
    data = resigned(data, key)
    forge = Forge(data)
    paths = list({pattern(path): ("body", *path) for path in leaves(data["body"])}.values())
    assert len(paths) > 100
    for path in paths:
        forged = with_leaf(data, path, altered(at(data, path), path[-1]))
        body = forge.altered(path)
        assert forge.as_it_was(body) == text_of(forged)
        assert forge.rehashed(body) == text_of(rehashed(forged))
        assert forge.unsigned(body) == text_of(unsigned(forged))
        assert forge.resigned(body, key) == text_of(resigned(forged, key))
    assert read(forge.as_it_was(forge.body(paths[0], at(data, paths[0])))) == data
