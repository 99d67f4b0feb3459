"""Chain of RAG (RAGAR, Algorithm 1) as a state machine, one chain after the other per atomic claim.

::

    intake -> next_claim -> ask -> retrieve -> answer -> verify -> trust -> verify_answer -> follow_up_check
                  ^          ^                                                                    |
                  |          +---------------------------------------- not enough, questions left +
                  +------------- join_evidence <-------------------------------------------- enough +
    no claim left -> propose -> END
"""

from __future__ import annotations

from agent.graphs import nodes
from agent.graphs.state import InvestigationGraph
from agent.graphs.veracity import add_veracity
from agent.types import VeracityMethod

NODES = {
    "ask": nodes.ask,
    "retrieve": nodes.retrieve,
    "answer": nodes.answer,
    "verify": nodes.verify,
    "trust": nodes.trust,
    "verify_answer": nodes.verify_answer,
    "follow_up_check": nodes.follow_up_check,
    "join_evidence": nodes.join_evidence,
}


def build_chain(
    veracity: VeracityMethod = "standard",
) -> InvestigationGraph:
    """The chain, uncompiled: the caller compiles it with its checkpointer."""
    graph = nodes.new_graph()
    for name, node in NODES.items():
        graph.add_node(name, node)
    graph.add_edge("join_evidence", "next_claim")
    graph.add_conditional_edges("next_claim", nodes.after_next_claim, ["ask", "propose"])
    graph.add_conditional_edges("ask", nodes.after_ask, ["retrieve", "join_evidence"])
    graph.add_edge("retrieve", "answer")
    graph.add_edge("answer", "verify")
    graph.add_edge("verify", "trust")
    graph.add_edge("trust", "verify_answer")
    graph.add_edge("verify_answer", "follow_up_check")
    graph.add_conditional_edges("follow_up_check", nodes.after_check, ["ask", "join_evidence"])
    add_veracity(graph, veracity)
    return graph


def recursion_limit(claims: int, questions: int) -> int:
    """Supersteps a run may take at most; the real bound is the caps in the state's context."""
    return 20 + claims * (3 + questions * 8)
