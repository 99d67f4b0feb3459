"""Chain of RAG (RAGAR, Algorithm 1): one question after the other; see ``agent.graphs.nodes``."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agent.graphs import round_verification
from agent.graphs.nodes import Round, asking, current_claim, has_enough, new_graph, pairs_of, scored_of
from agent.graphs.qa_pairs import is_settled
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState, Update
from agent.graphs.veracity import add_veracity
from agent.types import AtomicClaim, Question, VeracityMethod

WIDER = "wider"
"""Purpose of the question that looks further."""
NOTHING_NEW = "no sentence that was not scored before"


def next_question(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> Round:
    """First or follow-up question."""
    pairs, image = pairs_of(state, claim), state.get("image_context")
    wider = _wider_questions(state, deps, claim) if pairs else ()
    if wider and len(pairs) >= deps.caps.max_questions - 1:
        questions = wider
    else:
        questions = deps.reasoner.questions("chain", claim, pairs, image, 1) or wider
    return Round(questions, f"q{len(pairs) + 1}", len(pairs))


def _wider_questions(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> tuple[Question, ...]:
    """The claim once more for twice the sentences, where it is still open and that was asked for (the verify-fail
    fallback of CertiRAG).
    """
    if not deps.bounds.wider or any(p.question.purpose == WIDER for p in pairs_of(state, claim)):
        return ()
    if is_settled(claim, scored_of(state, claim), state.get("trust"), deps.thresholds):
        return ()
    return (Question(claim_id=claim.claim_id, text=claim.text, route="text", purpose=WIDER),)


ask = asking(next_question)


def verify(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """As ``agent.graphs.round_verification.verify``; a pair says where no sentence was new."""
    update = round_verification.verify(state, runtime)
    if not update["scored"]:
        update["qa_pairs"] = tuple(p.model_copy(update={"reason": p.reason or NOTHING_NEW}) for p in update["qa_pairs"])
    return update


def follow_up_check(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Whether the evidence is enough, or there is another question to ask."""
    deps, claim = runtime.context, current_claim(state)
    enough, full = has_enough(state, deps, claim), len(pairs_of(state, claim)) >= deps.caps.max_questions
    return {"enough": full or (enough and not _wider_questions(state, deps, claim))}


def twice_if_wider(state: InvestigationState, question: Question) -> float:
    """Share of the hits: twice as many for the question that looks further."""
    del state
    return 2.0 if question.purpose == WIDER else 1.0


def build_chain(veracity: VeracityMethod = "standard") -> InvestigationGraph:
    """The chain, uncompiled: the caller compiles it with its checkpointer."""
    return add_veracity(new_graph(verify, follow_up_check, ask=ask, share=twice_if_wider), veracity)
