"""What sentences say of a claim, and of the two statements it becomes with a name for what it describes.

A re-run needs the same, so this module loads no graph.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.types import AtomicClaim
from verifier.types import Assessment, Label

MOST = 4
"""Sentences each of the two statements is put to."""
SURE = 0.5
"""Calibrated entailment from which on a name is taken for what is described."""

Scored = tuple[str, Assessment]
"""Id of a sentence, and what the verifier says by it."""


def strongest(scored: Sequence[Scored]) -> tuple[Label, float, str | None]:
    """Label of sentences taken together, its score from 0 to 1, and the sentence that gives it.

    One that contradicts labels them all, however surely another entails: what is cited on both sides bears
    nothing out.
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
    """More surely than it entails, of the claim's own subject."""
    scores = found.calibrated
    return scores.contradiction >= max(SURE, scores.entailment) and found.guard.same_subject


def anchored(anchor: Sequence[Scored]) -> float:
    """How sure it is that the name is what is described, 0 to 1."""
    return max((a.calibrated.entailment for _, a in anchor if a.guard.agrees), default=0.0)


def holds(anchor: Sequence[Scored]) -> bool:
    """Whether the name is taken for what is described, so that the rest is asked for."""
    return anchored(anchor) >= SURE


def read_both(anchor: Sequence[Scored], rest: Sequence[Scored]) -> tuple[Label, float, str | None] | None:
    """Label of both statements together, with the lower of both scores; ``None``: they say nothing.

    Only where the anchor holds does the rest count.
    """
    sure = anchored(anchor)
    label, score, best = strongest(rest)
    if not holds(anchor) or label == "not_enough_info":
        return None
    return label, min(sure, score), best


def statement_of(claim: AtomicClaim, text: str) -> AtomicClaim:
    """The claim with ``text`` to be verified in its place."""
    return claim.model_copy(update={"text": text, "statement": None, "fields": ()})
