"""A question becomes a draft answer, whose statements are then checked like any claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evidence.types import Query

if TYPE_CHECKING:
    from agent.graphs.state import Deps, Stands
    from agent.types import AtomicClaim, ScoredSpan
    from factdesk.kernel import Failure
    from report.types import Witness
    from trust.types import TrustReport
    from verifier.types import Thresholds

LOOKED_AT = 4
"""The draft is made from so many times the sentences that a question of a check looks at."""


def draft_for(question: str, deps: Deps) -> str:
    """Look for sentences that answer, and draft from them; ``""``: none does.

    First stands the question's own statement with its gap filled from a sentence that supports it; then
    statements of sentences that lean to such an answer. A language model, where it is the reasoner, may
    propose statements too.
    """
    from agent.assessment.answer_type import word_rules_suffice
    from agent.assessment.statement_form import statement_form
    from agent.reasoners.drafting import MAX_STATEMENTS, draft_answer
    from agent.reasoners.gap_statements import read_gap
    from agent.reasoners.llm import LLMReasoner

    bounds = deps.bounds
    hits = deps.retriever.retrieve(Query.taken_from(bounds, text=question, limit=bounds.hits * LOOKED_AT))
    reasoner = deps.reasoner
    proposed = reasoner.draft_answer(question, hits) if isinstance(reasoner, LLMReasoner) else ()
    limit = min(MAX_STATEMENTS, deps.caps.max_claims)
    form, own = statement_form(question), tuple[str, ...]()
    if form is not None:
        read = read_gap(question, form, hits, deps.verifier, deps.thresholds)
        own, hits = read.statements[:limit], tuple(h for h in hits if h.span.span_id in read.leaning)
    elif not word_rules_suffice(question):
        hits = ()
    return draft_answer(question, hits, deps.compile_claims, proposed, limit, own)


def make_stands(thresholds: Thresholds, *, trust_enabled: bool, witness: Witness) -> Stands:
    """The policy's word on a drafted statement while it is being looked into."""
    from factdesk.check.assemble import record_of
    from report.policy.rules import decide

    def stands(
        claim: AtomicClaim,
        scored: Sequence[ScoredSpan],
        trust: TrustReport | None,
        failures: Sequence[Failure],
    ) -> bool:
        record = record_of(claim, scored, trust, trust_enabled=trust_enabled, witness=witness, sources=witness.sources)
        return decide(record, thresholds, tuple(failures)).state == "VERIFIED"

    return stands
