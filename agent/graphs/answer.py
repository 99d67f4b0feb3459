"""Checking the statements of a draft answer: a chain for each, and a wider one for those that fail.

The first round asks two questions per statement; the first statement that stands ends it. The second round
widens retrieval for those that failed (verify-fail fallback), and what was scored stays. See
``agent.graphs.nodes``; the statements stand in the place of claims, and there is no proposal.
"""

from __future__ import annotations

from langgraph.graph import END
from langgraph.runtime import Runtime

from agent.graphs import methods, nodes
from agent.graphs.nodes import current_claim, new_graph, pairs_of, say, scored_of
from agent.graphs.qa_pairs import is_settled
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState, Update
from agent.types import AtomicClaim, Question

FIRST_ROUND = 2
"""Questions per statement in the first round: itself, and the other side."""
ROOM = 100
"""Forward passes that must be left to look into a statement again."""


def next_statement(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Move to the next statement; after the first round, begin the second."""
    deps, cursor, failed = runtime.context, state["cursor"], state.get("failed")
    claims, update, rest = state["claim_ir"].claims, Update(), list[int]()
    done = cursor >= 0 and _stands(state, deps, current_claim(state))
    if done:
        update["trimmed"] = _left(state, cursor)
    elif failed is not None:
        rest = [i for i in failed if i > cursor]
    else:
        rest = [i for i in range(cursor + 1, len(claims)) if not claims[i].unsupported_by_design]
        if not rest:
            rest = [i for i, c in enumerate(claims) if not c.unsupported_by_design]
            update["failed"] = tuple(rest)
            say(runtime, "question", f"looking further for {len(rest)} statement(s)")
    room = deps.caps.max_pairs - state.get("passes", 0) >= ROOM
    if rest and (failed is not None or "failed" in update) and not room:
        update["trimmed"] = (f"Retrieval was widened no further (at most {deps.caps.max_pairs} verifier pairs).",)
        rest = []
    update.update({"cursor": rest[0] if rest else len(claims), "enough": False})
    return update


def _stands(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> bool:
    """Whether the policy would verify the statement; without a policy, by the scores."""
    scored = scored_of(state, claim)
    if deps.stands is not None:
        return deps.stands(claim, scored, state.get("trust"), state.get("failures", ()))
    if any(s.assessment.calibrated.contradiction >= deps.thresholds.tau_contradict for s in scored):
        return False
    return is_settled(claim, scored, state.get("trust"), deps.thresholds)


def _left(state: InvestigationState, cursor: int) -> tuple[str, ...]:
    """A note on the statements that are skipped after one stands."""
    rest = [c.claim_id for c in state["claim_ir"].claims[cursor + 1 :] if not scored_of(state, c)]
    return (f"{', '.join(rest)}: not looked into, since an earlier statement stands.",) if rest else ()


def twice_in_the_second_round(state: InvestigationState, question: Question) -> float:
    """Share of the hits that a question has."""
    del question
    return 1.0 if state.get("failed") is None else 2.0


def enough(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Two questions in the first round; in the second, the chain's own test."""
    deps, claim = runtime.context, current_claim(state)
    if state.get("failed") is None:
        return {"enough": len(pairs_of(state, claim)) >= min(FIRST_ROUND, deps.caps.max_questions)}
    return methods.follow_up_check(state, runtime)


def join_evidence(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """In the second round, read several spans together before leaving a statement."""
    return nodes.join_evidence(state, runtime) if state.get("failed") is not None else {}


def build_answer() -> InvestigationGraph:
    """The graph, uncompiled: the caller compiles it with its checkpointer."""
    return new_graph(
        methods.verify,
        enough,
        ask=methods.ask,
        share=twice_in_the_second_round,
        following=next_statement,
        join=join_evidence,
        end=END,
    )
