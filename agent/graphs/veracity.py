"""Veracity prediction (RAGAR 4.4): the reasoner's proposal; the policy decides.

``standard`` and ``cot`` are the node ``propose``; ``cove`` goes on with ``doubt``, ``check`` (all in
parallel), ``weigh_checks`` and ``correct``, and its evidence counts for the policy.
"""

from __future__ import annotations

from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Send

from agent.graphs.branches import branch, send_round, weigh
from agent.graphs.common import as_check, out_of_time, pairs_of, say, say_question
from agent.graphs.qa_pairs import as_told
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState, Update
from agent.types import CHECK, Proposal, QAPair, Question, VeracityMethod


def propose(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """The reasoner's proposal over all kept and supported pairs."""
    deps = runtime.context
    say(runtime, "decide", "weighing the evidence")
    proposal = deps.reasoner.propose(state["claim_ir"], _kept(state), deps.veracity)
    return {"proposal": proposal}


def _kept(state: InvestigationState) -> tuple[QAPair, ...]:
    """The kept pairs, with unsupported answers blanked."""
    return tuple(as_told(p) for p in state.get("qa_pairs", ()) if p.kept)


def _draft(state: InvestigationState) -> Proposal:
    draft = state["proposal"]
    if draft is None:
        raise RuntimeError("a draft was to be checked before it was made; the graph's edges are wrong")
    return draft


def doubt(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Questions that could show the draft to be wrong, at most as many as a tree has branches."""
    deps, limit = runtime.context, runtime.context.caps.max_branches
    image, questions = state.get("image_context"), list[Question]()
    for claim in state["claim_ir"].claims:
        if claim.unsupported_by_design:
            continue
        if (late := out_of_time(deps, claim)) is not None:
            return {"round": (), "failures": (late,)}
        pairs = pairs_of(state, claim)
        depth = 1 + max((p.question.depth for p in pairs), default=-1)
        asked = deps.reasoner.verification_questions(claim, pairs, _draft(state), limit)[:limit]
        for number, question in enumerate(asked):
            questions.append(as_check(deps.reasoner.route(question, claim, image), depth, number))
            say_question(runtime, questions[-1], claim)
    return {"round": tuple(questions), "seconds": deps.clock()}


def after_doubt(state: InvestigationState) -> list[Send] | str:
    """A branch per verification question, or straight to the correction."""
    return send_round(state, "check") if state["round"] else "correct"


def weigh_checks(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Score what the verification questions found; every pair is kept."""
    update = weigh(state, runtime, runtime.context.caps)
    update.update({"qa_pairs": update["drafts"], "drafts": (), "round": ()})
    return update


def correct(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """The draft, corrected by the answers to its verification questions."""
    kept = _kept(state)
    checks = [p for p in kept if p.question.purpose.startswith(CHECK)]
    before = [p for p in kept if not p.question.purpose.startswith(CHECK)]
    reasoner = runtime.context.reasoner
    return {"proposal": reasoner.correct(state["claim_ir"], before, _draft(state), checks)}


def add_veracity(
    graph: InvestigationGraph,
    veracity: VeracityMethod,
) -> None:
    """Add the nodes of the proposal behind an investigation, which leads to ``propose``."""
    graph.add_node("propose", propose)
    if veracity != "cove":
        graph.add_edge("propose", END)
        return
    graph.add_node("doubt", doubt)
    graph.add_node("check", branch)
    graph.add_node("weigh_checks", weigh_checks, defer=True)
    graph.add_node("correct", correct)
    graph.add_edge("propose", "doubt")
    graph.add_conditional_edges("doubt", after_doubt, ["check", "correct"])
    graph.add_edge("check", "weigh_checks")
    graph.add_edge("weigh_checks", "correct")
    graph.add_edge("correct", END)
