"""Nodes and edges that all graphs share; nodes are functions of state and context, with no other I/O.

::

    intake -> next_claim -> ask -> branch (each question, in parallel) -> verify -> ... -> follow_up_check
                  ^          ^                                                                   |
                  |          +--------------------------------------- not enough, questions left +
                  +------------- join_evidence <------------------------------------------ enough +
    no claim left -> propose -> END
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from agent.graphs.evidence_lookup import look_up
from agent.graphs.qa_pairs import as_told, is_settled, joint_evidence
from agent.graphs.state import BranchState, Deps, InvestigationGraph, InvestigationState, Update
from agent.types import Answer, AtomicClaim, BranchResult, Progress, QAPair, Question, ScoredSpan
from evidence.types import Hit
from factdesk.kernel import BackendUnavailable, Failure, TransientError

RECOVERABLE = (BackendUnavailable, TransientError, OSError, MemoryError)
"""Errors that a node turns into a ``Failure``."""
MIN_HITS = 3

Share = Callable[[InvestigationState, Question], float]
"""Share of ``Bounds.hits`` that a question has."""
Router = Callable[[InvestigationState], list[Send] | str]


class Node(Protocol):
    """A node of a graph; its name in the graph is the function's."""

    __name__: str

    def __call__(self, state: InvestigationState, runtime: Runtime[Deps]) -> Update: ...


_LOOKING = {"text": "looking in the documents", "image": "looking at the picture", "graph": "looking in the graph"}


def say(
    runtime: Runtime[Deps], stage: str, message: str, claim: AtomicClaim | None = None, depth: int | None = None
) -> None:
    """Stream one progress event, without words of a model."""
    event = Progress(stage=stage, message=message, claim_id=claim.claim_id if claim else None, depth=depth)  # type: ignore[arg-type]
    runtime.stream_writer(event.model_dump())


def current_claim(state: InvestigationState) -> AtomicClaim:
    """The claim at the cursor."""
    return state["claim_ir"].claims[state["cursor"]]


def pairs_of(state: InvestigationState, claim: AtomicClaim) -> list[QAPair]:
    """The claim's pairs so far, without unsupported answers."""
    return [as_told(p) for p in state.get("qa_pairs", ()) if p.question.claim_id == claim.claim_id]


def scored_of(state: InvestigationState, claim: AtomicClaim) -> list[ScoredSpan]:
    """The claim's scored spans so far."""
    return [s for s in state.get("scored", ()) if s.claim_id == claim.claim_id]


def has_enough(state: InvestigationState, deps: Deps, claim: AtomicClaim) -> bool:
    """The reasoner's follow-up check over the claim's pairs."""
    settled = is_settled(claim, scored_of(state, claim), state.get("trust"), deps.thresholds)
    return deps.reasoner.follow_up_check(claim, pairs_of(state, claim), settled)


def next_depth(pairs: Sequence[QAPair]) -> int:
    """Depth of the questions that follow some pairs."""
    return 1 + max((p.question.depth for p in pairs), default=-1)


def failure_of(where: str, error: Exception, claim: AtomicClaim) -> Failure:
    """A recoverable error as a record on the deciding path of the claim."""
    kind = {BackendUnavailable: "unavailable", TransientError: "transient", MemoryError: "memory"}.get(
        type(error), "io"
    )
    return Failure(where=where, kind=kind, message=str(error) or type(error).__name__, claim_id=claim.claim_id)


def out_of_time(deps: Deps, claim: AtomicClaim) -> Failure | None:
    """The failure of a claim that the time limit cut short."""
    if deps.caps.max_seconds is None or deps.clock() < deps.caps.max_seconds:
        return None
    message = (
        f"the time allowed ({deps.caps.max_seconds:g} s) was used up before this statement was investigated to its end"
    )
    return Failure(where="agent.ask", kind="budget", message=message, claim_id=claim.claim_id)


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
    image = deps.images.context(state["text"])
    if image is not None:
        say(runtime, "image", "the picture was read" if image.text else "no text was found in the picture")
    return {"claim_ir": claims, "image_context": image, "cursor": -1, "trimmed": trimmed}


