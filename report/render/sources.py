"""Evidence sentences with source, date, trust and, in debug mode, all scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evidence.types import Span, of_document
from report.render.lines import Line, line, wrapped
from report.render.visibility import label_score
from report.sanitize import foreign
from report.types import CertificateBody, SpanRecord

_INDENT = "      "


def evidence_lines(record: SpanRecord, body: CertificateBody, *, debug: bool) -> Iterator[Line]:
    """The quoted sentence, where it comes from, and what the verifier says of it alone."""
    span = record.span
    yield from wrapped("plain", f'"{foreign(span.text)}"', first="    > ", rest=_INDENT)
    yield from wrapped("dim", _source(span, body), first=_INDENT, rest=_INDENT)
    best = label_score(record.assessment.calibrated)
    off = "no trust score" if body.trust_enabled else "trust off"
    trust = off if record.trust is None else f"trust {record.trust:.2f}"
    sufficient = "; in the minimal set" if record.sufficient else ""
    yield line(
        "dim",
        f"{_INDENT}{trust}; alone {best.label} {best.score:.3f}{sufficient}; "
        f"{foreign(span.span_id, 200)} at {span.start}:{span.end}",
    )
    if span.url is not None:
        yield line("dim", f"{_INDENT}{foreign(span.url)}")
    if debug:
        yield from _debug(record)


def _source(span: Span, body: CertificateBody) -> str:
    """Title, publisher and date; an image is named as one, and is no witness for itself."""
    if not of_document(span.kind):
        name = _image_name(span, body.images)
        return f"read from the submitted image {name} ({span.kind}): what it shows, not that it is so"
    named = ["record of a known image"] if span.kind == "record" else []
    named += [f'"{foreign(span.title, 300)}"'] if span.title else []
    named += [foreign(span.publisher, 200)] if span.publisher else []
    return ", ".join([*named, _date(span, body.claim_date)])


def _date(span: Span, claim_date: str | None) -> str:
    if span.published is None:
        return "undated"
    published = span.published.isoformat()
    later = claim_date is not None and published[: len(claim_date)] > claim_date
    return f"{published}, after the claim" if later else published


def _image_name(span: Span, images: tuple[dict[str, Any], ...]) -> str:
    for image in images:
        document = image.get("document")
        if isinstance(document, dict) and document.get("sha256") == span.doc_sha256:
            return f'"{foreign(str(image.get("name", "")), 200)}"'
    return "(unknown)"


def _debug(record: SpanRecord) -> Iterator[Line]:
    raw, calibrated = record.assessment.raw, record.assessment.calibrated
    for name, s in (("raw", raw), ("calibrated", calibrated)):
        scores = (
            f"entailment {s.entailment:.3f}, neutral {s.neutral:.3f}, contradiction {s.contradiction:.3f}"
        )
        yield line("dim", f"{_INDENT}{name} {scores}")
    found = {name: value for name, value in record.retrieval.model_dump().items() if value is not None}
    if found:
        yield line(
            "dim", f"{_INDENT}retrieval " + ", ".join(f"{name} {value:.4f}" for name, value in found.items())
        )
    for finding in record.assessment.guard.findings:
        text = f"guard, {foreign(finding.rule)}, {finding.slot} {finding.kind}: {foreign(finding.message)}"
        yield from wrapped("dim", text, first=_INDENT, rest=_INDENT)
    if not record.assessment.guard.same_subject:
        yield line("dim", f"{_INDENT}guard: speaks of another subject")
