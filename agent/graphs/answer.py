"""Checking the statements of a draft answer: a chain for each, and a wider one for those that fail.

::

    intake -> next_statement -> ask -> retrieve -> answer -> verify -> trust -> enough
                    ^            ^                                                |
                    |            +--------------- not enough, questions left -----+
                    +--------------------------- enough --------------------------+
    first round over: the statements that are not settled once more, looking further (verify-fail fallback)
    no statement left -> END

In the first round each statement is asked about as in every check: itself, and who says otherwise. In the
second, retrieval is widened for the failed ones alone: twice as many sentences a question, and all further
questions of the plan. What was scored before stays, so nothing found against a statement is lost.
"""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from agent.graphs import nodes
from agent.graphs.common import RECOVERABLE, current_claim, failure_of, look_up, pairs_of, say, scored_of
from agent.graphs.state import ChainState, Deps, Update
from agent.graphs.verify import is_settled
from agent.types import AtomicClaim

FIRST_ROUND = 2
"""Questions a statement in the first round: itself, and the other side."""
WIDER = 2
"""So many times the usual number of sentences a question in the second round."""


def next_statement(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Move on to the next statement of the round; at the end of the first, begin the second."""
    deps, cursor, failed = runtime.context, state["cursor"], state.get("failed")
    claims = state["claim_ir"].claims
    update = Update()
    if failed is None:
        rest = [i for i in range(cursor + 1, len(claims)) if not claims[i].unsupported_by_design]
        if not rest:
            failed = tuple(i for i, c in enumerate(claims) if _failed(state, deps, c))
            if failed:
                say(runtime, "question", f"looking further for {len(failed)} statement(s)")
            update["failed"] = failed
            rest = list(failed)
    else:
        update = nodes.close_claim(state, deps, current_claim(state))
        rest = [i for i in failed if i > cursor]
    update.update(
        {
            "cursor": rest[0] if rest else len(claims), "question": None, "hits": (), "answer": None,
            "fresh": (), "enough": False, "round": (), "drafts": (),
        }
    )  # fmt: skip
    return update


def _failed(state: ChainState, deps: Deps, claim: AtomicClaim) -> bool:
    settled = is_settled(claim, scored_of(state, claim), state.get("trust"), deps.thresholds)
    return not claim.unsupported_by_design and not settled


def after_next(state: ChainState) -> str:
    """Ask about the statement at the cursor, or end."""
    return "ask" if state["cursor"] < len(state["claim_ir"].claims) else END


def after_ask(state: ChainState) -> str:
    """Retrieve, or go on when nothing is left to ask."""
    return "retrieve" if state["question"] is not None else "next_statement"


def retrieve(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Evidence for the question; more of it in the second round."""
    deps, claim, question = runtime.context, current_claim(state), state["question"]
    if question is None:
        raise RuntimeError("nothing was asked; the graph's edges are wrong")
    wider = state.get("failed") is not None
    try:
        return {"hits": look_up(deps, question, claim, deps.bounds.hits * (WIDER if wider else 1))}
    except RECOVERABLE as error:
        return {"hits": (), "failures": (failure_of("evidence.retrieve", error, claim),)}


def enough(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Two questions in the first round; in the second as long as the chain would ask."""
    deps, claim = runtime.context, current_claim(state)
    pairs = pairs_of(state, claim)
    if state.get("failed") is None:
        return {"enough": len(pairs) >= min(FIRST_ROUND, deps.caps.max_questions)}
    return nodes.follow_up_check(state, runtime)


def after_enough(state: ChainState) -> str:
    """Back to asking, or on to the next statement."""
    return "next_statement" if state["enough"] else "ask"


def build_answer() -> StateGraph[ChainState, Deps, ChainState, ChainState]:
    """The graph, uncompiled: the caller compiles it with its checkpointer."""
    graph: StateGraph[ChainState, Deps, ChainState, ChainState] = StateGraph(ChainState, context_schema=Deps)
    graph.add_node("intake", nodes.intake)
    graph.add_node("next_statement", next_statement)
    graph.add_node("ask", nodes.ask)
    graph.add_node("retrieve", retrieve)
    graph.add_node("answer", nodes.answer)
    graph.add_node("verify", nodes.verify)
    graph.add_node("trust", nodes.trust)
    graph.add_node("enough", enough)
    graph.add_edge(START, "intake")
    graph.add_edge("intake", "next_statement")
    graph.add_conditional_edges("next_statement", after_next, ["ask", END])
    graph.add_conditional_edges("ask", after_ask, ["retrieve", "next_statement"])
    graph.add_edge("retrieve", "answer")
    graph.add_edge("answer", "verify")
    graph.add_edge("verify", "trust")
    graph.add_edge("trust", "enough")
    graph.add_conditional_edges("enough", after_enough, ["ask", "next_statement"])
    return graph
