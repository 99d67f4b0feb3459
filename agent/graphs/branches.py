"""Branches: several questions answered in parallel by ``Send``, then weighed together in the order sent.

Looking up and answering run in parallel. Scoring is done once for all branches, so that a sentence
that two branches found is scored once, and the caps are used in the same order in every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from langgraph.runtime import Runtime
from langgraph.types import Send

from agent.graphs.bridges import Bridged, read_bridge
from agent.graphs.common import RECOVERABLE, failure_of, look_up, say, score_hits, weigh_trust
from agent.graphs.state import BranchState, ChainState, Deps, Update
from agent.graphs.verify import best_label
from agent.types import Answer, AtomicClaim, BranchResult, Caps, QAPair, Question, ScoredSpan, TrustMemory
from evidence.types import Hit
from factdesk.kernel import Failure
from trust.types import TrustReport

LATER_SHARE = 2
"""Past the root, a branch looks up one part in so many: there are more of them, and the cap is the same.
At the root it looks up as much as a question of the chain does; with less, what speaks against a claim was
missed (measured: a wrong Verified on the example claims)."""
MIN_HITS = 3


def send_round(state: ChainState, node: str) -> list[Send]:
    """One ``Send`` per question of the round, in its order."""
    claims = {c.claim_id: c for c in state["claim_ir"].claims}
    return [
        Send(node, BranchState(claim=claims[question.claim_id], question=question))
        for question in state["round"]
    ]


def branch(state: BranchState, runtime: Runtime[Deps]) -> Update:
    """Look up and answer one question. What goes wrong is a ``Failure`` of this branch alone."""
    deps, claim, question = runtime.context, state["claim"], state["question"]
    limit = deps.bounds.hits if question.depth == 0 else max(MIN_HITS, deps.bounds.hits // LATER_SHARE)
    hits: tuple[Hit, ...] = ()
    where = "evidence.retrieve"
    try:
        hits = look_up(deps, question, claim, limit)
        where = "agent.answer"
        answer, failures = deps.reasoner.answer(question, claim, hits), ()
    except RECOVERABLE as error:
        answer = Answer(text="This branch did not work.", found=False)
        return {"branches": (_result(question, hits, answer, (failure_of(where, error, claim),)),)}
    return {"branches": (_result(question, hits, answer, failures),)}


def _result(
    question: Question, hits: tuple[Hit, ...], answer: Answer, failures: tuple[Failure, ...]
) -> BranchResult:
    return BranchResult(question=question, hits=hits, answer=answer, failures=failures)


@dataclass(frozen=True)
class Weighed:
    """What the branches of one claim gave, scored: the pairs in the order sent, and the state's changes."""

    pairs: tuple[QAPair, ...]
    scored: tuple[ScoredSpan, ...]
    passes: int
    trust: TrustReport | None
    memory: TrustMemory | None
    trimmed: tuple[str, ...]
    failures: tuple[Failure, ...]


@dataclass
class Tally:
    """What was known and used up before, carried from claim to claim."""

    known: list[ScoredSpan]
    passes: int
    trust: TrustReport | None
    memory: TrustMemory | None = None
    parts: list[Weighed] = field(default_factory=list)

    def add(self, part: Weighed) -> None:
        """Count in what one claim's branches gave."""
        self.known += part.scored
        self.passes += part.passes
        self.trust = part.trust
        self.memory = part.memory or self.memory
        self.parts.append(part)


def weigh(state: ChainState, runtime: Runtime[Deps], caps: Caps) -> Update:
    """Score what all branches found, relate the documents, and complete the pairs as ``drafts``."""
    tally = Tally(list(state.get("scored", ())), state.get("passes", 0), state.get("trust"))
    results = state.get("branches", ())
    for claim in state["claim_ir"].claims:
        mine = [r for r in results if r.question.claim_id == claim.claim_id]
        if mine:
            tally.add(_weigh_claim(runtime, claim, mine, tally, caps))
    update: Update = {
        "branches": (),
        "drafts": tuple(p for part in tally.parts for p in part.pairs),
        "fresh": tuple(s for part in tally.parts for s in part.scored),
        "scored": tuple(s for part in tally.parts for s in part.scored),
        "passes": sum(part.passes for part in tally.parts),
        "trust": tally.trust,
        "trimmed": tuple(t for part in tally.parts for t in part.trimmed),
        "failures": tuple(f for part in tally.parts for f in part.failures),
    }
    if tally.memory is not None:
        update["trust_memory"] = tally.memory
    return update


def _weigh_claim(
    runtime: Runtime[Deps], claim: AtomicClaim, results: Sequence[BranchResult], tally: Tally, caps: Caps
) -> Weighed:
    deps = runtime.context
    for result in results:
        say(runtime, "answer", result.answer.text, claim, result.question.depth)
    known = [s for s in tally.known if s.claim_id == claim.claim_id]
    asked_by: dict[str, str] = {}
    hits = _in_turn(results)
    for hit, question_id in hits:
        asked_by.setdefault(hit.span.span_id, question_id)
    unique = {hit.span.span_id: hit for hit, _ in reversed(hits)}
    ordered = [unique[span_id] for span_id in asked_by]
    found = score_hits(deps, claim, ordered, asked_by, known, caps=caps, passes=tally.passes)
    say(runtime, "verify", f"{len(found.fresh)} new sentence(s) scored", claim, results[0].question.depth)
    report, memory, passes, failures = tally.trust, None, found.passes, found.failures
    if found.fresh:
        weighed = weigh_trust(deps, claim, [*known, *found.fresh], report, tally.passes + passes)
        report, memory = weighed.report, weighed.memory
        passes += weighed.passes
        failures = (*failures, *weighed.failures)
    fresh = {s.hit.span.span_id: s for s in found.fresh}
    pairs = []
    for result in results:
        bridged = Bridged()
        try:
            left = caps.max_pairs - tally.passes - passes
            bridged = read_bridge(deps, claim, result.question, result.hits, [*known, *found.fresh], left)
        except RECOVERABLE as error:
            failures = (*failures, failure_of("verifier.assess", error, claim))
        passes += bridged.passes
        pairs.append(_pair(result, fresh, report, bridged))
    own = tuple(f for result in results for f in result.failures)
    return Weighed(tuple(pairs), found.fresh, passes, report, memory, found.trimmed, (*own, *failures))


def _in_turn(results: Sequence[BranchResult]) -> list[tuple[Hit, str]]:
    """First hits of all branches, then all second ones, ...: near a cap no branch takes another's room."""
    longest = max((len(r.hits) for r in results), default=0)
    return [(r.hits[i], r.question.question_id) for i in range(longest) for r in results if i < len(r.hits)]


def _pair(
    result: BranchResult, fresh: dict[str, ScoredSpan], report: TrustReport | None, bridged: Bridged
) -> QAPair:
    """A branch's pair. Its label comes from all it found that is new in this round, whoever found it first.

    What an earlier round scored already has its say in an earlier pair. A claim that was read with a name
    for what it describes has the label of that reading.
    """
    mine = [fresh[h.span.span_id] for h in result.hits if h.span.span_id in fresh]
    label, score, best = bridged.or_else(*best_label(mine))
    entry = report.of(best.hit.span.doc_id) if report is not None and best is not None else None
    question_id = result.question.question_id
    return QAPair(
        question=result.question, answer=result.answer,
        hits=tuple(s.hit for s in fresh.values() if s.question_id == question_id),
        label=label, score=score, trust=entry.score if entry else None,
        reason=result.failures[0].message if result.failures else "", bridge=bridged.bridge,
    )  # fmt: skip
