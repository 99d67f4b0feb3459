"""Chain of RAG (RAGAR, Algorithm 1) as a state machine, one chain after the other per atomic claim.

::

    intake -> next_claim -> ask -> retrieve -> answer -> verify -> trust -> follow_up_check
                  ^          ^                                                    |
                  |          +--------------------- not enough, questions left ---+
                  +----------------------------------- enough ---------------------+
    no claim left -> propose -> END
"""

from __future__ import annotations

from langgraph.graph import START, StateGraph

from agent.graphs import nodes
from agent.graphs.state import ChainState, Deps
from agent.graphs.veracity import add_veracity
from agent.types import VeracityMethod

NODES = {
    "intake": nodes.intake,
    "next_claim": nodes.next_claim,
    "ask": nodes.ask,
    "retrieve": nodes.retrieve,
    "answer": nodes.answer,
    "verify": nodes.verify,
    "trust": nodes.trust,
    "follow_up_check": nodes.follow_up_check,
}


def build_chain(
    veracity: VeracityMethod = "standard",
) -> StateGraph[ChainState, Deps, ChainState, ChainState]:
    """The chain, uncompiled: the caller compiles it with its checkpointer."""
    graph: StateGraph[ChainState, Deps, ChainState, ChainState] = StateGraph(ChainState, context_schema=Deps)
    for name, node in NODES.items():
        graph.add_node(name, node)
    graph.add_edge(START, "intake")
    graph.add_edge("intake", "next_claim")
    graph.add_conditional_edges("next_claim", nodes.after_next_claim, ["ask", "propose"])
    graph.add_conditional_edges("ask", nodes.after_ask, ["retrieve", "next_claim"])
    graph.add_edge("retrieve", "answer")
    graph.add_edge("answer", "verify")
    graph.add_edge("verify", "trust")
    graph.add_edge("trust", "follow_up_check")
    graph.add_conditional_edges("follow_up_check", nodes.after_check, ["ask", "next_claim"])
    add_veracity(graph, veracity)
    return graph


def recursion_limit(claims: int, questions: int) -> int:
    """Supersteps a run may take at most; the real bound is the caps in the state's context."""
    return 20 + claims * (2 + questions * 7)
