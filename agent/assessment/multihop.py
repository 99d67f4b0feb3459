"""Labels of sentences for a claim, and for the two statements of a resolved description.

A re-run uses it too, so it imports no graph.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.types import AtomicClaim
from verifier.types import Assessment, Label

MOST = 4
"""Sentences that each of the two statements is scored with."""
SURE = 0.5
"""Least calibrated entailment of the anchor."""

Scored = tuple[str, Assessment]
"""Id of a sentence with its assessment."""


def strongest(scored: Sequence[Scored]) -> tuple[Label, float, str | None]:
    """Label of sentences together, its score (0 to 1), and the deciding sentence.

    A contradiction goes before any entailment.
    """
    if not scored:
        return "not_enough_info", 0.0, None
    pro_id, in_favour = max(scored, key=lambda s: (s[1].calibrated.entailment, s[0]))
    con, pro = max(a.calibrated.contradiction for _, a in scored), in_favour.calibrated.entailment
    against = [(a.calibrated.contradiction, i) for i, a in scored if contradicts(a)]
    if against:
        return "contradicted", *max(against)
    if pro >= SURE and in_favour.guard.agrees:
        return "entailed", pro, pro_id
    return "not_enough_info", round(max(0.0, 1 - max(con, pro)), 6), pro_id


def contradicts(found: Assessment) -> bool:
    """Whether it contradicts more than it entails, about the claim's subject."""
    scores = found.calibrated
    return scores.contradiction >= max(SURE, scores.entailment) and found.guard.same_subject


def anchored(anchor: Sequence[Scored]) -> float:
    """Entailment of the anchor, 0 to 1."""
    return max((a.calibrated.entailment for _, a in anchor if a.guard.agrees), default=0.0)


def holds(anchor: Sequence[Scored]) -> bool:
    """Whether the anchor is entailed at ``SURE``."""
    return anchored(anchor) >= SURE


def read_both(anchor: Sequence[Scored], rest: Sequence[Scored]) -> tuple[Label, float, str | None] | None:
    """Label of both statements with the lower score; ``None`` where the anchor fails or nothing is said."""
    sure = anchored(anchor)
    label, score, best = strongest(rest)
    if not holds(anchor) or label == "not_enough_info":
        return None
    return label, min(sure, score), best


def statement_of(claim: AtomicClaim, text: str) -> AtomicClaim:
    """The claim with ``text`` in the place of its own."""
    return claim.model_copy(update={"text": text, "statement": None, "fields": ()})
