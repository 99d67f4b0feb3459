"""Veracity prediction (RAGAR 4.4): the reasoner's proposal; the policy decides.

``standard`` and ``cot`` are the node ``propose``; ``cove`` goes on with ``doubt``, ``check`` (all in
parallel), ``verify_checks`` and ``correct``, and its evidence counts for the policy.
"""

from __future__ import annotations

from itertools import pairwise

from langgraph.graph import END
from langgraph.runtime import Runtime

from agent.graphs.nodes import Round, branch, branches_to, next_depth, out_of_time, pairs_of, put, say
from agent.graphs.qa_pairs import as_told
from agent.graphs.round_verification import verify
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
    questions = list[Question]()
    for claim in state["claim_ir"].claims:
        if claim.unsupported_by_design:
            continue
        if (late := out_of_time(deps, claim)) is not None:
            return {"round": (), "failures": (late,)}
        pairs = pairs_of(state, claim)
        asked = deps.reasoner.questions("checks", claim, pairs, None, limit, _draft(state))[:limit]
        checks = put(state, runtime, claim, Round(asked, "v{}", next_depth(pairs)))
        questions += [q.model_copy(update={"purpose": CHECK + q.purpose}) for q in checks]
    return {"round": tuple(questions), "seconds": deps.clock()}


def correct(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """The draft, corrected by the answers to its verification questions."""
    kept = _kept(state)
    checks = [p for p in kept if p.question.purpose.startswith(CHECK)]
    before = [p for p in kept if not p.question.purpose.startswith(CHECK)]
    reasoner = runtime.context.reasoner
    return {"proposal": reasoner.correct(state["claim_ir"], before, _draft(state), checks)}


def add_veracity(graph: InvestigationGraph, veracity: VeracityMethod) -> InvestigationGraph:
    """The graph with the nodes of the proposal behind its investigation, which leads to ``propose``."""
    graph.add_node("propose", propose)
    if veracity != "cove":
        graph.add_edge("propose", END)
        return graph
    graph.add_node("doubt", doubt)
    graph.add_node("check", branch)
    graph.add_node("verify_checks", verify, defer=True)
    graph.add_node("correct", correct)
    graph.add_conditional_edges("doubt", branches_to("check", "correct"), ["check", "correct"])
    for before, after in (*pairwise(("check", "verify_checks", "correct", END)), ("propose", "doubt")):
        graph.add_edge(before, after)
    return graph