def next_claim(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Move on to the next claim that documents could settle."""
    del runtime
    claims, cursor = state["claim_ir"].claims, state["cursor"] + 1
    while cursor < len(claims) and claims[cursor].unsupported_by_design:
        cursor += 1
    return {"cursor": cursor, "enough": False}


@dataclass(frozen=True)
class Round:
    """Questions to ask at once; ``ids``: form of their numbers."""

    questions: Sequence[Question]
    ids: str
    depth: int = 0


def asking(next_round: Callable[[InvestigationState, Deps, AtomicClaim], Round]) -> Node:
    """The node ``ask``: the next questions for the claim at the cursor; none when the time is up."""

    def ask(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
        deps, claim = runtime.context, current_claim(state)
        if (late := out_of_time(deps, claim)) is not None:
            return {"round": (), "failures": (late,)}
        questions = put(state, runtime, claim, next_round(state, deps, claim))
        return {"round": questions, "seconds": deps.clock()}

    return ask


def put(state: InvestigationState, runtime: Runtime[Deps], claim: AtomicClaim, asked: Round) -> tuple[Question, ...]:
    """A round's questions with route, number and place, told as progress."""
    questions = []
    for number, question in enumerate(asked.questions):
        routed = runtime.context.reasoner.route(question, claim, state.get("image_context"))
        question_id = f"{claim.claim_id}.{asked.ids.format(number + 1)}"
        place = {"question_id": question_id, "depth": asked.depth, "branch": number}
        questions.append(routed.model_copy(update=place))
        say(runtime, "question", _LOOKING[routed.route], claim, asked.depth)
    return tuple(questions)


def later_half(state: InvestigationState, question: Question) -> float:
    """Share of the hits: half of them past the root of a tree."""
    del state
    return 1.0 if question.depth == 0 else 0.5


def branches_to(node: str, otherwise: str, share: Share = later_half) -> Router:
    """Router: one ``Send`` per question of the round, in its order; ``otherwise`` where none is left to ask."""

    def route(state: InvestigationState) -> list[Send] | str:
        claims = {c.claim_id: c for c in state["claim_ir"].claims}
        sent = [BranchState(claim=claims[q.claim_id], question=q, share=share(state, q)) for q in state["round"]]
        return [Send(node, one) for one in sent] or otherwise

    return route


def branch(state: BranchState, runtime: Runtime[Deps]) -> Update:
    """Look up and answer one question; an error is a ``Failure`` of this branch alone."""
    deps, claim, question = runtime.context, state["claim"], state["question"]
    limit = int(deps.bounds.hits * state["share"])
    hits: tuple[Hit, ...] = ()
    failures: tuple[Failure, ...] = ()
    where = "evidence.retrieve"
    try:
        hits = look_up(deps, question, claim, limit if state["share"] >= 1 else max(MIN_HITS, limit))
        where = "agent.answer"
        answer = deps.reasoner.answer(question, claim, hits)
    except RECOVERABLE as error:
        answer = Answer(text="This branch did not work.", found=False)
        failures = (failure_of(where, error, claim),)
    return {"branches": (BranchResult(question=question, hits=hits, answer=answer, failures=failures),)}


def join_evidence(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Read several spans together for a claim that no single span settled, within the caps."""
    deps, claim = runtime.context, current_claim(state)
    left = deps.caps.max_pairs - state.get("passes", 0)
    try:
        joints = joint_evidence(claim, scored_of(state, claim), deps, left)
    except RECOVERABLE as error:
        return {"failures": (failure_of("verifier.joint", error, claim),)}
    return {"joints": joints, "passes": sum(j.assessment.passes for j in joints)}


def new_graph(
    *checks: Node,
    ask: Node,
    share: Share = later_half,
    following: Node = next_claim,
    join: Node = join_evidence,
    end: str = "propose",
) -> InvestigationGraph:
    """A graph that investigates claim after claim, up to ``end``.

    ``checks``: nodes from the verification, which waits for all branches, to the check whether there is enough;
    with one alone a claim has one round.
    """
    graph: InvestigationGraph = StateGraph(InvestigationState, context_schema=Deps)
    for node in (intake, following, ask):
        graph.add_node(node.__name__, node)
    graph.add_node("branch", branch)
    for node in checks:
        graph.add_node(node.__name__, node, defer=node is checks[0])
    graph.add_node("join_evidence", join)
    claims, names = following.__name__, [node.__name__ for node in checks]
    for before, after in (*pairwise((START, "intake", claims)), *pairwise(("branch", *names))):
        graph.add_edge(before, after)

    def after_next(state: InvestigationState) -> str:
        return "ask" if state["cursor"] < len(state["claim_ir"].claims) else end

    graph.add_conditional_edges(claims, after_next, ["ask", end])
    graph.add_conditional_edges("ask", branches_to("branch", "join_evidence", share), ["branch", "join_evidence"])
    if len(checks) > 1:
        graph.add_conditional_edges(names[-1], after_check, ["ask", "join_evidence"])
    else:
        graph.add_edge(names[-1], "join_evidence")
    graph.add_edge("join_evidence", claims)
    return graph


def after_check(state: InvestigationState) -> str:
    """Back to asking, or close the claim."""
    return "join_evidence" if state["enough"] else "ask"


def recursion_limit(claims: int, questions: int) -> int:
    """Supersteps a run may take at most; the real bound is the caps in the state's context."""
    return 20 + claims * (3 + questions * 8)
