"""Questions answered in parallel by ``Send``, then scored together in the order sent.

Scoring once for all branches keeps runs deterministic and scores a shared sentence once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from langgraph.runtime import Runtime
from langgraph.types import Send

from agent.graphs.common import RECOVERABLE, failure_of, look_up, say, say_answer, score_hits, weigh_trust
from agent.graphs.qa_pairs import Asked, complete, failed_pair, spent_on
from agent.graphs.state import BranchState, Deps, InvestigationState, Update
from agent.types import Answer, AtomicClaim, BranchResult, QAPair, Question, ScoredSpan, TrustMemory
from evidence.types import Hit
from factdesk.kernel import Caps, Failure
from trust.types import TrustReport

LATER_SHARE = 2
"""Divisor of a branch's sentences past the root."""
MIN_HITS = 3


def send_round(state: InvestigationState, node: str) -> list[Send]:
    """One ``Send`` per question of the round, in its order."""
    claims = {c.claim_id: c for c in state["claim_ir"].claims}
    return [Send(node, BranchState(claim=claims[question.claim_id], question=question)) for question in state["round"]]


def branch(state: BranchState, runtime: Runtime[Deps]) -> Update:
    """Look up and answer one question; an error is a ``Failure`` of this branch alone."""
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


def _result(question: Question, hits: tuple[Hit, ...], answer: Answer, failures: tuple[Failure, ...]) -> BranchResult:
    return BranchResult(question=question, hits=hits, answer=answer, failures=failures)


@dataclass(frozen=True)
class Weighed:
    """Scored results of the branches of one claim: pairs in the order sent, and state changes."""

    pairs: tuple[QAPair, ...]
    scored: tuple[ScoredSpan, ...]
    passes: int
    trust: TrustReport | None
    memory: TrustMemory | None
    trimmed: tuple[str, ...]
    failures: tuple[Failure, ...]


@dataclass
class Tally:
    """What was known and used before, carried from claim to claim."""

    known: list[ScoredSpan]
    passes: int
    trust: TrustReport | None
    on_answers: int
    """Passes spent on reading answers."""
    memory: TrustMemory | None = None
    parts: list[Weighed] = field(default_factory=list)

    def add(self, part: Weighed) -> None:
        """Count in what one claim's branches gave."""
        self.known += part.scored
        self.passes += part.passes
        self.on_answers += spent_on(part.pairs)
        self.trust = part.trust
        self.memory = part.memory or self.memory
        self.parts.append(part)


def weigh(state: InvestigationState, runtime: Runtime[Deps], caps: Caps) -> Update:
    """Score what all branches found, relate the documents, and complete the pairs as ``drafts``."""
    tally = Tally(
        list(state.get("scored", ())),
        state.get("passes", 0),
        state.get("trust"),
        spent_on(state.get("qa_pairs", ())),
    )
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
        say_answer(runtime, result.answer, claim, result.question.depth)
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
    done = _pairs(deps, claim, results, tally, found.fresh, report, passes)
    own = tuple(f for result in results for f in result.failures)
    return Weighed(
        done.pairs,
        found.fresh,
        passes + done.passes,
        report,
        memory,
        (*found.trimmed, *done.trimmed),
        (*own, *failures, *done.failures),
    )


@dataclass(frozen=True)
class _Pairs:
    pairs: tuple[QAPair, ...]
    passes: int
    trimmed: tuple[str, ...]
    failures: tuple[Failure, ...]


def _pairs(
    deps: Deps,
    claim: AtomicClaim,
    results: Sequence[BranchResult],
    tally: Tally,
    fresh: Sequence[ScoredSpan],
    report: TrustReport | None,
    passes: int,
) -> _Pairs:
    """The pairs of all branches, with their results."""
    known = [s for s in (*tally.known, *fresh) if s.claim_id == claim.claim_id]
    pairs, taken, trimmed, failures = list[QAPair](), 0, list[str](), list[Failure]()
    for result in results:
        question_id = result.question.question_id
        asked = Asked(
            question=result.question,
            answer=result.answer,
            hits=result.hits,
            fresh=tuple(s for s in fresh if s.question_id == question_id),
            reason=result.failures[0].message if result.failures else "",
        )
        used, on_answers = tally.passes + passes + taken, tally.on_answers + spent_on(pairs)
        try:
            done = complete(deps, claim, asked, known, report, passes=used, on_answers=on_answers)
        except RECOVERABLE as error:
            failures.append(failure_of("verifier.assess", error, claim))
            pairs.append(failed_pair(asked))
            continue
        taken += done.passes
        trimmed += done.trimmed
        pairs.append(done.pair)
    return _Pairs(tuple(pairs), taken, tuple(trimmed), tuple(failures))


def _in_turn(results: Sequence[BranchResult]) -> list[tuple[Hit, str]]:
    """Hits interleaved over branches, so that a cap is shared evenly."""
    longest = max((len(r.hits) for r in results), default=0)
    return [(r.hits[i], r.question.question_id) for i in range(longest) for r in results if i < len(r.hits)]
