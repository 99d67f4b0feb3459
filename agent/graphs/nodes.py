"""Nodes of the chain: plain functions of state and context, no I/O but through ``runtime.context``."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from agent.graphs.state import ChainState, Deps, Update
from agent.graphs.verify import best_label, is_settled, joint_evidence, pair_of, select_new
from agent.types import AtomicClaim, Progress, QAPair, Question, ScoredSpan
from evidence.types import Hit, Query
from factdesk.kernel import BackendUnavailable, Failure, TransientError

RECOVERABLE = (BackendUnavailable, TransientError, OSError, MemoryError)
"""What a node turns into a ``Failure``; anything else is a bug and must surface."""


def _say(
    runtime: Runtime[Deps],
    stage: str,
    message: str,
    claim: AtomicClaim | None = None,
    depth: int | None = None,
) -> None:
    event = Progress(stage=stage, message=message, claim_id=claim.claim_id if claim else None, depth=depth)  # type: ignore[arg-type]
    runtime.stream_writer(event.model_dump())


def _claim(state: ChainState) -> AtomicClaim:
    return state["claim_ir"].claims[state["cursor"]]


def _pairs(state: ChainState, claim: AtomicClaim) -> list[QAPair]:
    return [p for p in state.get("qa_pairs", ()) if p.question.claim_id == claim.claim_id]


def _scored(state: ChainState, claim: AtomicClaim) -> list[ScoredSpan]:
    return [s for s in state.get("scored", ()) if s.claim_id == claim.claim_id]


def _out_of_time(deps: Deps) -> bool:
    return deps.caps.max_seconds is not None and deps.clock() >= deps.caps.max_seconds


def _failure(where: str, error: Exception, claim: AtomicClaim) -> Failure:
    kind = {BackendUnavailable: "unavailable", TransientError: "transient", MemoryError: "memory"}.get(
        type(error), "io"
    )
    return Failure(
        where=where, kind=kind, message=str(error) or type(error).__name__, claim_id=claim.claim_id
    )


def intake(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Compile the input into atomic claims, and read the image context."""
    deps = runtime.context
    claims = deps.compile_claims(state["text"])
    trimmed = (
        (f"{claims.trimmed} of the input's claims were left out (at most {deps.caps.max_claims}).",)
        if claims.trimmed
        else ()
    )
    _say(runtime, "intake", f"{len(claims.claims)} statement(s) to check")
    image = deps.images.context()
    if image is not None:
        _say(runtime, "image", "the picture was read" if image.text else "no text was found in the picture")
    return {"claim_ir": claims, "image_context": image, "cursor": -1, "trimmed": trimmed}


