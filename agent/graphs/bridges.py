"""What the sentences of a question say of a claim whose description was resolved to a name.

Two things are put to the verifier: that the name is what the claim describes, by the sentences that have
the name, and the claim with the name in it, by the sentences the question found. Only when the first holds
does the second label the pair, with the lower of both scores. This steers questions and the proposal: the
policy reads the claim as it stands, so no badge ever rests on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.bridging import find_description
from agent.graphs.state import Deps
from agent.graphs.verify import RESERVE, best_label
from agent.pairing import pair_of
from agent.types import AtomicClaim, Question, ScoredSpan, resolved_name
from evidence.types import Hit
from factdesk.kernel import Record
from verifier.names import find_names, name_in
from verifier.types import Label

MOST = 4
"""Sentences each of the two statements is put to."""
SURE = 0.5
"""Calibrated entailment from which on a name is taken for what is described."""


class Bridged(Record):
    """The label of a resolved pair and its score from 0 to 1, and the forward passes it took."""

    label: Label = "not_enough_info"
    score: float = 0.0
    passes: int = 0
    best: ScoredSpan | None = None

    def or_else(
        self, label: Label, score: float, best: ScoredSpan | None
    ) -> tuple[Label, float, ScoredSpan | None]:
        """This reading where it says something, otherwise the one given."""
        if self.best is None:
            return label, score, best
        return self.label, self.score, self.best


def read_bridge(
    deps: Deps,
    claim: AtomicClaim,
    question: Question,
    hits: Sequence[Hit],
    known: Sequence[ScoredSpan],
    left: int,
) -> Bridged:
    """Label of the claim with the question's name in it, or nothing where there is no such name or no room.

    ``known``: what was scored for the claim before; ``left``: forward passes that may still be used.
    Errors of the verifier are the caller's.
    """
    name = resolved_name(question.purpose)
    described = find_description(claim.text) if name is not None else None
    if name is None or described is None or left < 2 * MOST * RESERVE:
        return Bridged()
    named = [h for s in known if _has(h := s.hit, name)]
    first = _scored(deps, claim, question, described.anchor(name), named[:MOST])
    passes = sum(s.assessment.passes for s in first)
    sure = max((s.assessment.calibrated.entailment for s in first if s.assessment.guard.agrees), default=0.0)
    if sure < SURE:
        return Bridged(passes=passes)
    second = _scored(deps, claim, question, described.other(name), [h for h in hits if _has(h, name)][:MOST])
    label, score, best = best_label(second)
    passes += sum(s.assessment.passes for s in second)
    if label == "not_enough_info":
        return Bridged(passes=passes)
    return Bridged(label=label, score=min(sure, score), passes=passes, best=best)


def _has(hit: Hit, name: str) -> bool:
    return any(name_in(n, f"{hit.span.text} {hit.span.context}") for n in find_names(name))


def _scored(
    deps: Deps, claim: AtomicClaim, question: Question, text: str, hits: Sequence[Hit]
) -> list[ScoredSpan]:
    """``text`` put to each sentence."""
    asked = claim.model_copy(update={"text": text, "statement": None, "fields": ()})
    unique = list({h.span.span_id: h for h in hits}.values())
    assessed = deps.verifier.assess([pair_of(asked, h.span) for h in unique]) if unique else ()
    return [
        ScoredSpan(claim_id=claim.claim_id, question_id=question.question_id, hit=h, assessment=a)
        for h, a in zip(unique, assessed, strict=True)
    ]
