"""Nodes and edges that all graphs share; nodes are functions of state and context, with no other I/O.

::

    intake -> next_claim -> ask -> branch (each question, in parallel) -> verify -> ... -> follow_up_check
                  ^          ^                                                                   |
                  |          +--------------------------------------- not enough, questions left +
                  +------------- join_evidence <------------------------------------------ enough +
    no claim left -> propose -> END

What all branches found is scored together, in the order sent: runs stay deterministic, and a shared sentence is
scored once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from typing import Protocol

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from agent.assessment.nli_pairs import pair_of
from agent.graphs.evidence_lookup import look_up
from agent.graphs.qa_pairs import (
    ANSWERS_SHARE,
    as_told,
    complete,
    failed_pair,
    joint_evidence,
    passes_of,
    select_new,
    spent_on,
    unread_answer,
)
from agent.graphs.state import BranchState, Deps, InvestigationGraph, InvestigationState, Update
from agent.types import CHECK, Answer, AtomicClaim, BranchResult, Progress, QAPair, Question, ScoredSpan, TrustMemory
from evidence.types import Hit
from factdesk.kernel import BackendUnavailable, Caps, Failure, TransientError
from trust.types import TrustReport

RECOVERABLE = (BackendUnavailable, TransientError, OSError, MemoryError)
"""Errors that a node turns into a ``Failure``."""
CHECK_ROOM = 4
"""Spans per claim that an investigation leaves to the verification questions of ``cove``."""
MIN_HITS = 3

Share = Callable[[InvestigationState, Question], float]
"""Share of ``Bounds.hits`` that a question has."""
Router = Callable[[InvestigationState], list[Send] | str]


class Node(Protocol):
    """A node of a graph; its name in the graph is the function's."""

    __name__: str

    def __call__(self, state: InvestigationState, runtime: Runtime[Deps]) -> Update: ...


_LOOKING = {
    "text": "looking in the documents",
    "image": "looking at the picture",
    "graph": "looking in the graph",
}


def say(
    runtime: Runtime[Deps],
    stage: str,
    message: str,
    claim: AtomicClaim | None = None,
    depth: int | None = None,
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


@dataclass
class Tally:
    """What a round gives and costs, from claim to claim; ``known`` and ``before``: from earlier rounds."""

    runtime: Runtime[Deps]
    caps: Caps
    known: list[ScoredSpan]
    before: int
    """Forward passes used by earlier rounds, of them ``on_answers`` to read answers."""
    on_answers: int
    trust: TrustReport | None
    memory: TrustMemory | None = None
    passes: int = 0
    scored: list[ScoredSpan] = field(default_factory=list)
    pairs: list[QAPair] = field(default_factory=list)
    trimmed: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    @property
    def left(self) -> int:
        """Forward passes that are left."""
        return self.caps.max_pairs - self.before - self.passes

    def add(self, claim: AtomicClaim, results: Sequence[BranchResult]) -> None:
        """Score what the branches of a claim found, relate the documents, and complete the pairs."""
        for result in results:
            found = result.answer
            told = f"answered from {len(found.span_ids)} sentence(s)" if found.found else "no answer found"
            say(self.runtime, "answer", told, claim, result.question.depth)
            self.failures += result.failures
        known = [s for s in self.known if s.claim_id == claim.claim_id]
        fresh = self._scored(claim, results, known)
        say(self.runtime, "verify", f"{len(fresh)} new sentence(s) scored", claim, results[0].question.depth)
        self.scored += fresh
        known += fresh
        if fresh:
            self._weigh_trust(claim, known)
        for result in results:
            self._complete(claim, result, known)

    def _scored(
        self, claim: AtomicClaim, results: Sequence[BranchResult], known: Sequence[ScoredSpan]
    ) -> list[ScoredSpan]:
        """New spans of all branches in turn, so that a cap is shared evenly; scored once."""
        found: dict[str, tuple[Hit, str]] = {}
        for row in zip_longest(*([(hit, r.question.question_id) for hit in r.hits] for r in results)):
            for hit, asked_by in filter(None, row):
                found.setdefault(hit.span.span_id, (hit, asked_by))
        new, trimmed, failure = select_new(claim, [hit for hit, _ in found.values()], known, self.caps, self.left)
        try:
            assessed = self.runtime.context.verifier.assess([pair_of(claim, h.span) for h in new]) if new else ()
        except RECOVERABLE as error:
            self.failures.append(failure_of("verifier.assess", error, claim))
            return []
        self.trimmed += trimmed
        self.failures += [failure] if failure is not None else []
        self.passes += sum(a.passes for a in assessed)
        return [
            ScoredSpan(claim_id=claim.claim_id, question_id=found[h.span.span_id][1], hit=h, assessment=a)
            for h, a in zip(new, assessed, strict=True)
        ]

    def _weigh_trust(self, claim: AtomicClaim, known: Sequence[ScoredSpan]) -> None:
        """Trust of the documents behind the claim's spans; after a failure the former report stays."""
        tool = self.runtime.context.trust
        if tool is None:
            return
        try:
            outcome = tool.update(claim, known, budget=self.left)
        except RECOVERABLE as error:
            self.failures.append(failure_of("trust.update", error, claim))
            return
        self.trust, self.memory = outcome.report, tool.memory()
        self.passes += outcome.passes
        self.failures += [outcome.failure] if outcome.failure is not None else []

    def _complete(self, claim: AtomicClaim, result: BranchResult, known: Sequence[ScoredSpan]) -> None:
        """The pair of one branch, with its results."""
        deps = self.runtime.context
        room = deps.caps.max_pairs // ANSWERS_SHARE - self.on_answers - spent_on(self.pairs)
        try:
            pair = complete(deps, claim, result, known, self.trust, left=self.left, for_answers=room)
        except RECOVERABLE as error:
            self.failures.append(failure_of("verifier.assess", error, claim))
            self.pairs.append(failed_pair(result))
            return
        self.passes += passes_of(pair)
        self.trimmed += unread_answer(deps, pair)
        self.pairs.append(pair)


def weigh(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """Verify the sentences and answers of all branches, and relate their documents; pairs become ``drafts``."""
    deps, results = runtime.context, state.get("branches", ())
    caps, cove = deps.caps, deps.veracity == "cove"
    if cove and not any(r.question.purpose.startswith(CHECK) for r in results):
        caps = caps.model_copy(update={"max_spans_per_claim": max(1, caps.max_spans_per_claim - CHECK_ROOM)})
    tally = Tally(
        runtime,
        caps,
        list(state.get("scored", ())),
        state.get("passes", 0),
        spent_on(state.get("qa_pairs", ())),
        state.get("trust"),
    )
    for claim in state["claim_ir"].claims:
        if mine := [r for r in results if r.question.claim_id == claim.claim_id]:
            tally.add(claim, mine)
    update: Update = {
        "branches": (),
        "drafts": tuple(tally.pairs),
        "scored": tuple(tally.scored),
        "passes": tally.passes,
        "trust": tally.trust,
        "trimmed": tuple(tally.trimmed),
        "failures": tuple(tally.failures),
    }
    if tally.memory is not None:
        update["trust_memory"] = tally.memory
    return update


def verify(state: InvestigationState, runtime: Runtime[Deps]) -> Update:
    """As ``weigh``; every pair is kept."""
    update = weigh(state, runtime)
    update.update({"qa_pairs": update["drafts"], "drafts": (), "round": ()})
    return update


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