def next_claim(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Move on to the next claim that any document could settle; joint evidence is sought for the last one."""
    deps, cursor, update = runtime.context, state["cursor"], Update()
    if cursor >= 0:
        update = _close(state, deps, _claim(state))
    claims = state["claim_ir"].claims
    cursor += 1
    while cursor < len(claims) and claims[cursor].unsupported_by_design:
        cursor += 1
    update.update(
        {"cursor": cursor, "question": None, "hits": (), "answer": None, "fresh": (), "enough": False}
    )
    return update


def _close(state: ChainState, deps: Deps, claim: AtomicClaim) -> Update:
    """Two-hop evidence for a claim that no single span settled, within the cap on pairs."""
    left = deps.caps.max_pairs - state.get("passes", 0)
    try:
        joints, passes = joint_evidence(claim, _scored(state, claim), deps, left)
    except RECOVERABLE as error:
        return {"failures": (_failure("verifier.joint", error, claim),)}
    return {"joints": joints, "passes": passes}


def after_next_claim(state: ChainState) -> str:
    """Ask about the claim at the cursor, or propose when there is none left."""
    return "ask" if state["cursor"] < len(state["claim_ir"].claims) else "propose"


def ask(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """First or follow-up question, with its route."""
    deps, claim = runtime.context, _claim(state)
    if _out_of_time(deps):
        message = (
            f"the time allowed ({deps.caps.max_seconds:g} s) was used up before this statement was "
            "investigated to its end"
        )
        return {
            "question": None,
            "failures": (
                Failure(where="agent.ask", kind="budget", message=message, claim_id=claim.claim_id),
            ),
        }
    pairs, image = _pairs(state, claim), state.get("image_context")
    question: Question | None
    question = (
        deps.reasoner.follow_up(claim, pairs, image) if pairs else deps.reasoner.first_question(claim, image)
    )
    if question is not None:
        question = deps.reasoner.route(question, claim, image)
        _say(runtime, "question", question.text, claim, question.depth)
    return {"question": question}


def after_ask(state: ChainState) -> str:
    """Retrieve, or go on to the next claim when nothing is left to ask."""
    return "retrieve" if state["question"] is not None else "next_claim"


def retrieve(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Evidence for the question: from the picture or from the corpus."""
    deps, claim, question = runtime.context, _claim(state), _asked(state)
    if question.route == "image":
        return {"hits": _image_hits(deps, claim)}
    query = Query(
        text=deps.reasoner.search_text(question, claim), limit=deps.bounds.hits,
        published_from=deps.bounds.published_from, published_to=deps.bounds.published_to,
        only_domains=deps.bounds.only_domains, block_domains=deps.bounds.block_domains,
    )  # fmt: skip
    try:
        return {"hits": deps.retriever.retrieve(query)}
    except RECOVERABLE as error:
        return {"hits": (), "failures": (_failure("evidence.retrieve", error, claim),)}


def _asked(state: ChainState) -> Question:
    question = state["question"]
    if question is None:
        raise RuntimeError("a node that needs a question ran without one; the graph's edges are wrong")
    return question


def _image_hits(deps: Deps, claim: AtomicClaim) -> tuple[Hit, ...]:
    from agent.tools.image import rank_image_spans

    return rank_image_spans(claim.text, deps.images.spans(), limit=deps.bounds.hits)


def answer(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Answer from the evidence sentences."""
    deps, claim = runtime.context, _claim(state)
    found = deps.reasoner.answer(_asked(state), claim, state["hits"])
    _say(runtime, "answer", found.text, claim, _asked(state).depth)
    return {"answer": found}


def verify(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Score the spans that are new for this claim, within the caps."""
    deps, claim = runtime.context, _claim(state)
    question = _asked(state)
    left = deps.caps.max_pairs - state.get("passes", 0)
    new, trimmed, failure = select_new(claim, state["hits"], _scored(state, claim), deps.caps, left)
    texts = [pair_of(claim, h.span) for h in new]
    try:
        assessed = deps.verifier.assess(texts) if texts else ()
    except RECOVERABLE as error:
        return {"fresh": (), "failures": (_failure("verifier.assess", error, claim),)}
    fresh = tuple(
        ScoredSpan(claim_id=claim.claim_id, question_id=question.question_id, hit=h, assessment=a)
        for h, a in zip(new, assessed, strict=True)
    )
    _say(runtime, "verify", f"{len(fresh)} new sentence(s) scored", claim, question.depth)
    return {
        "fresh": fresh, "scored": fresh, "passes": sum(a.passes for a in assessed),
        "trimmed": trimmed, "failures": (failure,) if failure else (),
    }  # fmt: skip


def trust(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Trust of the documents seen so far; then the pair is complete and goes into the trail."""
    deps, claim, question = runtime.context, _claim(state), _asked(state)
    update = Update()
    report = state.get("trust")
    if deps.trust is not None and state["fresh"]:
        budget = deps.caps.max_pairs - state.get("passes", 0)
        try:
            outcome = deps.trust.update(claim, _scored(state, claim), budget=budget)
        except RECOVERABLE as error:
            update["failures"] = (_failure("trust.update", error, claim),)
        else:
            report = outcome.report
            update.update({"trust": report, "passes": outcome.passes})
            if outcome.failure is not None:
                update["failures"] = (outcome.failure,)
    label, score, best = best_label(state["fresh"])
    given = state["answer"]
    if given is None:
        raise RuntimeError("the trust node ran before an answer was given; the graph's edges are wrong")
    entry = report.of(best.hit.span.doc_id) if report is not None and best is not None else None
    pair = QAPair(
        question=question, answer=given, hits=_new_hits(state["fresh"]), label=label, score=score,
        trust=entry.score if entry else None,
        reason="" if state["fresh"] else "no sentence that was not scored before",
    )  # fmt: skip
    update["qa_pairs"] = (pair,)
    return update


def _new_hits(fresh: Sequence[ScoredSpan]) -> tuple[Hit, ...]:
    return tuple(s.hit for s in fresh)


def follow_up_check(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """Is the evidence enough, or is there another question to ask?"""
    deps, claim = runtime.context, _claim(state)
    pairs = _pairs(state, claim)
    settled = is_settled(claim, _scored(state, claim), state.get("trust"), deps.thresholds)
    check = deps.reasoner.follow_up_check(claim, pairs, settled)
    full = len(pairs) >= deps.caps.max_questions
    return {"enough": check.enough or full}


def after_check(state: ChainState) -> str:
    """Back to asking, or on to the next claim."""
    return "next_claim" if state["enough"] else "ask"


def propose(state: ChainState, runtime: Runtime[Deps]) -> Update:
    """The reasoner's proposal over all pairs."""
    deps = runtime.context
    _say(runtime, "decide", "weighing the evidence")
    return {"proposal": deps.reasoner.propose(state["claim_ir"], state.get("qa_pairs", ()))}
