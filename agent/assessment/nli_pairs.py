"""What the verifier is given, and what its answer on two sentences weighs: a re-run needs the same.

This module loads no graph, so that a certificate can be verified without one.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.types import AtomicClaim
from evidence.types import Span
from verifier.guard import check
from verifier.guard.value_repair import repairs
from verifier.premise.builder import image_context, with_lead
from verifier.types import Assessment, PairText, Verifier

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


def may_bear(pair: PairText) -> bool:
    """Whether the premise can bear on the other sentence at all, as far as the slot guard sees.

    A sentence that lacks an amount, a date or a name of the other does not bear it out; one about another
    subject, or without a detail to set right, does not refute it. Most pairs of sentences are such: they need
    no model.
    """
    guard = check(pair.claim, pair.premise, pair.context, pair.published)
    if guard.agrees:
        return not guard.uncovered
    return guard.same_subject and bool(repairs(pair.claim, pair.premise, pair.context, pair.published))


def assess_relations(verifier: Verifier, pairs: Sequence[PairText]) -> tuple[Assessment, ...]:
    """What the verifier says of pairs of sentences, for ``relation_weight``.

    A contradiction below ``REFUTE`` weighs nothing, whatever its mended claims say: these are not scored.
    """
    return verifier.assess(pairs, contested_from=REFUTE)


def relation_weight(assessment: Assessment) -> float:
    """Weight of the edge between two sentences, -1 to 1; 0 where they do not bear on each other."""
    scores, guard = assessment.calibrated, assessment.guard
    mended = assessment.counterfactual
    if guard.apart:
        return 0.0
    if scores.contradiction >= REFUTE and guard.same_subject and mended and mended.entailment >= SUPPORT:
        sure = mended.refutation is None or mended.refutation >= REFUTED
        return -scores.contradiction if sure else 0.0
    if scores.entailment >= SUPPORT and not guard.conflicts and not guard.structure:
        return scores.entailment
    return 0.0
