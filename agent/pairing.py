"""What the verifier is given, and what its answer on two sentences weighs: a re-run needs the same.

This module loads no graph, so that a certificate can be verified without one.
"""

from __future__ import annotations

from agent.types import AtomicClaim
from evidence.types import Span
from verifier.reading import image_context, with_lead
from verifier.types import Assessment, PairText

SUPPORT = 0.6
"""Calibrated entailment from which on a sentence supports another."""
REFUTE = 0.6
REFUTED = 0.85
"""Calibrated probability of a refutation from which on a sentence refutes another: it can cost a document its
trust, so a leaning is not enough."""


def pair_of(claim: AtomicClaim, span: Span) -> PairText:
    """What the verifier is given for a span; a re-run builds it from the certificate the same way."""
    published = span.published.isoformat() if span.published else ""
    reading = claim.about_image and span.kind != "text"
    text = (claim.statement or claim.text) if reading else claim.text
    context = image_context(span.context) if reading else with_lead(text, span.text, span.context, span.lead)
    return PairText(claim=text, premise=span.text, context=context, published=published)


def relation_weight(assessment: Assessment) -> float:
    """Weight of the edge between two sentences, -1 to 1; 0 where they do not bear on each other."""
    scores, guard = assessment.calibrated, assessment.guard
    mended = assessment.counterfactual
    if scores.contradiction >= REFUTE and guard.same_subject and mended and mended.entailment >= SUPPORT:
        sure = mended.refutation is None or mended.refutation >= REFUTED
        return -scores.contradiction if sure else 0.0
    if scores.entailment >= SUPPORT and not guard.conflicts:
        return scores.entailment
    return 0.0
