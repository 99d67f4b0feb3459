"""What changed between two certificates, in words. Reads the certificates and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from factdesk.kernel import Record
from report.certificate.canonical import canonical, dump
from report.render.view import flat
from report.types import Certificate, CertificateBody, ClaimRecord, Envelope, SpanRecord

Part = Literal[
    "claim",
    "verdict",
    "statements",
    "evidence",
    "documents",
    "trust",
    "questions",
    "proposal",
    "models",
    "thresholds",
    "settings",
    "caps",
    "failures",
    "image",
    "other",
]
MOVED = 0.005
"""Scores and trust that moved less are not told one by one; the bodies differ all the same."""


class Difference(Record):
    """One thing that changed. ``text`` may hold words of others: clean it before showing it."""

    part: Part
    text: str


class Comparison(Record):
    """Two certificates side by side: ``history compare`` and ``diff`` as JSON."""

    a: Envelope
    b: Envelope
    identical: bool
    """The bodies are the same, byte for byte."""
    differences: tuple[Difference, ...]


_Told = tuple[Part, str]


def compare(a: Certificate, b: Certificate) -> Comparison:
    """What changed from certificate ``a`` to ``b``."""
    return Comparison(
        a=a.envelope,
        b=b.envelope,
        identical=a.envelope.body_sha256 == b.envelope.body_sha256,
        differences=compare_bodies(a.body, b.body),
    )


def compare_bodies(a: CertificateBody, b: CertificateBody) -> tuple[Difference, ...]:
    """What changed from ``a`` to ``b``, most important first; empty only when the bodies are the same."""
    parts = (_frame, _statements, _evidence, _documents, _trust, _trail, _models, _mappings, _failures)
    found: list[_Told] = [told for part in parts for told in part(a, b)]
    if not found and canonical(dump(a)) != canonical(dump(b)):
        first, second = dump(a), dump(b)
        names = sorted(name for name in first if canonical(first[name]) != canonical(second[name]))
        found = [("other", f"Details differ in: {', '.join(names)}.")]
    return tuple(Difference(part=part, text=text) for part, text in found)


def _frame(a: CertificateBody, b: CertificateBody) -> Iterator[_Told]:
    if a.claim_text != b.claim_text:
        yield "claim", f"The claim was {a.claim_text!r} and is {b.claim_text!r}."
    if a.verdict != b.verdict:
        yield "verdict", f"The verdict was {a.verdict} and is {b.verdict}."
    for name, words in (("claim_date", "day of the claim"), ("as_of", "last day of evidence")):
        before, now = getattr(a, name), getattr(b, name)
        if before != now:
            yield "settings", f"The {words} was {before or 'open'} and is {now or 'open'}."
    before, now = ([(str(i.get("sha256")), str(i.get("name"))) for i in body.images] for body in (a, b))
    for image in dict.fromkeys((*before, *now)):
        if (image in before) != (image in now):
            side = "now" if image in now else "no longer"
            yield "image", f"The image {image[1]!r} is {side} part of the check."


def _statements(a: CertificateBody, b: CertificateBody) -> Iterator[_Told]:
    """By their text, since ids only count."""
    before, now = _by_text(a), _by_text(b)
    for text in sorted(before.keys() - now.keys()):
        yield "statements", f"The statement {text!r} is no longer checked."
    for text in sorted(now.keys() - before.keys()):
        yield "statements", f"The statement {text!r} is new."
    first = {d.claim_id: d for d in a.decisions}
    second = {d.claim_id: d for d in b.decisions}
    for text in (t for t in before if t in now):
        old, new = first.get(before[text].claim.claim_id), second.get(now[text].claim.claim_id)
        if old is None or new is None:
            continue
        if (old.state, old.rule) != (new.state, new.rule):
            change = f"{old.state} ({old.rule}) and is {new.state} ({new.rule})"
            yield "statements", f"{text!r} was {change}: {new.reason}"
        elif abs(old.score - new.score) >= MOVED:
            change = f"is {new.state} as before, at {new.score:.2f} instead of {old.score:.2f}"
            yield "statements", f"{text!r} {change}."
        elif set(_deciding(before[text], old.span_ids)) != set(_deciding(now[text], new.span_ids)):
            yield "statements", f"{text!r} is {new.state} as before, but on other evidence."


def _deciding(record: ClaimRecord, span_ids: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(s.span.doc_id, s.span.text) for s in record.spans if s.span.span_id in span_ids]


def _evidence(a: CertificateBody, b: CertificateBody) -> Iterator[_Told]:
    before, now = _by_text(a), _by_text(b)
    for text in (t for t in before if t in now):
        old, new = ({(s.span.doc_id, s.span.text): s for s in claims[text].spans} for claims in (before, now))
        for key in sorted(old.keys() - new.keys()):
            yield "evidence", f"No longer {_what(old[key], a)} for {text!r}: {key[1]!r} ({key[0]})."
        for key in sorted(new.keys() - old.keys()):
            yield "evidence", f"New {_what(new[key], b)} for {text!r}: {key[1]!r} ({key[0]})."
        for key in sorted(old.keys() & new.keys()):
            if moved := list(_moved(old[key], new[key])):
                yield "evidence", f"{key[1]!r} ({key[0]}) for {text!r}: {', '.join(moved)}."


def _what(record: SpanRecord, body: CertificateBody) -> str:
    certified = (d for d in body.decisions if d.state != "UNVERIFIED")
    return "deciding evidence" if any(record.span.span_id in d.span_ids for d in certified) else "evidence"


def _moved(old: SpanRecord, new: SpanRecord) -> Iterator[str]:
    for name in ("entailment", "contradiction"):
        before, now = (getattr(s.assessment.calibrated, name) for s in (old, new))
        if abs(before - now) >= MOVED:
            yield f"{name} {before:.2f}, now {now:.2f}"
    if old.assessment.guard.agrees != new.assessment.guard.agrees:
        yield f"details {'now agree' if new.assessment.guard.agrees else 'no longer agree'}"


def _documents(a: CertificateBody, b: CertificateBody) -> Iterator[_Told]:
    before, now = ({str(d.get("doc_id")): d for d in body.documents} for body in (a, b))
    for key in sorted(before.keys() & now.keys()):
        old, new = before[key], now[key]
        if old.get("sha256") != new.get("sha256"):
            yield "documents", f"The text of document {key!r} changed."
        changed = [n for n in sorted(old.keys() | new.keys()) if n != "sha256" and old.get(n) != new.get(n)]
        for name in changed:
            values = f"was {old.get(name) or 'not known'} and is {new.get(name) or 'not known'}"
            yield "documents", f"The field {name} of document {key!r} {values}."


def _trust(a: CertificateBody, b: CertificateBody) -> Iterator[_Told]:
    if a.trust_enabled != b.trust_enabled:
        yield "trust", "Trust was off and is on." if b.trust_enabled else "Trust was on and is off."
    before, now = {t.doc_id: t for t in a.trust}, {t.doc_id: t for t in b.trust}
    for key in sorted(before.keys() & now.keys()):
        if abs(before[key].score - now[key].score) >= MOVED:
            yield "trust", f"The trust of document {key!r} was {before[key].score:.2f} and is {now[key].score:.2f}."


def _trail(a: CertificateBody, b: CertificateBody) -> Iterator[_Told]:
    before, now = [q.text for q in a.questions], [q.text for q in b.questions]
    for text in dict.fromkeys(q for q in before if q not in now):
        yield "questions", f"No longer asked: {text!r}."
    for text in dict.fromkeys(q for q in now if q not in before):
        yield "questions", f"Newly asked: {text!r}."
    if set(before) == set(now) and before != now:
        yield "questions", "The same questions were asked in another order."
    old, new = (body.proposal.label if body.proposal else "none" for body in (a, b))
    if old != new:
        yield "proposal", f"The reasoner proposed {old} and now proposes {new}."


def _models(a: CertificateBody, b: CertificateBody) -> Iterator[_Told]:
    before, now = ({f.name: f for f in body.fingerprints} for body in (a, b))
    for name in sorted(before.keys() - now.keys()):
        yield "models", f"{name} no longer takes part."
    for name in sorted(now.keys() - before.keys()):
        yield "models", f"{name} {now[name].version} takes part now."
    for name in sorted(before.keys() & now.keys()):
        old, new = before[name], now[name]
        if old.version != new.version:
            yield "models", f"{name} was of version {old.version} and is of version {new.version}."
        elif old.sha256 != new.sha256:
            yield "models", f"{name} {new.version} has another content (hash)."
    if a.policy != b.policy:
        yield "models", "The policy has another content (hash), or other constants."
    for field in ("factdesk_version", "schema_version"):
        first, second = getattr(a, field), getattr(b, field)
        if first != second:
            yield "models", f"The {field.replace('_', ' ')} was {first} and is {second}."
    if a.prompts_sha256 != b.prompts_sha256:
        yield "models", "The prompts have another content (hash)."
    if a.retrieval.snapshot_id != b.retrieval.snapshot_id:
        yield "documents", "The corpora that were searched are not the same (hash)."


def _mappings(a: CertificateBody, b: CertificateBody) -> Iterator[_Told]:
    sides: tuple[tuple[Part, Any, Any], ...] = (
        ("thresholds", dump(a.thresholds), dump(b.thresholds)),
        ("caps", dump(a.caps), dump(b.caps)),
        ("settings", {"mode": a.mode, **a.settings}, {"mode": b.mode, **b.settings}),
    )
    for part, before, now in sides:
        apart = {"thresholds", "caps"} if part == "settings" else set()
        old, new = ({name: value for name, value in flat(side) if value != {}} for side in (before, now))
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name) and name.partition(".")[0] not in apart:
                yield part, f"{name} was {_value(old.get(name))} and is {_value(new.get(name))}."
    for text in sorted(set(b.trimmed) - set(a.trimmed)):
        yield "caps", f"A cap was reached: {text}"
    for text in sorted(set(a.trimmed) - set(b.trimmed)):
        yield "caps", f"A cap is no longer reached: {text}"


def _value(value: Any) -> str:
    return "not set" if value is None else str(value)


def _failures(a: CertificateBody, b: CertificateBody) -> Iterator[_Told]:
    before, now = ({f"{f.where}: {f.message}" for f in body.failures} for body in (a, b))
    for text in sorted(now - before):
        yield "failures", f"New: something did not work ({text})."
    for text in sorted(before - now):
        yield "failures", f"No longer: something did not work ({text})."


def _by_text(body: CertificateBody) -> dict[str, ClaimRecord]:
    return {record.claim.text: record for record in body.claims}
