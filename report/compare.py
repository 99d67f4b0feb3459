"""Two certificates side by side: what changed, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from factdesk.kernel import Fingerprint, Record
from report.types import Certificate, CertificateBody, ClaimRecord, Decision
from verifier.types import Thresholds

Kind = Literal["verdict", "claims", "evidence", "models", "thresholds", "settings", "input"]
SHOWN = 0.01
"""Least change of a probability that is told."""


class Change(Record):
    """One difference between an earlier certificate and a later one."""

    kind: Kind
    text: str
    """In words, for the reader."""
    before: str | None = None
    """``None``: it was not there."""
    after: str | None = None


class Comparison(Record):
    """All differences; none where the bodies are the same."""

    before: str
    """Certificate id."""
    after: str
    same_body: bool
    changes: tuple[Change, ...]


def compare(before: Certificate, after: Certificate) -> Comparison:
    """What changed from one certificate to the other. Claims are matched by their text, then by their id."""
    a, b = before.body, after.body
    changes = (
        *_inputs(a, b),
        *_verdict(a, b),
        *_claims(a, b),
        *_models(a, b),
        *_limits(a, b),
        *_settings(a, b),
    )
    return Comparison(
        before=before.envelope.certificate_id,
        after=after.envelope.certificate_id,
        same_body=before.envelope.body_sha256 == after.envelope.body_sha256,
        changes=changes,
    )


def _inputs(a: CertificateBody, b: CertificateBody) -> Iterator[Change]:
    images = [", ".join(str(i.get("sha256", ""))[:12] for i in body.images) or None for body in (a, b)]
    rows: tuple[tuple[str, str | None, str | None], ...] = (
        ("text", a.claim_text, b.claim_text), ("date of the claim", a.claim_date, b.claim_date),
        ("as-of date", a.as_of, b.as_of), ("images", images[0], images[1]),
    )  # fmt: skip
    for name, old, new in rows:
        if old != new:
            yield Change(kind="input", text=f"The {name} changed.", before=old, after=new)


def _verdict(a: CertificateBody, b: CertificateBody) -> Iterator[Change]:
    if a.verdict != b.verdict:
        text = f"The verdict went from {a.verdict} to {b.verdict}."
        yield Change(kind="verdict", text=text, before=a.verdict, after=b.verdict)


def _claims(a: CertificateBody, b: CertificateBody) -> Iterator[Change]:
    old, new = ({d.claim_id: d for d in body.decisions} for body in (a, b))
    pairs = matched(a, b)
    taken = {y.claim.claim_id for _, y in pairs}
    for x, y in pairs:
        first, second = old.get(x.claim.claim_id), new.get(y.claim.claim_id)
        if first and second:
            yield from _decision(y.claim.text, first, second)
        yield from _evidence(x, y, first, second)
    gone = {x.claim.claim_id for x, _ in pairs}
    for x in a.claims:
        if x.claim.claim_id not in gone:
            yield Change(kind="claims", text=f"No longer a claim: {x.claim.text!r}.", before=x.claim.text)
    for y in b.claims:
        if y.claim.claim_id not in taken:
            yield Change(kind="claims", text=f"A new claim: {y.claim.text!r}.", after=y.claim.text)


def matched(a: CertificateBody, b: CertificateBody) -> list[tuple[ClaimRecord, ClaimRecord]]:
    """Claims of both that are the same: of equal text, or else of equal id where neither has a twin."""
    rest = {y.claim.claim_id: y for y in b.claims}
    by_text = {" ".join(y.claim.text.lower().split()): y for y in reversed(b.claims)}
    pairs: list[tuple[ClaimRecord, ClaimRecord]] = []
    open_: list[ClaimRecord] = []
    for x in a.claims:
        y = by_text.get(" ".join(x.claim.text.lower().split()))
        if y is not None and rest.pop(y.claim.claim_id, None) is not None:
            pairs.append((x, y))
        else:
            open_.append(x)
    for x in open_:
        if len(a.claims) == len(b.claims) and (y := rest.pop(x.claim.claim_id, None)) is not None:
            pairs.append((x, y))
    return pairs


def _decision(claim: str, a: Decision, b: Decision) -> Iterator[Change]:
    if a.state != b.state:
        text = f"{claim!r} went from {a.state} to {b.state}: {b.reason}"
    elif a.rule != b.rule:
        text = f"{claim!r} is {b.state} as before, but by another rule: {b.reason}"
    elif abs(a.score - b.score) >= SHOWN:
        text = f"The score of {claim!r} went from {a.score:.2f} to {b.score:.2f}."
    else:
        return
    yield Change(
        kind="claims", text=text, before=f"{a.state} ({a.rule}, {a.score:.3f})",
        after=f"{b.state} ({b.rule}, {b.score:.3f})",
    )  # fmt: skip


def _evidence(x: ClaimRecord, y: ClaimRecord, a: Decision | None, b: Decision | None) -> Iterator[Change]:
    old = {(s.span.doc_id, s.span.text): s for s in x.spans}
    new = {(s.span.doc_id, s.span.text): s for s in y.spans}
    deciding = [{*(d.span_ids if d else ())} for d in (a, b)]
    claim = y.claim.text
    for key in (k for k in old if k not in new):
        what = "Deciding evidence" if old[key].span.span_id in deciding[0] else "Evidence"
        text = f"{what} on {claim!r} is gone: {key[0]!r} said {key[1]!r}."
        yield Change(kind="evidence", text=text, before=key[1])
    for key in (k for k in new if k not in old):
        what = "New deciding evidence" if new[key].span.span_id in deciding[1] else "New evidence"
        yield Change(kind="evidence", text=f"{what} on {claim!r}: {key[0]!r} says {key[1]!r}.", after=key[1])
    for key in (k for k in new if k in old):
        before, after = old[key].trust, new[key].trust
        if before != after and abs((before or 0.0) - (after or 0.0)) >= SHOWN:
            shown = [("off" if t is None else f"{t:.2f}") for t in (before, after)]
            text = f"The trust of {key[0]!r} went from {shown[0]} to {shown[1]}."
            yield Change(kind="evidence", text=text, before=shown[0], after=shown[1])


def _snapshot(body: CertificateBody) -> str | None:
    return body.retrieval.snapshot_id[:12] if body.retrieval else None


def _models(a: CertificateBody, b: CertificateBody) -> Iterator[Change]:
    def said(found: Fingerprint | None) -> str | None:
        return f"{found.version} {(found.sha256 or '')[:12]}".strip() if found else None

    old, new = ({f.name: f for f in body.fingerprints} for body in (a, b))
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            verb = "is new" if name not in old else "is gone" if name not in new else "changed"
            yield Change(
                kind="models", text=f"{name} {verb}.", before=said(old.get(name)), after=said(new.get(name))
            )
    rows: tuple[tuple[str, str | None, str | None], ...] = (
        ("factdesk", a.factdesk_version, b.factdesk_version),
        ("the policy", a.policy_version, b.policy_version),
        ("the prompts", a.prompts_sha256, b.prompts_sha256),
        ("the corpora", _snapshot(a), _snapshot(b)),
    )  # fmt: skip
    for what, first, second in rows:
        if first != second:
            yield Change(
                kind="models", text=f"{what[:1].upper()}{what[1:]} changed.", before=first, after=second
            )


def _limits(a: CertificateBody, b: CertificateBody) -> Iterator[Change]:
    for name in Thresholds.model_fields:
        old, new = getattr(a.thresholds, name), getattr(b.thresholds, name)
        if old != new:
            text = f"The threshold {name} went from {old} to {new}."
            yield Change(kind="thresholds", text=text, before=str(old), after=str(new))


def _settings(a: CertificateBody, b: CertificateBody) -> Iterator[Change]:
    for name in sorted(a.settings.keys() | b.settings.keys()):
        old, new = a.settings.get(name), b.settings.get(name)
        if old != new and name != "thresholds":
            text = f"The setting {name} went from {old!r} to {new!r}."
            yield Change(kind="settings", text=text, before=str(old), after=str(new))


def comparison_lines(found: Comparison) -> list[str]:
    """The comparison as lines of text."""
    if not found.changes:
        same = "byte for byte the same" if found.same_body else "the same in all that is compared"
        return [f"{found.before} and {found.after}: {same}."]
    return [f"From {found.before} to {found.after}:", *(f"  {c.kind:10}  {c.text}" for c in found.changes)]
