"""Checking the statements of a draft answer: a chain for each, and a wider one for those that fail.

::

    intake -> next_statement -> ask -> retrieve -> answer -> verify -> trust -> verify_answer -> enough
                    ^            ^                                                                 |
                    |            +-------------------------- not enough, questions left -----------+
                    +-------- join_evidence (second round) <----- enough --------------------------+
    first round over: the statements that failed once more, looking further (verify-fail fallback)
    one stands, or no statement is left -> END

The first round asks two questions per statement; the first statement that stands ends it. The second round
widens retrieval for those that failed, and what was scored stays.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from agent.graphs import chain
from agent.graphs.common import RECOVERABLE, current_claim, failure_of, look_up, pairs_of, say, scored_of
from agent.graphs.qa_pairs import is_settled
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState, Update
from agent.types import AtomicClaim

FIRST_ROUND = 2
"""Questions per statement in the first round: itself, and the other side."""
WIDER = 2
"""Factor on the sentences per question in the second round."""
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
    update.update(chain.at_claim(rest[0] if rest else len(claims)))
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


def after_next(state: InvestigationState) -> str:
    """Ask about the statement at the cursor, or end."""
    return "ask" if state["cursor"] < len(state["claim_ir"].claims) else END


def after_ask(state: InvestigationState) -> Literal["retrieve", "join_evidence", "next_statement"]:
    """Retrieve, or go on when nothing is left to ask."""
    return "retrieve" if state["question"] is not None else _closing(state)


def _closing(state: InvestigationState) -> Literal["join_evidence", "next_statement"]:
    """In the second round, read several spans together before leaving a statement."""
    return "next_statement" if state.get("failed") is None else "join_evidence"


def retrieve(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Evidence for the question; more of it in the second round."""
    deps, claim, question = runtime.context, current_claim(state), state["question"]
    if question is None:
        raise RuntimeError("nothing was asked; the graph's edges are wrong")
    wider = state.get("failed") is not None
    try:
        return {"hits": look_up(deps, question, claim, deps.bounds.hits * (WIDER if wider else 1))}
    except RECOVERABLE as error:
        return {"hits": (), "failures": (failure_of("evidence.retrieve", error, claim),)}


def enough(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Two questions in the first round; in the second, the chain's own test."""
    deps, claim = runtime.context, current_claim(state)
    pairs = pairs_of(state, claim)
    if state.get("failed") is None:
        return {"enough": len(pairs) >= min(FIRST_ROUND, deps.caps.max_questions)}
    return chain.follow_up_check(state, runtime)


def after_enough(state: InvestigationState) -> Literal["ask", "join_evidence", "next_statement"]:
    """Back to asking, or on to the next statement."""
    return _closing(state) if state["enough"] else "ask"


def build_answer() -> InvestigationGraph:
    """The graph, uncompiled: the caller compiles it with its checkpointer."""
    graph: InvestigationGraph = StateGraph(InvestigationState, context_schema=Deps)
    shared = (chain.answer, chain.verify, chain.trust, chain.verify_answer, chain.join_evidence)
    for node in (chain.intake, next_statement, chain.ask, retrieve, *shared, enough):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "intake")
    graph.add_edge("intake", "next_statement")
    graph.add_conditional_edges("next_statement", after_next, ["ask", END])
    graph.add_conditional_edges("ask", after_ask, ["retrieve", "join_evidence", "next_statement"])
    for before, after in pairwise(("retrieve", "answer", "verify", "trust", "verify_answer", "enough")):
        graph.add_edge(before, after)
    graph.add_edge("join_evidence", "next_statement")
    graph.add_conditional_edges("enough", after_enough, ["ask", "join_evidence", "next_statement"])
    return graph
