"""RAGAR's ways to ask: Chain of RAG (Algorithm 1), Tree of RAG (Algorithm 2), and the baseline SubQ.

A chain asks one question after the other; a tree three a round, of whose pairs the best is kept; SubQ all at once.
Discarded pairs stay in the trail with the reason, and their spans stay evidence. See ``agent.graphs.nodes``.
"""

from __future__ import annotations

from collections.abc import Callable

from langgraph.runtime import Runtime

from agent.graphs import round_verification
from agent.graphs.nodes import (
    Node,
    Round,
    asking,
    current_claim,
    has_enough,
    new_graph,
    next_depth,
    pairs_of,
    scored_of,
)
from agent.graphs.qa_pairs import as_told, is_settled
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState, Update
from agent.graphs.veracity import add_veracity
from agent.types import AtomicClaim, Question, VeracityMethod

WIDER = "wider"
"""Purpose of the question that looks further."""
NOTHING_NEW = "no sentence that was not scored before"


def next_question(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> Round:
    """Of a chain: the first or follow-up question."""
    pairs, image = pairs_of(state, claim), state.get("image_context")
    wider = wider_question(state, deps, claim) if pairs else ()
    if wider and len(pairs) >= deps.caps.max_questions - 1:
        questions = wider
    else:
        questions = deps.reasoner.questions("chain", claim, pairs, image, 1) or wider
    return Round(questions, f"q{len(pairs) + 1}", len(pairs))


def next_round(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> Round:
    """Of a tree: three questions at the root, then three from the kept pairs."""
    pairs, image, limit = pairs_of(state, claim), state.get("image_context"), deps.caps.max_branches
    asked, depth = deps.reasoner.questions("tree", claim, pairs, image, limit), next_depth(pairs)
    return Round(asked[:limit], f"q{depth + 1}.{{}}", depth)


def sub_questions(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> Round:
    """Of SubQ: all sub-questions of the claim, none depending on the answer to another."""
    limit = deps.caps.max_questions
    return Round(deps.reasoner.questions("subq", claim, (), state.get("image_context"), limit)[:limit], "q{}")


def wider_question(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> tuple[Question, ...]:
    """The claim once more for twice the sentences, where it is still open and that was asked for (the verify-fail
    fallback of CertiRAG).
    """
    if not deps.bounds.wider or any(p.question.purpose == WIDER for p in pairs_of(state, claim)):
        return ()
    if is_settled(claim, scored_of(state, claim), state.get("trust"), deps.thresholds):
        return ()
    return (Question(claim_id=claim.claim_id, text=claim.text, route="text", purpose=WIDER),)


def verify(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """As ``agent.graphs.round_verification.verify``; a pair of a chain says where no sentence was new."""
    update = round_verification.verify(state, runtime)
    if not update["scored"]:
        update["qa_pairs"] = tuple(p.model_copy(update={"reason": p.reason or NOTHING_NEW}) for p in update["qa_pairs"])
    return update


def eliminate(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Keep the best pair of a tree's round; the others stay in the trail with the reason."""
    claim, drafts = current_claim(state), state["drafts"]
    kept = [p for p in pairs_of(state, claim) if p.kept]
    verdict = runtime.context.reasoner.eliminate(claim, kept, [as_told(p) for p in drafts])
    pairs = tuple(
        pair.model_copy(update={"kept": number == verdict.kept, "reason": pair.reason or reason})
        for number, (pair, reason) in enumerate(zip(drafts, verdict.reasons, strict=True))
    )
    return {"qa_pairs": pairs, "drafts": (), "round": ()}


def checking(more: Callable[[InvestigationState, Deps, AtomicClaim], tuple[Question, ...]] | None = None) -> Node:
    """The node ``follow_up_check``: whether the evidence is enough, or the questions are used up.

    ``more``: what is asked first all the same.
    """

    def follow_up_check(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
        deps, claim = runtime.context, current_claim(state)
        enough, rounds = has_enough(state, deps, claim), next_depth(pairs_of(state, claim))
        goes_on = more is not None and bool(more(state, deps, claim))
        return {"enough": rounds >= deps.caps.max_questions or (enough and not goes_on)}

    return follow_up_check


def twice_if_wider(state: InvestigationState, question: Question) -> float:
    """Share of the hits: twice as many for the question that looks further."""
    del state
    return 2.0 if question.purpose == WIDER else 1.0


ask = asking(next_question)
follow_up_check = checking(wider_question)


def build_method(method: str, veracity: VeracityMethod = "standard") -> InvestigationGraph:
    """The graph of ``chain``, ``tree`` or ``subq``, uncompiled: the caller compiles it with its checkpointer."""
    if method == "tree":
        graph = new_graph(round_verification.weigh, eliminate, checking(), ask=asking(next_round))
    elif method == "subq":
        graph = new_graph(round_verification.verify, ask=asking(sub_questions))
    else:
        graph = new_graph(verify, follow_up_check, ask=ask, share=twice_if_wider)
    return add_veracity(graph, veracity)
