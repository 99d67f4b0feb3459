"""The SubQ baseline of RAGAR: all sub-questions of a claim in parallel, then a proposal.

::

    intake -> next_claim -> ask_all -> branch (all in parallel) -> collect -> join_evidence -> next_claim
    no claim left -> propose -> END

No question depends on the answer to another.
"""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Send

from agent.graphs import chain
from agent.graphs.branches import branch, send_round, weigh
from agent.graphs.common import current_claim, investigation_caps, out_of_time, say_question, side_by_side
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState, Update
from agent.graphs.veracity import add_veracity
from agent.types import VeracityMethod


def ask_all(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """All sub-questions of the claim, within the cap on questions."""
    deps, claim = runtime.context, current_claim(state)
    if (late := out_of_time(deps, claim)) is not None:
        return {"round": (), "failures": (late,)}
    image, limit = state.get("image_context"), deps.caps.max_questions
    questions = tuple(
        side_by_side(deps.reasoner.route(q, claim, image), number)
        for number, q in enumerate(deps.reasoner.sub_questions(claim, image, limit)[:limit])
    )
    for question in questions:
        say_question(runtime, question, claim)
    return {"round": questions, "seconds": deps.clock()}


def after_ask_all(state: InvestigationState) -> list[Send] | Literal["join_evidence"]:
    """A branch per question, or close the claim."""
    return send_round(state, "branch") if state["round"] else "join_evidence"


def collect(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Score what the branches found; every pair is kept."""
    update = weigh(state, runtime, investigation_caps(runtime.context))
    update.update({"qa_pairs": update["drafts"], "drafts": (), "round": ()})
    return update


def after_next_claim(state: InvestigationState) -> Literal["ask_all", "propose"]:
    """Ask about the claim at the cursor, or propose when there is none left."""
    return "ask_all" if chain.after_next_claim(state) == "ask" else "propose"


def build_subq(veracity: VeracityMethod = "standard") -> InvestigationGraph:
    """The baseline, uncompiled: the caller compiles it with its checkpointer."""
    graph = chain.new_graph()
    graph.add_node("ask_all", ask_all)
    graph.add_node("branch", branch)
    graph.add_node("collect", collect, defer=True)
    graph.add_node("join_evidence", chain.join_evidence)
    graph.add_edge("join_evidence", "next_claim")
    graph.add_conditional_edges("next_claim", after_next_claim, ["ask_all", "propose"])
    graph.add_conditional_edges("ask_all", after_ask_all, ["branch", "join_evidence"])
    graph.add_edge("branch", "collect")
    graph.add_edge("collect", "join_evidence")
    add_veracity(graph, veracity)
    return graph
