"""Chain of RAG (RAGAR, Algorithm 1) as a state machine, one chain after the other per atomic claim.

::

    intake -> next_claim -> ask -> retrieve -> answer -> verify -> trust -> verify_answer -> follow_up_check
                  ^          ^                                                                    |
                  |          +---------------------------------------- not enough, questions left +
                  +------------- join_evidence <-------------------------------------------- enough +
    no claim left -> propose -> END

Its nodes, functions of state and context, serve the other graphs too; I/O through ``runtime.context`` only.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime

from agent.graphs.common import (
    RECOVERABLE,
    current_claim,
    failure_of,
    in_chain,
    investigation_caps,
    look_up,
    out_of_time,
    pairs_of,
    say,
    say_answer,
    say_question,
    score_hits,
    scored_of,
    weigh_trust,
)
from agent.graphs.qa_pairs import Asked, complete, failed_pair, is_settled, joint_evidence, spent_on
from agent.graphs.state import Deps, InvestigationGraph, InvestigationState, Update
from agent.graphs.veracity import add_veracity
from agent.types import AtomicClaim, Question, VeracityMethod

WIDER = "wider"
"""Purpose of the question that looks further."""


def new_graph() -> InvestigationGraph:
    """A graph with the intake and the loop over claims."""
    graph: InvestigationGraph = StateGraph(InvestigationState, context_schema=Deps)
    graph.add_node("intake", intake)
    graph.add_node("next_claim", next_claim)
    graph.add_edge(START, "intake")
    graph.add_edge("intake", "next_claim")
    return graph


def intake(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Compile the input into atomic claims, and read the image context."""
    deps = runtime.context
    claims = deps.compile_claims(state["text"])
    trimmed = (
        (f"{claims.trimmed} of the input's claims were left out (at most {deps.caps.max_claims}).",)
        if claims.trimmed
        else ()
    )
    say(runtime, "intake", f"{len(claims.claims)} statement(s) to check")
    image = deps.images.context()
    if image is not None:
        say(runtime, "image", "the picture was read" if image.text else "no text was found in the picture")
    return {"claim_ir": claims, "image_context": image, "cursor": -1, "trimmed": trimmed}


