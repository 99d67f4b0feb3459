"""Altering certificates as an attacker would: one field, hashes made anew, signatures made anew."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from typing import Any

from factdesk.kernel import sha256_bytes
from report.certificate.canonical import canonical
from report.certificate.integrity import envelope_sha256
from report.certificate.keys import PrivateKey
from report.certificate.signing import certificate_message, head_message
from report.types import Envelope, Head

Path_ = tuple[str | int, ...]

GROUPS = (
    ("VERIFIED", "UNVERIFIED", "BLOCKED"),
    ("entailed", "contradicted", "not_enough_info"),
    ("supported", "refuted", "conflicting", "not_enough_evidence"),
    ("strict", "mixed", "debug"),
    ("number", "date", "unit", "money", "percentage", "entity", "negation", "quantifier", "direction"),
    ("conflict", "missing"),
    ("text", "ocr", "exif", "caption"),
    ("quantity", "event", "relation", "property", "image", "other"),
    ("standard", "cot", "cove"),
    ("before", "later", "dated", "undated"),
    ("subject", "predicate", "object", "place", "person", "organisation"),
)
"""Words that are altered to another of their kind, so that the schema does not notice."""
SCORES = frozenset(
    "entailment neutral contradiction score trust weight overlap bm25 dense fused rerank alpha tau_entail "
    "tau_contradict tau_refute tau_trust".split()
)
KEYWORDS = {"route": {"text": "image", "image": "text", "graph": "text"}}


def leaves(data: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Paths of all leaves of JSON data; empty lists and objects are leaves too."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from leaves(value, (*path, key))
    elif isinstance(data, list) and data:
        for number, value in enumerate(data):
            yield from leaves(value, (*path, number))
    else:
        yield path


def pattern(path: Path_) -> str:
    """A path without its numbers: ``claims[].spans[].trust``."""
    return re.sub(r"\.\[", "[", ".".join("[]" if isinstance(p, int) else p for p in path))


def at(data: Any, path: Path_) -> Any:
    for key in path:
        data = data[key]
    return data


def altered(value: Any, key: str | int = "") -> Any:
    """Another value of the same kind, as plausible as can be."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        if key in SCORES:
            return round(value - 0.02 if value > 0.5 else value + 0.02, 6)
        return value + 1
    if isinstance(value, str):
        return _other_text(value, str(key))
    if value is None:
        return 0.55 if key in SCORES else "2024-01-01" if "publi" in str(key) or key == "as_of" else "x"
    return {"x": "x"} if value == {} else ["x"]


def _other_text(value: str, key: str) -> str:
    if value in KEYWORDS.get(key, {}):
        return KEYWORDS[key][value]
    for group in GROUPS:
        if value in group:
            return group[(group.index(value) + 1) % len(group)]
    if re.fullmatch(r"[0-9a-f]{64}", value):
        return ("1" if value[0] == "0" else "0") + value[1:]
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return (date.fromisoformat(value) + timedelta(days=1)).isoformat()
    if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value):
        return "2020" + value[4:]
    return value + "x"


def with_leaf(data: Any, path: Path_, value: Any) -> Any:
    result = copy.deepcopy(data)
    at(result, path[:-1])[path[-1]] = value
    return result


class Forge:
    """Alters one field of a certificate again and again: only what lies around the field is written anew.

    Makes, to the byte, what ``with_leaf`` with ``rehashed``, ``unsigned`` and ``resigned`` make.
    """

    def __init__(self, data: Any) -> None:
        self.data = data
        self._parts: dict[int, bytes] = {}

    def body(self, path: Path_, value: Any) -> bytes:
        """Canonical bytes of the body with another value at ``path``, which begins with ``"body"``."""
        return self._with(self.data["body"], path[1:], value)

    def altered(self, path: Path_) -> bytes:
        """Canonical bytes of the body with another value of the same kind at ``path``."""
        return self.body(path, altered(at(self.data, path), path[-1]))

    def as_it_was(self, body: bytes) -> str:
        """The envelope as it was: no hash fits."""
        return _text(body, self.data["envelope"])

    def rehashed(self, body: bytes) -> str:
        """See :func:`rehashed`."""
        return _text(body, _hashed(self.data["envelope"], body))

    def unsigned(self, body: bytes) -> str:
        """See :func:`unsigned`."""
        return _text(body, _hashed({**self.data["envelope"], "key_id": None, "signature": None}, body))

    def resigned(self, body: bytes, key: PrivateKey) -> str:
        """See :func:`resigned`."""
        return _text(body, _signed(_hashed({**self.data["envelope"], "key_id": key.key_id}, body), key))

    def _with(self, node: Any, path: Path_, value: Any) -> bytes:
        if not path:
            return canonical(value)
        first, rest = path[0], path[1:]
        if isinstance(node, list):
            items = (self._with(n, rest, value) if i == first else self._part(n) for i, n in enumerate(node))
            return b"[" + b",".join(items) + b"]"
        pairs = (
            _name(key) + (self._with(node[key], rest, value) if key == first else self._part(node[key]))
            for key in _order(*node)
        )
        return b"{" + b",".join(pairs) + b"}"

    def _part(self, node: Any) -> bytes:
        """Canonical bytes of a part that stays as it is; it lives as long as ``data``, as does its id."""
        if not isinstance(node, dict | list):
            return canonical(node)
        if id(node) not in self._parts:
            self._parts[id(node)] = canonical(node)
        return self._parts[id(node)]


