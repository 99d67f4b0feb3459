"""Tree of RAG (RAGAR, Algorithm 2): three questions a round, of whose pairs the best is kept.

Discarded pairs stay in the trail with the reason, and their spans stay evidence. See ``agent.graphs.nodes``.
"""

from __future__ import annotations

from langgraph.runtime import Runtime

from agent.graphs.nodes import Round, asking, current_claim, has_enough, new_graph, next_depth, pairs_of
from agent.graphs.qa_pairs import as_told
from agent.graphs.round_verification import weigh
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState, Update
from agent.graphs.veracity import add_veracity
from agent.types import AtomicClaim, VeracityMethod


def next_round(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> Round:
    """Three questions at the root, then three from the kept pairs."""
    pairs, image, limit = pairs_of(state, claim), state.get("image_context"), deps.caps.max_branches
    asked, depth = deps.reasoner.questions("tree", claim, pairs, image, limit), next_depth(pairs)
    return Round(asked[:limit], f"q{depth + 1}.{{}}", depth)


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
    enough, rounds = has_enough(state, deps, claim), next_depth(pairs_of(state, claim))
    return {"enough": enough or rounds >= deps.caps.max_questions}


def build_tree(veracity: VeracityMethod = "standard") -> InvestigationGraph:
    """The tree, uncompiled: the caller compiles it with its checkpointer."""
    return add_veracity(new_graph(weigh, eliminate, follow_up_check, ask=asking(next_round)), veracity)
