"""The SubQ baseline of RAGAR: all sub-questions of a claim at once, none depending on the answer to another."""

from __future__ import annotations

from agent.graphs.nodes import Round, asking, new_graph
from agent.graphs.round_verification import verify
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState
from agent.graphs.veracity import add_veracity
from agent.types import AtomicClaim, VeracityMethod


def sub_questions(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> Round:
    """All sub-questions of the claim, within the cap on questions."""
    limit = deps.caps.max_questions
    return Round(deps.reasoner.questions("subq", claim, (), state.get("image_context"), limit)[:limit], "q{}")


def build_subq(veracity: VeracityMethod = "standard") -> InvestigationGraph:
    """The baseline, uncompiled: the caller compiles it with its checkpointer."""
    return add_veracity(new_graph(verify, ask=asking(sub_questions)), veracity)
