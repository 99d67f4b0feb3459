"""The label of a question's sentences for a claim whose description was resolved to a name.

The anchor (the name is what is described) is scored first, then the claim with the name in it. Steers
questions and the proposal only; the policy reads the claim as it stands.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.assessment.multihop import MOST, Scored, holds, read_both, statement_of
from agent.assessment.nli_pairs import pair_of
from agent.graphs.selection import RESERVE
from agent.graphs.state import Deps
from agent.intake.descriptions import find_description
from agent.types import AtomicClaim, Bridge, Question, Reading, ReadSpan, ScoredSpan, resolved_name
from evidence.types import Hit
from factdesk.kernel import Record
from language.names import find_names, name_in
from verifier.types import Label


class Bridged(Record):
    """Label and score (0 to 1) of a resolved pair, and the forward passes used."""

    label: Label = "not_enough_info"
    score: float = 0.0
    passes: int = 0
    best: ScoredSpan | None = None
    bridge: Bridge | None = None
    """The statements that were scored; ``None`` if none were."""

    def or_else(self, label: Label, score: float, best: ScoredSpan | None) -> tuple[Label, float, ScoredSpan | None]:
        """This reading if it has a label, otherwise the given one."""
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
    """Label of the claim with the question's name in it, if there is a name and room.

    ``known``: spans scored for the claim; ``left``: forward passes left. Errors of the verifier are the
    caller's.
    """
    name = resolved_name(question.purpose)
    described = find_description(claim.text) if name is not None else None
    if name is None or described is None or left < 2 * MOST * RESERVE:
        return Bridged()
    scored = {s.hit.span.span_id for s in known}
    first = _read(deps, claim, described.anchor(name), [s.hit for s in known if _has(s.hit, name)], scored)
    passes = _passes(first)
    if not holds(_items(first)):
        bridge = Bridge(question_id=question.question_id, name=name, first_hop=first, second_hop=None)
        return Bridged(passes=passes, bridge=bridge)
    found = {h.span.span_id: h for h in hits if h.span.kind == "text" and _has(h, name)}
    second = _read(deps, claim, described.other(name), list(found.values()), scored)
    passes += _passes(second)
    bridge = Bridge(question_id=question.question_id, name=name, first_hop=first, second_hop=second)
    said = read_both(_items(first), _items(second))
    best = next((s for s in second.spans if said and s.span_id == said[2]), None)
    if said is None or best is None:
        return Bridged(passes=passes, bridge=bridge)
    chosen = ScoredSpan(
        claim_id=claim.claim_id,
        question_id=question.question_id,
        hit=found[best.span_id],
        assessment=best.assessment,
    )
    return Bridged(label=said[0], score=said[1], passes=passes, best=chosen, bridge=bridge)


def _has(hit: Hit, name: str) -> bool:
    return any(name_in(n, f"{hit.span.text} {hit.span.context}") for n in find_names(name))


def _items(reading: Reading) -> list[Scored]:
    return [(s.span_id, s.assessment) for s in reading.spans]


def _passes(reading: Reading) -> int:
    return sum(s.assessment.passes for s in reading.spans)


def _read(deps: Deps, claim: AtomicClaim, text: str, hits: Sequence[Hit], scored: Collection[str]) -> Reading:
    """``text`` scored against the first of these sentences."""
    asked = statement_of(claim, text)
    unique = list({h.span.span_id: h for h in hits[:MOST]}.values())
    assessed = deps.verifier.assess([pair_of(asked, h.span) for h in unique]) if unique else ()
    spans = (
        ReadSpan(span_id=h.span.span_id, assessment=a, span=None if h.span.span_id in scored else h.span)
        for h, a in zip(unique, assessed, strict=True)
    )
    return Reading(text=text, spans=tuple(spans))