@cache
def _order(*names: str) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: name.encode("utf-16-be")))


@cache
def _name(key: str) -> bytes:
    return canonical(key) + b":"


def _text(body: bytes, envelope: Any) -> str:
    return (b'{"body":' + body + b',"envelope":' + canonical(envelope) + b"}").decode("utf-8")


def _hashed(envelope: dict[str, Any], body: bytes) -> dict[str, Any]:
    result = {**envelope, "body_sha256": sha256_bytes(body)}
    result["envelope_sha256"] = _envelope_hash(result)
    return result


def _signed(envelope: dict[str, Any], key: PrivateKey) -> dict[str, Any]:
    made = Envelope.model_construct(**envelope)
    return {**envelope, "signature": key.sign(certificate_message(made))}


def rehashed(data: Any) -> Any:
    """Both hashes made anew; the signature stays what it was."""
    result = copy.deepcopy(data)
    result["envelope"] = _hashed(result["envelope"], canonical(result["body"]))
    return result


def unsigned(data: Any) -> Any:
    """Hashes made anew, and no trace of a signature."""
    result = copy.deepcopy(data)
    result["envelope"] |= {"key_id": None, "signature": None}
    return rehashed(result)


def resigned(data: Any, key: PrivateKey, **envelope: Any) -> Any:
    """Hashes and signature made anew with ``key``; fields of the envelope may be set."""
    result = copy.deepcopy(data)
    result["envelope"].update({**envelope, "key_id": key.key_id})
    result = rehashed(result)
    result["envelope"] = _signed(result["envelope"], key)
    return result


def _envelope_hash(envelope: dict[str, Any]) -> str:
    try:
        return envelope_sha256(Envelope.model_validate(envelope))
    except ValueError:
        rest = {k: v for k, v in envelope.items() if k not in {"envelope_sha256", "signature"}}
        return sha256_bytes(canonical(rest))


def text_of(data: Any) -> str:
    return canonical(data).decode("utf-8")


def read(text: str) -> Any:
    return json.loads(text)


def head_for(texts: list[str], key: PrivateKey) -> Head:
    """The head of a chain, signed."""
    first, last = (read(t)["envelope"] for t in (texts[0], texts[-1]))
    draft = Head(
        first_sha256=first["envelope_sha256"],
        sequence=last["sequence"],
        envelope_sha256=last["envelope_sha256"],
        created=last["created"],
        key_id=key.key_id,
    )
    return draft.model_copy(update={"signature": key.sign(head_message(draft))})


def swapped_evidence(data: Any) -> Any:
    """A span says what another one says, offsets and documents left consistent."""
    spans = [s for c in data["body"]["claims"] for s in c["spans"] if s["span"]["kind"] == "text"]
    first = max(spans, key=lambda s: s["assessment"]["calibrated"]["entailment"])["span"]
    text = "The moon is made of green cheese, the council said on Monday."
    data["body"]["trust_graph"] = None
    for item in spans:
        if item["span"]["span_id"] == first["span_id"]:
            item["span"].update(text=text, end=item["span"]["start"] + len(text))
    return data


def reordered_evidence(data: Any) -> Any:
    """The assessments of two spans change places."""
    spans = data["body"]["claims"][0]["spans"]
    spans[0]["assessment"], spans[-1]["assessment"] = spans[-1]["assessment"], spans[0]["assessment"]
    return data
