"""Nodes of the chain: plain functions of state and context, no I/O but through ``runtime.context``."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agent.graphs.common import (
    RECOVERABLE,
    current_claim,
    failure_of,
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
from agent.graphs.numbering import in_chain
from agent.graphs.qa_pairs import Asked, complete, failed_pair, spent_on
from agent.graphs.selection import is_settled, joint_evidence
from agent.graphs.state import ChainState, Deps, Update
from agent.types import AtomicClaim, Question


def intake(state: ChainState, runtime: Runtime[Deps]) -> Update:
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


def next_claim(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Move on to the next claim that any document could settle; joint evidence is sought for the last one."""
    deps, cursor, update = runtime.context, state["cursor"], Update()
    if cursor >= 0:
        update = close_claim(state, deps, current_claim(state))
    claims = state["claim_ir"].claims
    cursor += 1
    while cursor < len(claims) and claims[cursor].unsupported_by_design:
        cursor += 1
    update.update(
        {
            "cursor": cursor, "question": None, "hits": (), "answer": None, "fresh": (), "enough": False,
            "round": (), "drafts": (),
        }
    )  # fmt: skip
    return update


def close_claim(state: ChainState, deps: Deps, claim: AtomicClaim) -> Update:
    """Two-hop evidence for a claim that no single span settled, within the cap on pairs."""
    left = deps.caps.max_pairs - state.get("passes", 0)
    try:
        joints, passes = joint_evidence(claim, scored_of(state, claim), deps, left)
    except RECOVERABLE as error:
        return {"failures": (failure_of("verifier.joint", error, claim),)}
    return {"joints": joints, "passes": passes}


def after_next_claim(state: ChainState) -> str:
    """Ask about the claim at the cursor, or propose when there is none left."""
    return "ask" if state["cursor"] < len(state["claim_ir"].claims) else "propose"


def ask(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """First or follow-up question, with its route."""
    deps, claim = runtime.context, current_claim(state)
    if (late := out_of_time(deps, claim)) is not None:
        return {"question": None, "failures": (late,)}
    pairs, image = pairs_of(state, claim), state.get("image_context")
    question: Question | None
    question = (
        deps.reasoner.follow_up(claim, pairs, image) if pairs else deps.reasoner.first_question(claim, image)
    )
    if question is not None:
        question = in_chain(deps.reasoner.route(question, claim, image), len(pairs))
        say_question(runtime, question, claim)
    return {"question": question, "seconds": deps.clock()}


def after_ask(state: ChainState) -> str:
    """Retrieve, or go on to the next claim when nothing is left to ask."""
    return "retrieve" if state["question"] is not None else "next_claim"


def retrieve(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Evidence for the question: from the picture or from the corpus."""
    deps, claim, question = runtime.context, current_claim(state), _asked(state)
    try:
        return {"hits": look_up(deps, question, claim, deps.bounds.hits)}
    except RECOVERABLE as error:
        return {"hits": (), "failures": (failure_of("evidence.retrieve", error, claim),)}


def _asked(state: ChainState) -> Question:
    question = state["question"]
    if question is None:
        raise RuntimeError("a node that needs a question ran without one; the graph's edges are wrong")
    return question


def answer(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Answer from the evidence sentences."""
    deps, claim = runtime.context, current_claim(state)
    found = deps.reasoner.answer(_asked(state), claim, state["hits"])
    say_answer(runtime, found, claim, _asked(state).depth)
    return {"answer": found}


def verify(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Score the spans that are new for this claim, within the caps."""
    deps, claim = runtime.context, current_claim(state)
    question = _asked(state)
    found = score_hits(
        deps, claim, state["hits"], {h.span.span_id: question.question_id for h in state["hits"]},
        scored_of(state, claim), caps=investigation_caps(deps), passes=state.get("passes", 0),
    )  # fmt: skip
    if not found.failures or found.fresh or found.trimmed:
        say(runtime, "verify", f"{len(found.fresh)} new sentence(s) scored", claim, question.depth)
    return {
        "fresh": found.fresh, "scored": found.fresh, "passes": found.passes,
        "trimmed": found.trimmed, "failures": found.failures,
    }  # fmt: skip


def trust(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Trust of the documents seen so far; then the pair gets its results and goes into the trail."""
    deps, claim, question = runtime.context, current_claim(state), _asked(state)
    update = Update()
    report = state.get("trust")
    if deps.trust is not None and state["fresh"]:
        weighed = weigh_trust(deps, claim, scored_of(state, claim), report, state.get("passes", 0))
        report = weighed.report
        update.update({"trust": report, "passes": weighed.passes, "failures": weighed.failures})
        if weighed.memory is not None:
            update["trust_memory"] = weighed.memory
    given = state["answer"]
    if given is None:
        raise RuntimeError("the trust node ran before an answer was given; the graph's edges are wrong")
    asked = Asked(
        question=question,
        answer=given,
        hits=state["hits"],
        fresh=state["fresh"],
        reason="" if state["fresh"] else "no sentence that was not scored before",
    )
    used = state.get("passes", 0) + update.get("passes", 0)
    try:
        done = complete(
            deps,
            claim,
            asked,
            scored_of(state, claim),
            report,
            passes=used,
            on_answers=spent_on(state.get("qa_pairs", ())),
        )
    except RECOVERABLE as error:
        update["failures"] = (*update.get("failures", ()), failure_of("verifier.assess", error, claim))
        return {**update, "qa_pairs": (failed_pair(asked),)}
    update["passes"] = update.get("passes", 0) + done.passes
    return {**update, "trimmed": done.trimmed, "qa_pairs": (done.pair,)}


def follow_up_check(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Is the evidence enough, or is there another question to ask?"""
    deps, claim = runtime.context, current_claim(state)
    pairs = pairs_of(state, claim)
    settled = is_settled(claim, scored_of(state, claim), state.get("trust"), deps.thresholds)
    check = deps.reasoner.follow_up_check(claim, pairs, settled)
    full = len(pairs) >= deps.caps.max_questions
    return {"enough": check.enough or full}


def after_check(state: ChainState) -> str:
    """Back to asking, or on to the next claim."""
    return "next_claim" if state["enough"] else "ask"
