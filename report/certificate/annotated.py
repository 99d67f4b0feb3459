"""What must follow in the certificate of an annotation: places, labels from decisions, scores from labels."""

from __future__ import annotations

from collections.abc import Iterator

from agent.assessment.attribution_scores import claim_score, kas_mean, kas_sum, tms
from agent.attribution.types import ClaimSpan
from report.types import AnnotationRecord, CertificateBody, ClaimRecord, Decision

_DIGITS = 0.0011
"""Scores are kept at four decimals, and are worked out from others that are."""


def annotation_problems(body: CertificateBody) -> Iterator[str]:
    """What does not follow although it should; nothing for other certificates."""
    record = body.annotation
    if record is None:
        return
    found = record.annotation
    if found.text != body.claim_text or not len(found.spans) == len(body.claims) == len(record.trust):
        yield "the annotation is not one of this text and these claims"
        return
    decisions = {d.claim_id: d for d in body.decisions}
    for span, claim in zip(found.spans, body.claims, strict=True):
        name = f"the label of claim {claim.claim.claim_id!r}"
        if (span.start, span.end, span.claim) != (claim.claim.start, claim.claim.end, claim.claim.text):
            yield f"{name} stands at another place, or is for another statement"
        if not _follows(span, decisions.get(claim.claim.claim_id)):
            yield f"{name} is {span.label!r} by {span.basis!r}, which the decision does not give"
        yield from _evidence_problems(name, span, claim)
    yield from _score_problems(record)


def _follows(span: ClaimSpan, decision: Decision | None) -> bool:
    """Whether a label may stand with the policy's decision."""
    if span.label == "extrapolatory":
        return span.basis == "none"
    if span.basis == "policy":
        wanted = "VERIFIED" if span.label == "attributable" else "BLOCKED"
        return decision is not None and decision.state == wanted
    given = {"verbatim": ("attributable",), "altered": ("contradictory",), "instance": ("contradictory",)}
    return span.label in given.get(span.basis, ("attributable", "contradictory") if span.basis == "triplets" else ())


def _evidence_problems(name: str, span: ClaimSpan, claim: ClaimRecord) -> Iterator[str]:
    texts = {s.span.span_id: s.span.text for s in claim.spans}
    if any(texts.get(t.span_id, t.sentence) != t.sentence for t in span.triplets):
        yield f"{name} quotes a sentence otherwise than its evidence does"
    if (span.basis in ("instance", "triplets")) is (span.reading is None):
        yield f"{name} and the statement that was read for it do not go together"
    elif span.reading is not None and not (set(span.reading.span_ids) and set(span.reading.span_ids) <= texts.keys()):
        yield f"{name} rests on unknown sentences"


def _score_problems(record: AnnotationRecord) -> Iterator[str]:
    found, weights = record.annotation, record.annotation.weights
    for span in found.spans:
        if span.cs != claim_score(span.label, bool(span.triplets)):
            yield f"the claim score at {span.start}:{span.end} is not that of its label"
        if abs(span.tms - tms(span.ss, span.epr, weights)) > _DIGITS:
            yield f"the match score at {span.start}:{span.end} does not follow from its parts"
    scores = [(s.cs, s.tms) for s in found.spans]
    fresh = kas_mean(scores, weights.gamma), kas_sum(scores, weights.gamma)
    if any(abs(a - b) > _DIGITS for a, b in zip((found.kas_mean, found.kas_sum), fresh, strict=True)):
        yield "the attribution score of the text does not follow from its claims"
