"""A question becomes a draft answer, whose statements are then checked like any claim."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evidence.types import Query
from factdesk.kernel import CLAIM_IR_SCHEMA

if TYPE_CHECKING:
    from agent.graphs.state import Deps
    from agent.types import ClaimIR

LOOKED_AT = 2
"""The draft is made from so many times the sentences that a question of a check looks at."""


def draft_for(question: str, deps: Deps) -> str:
    """Look for sentences that answer, and draft from them; ``""``: none does.

    A language model, where it is the reasoner, may propose statements too.
    """
    from agent.drafting import MAX_STATEMENTS, draft_answer
    from agent.reasoners.llm import LLMReasoner

    bounds = deps.bounds
    hits = deps.retriever.retrieve(
        Query(
            text=question, limit=bounds.hits * LOOKED_AT, published_from=bounds.published_from,
            published_to=bounds.published_to, only_domains=bounds.only_domains,
            block_domains=bounds.block_domains,
        )
    )  # fmt: skip
    reasoner = deps.reasoner
    proposed = reasoner.draft_answer(question, hits) if isinstance(reasoner, LLMReasoner) else ()
    limit = min(MAX_STATEMENTS, deps.caps.max_claims)
    return draft_answer(question, hits, deps.compile_claims, proposed, limit)


def or_nothing(compile_claims: Callable[[str], ClaimIR]) -> Callable[[str], ClaimIR]:
    """The intake, for which an empty draft has no claims."""
    from agent.types import ClaimIR

    def compiled(text: str) -> ClaimIR:
        return (
            compile_claims(text)
            if text
            else ClaimIR(schema_version=CLAIM_IR_SCHEMA, input_text=text, claims=())
        )

    return compiled