def next_claim(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Move on to the next claim that documents could settle."""
    del runtime
    claims, cursor = state["claim_ir"].claims, state["cursor"] + 1
    while cursor < len(claims) and claims[cursor].unsupported_by_design:
        cursor += 1
    return at_claim(cursor)


def at_claim(cursor: int) -> Update:
    """State changes at the start of a claim."""
    return {
        "cursor": cursor,
        "question": None,
        "hits": (),
        "answer": None,
        "fresh": (),
        "enough": False,
        "round": (),
        "drafts": (),
    }


def join_evidence(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Read several spans together for a claim that no single span settled, within the caps."""
    deps, claim = runtime.context, current_claim(state)
    left = deps.caps.max_pairs - state.get("passes", 0)
    try:
        joints, passes = joint_evidence(claim, scored_of(state, claim), deps, left)
    except RECOVERABLE as error:
        return {"failures": (failure_of("verifier.joint", error, claim),)}
    return {"joints": joints, "passes": passes}


def after_next_claim(state: InvestigationState) -> Literal["ask", "propose"]:
    """Ask about the claim at the cursor, or propose when there is none left."""
    return "ask" if state["cursor"] < len(state["claim_ir"].claims) else "propose"


def ask(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """First or follow-up question, with its route."""
    deps, claim = runtime.context, current_claim(state)
    if (late := out_of_time(deps, claim)) is not None:
        return {"question": None, "failures": (late,)}
    pairs, image = pairs_of(state, claim), state.get("image_context")
    question: Question | None
    if not pairs:
        question = deps.reasoner.first_question(claim, image)
    else:
        wider = _wider_question(state, deps, claim)
        last = wider is not None and len(pairs) >= deps.caps.max_questions - 1
        question = wider if last else deps.reasoner.follow_up(claim, pairs, image) or wider
    if question is not None:
        question = in_chain(deps.reasoner.route(question, claim, image), len(pairs))
        say_question(runtime, question, claim)
    return {"question": question, "seconds": deps.clock()}


def _wider_question(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> Question | None:
    """The claim once more for twice the sentences, where it is still open and that was asked for (the verify-fail
    fallback of CertiRAG).
    """
    if not deps.bounds.wider or any(p.question.purpose == WIDER for p in pairs_of(state, claim)):
        return None
    if is_settled(claim, scored_of(state, claim), state.get("trust"), deps.thresholds):
        return None
    return Question(claim_id=claim.claim_id, text=claim.text, route="text", purpose=WIDER)


def after_ask(state: InvestigationState) -> Literal["retrieve", "join_evidence"]:
    """Retrieve, or close the claim when nothing is left to ask."""
    return "retrieve" if state["question"] is not None else "join_evidence"


def retrieve(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Evidence for the question: from the picture or from the corpus."""
    deps, claim, question = runtime.context, current_claim(state), _asked(state)
    try:
        return {"hits": look_up(deps, question, claim, deps.bounds.hits * (2 if question.purpose == WIDER else 1))}
    except RECOVERABLE as error:
        return {"hits": (), "failures": (failure_of("evidence.retrieve", error, claim),)}


def _asked(state: InvestigationState) -> Question:
    question = state["question"]
    if question is None:
        raise RuntimeError("a node that needs a question ran without one; the graph's edges are wrong")
    return question


def answer(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Answer from the evidence sentences."""
    deps, claim = runtime.context, current_claim(state)
    found = deps.reasoner.answer(_asked(state), claim, state["hits"])
    say_answer(runtime, found, claim, _asked(state).depth)
    return {"answer": found}


def verify(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Score the spans that are new for this claim, within the caps."""
    deps, claim = runtime.context, current_claim(state)
    question = _asked(state)
    found = score_hits(
        deps,
        claim,
        state["hits"],
        {h.span.span_id: question.question_id for h in state["hits"]},
        scored_of(state, claim),
        caps=investigation_caps(deps),
        passes=state.get("passes", 0),
    )
    if not found.failures or found.fresh or found.trimmed:
        say(runtime, "verify", f"{len(found.fresh)} new sentence(s) scored", claim, question.depth)
    return {
        "fresh": found.fresh,
        "scored": found.fresh,
        "passes": found.passes,
        "trimmed": found.trimmed,
        "failures": found.failures,
    }


def trust(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Trust of the documents seen so far."""
    deps, claim = runtime.context, current_claim(state)
    if deps.trust is None or not state["fresh"]:
        return {}
    weighed = weigh_trust(deps, claim, scored_of(state, claim), state.get("trust"), state.get("passes", 0))
    update: Update = {"trust": weighed.report, "passes": weighed.passes, "failures": weighed.failures}
    if weighed.memory is not None:
        update["trust_memory"] = weighed.memory
    return update


def verify_answer(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Check the answer against its citations; the complete pair goes into the trail."""
    deps, claim, given = runtime.context, current_claim(state), state["answer"]
    if given is None:
        raise RuntimeError("an answer was to be verified before it was given; the graph's edges are wrong")
    asked = Asked(
        question=_asked(state),
        answer=given,
        hits=state["hits"],
        fresh=state["fresh"],
        reason="" if state["fresh"] else "no sentence that was not scored before",
    )
    try:
        done = complete(
            deps,
            claim,
            asked,
            scored_of(state, claim),
            state.get("trust"),
            passes=state.get("passes", 0),
            on_answers=spent_on(state.get("qa_pairs", ())),
        )
    except RECOVERABLE as error:
        failed = failure_of("verifier.assess", error, claim)
        return {"failures": (failed,), "qa_pairs": (failed_pair(asked),)}
    return {"passes": done.passes, "trimmed": done.trimmed, "qa_pairs": (done.pair,)}


def follow_up_check(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Whether the evidence is enough, or there is another question to ask."""
    deps, claim = runtime.context, current_claim(state)
    pairs = pairs_of(state, claim)
    settled = is_settled(claim, scored_of(state, claim), state.get("trust"), deps.thresholds)
    check = deps.reasoner.follow_up_check(claim, pairs, settled)
    full = len(pairs) >= deps.caps.max_questions
    return {"enough": full or (check.enough and _wider_question(state, deps, claim) is None)}


def after_check(state: InvestigationState) -> Literal["ask", "join_evidence"]:
    """Back to asking, or close the claim."""
    return "join_evidence" if state["enough"] else "ask"


NODES = (ask, retrieve, answer, verify, trust, verify_answer, follow_up_check, join_evidence)


def build_chain(veracity: VeracityMethod = "standard") -> InvestigationGraph:
    """The chain, uncompiled: the caller compiles it with its checkpointer."""
    graph = new_graph()
    for node in NODES:
        graph.add_node(node.__name__, node)
    graph.add_edge("join_evidence", "next_claim")
    graph.add_conditional_edges("next_claim", after_next_claim, ["ask", "propose"])
    graph.add_conditional_edges("ask", after_ask, ["retrieve", "join_evidence"])
    for before, after in pairwise(("retrieve", "answer", "verify", "trust", "verify_answer", "follow_up_check")):
        graph.add_edge(before, after)
    graph.add_conditional_edges("follow_up_check", after_check, ["ask", "join_evidence"])
    add_veracity(graph, veracity)
    return graph


def recursion_limit(claims: int, questions: int) -> int:
    """Supersteps a run may take at most; the real bound is the caps in the state's context."""
    return 20 + claims * (3 + questions * 8)
