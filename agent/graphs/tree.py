"""Tree of RAG (RAGAR, Algorithm 2) as a state machine, one tree after the other per atomic claim.

::

    intake -> next_claim -> plan -> branch (three in parallel) -> weigh -> eliminate -> follow_up_check
                  ^          ^                                                              |
                  |          +------------------------- not enough, rounds left ------------+
                  +---------------- join_evidence <---- enough -----------------------------+
    no claim left -> propose -> END

Each round keeps its best pair. Discarded pairs stay in the trail with the reason, and their spans stay
evidence.
"""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Send

from agent.graphs import chain
from agent.graphs.branches import branch, send_round
from agent.graphs.branches import weigh as weigh_branches
from agent.graphs.common import (
    current_claim,
    in_round,
    investigation_caps,
    out_of_time,
    pairs_of,
    say_question,
    scored_of,
)
from agent.graphs.qa_pairs import as_told, is_settled
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState, Update
from agent.graphs.veracity import add_veracity
from agent.types import VeracityMethod


def plan(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """The questions of the next round: three at the root, then three from the kept pairs."""
    deps, claim = runtime.context, current_claim(state)
    if (late := out_of_time(deps, claim)) is not None:
        return {"round": (), "failures": (late,)}
    pairs, image, limit = pairs_of(state, claim), state.get("image_context"), deps.caps.max_branches
    asked = (
        deps.reasoner.branch_questions(claim, pairs, image, limit)
        if pairs
        else deps.reasoner.root_questions(claim, image, limit)
    )
    depth = 1 + max((p.question.depth for p in pairs), default=-1)
    questions = tuple(
        in_round(deps.reasoner.route(q, claim, image), depth, number) for number, q in enumerate(asked[:limit])
    )
    for question in questions:
        say_question(runtime, question, claim)
    return {"round": questions, "seconds": deps.clock()}


def after_plan(state: InvestigationState) -> list[Send] | Literal["join_evidence"]:
    """A branch per question, or close the claim when there is none left to ask."""
    return send_round(state, "branch") if state["round"] else "join_evidence"


def weigh(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Score what the branches found, in the order they were sent."""
    return weigh_branches(state, runtime, investigation_caps(runtime.context))


def eliminate(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Keep the best pair of the round; the others stay in the trail with the reason."""
    claim, drafts = current_claim(state), state["drafts"]
    kept = [p for p in pairs_of(state, claim) if p.kept]
    verdict = runtime.context.reasoner.eliminate(claim, kept, [as_told(p) for p in drafts])
    pairs = tuple(
        pair.model_copy(update={"kept": number == verdict.kept, "reason": pair.reason or reason})
        for number, (pair, reason) in enumerate(zip(drafts, verdict.reasons, strict=True))
    )
    return {"qa_pairs": pairs, "drafts": (), "round": ()}


def follow_up_check(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Whether the evidence is enough, or there is another round to go."""
    deps, claim = runtime.context, current_claim(state)
    pairs = pairs_of(state, claim)
    settled = is_settled(claim, scored_of(state, claim), state.get("trust"), deps.thresholds)
    check = deps.reasoner.follow_up_check(claim, pairs, settled)
    rounds = 1 + max(p.question.depth for p in pairs)
    return {"enough": check.enough or rounds >= deps.caps.max_questions}


def after_next_claim(state: InvestigationState) -> Literal["plan", "propose"]:
    """Plan for the claim at the cursor, or propose when there is none left."""
    return "plan" if chain.after_next_claim(state) == "ask" else "propose"


def after_check(state: InvestigationState) -> Literal["plan", "join_evidence"]:
    """Another round, or close the claim."""
    return "join_evidence" if state["enough"] else "plan"


def build_tree(veracity: VeracityMethod = "standard") -> InvestigationGraph:
    """The tree, uncompiled: the caller compiles it with its checkpointer."""
    graph = chain.new_graph()
    graph.add_node("plan", plan)
    graph.add_node("branch", branch)
    graph.add_node("weigh", weigh, defer=True)
    graph.add_node("eliminate", eliminate)
    graph.add_node("follow_up_check", follow_up_check)
    graph.add_node("join_evidence", chain.join_evidence)
    graph.add_edge("join_evidence", "next_claim")
    graph.add_conditional_edges("next_claim", after_next_claim, ["plan", "propose"])
    graph.add_conditional_edges("plan", after_plan, ["branch", "join_evidence"])
    graph.add_edge("branch", "weigh")
    graph.add_edge("weigh", "eliminate")
    graph.add_edge("eliminate", "follow_up_check")
    graph.add_conditional_edges("follow_up_check", after_check, ["plan", "join_evidence"])
    add_veracity(graph, veracity)
    return graph
