"""NLI pairs of spans, and the weight of a relation between two sentences.

A re-run uses it too, so it imports no graph.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.types import AtomicClaim
from evidence.types import Span
from language.capitals import in_small_letters
from verifier.guard import check
from verifier.guard.value_repair import repairs
from verifier.premise.builder import image_context, with_lead
from verifier.types import Assessment, PairText, Verifier

SUPPORT = 0.6
"""Least calibrated entailment of a supporting relation."""
REFUTE = 0.6
REFUTED = 0.85
"""Least calibrated probability of a refuting relation; it can cost a document its trust."""


def pair_of(claim: AtomicClaim, span: Span) -> PairText:
    """The NLI pair of a span, the same in a check and in a re-run."""
    published = span.published.isoformat() if span.published else ""
    reading = claim.about_image and span.kind != "text"
    text = (claim.statement or claim.text) if reading else claim.text
    context = image_context(span.context) if reading else with_lead(text, span.text, span.context, span.lead)
    premise = in_small_letters(span.text, text) if span.kind == "ocr" else span.text
    return PairText(claim=text, premise=premise, context=context, published=published)


def may_bear(pair: PairText) -> bool:
    """Whether the slot guard leaves room for a relation between two sentences.

    No support where an amount, date or name is missing; no refutation about another subject or without a
    detail to mend.
    """
    guard = check(pair.claim, pair.premise, pair.context, pair.published)
    if guard.agrees:
        return not guard.uncovered
    return guard.same_subject and bool(repairs(pair.claim, pair.premise, pair.context, pair.published))


def assess_relations(verifier: Verifier, pairs: Sequence[PairText]) -> tuple[Assessment, ...]:
    """Assessments of pairs for ``relation_weight``; weak contradictions get no counterfactual."""
    return verifier.assess(pairs, contested_from=REFUTE)


def relation_weight(assessment: Assessment) -> float:
    """Weight of the edge between two sentences, -1 to 1; 0 for none."""
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
